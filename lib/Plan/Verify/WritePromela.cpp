//===- WritePromela.cpp - A model for SPIN --------------------------------===//

#include "toscac/Plan/WritePromela.h"

#include "Ground.h"
#include "Steps/PlanData.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

class PromelaWriter {
public:
  PromelaWriter(const GroundSystem &system, const PlanData &plan,
                llvm::raw_ostream &os)
      : system(system), layout(plan.system.layout), values(plan.system.values),
        os(os) {
    for (const GroundCell &cell : system.cells)
      cellNames.push_back(makeName(nameOf(cell)));
    for (const GroundOperation &operation : system.operations)
      operationNames.push_back(makeName(nameOf(operation)));
  }

  void write();

private:
  std::string nameOf(const GroundCell &cell) const {
    return cell.id == noCell ? "progress" : layout.nameOf(cell.id);
  }
  std::string nameOf(const GroundOperation &operation) const;
  std::string makeName(StringRef text);
  std::string valueName(uint32_t cell, uint8_t value);
  std::string textOf(FormulaId id);
  std::string testText(const Formula &test);
  void declareValues();
  void declareState();
  void writeStart(uint32_t operation);
  void writeSends(ArrayRef<GroundSend> sends, StringRef indent);
  void writeCells(ArrayRef<GroundWrite> writes, StringRef indent);
  void writeRules();
  void writeRule(uint32_t number, ArrayRef<std::string> conditions);
  void writeEnds();
  void writeGoal();

  const GroundSystem &system;
  const Layout &layout;
  const ValueTable &values;
  llvm::raw_ostream &os;
  std::vector<std::string> cellNames, operationNames;
  llvm::StringSet<> usedNames;
  llvm::DenseMap<uint32_t, std::string> valueNames;
  llvm::BitVector written;
};

} // namespace

std::string PromelaWriter::nameOf(const GroundOperation &operation) const {
  if (operation.promise)
    return (layout.graph.nameOf(operation.owner) + ".breaks." +
            operation.promise->name.str())
        .str();
  return operation.isTask() ? "task" : layout.nameOf(operation.id);
}

/// `site[2].standard.state` becomes `site_2_standard_state`.
std::string PromelaWriter::makeName(StringRef text) {
  std::string name;
  for (char c : text) {
    if (llvm::isAlnum(c))
      name += c;
    else if (!name.empty() && name.back() != '_')
      name += '_';
  }
  if (name.empty() || llvm::isDigit(name.front()))
    name = "n" + name;
  std::string unique = name;
  for (unsigned i = 2; !usedNames.insert(unique).second; ++i)
    unique = name + "_" + std::to_string(i);
  return unique;
}

std::string PromelaWriter::valueName(uint32_t cell, uint8_t value) {
  return valueNames[system.cells[cell].values[value].index];
}

void PromelaWriter::declareValues() {
  for (const GroundCell &cell : system.cells)
    for (ValueId value : cell.values)
      if (valueNames.try_emplace(value.index).second) {
        std::string name = makeName("is_" + toText(values[value]));
        os << "#define " << name << ' ' << valueNames.size() - 1 << '\n';
        valueNames[value.index] = name;
      }
}

void PromelaWriter::declareState() {
  os << "\n/* Cells. */\n";
  for (auto [i, cell] : llvm::enumerate(system.cells))
    os << "byte " << cellNames[i] << " = " << valueName(i, cell.initial)
       << ";\n";
  if (llvm::any_of(system.cells,
                   [](const GroundCell &cell) { return cell.id == noCell; }))
    os << "/* progress of the workflow's steps: 0 waits, 1 has begun or is "
          "done, 2 "
          "is skipped. */\n";
  os << "\n/* How often each operation has started, and whether it runs. */\n";
  for (auto [i, operation] : llvm::enumerate(system.operations)) {
    os << "byte started_" << operationNames[i] << ";\n";
    if (!operation.takesNoTime())
      os << "bool runs_" << operationNames[i] << ";\n";
  }
  if (!system.rules.empty())
    os << "\n/* Rules that hold and have fired. */\nbool held["
       << system.rules.size() << "];\n";
}

