//===- ParseMachine.cpp - Machines in the graph's text form ---------------===//

#include "MachineParser.h"
#include "toscac/IR/KindNames.h"
#include "toscac/IR/ResolvePath.h"
#include "toscac/IR/WorkflowRoles.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

struct MachineParser::ReactionParts {
  SmallVector<Set> sets;
  SmallVector<Trigger> triggers;
};

struct MachineParser::OperationParts {
  SmallVector<Argument> inputs;
  SmallVector<OutputMapping> outputs;
  SmallVector<Handler> handlers;
  ReactionParts entry, success, failure;
};

bool MachineParser::parseMachine() {
  Label label;
  Machine machine;
  if (!text.readLabel(label))
    return false;
  machine.interface = label.name;
  machine.range = label.range;
  if (!declare("machine", label, parsed.machines, graph->machines.size()) ||
      (text.consume(":") && !text.readName(machine.type)))
    return false;
  cells = {};
  SmallVector<Cell> cellList;
  SmallVector<Operation> operations;
  SmallVector<Trigger> rules;
  SmallVector<Intent> intents;
  SmallVector<FailureMark> failures, health;
  SmallVector<Promise> promises;
  bool good = !text.isAt("{") || text.readBlock([&] {
    if (text.consume("cell"))
      return parseCell(cellList);
    if (text.consume("operation"))
      return parseOperation(operations);
    if (text.consume("rule"))
      return parseTrigger(rules);
    if (text.consume("intent"))
      return parseIntent(intents);
    if (text.consume("failed"))
      return parseFailure(failures);
    if (text.consume("healthy"))
      return parseFailure(health);
    if (text.consume("role"))
      return parseRole(operations, machine.roles);
    if (text.consume("always"))
      return parsePromise(Promise::Kind::Always, promises);
    if (text.consume("goal"))
      return parsePromise(Promise::Kind::Goal, promises);
    return text.fail("cell, operation, rule, intent, failed, healthy, role, "
                     "always or goal");
  });
  machine.cells = save(cellList);
  machine.operations = save(operations);
  machine.rules = save(rules);
  machine.intents = save(intents);
  machine.failures = save(failures);
  machine.health = save(health);
  machine.promises = save(promises);
  graph->machines.push_back(machine);
  std::vector<const Expr *> &initial = initialValues.emplace_back();
  for (const Cell &cell : cellList)
    initial.push_back(
        graph->arena.make(Expr::literal(cell.initial, cell.range)));
  return good;
}

bool MachineParser::parseCell(SmallVectorImpl<Cell> &list) {
  Cell cell;
  Label label;
  if (!text.readLabel(label))
    return false;
  cell.name = label.name;
  cell.range = label.range;
  if (!declare("cell", label, cells, list.size()) ||
      !text.readKind(cell.type) || !text.expect("=") ||
      !text.readLiteral(cell.initial))
    return false;
  if (text.consume("in")) {
    Value domain;
    SourceRange range = text.here();
    if (!text.readLiteral(domain))
      return false;
    if (!domain.isList()) {
      diags.report(range, diag::IrSyntax, "a list of values", "another value");
      return false;
    }
    cell.domain = domain.items();
  }
  list.push_back(cell);
  return true;
}

bool MachineParser::readCondition(const Expr *&condition) {
  return !text.consume("when") || text.readCondition(condition);
}

bool MachineParser::readCell(uint32_t &cell) {
  Label label;
  if (!text.readLabel(label))
    return false;
  auto found = cells.find(label);
  if (!found)
    return unknown("cell", label);
  cell = *found;
  return true;
}

bool MachineParser::readOptions(Operation &operation) {
  operation.isNotification = text.consume("notification");
  return readCondition(operation.precondition) &&
         (!text.consume("timeout") || text.readNumber(operation.timeout)) &&
         (!text.consume("retries") || text.readNumber(operation.retries));
}

