//===- PrintMachines.cpp - Machines for people ----------------------------===//
///
/// \file
/// One fact a line. The states come first, as in a figure; then what the
/// machine is made of.
///
//===----------------------------------------------------------------------===//

#include "toscac/IR/DrawMachines.h"

#include "toscac/IR/KindNames.h"
#include "toscac/IR/StateDiagram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::ArrayRef;
using llvm::raw_ostream;
using llvm::StringRef;

namespace {

class MachinePrinter {
public:
  MachinePrinter(const Machine &machine, raw_ostream &os)
      : machine(machine), os(os) {}

  void print(const ShownMachine &shown);
  void printOperation(const Operation &operation);

private:
  void printCell(const Cell &cell);
  void printReaction(StringRef moment, const Reaction &reaction);
  void printTrigger(const Trigger &trigger);
  void printValue(const Expr &expr) { os << expr; }

  const Machine &machine;
  raw_ostream &os;
};

} // namespace

static void printPath(const Path &path, raw_ostream &os) {
  os << "SELF";
  for (const PathStep &step : path.steps) {
    os << ", " << nameOf(step.kind);
    if (!step.hasName()) {
      if (step.name)
        os << ", " << step.name.str();
      continue;
    }
    os << ", " << (step.name ? step.name.str() : "ALL");
    if (step.kind == PathStep::Kind::Capability)
      os << ", RELATIONSHIP";
    os << ", ";
    if (step.index)
      os << *step.index;
    else
      os << "ALL";
  }
}

void MachinePrinter::printTrigger(const Trigger &trigger) {
  os << '[';
  printPath(trigger.receiver, os);
  os << ", INTERFACE, " << trigger.interface.str() << ", "
     << trigger.operation.str() << ']';
  for (const Argument &input : trigger.inputs)
    os << ' ' << input.name.str() << '=' << *input.value;
  if (trigger.condition)
    os << " if " << *trigger.condition;
  os << '\n';
}

void MachinePrinter::printReaction(StringRef moment, const Reaction &reaction) {
  for (const Set &set : reaction.sets)
    os << "    " << moment << " set " << machine.cells[set.cell].name.str()
       << " = " << *set.value << '\n';
  for (const Trigger &trigger : reaction.triggers) {
    os << "    " << moment << " send ";
    printTrigger(trigger);
  }
}

void MachinePrinter::printCell(const Cell &cell) {
  os << "  cell " << cell.name.str() << " = " << cell.initial;
  if (!cell.domain.empty())
    os << " of "
       << llvm::join(llvm::map_range(cell.domain,
                                     [](const Value &v) { return toText(v); }),
                     ", ");
  os << '\n';
}

void MachinePrinter::printOperation(const Operation &operation) {
  os << (operation.isNotification ? "  notification " : "  operation ")
     << operation.name.str();
  if (!operation.handlers.empty())
    os << " runs " << operation.handlers.size()
       << (operation.handlers.size() == 1 ? " handler" : " handlers");
  if (operation.timeout)
    os << ", timeout " << operation.timeout;
  if (operation.retries)
    os << ", retries " << operation.retries;
  os << '\n';
  if (operation.precondition)
    os << "    if " << *operation.precondition << '\n';
  printReaction("entry", operation.entry);
  printReaction("success", operation.success);
  printReaction("failure", operation.failure);
}

void MachinePrinter::print(const ShownMachine &shown) {
  os << "machine " << machine.interface.str() << " : " << machine.type.str();
  if (!shown.owners.empty())
    os << " of " << llvm::join(shown.owners, ", ");
  os << '\n';
  for (const StateDiagram &diagram : diagramsOf(shown))
    for (const StateDiagram::Edge &edge : diagram.edges)
      os << "  " << diagram.cell->name.str() << ": "
         << diagram.valueName(edge.from) << " --> "
         << diagram.valueName(edge.to) << ": " << diagram.label(edge) << '\n';
  for (const Cell &cell : machine.cells)
    printCell(cell);
  for (const Operation &operation : machine.operations)
    printOperation(operation);
  for (const Trigger &rule : machine.rules) {
    os << "  rule ";
    printTrigger(rule);
  }
  for (const Intent &intent : machine.intents)
    os << "  intent " << intent.workflow.str() << " sets "
       << machine.cells[intent.cell].name.str() << " = " << intent.value
       << ", reached by " << machine.cells[intent.goal].name.str() << '\n';
  for (const FailureMark &mark : machine.failures)
    os << "  failed while " << machine.cells[mark.cell].name.str() << " = "
       << mark.value << '\n';
  for (const FailureMark &mark : machine.health)
    os << "  healthy while " << machine.cells[mark.cell].name.str() << " = "
       << mark.value << '\n';
  if (auto update = machine.roles.updateOperation)
    os << "  updated by " << machine.operations[*update].name.str() << '\n';
  if (auto check = machine.roles.checkOperation)
    os << "  checked by " << machine.operations[*check].name.str() << '\n';
  for (const Promise &promise : machine.promises)
    os << (promise.kind == Promise::Kind::Always ? "  always " : "  goal ")
       << promise.name.str() << ": " << *promise.condition << '\n';
}

void ir::printOperation(const Machine &machine, const Operation &operation,
                        raw_ostream &os) {
  MachinePrinter(machine, os).printOperation(operation);
}

void ir::printMachines(ArrayRef<ShownMachine> machines, raw_ostream &os) {
  for (const ShownMachine &shown : machines)
    MachinePrinter(*shown.machine, os).print(shown);
}