std::string PromelaWriter::testText(const Formula &test) {
  std::vector<std::string> parts;
  for (uint32_t i = 0; i != system.cells[test.cell].values.size(); ++i)
    if (test.values >> i & 1)
      parts.push_back(cellNames[test.cell] + " == " + valueName(test.cell, i));
  std::string text = llvm::join(parts, " || ");
  return parts.size() == 1 ? text : "(" + text + ")";
}

std::string PromelaWriter::textOf(FormulaId id) {
  const Formula &formula = system[id];
  if (formula.isTest())
    return testText(formula);
  if (formula.isConstant())
    return formula.isTrue() ? "true" : "false";
  std::vector<std::string> parts;
  for (FormulaId part : formula.parts)
    parts.push_back(textOf(part));
  if (formula.needsAll() || formula.needed == 1)
    return "(" + llvm::join(parts, formula.needsAll() ? " && " : " || ") + ")";
  for (std::string &part : parts)
    part = "(" + part + ")";
  return "(" + llvm::join(parts, " + ") +
         " >= " + std::to_string(formula.needed) + ")";
}

void PromelaWriter::writeSends(ArrayRef<GroundSend> sends, StringRef indent) {
  for (const GroundSend &send : sends) {
    std::string call = "start_" + operationNames[send.operation] + "()";
    std::string condition = textOf(send.condition);
    if (condition == "true")
      os << indent << call << ";\n";
    else
      os << indent << "if :: " << condition << " -> " << call
         << " :: else fi;\n";
  }
}

/// Those that it starts in turn have to be defined before.
void PromelaWriter::writeStart(uint32_t number) {
  if (written.test(number))
    return;
  written.set(number);
  const GroundOperation &operation = system.operations[number];
  for (const GroundSend &send : operation.onEntry)
    writeStart(send.operation);
  StringRef name = operationNames[number];
  std::string precondition = textOf(operation.precondition);
  if (!operation.takesNoTime())
    precondition = ("!runs_" + name).str() +
                   (precondition == "true" ? "" : " && " + precondition);
  os << "\ninline start_" << name << "() {\n  if\n  :: " << precondition
     << " ->\n    ";
  if (!operation.takesNoTime())
    os << "runs_" << name << " = true; ";
  os << "started_" << name << "++;\n    assert(started_" << name
     << " < 100);\n";
  writeCells(operation.entry, "    ");
  writeSends(operation.onEntry, "    ");
  os << "  :: else\n  fi\n}\n";
}

void PromelaWriter::writeCells(ArrayRef<GroundWrite> writes, StringRef indent) {
  for (GroundWrite write : writes) {
    StringRef cell = cellNames[write.cell];
    os << indent;
    if (!write.isSure())
      os << "if :: " << cell << " == " << valueName(write.cell, write.from)
         << " -> ";
    os << cell << " = " << valueName(write.cell, write.value)
       << (write.isSure() ? ";\n" : " :: else fi;\n");
  }
}

void PromelaWriter::writeRules() {
  std::vector<std::string> conditions;
  for (const GroundRule &rule : system.rules)
    conditions.push_back(
        "(" + textOf(rule.condition) + " && " +
        textOf(system.operations[rule.operation].precondition) + ")");
  if (conditions.empty())
    return;
  os << "    /* Level rules fire until none rises any more. */\n"
        "    do\n    :: true ->\n";
  for (auto [i, condition] : llvm::enumerate(conditions))
    os << "      if :: !" << condition << " -> held[" << i
       << "] = false :: else fi;\n";
  auto isTask = [&](const GroundRule &rule) {
    return system.operations[rule.operation].isTask();
  };
  bool hasTasks = llvm::any_of(system.rules, isTask);
  auto write = [&](bool ofTasks) {
    os << "      if\n";
    for (auto [i, rule] : llvm::enumerate(system.rules))
      if (isTask(rule) == ofTasks)
        writeRule(i, conditions);
  };
  // Tasks follow each other before anything else happens.
  if (hasTasks) {
    write(/*ofTasks=*/true);
    os << "      :: else ->\n";
  }
  write(/*ofTasks=*/false);
  os << "      :: else -> break\n      fi" << (hasTasks ? " fi" : "")
     << "\n    od;\n";
}

