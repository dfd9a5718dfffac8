//===- MachineFacts.cpp - A machine for pages -----------------------------===//

#include "MachineFacts.h"

#include "toscac/Basic/JSONWriter.h"
#include "toscac/IR/KindNames.h"
#include "toscac/IR/StateDiagram.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

void ir::writePlace(SourceRange range, PlaceOf placeOf, JSONWriter &json) {
  if (std::string place = placeOf(range); !place.empty())
    json.attribute("place", place);
}

namespace {

class MachineFacts {
public:
  MachineFacts(const Machine &machine, PlaceOf placeOf, JSONWriter &json)
      : machine(machine), placeOf(placeOf), json(json) {}

  void write(const ShownMachine &shown);

private:
  template <typename Range, typename Write>
  void list(StringRef key, const Range &range, Write write) {
    json.attributeBegin(key);
    json.array([&] {
      for (const auto &each : range)
        write(each);
    });
  }
  void writeCell(const Cell &cell);
  void writeDiagram(const StateDiagram &diagram);
  void writeOperation(const Operation &operation);
  void writeReaction(StringRef key, const Reaction &reaction);
  void writeTrigger(const Trigger &trigger);
  void writeIntent(const Intent &intent);
  void writeCondition(StringRef key, const Expr *expr) {
    if (!expr)
      return;
    json.attributeBegin(key);
    writeJSON(json, *expr);
  }
  StringRef cellName(uint32_t cell) const {
    return machine.cells[cell].name.str();
  }

  const Machine &machine;
  PlaceOf placeOf;
  JSONWriter &json;
};

} // namespace

void MachineFacts::writeCell(const Cell &cell) {
  json.object([&] {
    json.attribute("name", cell.name.str());
    json.attribute("initial", toText(cell.initial));
    list("domain", cell.domain,
         [&](const Value &value) { json.value(toText(value)); });
  });
}

void MachineFacts::writeDiagram(const StateDiagram &diagram) {
  json.object([&] {
    json.attribute("cell", diagram.cell->name.str());
    json.attribute("initial", diagram.valueName(diagram.initial));
    list("values", diagram.values,
         [&](uint32_t value) { json.value(diagram.valueName(value)); });
    list("edges", diagram.edges, [&](const StateDiagram::Edge &edge) {
      json.object([&] {
        json.attribute("from", diagram.valueName(edge.from));
        json.attribute("to", diagram.valueName(edge.to));
        json.attribute("operation", edge.operation.str());
        if (edge.fails)
          json.attribute("fails", true);
      });
    });
  });
}

void MachineFacts::writeTrigger(const Trigger &trigger) {
  json.object([&] {
    list("path", trigger.receiver.steps, [&](const PathStep &step) {
      json.object([&] {
        json.attribute("step", nameOf(step.kind));
        if (step.name)
          json.attribute("name", step.name.str());
        if (step.index)
          json.attribute("index", toText(*step.index));
      });
    });
    json.attribute("interface", trigger.interface.str());
    json.attribute("operation", trigger.operation.str());
    writeCondition("condition", trigger.condition);
    writePlace(trigger.range, placeOf, json);
  });
}

void MachineFacts::writeReaction(StringRef key, const Reaction &reaction) {
  if (reaction.sets.empty() && reaction.triggers.empty())
    return;
  json.attributeBegin(key);
  json.object([&] {
    list("sets", reaction.sets, [&](const Set &set) {
      json.value((cellName(set.cell) + " = " + toText(*set.value)).str());
    });
    list("sends", reaction.triggers,
         [&](const Trigger &trigger) { writeTrigger(trigger); });
  });
}

void MachineFacts::writeOperation(const Operation &operation) {
  json.newLine();
  json.object([&] {
    json.attribute("name", operation.name.str());
    json.attribute("handlers", uint64_t(operation.handlers.size()));
    if (operation.isNotification)
      json.attribute("notification", true);
    writeCondition("if", operation.precondition);
    writeReaction("entry", operation.entry);
    writeReaction("success", operation.success);
    writeReaction("failure", operation.failure);
    writePlace(operation.range, placeOf, json);
  });
}

void MachineFacts::writeIntent(const Intent &intent) {
  json.object([&] {
    json.attribute("workflow", intent.workflow.str());
    json.attribute(
        "sets", (cellName(intent.cell) + " = " + toText(intent.value)).str());
    json.attribute("reached_by", cellName(intent.goal));
  });
}

void MachineFacts::write(const ShownMachine &shown) {
  json.newLine();
  json.object([&] {
    json.attribute("interface", machine.interface.str());
    json.attribute("type", machine.type.str());
    list("owners", shown.owners,
         [&](const std::string &owner) { json.value(owner); });
    writePlace(machine.range, placeOf, json);
    list("cells", machine.cells, [&](const Cell &cell) { writeCell(cell); });
    std::vector<StateDiagram> diagrams = diagramsOf(shown);
    list("diagrams", diagrams,
         [&](const StateDiagram &diagram) { writeDiagram(diagram); });
    list("operations", machine.operations,
         [&](const Operation &operation) { writeOperation(operation); });
    list("rules", machine.rules,
         [&](const Trigger &rule) { writeTrigger(rule); });
    list("intents", machine.intents,
         [&](const Intent &intent) { writeIntent(intent); });
    list("promises", machine.promises, [&](const Promise &promise) {
      json.object([&] {
        json.attribute("kind", promise.kind == Promise::Kind::Always ? "always"
                                                                     : "goal");
        json.attribute("name", promise.name.str());
        writeCondition("condition", promise.condition);
      });
    });
  });
}

void ir::writeMachineFacts(const ShownMachine &shown, PlaceOf placeOf,
                           JSONWriter &json) {
  MachineFacts(*shown.machine, placeOf, json).write(shown);
}
