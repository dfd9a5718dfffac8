//===- StepText.cpp - Steps as lines of plan.json -------------------------===//

#include "StepText.h"

#include "CellOutputs.h"

#include "Guards.h"
#include "StepInputs.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/IR/KindNames.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using llvm::raw_ostream;
using llvm::StringRef;

static std::string quote(StringRef text) {
  std::string result;
  llvm::raw_string_ostream os(result);
  writeJSONString(os, text);
  return result;
}

StepText::StepText(const PlanData &plan, const EntityNames &names,
                   ArrayRef<uint32_t> entities, ArrayRef<uint32_t> artifacts)
    : plan(plan), exclusions(exclusionsOf(plan)), names(names),
      entities(entities), artifacts(artifacts),
      parts(plan.system.layout.set.machines.size()) {}

StepText::Parts &StepText::partsOf(const EventPlace &at) {
  const Layout &layout = plan.system.layout;
  std::vector<Parts> &all = parts[layout.slots[at.slot.index].machine.index];
  if (all.empty())
    all.resize(layout.machine(at.slot).operations.size());
  Parts &own = all[at.operation];
  if (!own.isMade)
    make(at, own);
  return own;
}

static bool setLiterals(const ir::Reaction &reaction) {
  return llvm::all_of(
      reaction.sets, [](const ir::Set &set) { return set.value->isLiteral(); });
}

void StepText::make(const EventPlace &at, Parts &parts) {
  const ir::Machine &machine = plan.system.layout.machine(at.slot);
  const ir::Operation &operation = machine.operations[at.operation];
  std::string interface = quote(machine.interface.str());
  std::string name = quote(operation.name.str());
  parts.name = "." + interface.substr(1, interface.size() - 2) + "." +
               name.substr(1, name.size() - 2);
  parts.kind = operation.handlers.empty() ? "\", \"kind\": \"set"
                                          : "\", \"kind\": \"call";
  parts.kind += "\", \"entity\": ";
  parts.operation = ", \"interface\": " + interface +
                    ", \"operation\": " + name + ", \"deps\": [";
  parts.isAlike = (operation.handlers.empty() || hasFixedInputs(operation)) &&
                  setLiterals(operation.entry) &&
                  setLiterals(operation.success) &&
                  setLiterals(operation.failure);
  parts.isMade = true;
}

void StepText::writeOrder(StepId step, raw_ostream &os) {
  bool hasChoice = false;
  StringRef separator = "";
  for (Dep dep : plan.steps.deps(step)) {
    os << separator;
    writeDecimal(os, dep.step().index);
    separator = ", ";
    hasChoice |= dep.isChoice();
  }
  os << "], \"stage\": ";
  writeDecimal(os, plan.steps.stage(step));
  if (hasChoice) {
    os << ", \"choices\": [";
    separator = "";
    for (Dep dep : plan.steps.deps(step)) {
      if (!dep.isChoice())
        continue;
      os << separator << dep.step().index;
      separator = ", ";
    }
    os << ']';
  }
  if (exclusions.empty())
    return;
  if (ArrayRef<Exclusion> own = exclusions.of(step); !own.empty()) {
    os << ", \"excludes\": [";
    llvm::interleaveComma(
        own, os, [&](const Exclusion &pair) { os << pair.earlier.index; });
    os << ']';
  }
}

void StepText::writeHead(uint32_t id, const EventPlace &at, uint32_t occurrence,
                         raw_ostream &os) {
  ir::EntityId entity = plan.system.layout.entity(at.slot, at.row);
  const Parts &known = partsOf(at);
  os << "{\"id\": ";
  writeDecimal(os, id);
  os << ", \"name\": \"";
  names.write(entity, os);
  os << known.name;
  if (occurrence > 1)
    os << '#' << occurrence;
  os << known.kind;
  writeDecimal(os, entities[entity.index]);
  os << known.operation;
}

void StepText::write(StepId step, raw_ostream &os) {
  if (plan.steps.isJoin(step)) {
    os << "{\"id\": " << step.index << ", \"kind\": \"join\", \"deps\": [";
    writeOrder(step, os);
    os << '}';
    return;
  }
  EventPlace at = plan.system.layout.place(EventId{plan.steps.event(step)});
  auto again = plan.occurrences.find(step.index);
  writeHead(step.index, at, again == plan.occurrences.end() ? 1 : again->second,
            os);
  writeOrder(step, os);
  StepId origin = plan.origins[step.index];
  writeRest(at, invocationOf(plan.run, origin), guardOf(plan, origin, guards),
            os);
  os << '}';
}