/// \p conditions are those of all rules. A call that waits comes first.
void PromelaWriter::writeRule(uint32_t number,
                              ArrayRef<std::string> conditions) {
  const GroundRule &rule = system.rules[number];
  StringRef name = operationNames[rule.operation];
  os << "      :: " << conditions[number] << " && !held[" << number << "]";
  if (!system.operations[rule.operation].takesNoTime())
    os << " && !runs_" << name;
  for (auto [i, call] : llvm::enumerate(system.rules))
    if (call.isCall && !rule.isCall && call.operation == rule.operation)
      os << " && !" << conditions[i];
  os << " -> held[" << number << "] = true; start_" << name << "()\n";
}

void PromelaWriter::writeEnds() {
  os << "    /* One of the operations that run ends. */\n    if\n";
  for (auto [i, operation] : llvm::enumerate(system.operations)) {
    StringRef name = operationNames[i];
    if (operation.takesNoTime())
      continue;
    os << "    :: runs_" << name << " ->\n      runs_" << name << " = false;\n";
    writeCells(operation.success, "      ");
    writeSends(operation.onSuccess, "      ");
  }
  os << "    :: else -> break\n    fi\n";
}

void PromelaWriter::writeGoal() {
  os << "  /* Every order takes the steps of the plan and ends in its state. "
        "*/\n";
  for (auto [i, operation] : llvm::enumerate(system.operations))
    os << "  assert(started_" << operationNames[i]
       << " == " << operation.expected << ");\n";
  for (auto [i, cell] : llvm::enumerate(system.cells))
    os << "  assert(" << cellNames[i] << " == " << valueName(i, cell.expected)
       << ");\n";
}

void PromelaWriter::write() {
  declareValues();
  declareState();
  written.resize(system.operations.size());
  for (uint32_t i = 0; i != system.operations.size(); ++i)
    writeStart(i);
  os << "\nactive proctype orders() {\n  atomic {\n";
  for (auto [i, rule] : llvm::enumerate(system.rules))
    if (rule.hasHeld)
      os << "    held[" << i << "] = true;\n";
  for (uint32_t event : system.events)
    os << "    start_" << operationNames[event] << "();\n";
  os << "    skip\n  }\n  do\n  :: atomic { true ->\n";
  writeRules();
  writeEnds();
  os << "  }\n  od;\n";
  writeGoal();
  os << "}\n";
}

/// Whether operations start each other on entry, which Promela cannot inline.
static bool startsItself(const GroundSystem &system, uint32_t operation,
                         llvm::SmallVectorImpl<uint32_t> &path) {
  if (llvm::is_contained(path, operation))
    return true;
  path.push_back(operation);
  for (const GroundSend &send : system.operations[operation].onEntry)
    if (startsItself(system, send.operation, path))
      return true;
  path.pop_back();
  return false;
}

/// Otherwise says why there is no model.
static std::optional<GroundSystem> groundFor(const Plan &plan, Part part,
                                             std::string &problem) {
  std::optional<GroundSystem> system =
      ground(plan->start, plan->run, part, problem);
  for (uint32_t i = 0; system && i != system->operations.size(); ++i) {
    llvm::SmallVector<uint32_t> path;
    if (!startsItself(*system, i, path))
      continue;
    problem = "'" + plan->system.layout.nameOf(system->operations[i].id) +
              "' starts itself when it starts";
    return std::nullopt;
  }
  return system;
}

std::string toscac::plan::writePromela(const Plan &plan,
                                       llvm::raw_ostream &os) {
  std::string problem;
  std::optional<GroundSystem> first = groundFor(plan, Part::First, problem);
  std::optional<GroundSystem> later;
  if (first && plan->start.hasLater())
    later = groundFor(plan, Part::Later, problem);
  if (!problem.empty())
    return problem;
  os << "/* Workflow '" << plan->goal.workflow.str()
     << "' as a model for SPIN: every order in which operations can end.\n"
        "   spin -search -safety model.pml */\n\n";
  if (!later) {
    PromelaWriter(*first, *plan, os).write();
    return "";
  }
  os << "/* The workflow wants one thing after another. This is the first; "
        "the second,\n   which begins where the first has to end:\n"
        "   spin -DLATER -search -safety model.pml */\n#ifndef LATER\n\n";
  PromelaWriter(*first, *plan, os).write();
  os << "\n#else\n\n";
  PromelaWriter(*later, *plan, os).write();
  os << "\n#endif\n";
  return "";
}