bool MachineParser::parseOperation(SmallVectorImpl<Operation> &operations) {
  Operation operation;
  operation.range = text.here();
  OperationParts parts;
  if (!text.readName(operation.name) || !readOptions(operation) ||
      (text.isAt("{") &&
       !text.readBlock([&] { return parseOperationPart(parts); })))
    return false;
  operation.inputs = save(parts.inputs);
  operation.outputs = save(parts.outputs);
  operation.handlers = save(parts.handlers);
  operation.entry = {save(parts.entry.sets), save(parts.entry.triggers)};
  operation.success = {save(parts.success.sets), save(parts.success.triggers)};
  operation.failure = {save(parts.failure.sets), save(parts.failure.triggers)};
  operations.push_back(operation);
  return true;
}

bool MachineParser::parseOperationPart(OperationParts &parts) {
  if (text.consume("input"))
    return parseArgument(parts.inputs);
  if (text.consume("output"))
    return parseMapping(parts.outputs);
  if (text.consume("handler"))
    return parseHandler(parts.handlers);
  if (text.consume("entry"))
    return parseReaction(parts.entry);
  if (text.consume("success"))
    return parseReaction(parts.success);
  if (text.consume("failure"))
    return parseReaction(parts.failure);
  return text.fail("input, output, handler, entry, success or failure");
}

bool MachineParser::parseReaction(ReactionParts &parts) {
  if (text.consume("send"))
    return parseTrigger(parts.triggers);
  Set set{};
  if (!text.expect("set"))
    return false;
  set.range = text.here();
  if (!readCell(set.cell) || !text.expect("=") || !text.readExpr(set.value))
    return false;
  parts.sets.push_back(set);
  return true;
}

bool MachineParser::parseArgument(SmallVectorImpl<Argument> &arguments) {
  Argument argument;
  argument.range = text.here();
  if (!text.readName(argument.name) || !text.readKind(argument.type))
    return false;
  argument.required = !text.consume("optional");
  argument.sensitive = text.consume("sensitive");
  if (text.consume("=") && !text.readExpr(argument.value))
    return false;
  arguments.push_back(argument);
  return true;
}

bool MachineParser::parseArguments(ArrayRef<Argument> &arguments) {
  if (!text.isAt("{"))
    return true;
  SmallVector<Argument> list;
  bool good = text.readBlock(
      [&] { return text.expect("input") && parseArgument(list); });
  arguments = save(list);
  return good;
}

bool MachineParser::parseMapping(SmallVectorImpl<OutputMapping> &mappings) {
  OutputMapping mapping;
  mapping.range = text.here();
  SmallVector<Name> target;
  if (!text.readName(mapping.output) || !text.readKind(mapping.type) ||
      !text.expect("->") || !text.readNames(target))
    return false;
  mapping.target = save(target);
  mappings.push_back(mapping);
  return true;
}

bool MachineParser::readPlace(HandlerPlace &place) {
  for (HandlerPlace each : {HandlerPlace::Self, HandlerPlace::Host,
                            HandlerPlace::Source, HandlerPlace::Target})
    if (text.consume(nameOf(each))) {
      place = each;
      return true;
    }
  return text.fail("SELF, HOST, SOURCE or TARGET");
}

bool MachineParser::parseHandler(SmallVectorImpl<Handler> &handlers) {
  Handler handler{};
  SmallVector<ArtifactId> files;
  if (!readArtifact(handler.artifact) ||
      (text.consume("files") && !text.readList([&] {
        return readArtifact(files.emplace_back(ArtifactId{}));
      })) ||
      (text.consume("on") && !readPlace(handler.place)))
    return false;
  SmallVector<Argument> inputs;
  SmallVector<OutputMapping> outputs;
  bool good = !text.isAt("{") || text.readBlock([&] {
    if (text.consume("input"))
      return parseArgument(inputs);
    if (text.consume("output"))
      return parseMapping(outputs);
    return text.fail("input or output");
  });
  handler.files = save(files);
  handler.inputs = save(inputs);
  handler.outputs = save(outputs);
  handlers.push_back(handler);
  return good;
}