void StepText::write(const FailureStep &step, uint32_t id, raw_ostream &os) {
  EventPlace at = plan.system.layout.place(step.invocation.event);
  writeHead(id, at, step.occurrence, os);
  llvm::interleaveComma(step.deps, os);
  os << "], \"stage\": " << step.stage
     << ", \"after_failure\": " << step.after.index;
  writeRest(at, step.invocation, step.guard, os);
  os << '}';
}

namespace {

/// Writes what comes after a step's stage.
class RestWriter {
public:
  RestWriter(const PlanData &plan, const Invocation &invocation,
             const Expr *guard, ArrayRef<uint32_t> entities,
             ArrayRef<uint32_t> artifacts)
      : plan(plan), invocation(invocation), guard(guard), entities(entities),
        artifacts(artifacts) {}

  /// Members of an object, each after a comma.
  std::string text();

private:
  void write();
  void writeHandler(const ir::Operation &operation, const ir::Handler &handler);
  void writeOutputs(ArrayRef<const ir::OutputMapping *> outputs);
  void writeOutputTypes(ArrayRef<const ir::OutputMapping *> outputs);
  /// The cell that an output becomes; null: it is an attribute.
  const ir::Cell *cellOf(const ir::OutputMapping &output) const;
  void writeSets(StringRef key, const ir::Machine &machine,
                 ArrayRef<ir::Set> sets, ir::EntityId entity);

  const PlanData &plan;
  const Invocation &invocation;
  const Expr *guard;
  ArrayRef<uint32_t> entities;
  ArrayRef<uint32_t> artifacts;
  std::string result;
  llvm::raw_string_ostream os{result};
  JSONWriter json{os};
  ValueArena arena;
};

} // namespace

std::string RestWriter::text() {
  json.object([&] { write(); });
  StringRef members = StringRef(result).drop_front().drop_back();
  return members.empty() ? std::string() : (", " + members).str();
}

void RestWriter::writeOutputs(ArrayRef<const ir::OutputMapping *> outputs) {
  if (outputs.empty())
    return;
  json.attributeBegin("outputs");
  json.object([&] {
    for (const ir::OutputMapping *output : outputs) {
      json.attributeBegin(output->output.str());
      json.array([&] {
        for (Name word : output->target)
          json.value(word.str());
      });
    }
  });
  writeOutputTypes(outputs);
}

const ir::Cell *RestWriter::cellOf(const ir::OutputMapping &output) const {
  const Layout &layout = plan.system.layout;
  const ir::Machine &machine =
      layout.machine(layout.place(invocation.event).slot);
  std::optional<uint32_t> cell = plan::cellOf(machine, output);
  return cell ? &machine.cells[*cell] : nullptr;
}

void RestWriter::writeOutputTypes(ArrayRef<const ir::OutputMapping *> outputs) {
  auto typeOf = [&](const ir::OutputMapping &output) {
    const ir::Cell *cell = cellOf(output);
    return cell ? cell->type : output.type;
  };
  if (llvm::any_of(outputs, [&](const ir::OutputMapping *output) {
        return typeOf(*output) != TypeKind::Any;
      })) {
    json.attributeBegin("output_types");
    json.object([&] {
      for (const ir::OutputMapping *output : outputs)
        if (typeOf(*output) != TypeKind::Any)
          json.attribute(output->output.str(), ir::nameOf(typeOf(*output)));
    });
  }
  auto hasValues = [&](const ir::OutputMapping *output) {
    const ir::Cell *cell = cellOf(*output);
    return cell && cell->type != TypeKind::Boolean && !cell->domain.empty();
  };
  if (llvm::none_of(outputs, hasValues))
    return;
  json.attributeBegin("output_values");
  json.object([&] {
    for (const ir::OutputMapping *output : outputs)
      if (hasValues(output)) {
        json.attributeBegin(output->output.str());
        json.array([&] {
          for (const Value &value : cellOf(*output)->domain)
            writeJSON(json, value);
        });
      }
  });
}