/// The receiver is written as a path that ends in an operation.
bool MachineParser::parseTrigger(SmallVectorImpl<Trigger> &triggers) {
  Trigger trigger;
  SourceRange range = text.here();
  SmallVector<Expr> words;
  if (!text.readWords(words))
    return false;
  Reference reference;
  bool isEvent =
      readReference(save(words), EntityKind::Node, text.names, reference) &&
      reference.place == Reference::Place::Interface && reference.name &&
      !reference.variable && reference.firstKey == words.size();
  if (!isEvent) {
    diags.report(range, diag::IrBadEvent);
    return false;
  }
  trigger.receiver = {save(reference.steps), range};
  trigger.interface = reference.part;
  trigger.operation = reference.name;
  trigger.range = range;
  if (!readCondition(trigger.condition) || !parseArguments(trigger.inputs))
    return false;
  triggers.push_back(trigger);
  return true;
}

bool MachineParser::parseIntent(SmallVectorImpl<Intent> &intents) {
  Intent intent{};
  if (!text.readName(intent.workflow))
    return false;
  intent.way = text.consume("up")     ? Intent::Way::Up
               : text.consume("down") ? Intent::Way::Down
               : text.consume("other")
                   ? Intent::Way::Other
                   : WorkflowRoles().wayOf(intent.workflow.str());
  if (!text.expect("set") || !readCell(intent.cell) || !text.expect("=") ||
      !text.readLiteral(intent.value) || !text.expect("goal") ||
      !readCell(intent.goal))
    return false;
  intents.push_back(intent);
  return true;
}

bool MachineParser::readOperation(llvm::ArrayRef<Operation> operations,
                                  std::optional<uint32_t> &found) {
  Label label;
  if (!text.readLabel(label))
    return false;
  for (auto [i, operation] : llvm::enumerate(operations))
    if (operation.name == label.name)
      found = i;
  return found || unknown("operation", label);
}

bool MachineParser::parseRole(llvm::ArrayRef<Operation> operations,
                              Roles &roles) {
#define OPERATION_ROLE(field, mark)                                            \
  if (text.consume(#field))                                                    \
    return readOperation(operations, roles.field);
#define CELL_ROLE(field, mark)                                                 \
  if (text.consume(#field))                                                    \
    return readCell(roles.field.emplace());
#define VALUE_ROLE(field, mark, cell)                                          \
  if (text.consume(#field))                                                    \
    return text.expect("=") && text.readLiteral(roles.field.emplace());
#include "toscac/IR/Roles.def"
  return text.fail("a role");
}

bool MachineParser::parsePromise(Promise::Kind kind,
                                 SmallVectorImpl<Promise> &promises) {
  Promise promise{kind};
  Label label;
  if (!text.readLabel(label))
    return false;
  if (!text.isAt("when"))
    return text.fail("when");
  if (!readCondition(promise.condition))
    return false;
  promise.name = label.name;
  promise.range = label.range;
  promises.push_back(promise);
  return true;
}

bool MachineParser::parseFailure(SmallVectorImpl<FailureMark> &failures) {
  FailureMark mark{};
  if (!readCell(mark.cell) || !text.expect("=") ||
      !text.readLiteral(mark.value))
    return false;
  failures.push_back(mark);
  return true;
}

bool MachineParser::readArtifact(ArtifactId &artifact) {
  Label file;
  if (!text.readLabel(file))
    return false;
  auto found = parsed.artifacts.find(file);
  if (!found)
    return unknown("artifact", file);
  artifact = {*found};
  return true;
}

bool MachineParser::parseSlot(std::vector<MachineSlot> &slots) {
  Label label;
  if (!text.readLabel(label))
    return false;
  auto found = parsed.machines.find(label);
  if (!found)
    return unknown("machine", label);
  MachineSlot slot{{*found}, {}};
  llvm::ArrayRef<const Expr *> initial = initialValues[*found];
  slot.cells.resize(initial.size());
  for (auto [column, value] : llvm::zip(slot.cells, initial))
    column.setAll(value);
  if (text.isAt("{")) {
    cells = {};
    for (auto [i, cell] : llvm::enumerate(graph->machines[*found].cells))
      cells.add(cell.name, i);
    auto readValue = [&] {
      uint32_t cell;
      const Expr *value;
      if (!text.expect("cell") || !readCell(cell) || !text.expect("=") ||
          !text.readSharedExpr(value))
        return false;
      slot.cells[cell].setAll(value);
      return true;
    };
    if (!text.readBlock(readValue))
      return false;
  }
  slots.push_back(std::move(slot));
  return true;
}