void RestWriter::writeHandler(const ir::Operation &operation,
                              const ir::Handler &handler) {
  json.objectBegin();
  json.attribute("artifact", artifacts[handler.artifact.index]);
  if (!handler.files.empty()) {
    json.attributeBegin("files");
    json.array([&] {
      for (ir::ArtifactId file : handler.files)
        json.value(artifacts[file.index]);
    });
  }
  auto inputs = inputsOf(plan.run, invocation, handler, arena);
  if (!inputs.empty()) {
    json.attributeBegin("inputs");
    json.object([&] {
      for (const StepInput &input : inputs) {
        json.attributeBegin(input.name.str());
        writeJSON(json, renumber(*input.value, entities, arena));
      }
    });
  }
  // Outputs of the operation itself come from its last handler.
  llvm::SmallVector<const ir::OutputMapping *> outputs;
  auto add = [&](ArrayRef<ir::OutputMapping> mappings) {
    for (const ir::OutputMapping &mapping : mappings)
      if (!mapping.target.empty())
        outputs.push_back(&mapping);
  };
  add(handler.outputs);
  if (&handler == &operation.handlers.back())
    add(operation.outputs);
  writeOutputs(outputs);
  json.objectEnd();
}

void RestWriter::writeSets(StringRef key, const ir::Machine &machine,
                           ArrayRef<ir::Set> sets, ir::EntityId entity) {
  if (sets.empty())
    return;
  json.attributeBegin(key);
  json.object([&] {
    for (const ir::Set &set : sets) {
      json.attributeBegin(machine.cells[set.cell].name.str());
      const Expr *value = residual(plan.run, *set.value, entity, arena);
      writeJSON(json, renumber(value ? *value : *set.value, entities, arena));
    }
  });
}

/// What a step writes when it has succeeded. One that calls nothing is over at
/// once, and only that is carried out: what it wrote on entry stays.
static llvm::SmallVector<ir::Set, 4>
lastingSets(const ir::Operation &operation) {
  llvm::SmallVector<ir::Set, 4> sets(operation.success.sets);
  if (operation.handlers.empty())
    for (const ir::Set &entered : operation.entry.sets)
      if (llvm::none_of(operation.success.sets, [&](const ir::Set &set) {
            return set.cell == entered.cell;
          }))
        sets.push_back(entered);
  return sets;
}

/// Whether scripts of the step are shown properties that an entity has had.
static bool showsFormer(const PlanData &plan, const Invocation &invocation) {
  const ir::Graph &graph = plan.graph();
  const Layout &layout = plan.system.layout;
  if (!invocation.seesFormer || graph.former.empty() ||
      layout.operation(invocation.event).handlers.empty())
    return false;
  ir::EntityId entity = layout.entityOf(invocation.event);
  auto isFormer = [&](ir::EntityId id) {
    return graph.former.contains(id.index) &&
           graph.presenceOf(id) == ir::Presence::Replaced;
  };
  if (!graph.isRelationship(entity))
    return isFormer(entity);
  uint32_t relationship = graph.relationship(entity).index;
  return isFormer(entity) ||
         isFormer(graph.entity(graph.source[relationship])) ||
         isFormer(graph.entity(graph.target[relationship]));
}

void RestWriter::write() {
  const Layout &layout = plan.system.layout;
  EventPlace at = layout.place(invocation.event);
  const ir::Machine &machine = layout.machine(at.slot);
  const ir::Operation &operation = machine.operations[at.operation];
  ir::EntityId entity = layout.entity(at.slot, at.row);
  if (!operation.handlers.empty()) {
    json.attributeBegin("handlers");
    json.array([&] {
      for (const ir::Handler &handler : operation.handlers)
        writeHandler(operation, handler);
    });
  }
  writeSets("entry", machine, operation.entry.sets, entity);
  writeSets("success", machine, lastingSets(operation), entity);
  writeSets("failure", machine, operation.failure.sets, entity);
  if (guard) {
    json.attributeBegin("guard");
    writeJSON(json, renumber(*guard, entities, arena));
  }
  if (operation.timeout)
    json.attribute("timeout", operation.timeout);
  if (operation.retries)
    json.attribute("retries", operation.retries);
  if (showsFormer(plan, invocation))
    json.attribute("former", true);
}

void StepText::writeRest(const EventPlace &at, const Invocation &invocation,
                         const Expr *guard, raw_ostream &os) {
  Parts &known = partsOf(at);
  auto make = [&] {
    return RestWriter(plan, invocation, guard, entities, artifacts).text();
  };
  if (!known.isAlike || guard || invocation.hasInputs() ||
      showsFormer(plan, invocation)) {
    os << make();
    return;
  }
  if (!known.hasRest) {
    known.rest = make();
    known.hasRest = true;
  }
  os << known.rest;
}
