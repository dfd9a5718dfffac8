//===- FinishPlan.cpp - From lowering to data -----------------------------===//

#include "toscac/Plan/FinishPlan.h"

#include "CellText.h"
#include "FinishedContent.h"
#include "ListedEntities.h"
#include "ResolveSteps.h"
#include "Steps/Guards.h"
#include "Steps/StepInputs.h"
#include "System/ActivityMachines.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Plan/WritePlan.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using llvm::StringRef;
using planfile::EntityHead;
using planfile::none;
using planfile::StepHead;
using planfile::StepKind;
using state::PlannedChange;

template <typename Write>
static std::string toJSON(Write write) {
  std::string text;
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  write(json);
  return text;
}

// The header.

/// As the plan names the type of a sensitive input.
static StringRef kindOf(const ir::InputValue &input) {
  if (!input.value || !input.value->isLiteral())
    return "any";
  switch (input.value->value().kind()) {
  case ValueKind::Integer:
    return "integer";
  case ValueKind::Float:
    return "float";
  case ValueKind::Boolean:
    return "boolean";
  case ValueKind::List:
    return "list";
  case ValueKind::Map:
    return "map";
  case ValueKind::Nil:
    return "any";
  default:
    return "string";
  }
}

/// Inputs that are open, with their types, and outputs that are secret.
static void writeSensitive(JSONWriter &json, const ir::Graph &graph) {
  json.object([&] {
    auto isSensitive = [](const auto &each) { return each.sensitive; };
    if (llvm::none_of(graph.inputs, isSensitive) &&
        llvm::none_of(graph.outputs, isSensitive))
      return;
    json.attributeBegin("inputs");
    json.object([&] {
      for (const ir::InputValue &input : graph.inputs)
        if (input.sensitive)
          json.attribute(input.name.str(), kindOf(input));
    });
    json.attributeBegin("outputs");
    json.array([&] {
      for (const ir::OutputValue &output : graph.outputs)
        if (output.sensitive)
          json.value(output.name.str());
    });
  });
}

static void writeValues(JSONWriter &json, ArrayRef<ir::InputValue> inputs) {
  json.object([&] {
    for (const ir::InputValue &input : inputs) {
      json.attributeBegin(input.name.str());
      if (!input.sensitive && input.value) {
        writeJSON(json, *input.value);
        continue;
      }
      json.object([&] { json.attribute("$get_input", input.name.str()); });
    }
  });
}

#define DAY_TWO(function, name, changesCounts)                                 \
  [[maybe_unused]] static constexpr StringRef function##Workflow = name;
#include "toscac/IR/DayTwo.def"

void FinishedPlan::fillHeader(const PlanData &made, StringRef root) {
  const ir::Graph &graph = made.graph();
  const ir::Deployment &deployment = graph.deployment;
  planfile::PlanHeader &header = planHeader;
  if (!graph.subgraphs.empty())
    header.service = graph.subgraphs[0].service.str();
  header.root = root.str();
  if (!deployment.name.empty())
    header.deployment = deployment.name.str();
  header.workflow = made.goal.workflow.str();
  // How many there are to be is recorded; what is not up yet is brought up.
  if (made.goal.reach == ir::Goal::Reach::Change &&
      !made.goal.parameters.empty())
    header.goesOn = healWorkflow;
  header.params = toJSON([&](JSONWriter &json) {
    json.object([&] {
      for (const ir::InputValue &parameter : made.goal.parameters) {
        json.attributeBegin(parameter.name.str());
        writeJSON(json, *parameter.value);
      }
    });
  });
  for (const auto &[file, digest] : deployment.files)
    header.inputs.emplace_back(file, digest);
  header.values =
      toJSON([&](JSONWriter &json) { writeValues(json, graph.inputs); });
  header.sensitive =
      toJSON([&](JSONWriter &json) { writeSensitive(json, graph); });
  header.state = deployment.state.str();
  // Of the service itself; what is inside a substituted node does not count.
  std::vector<InstanceNumbers> numbers = instanceNumbers(graph);
  header.nextIndex = toJSON([&](JSONWriter &json) {
    json.object([&] {
      for (const InstanceNumbers &each : numbers)
        json.attribute(each.name, each.nextIndex);
    });
  });
  header.counts = toJSON([&](JSONWriter &json) {
    json.object([&] {
      for (const InstanceNumbers &each : numbers)
        if (each.count)
          json.attribute(each.name, *each.count);
    });
  });
  if (deployment.operations.isMap())
    header.operations = toJSON(
        [&](JSONWriter &json) { writeJSON(json, deployment.operations); });
  for (ir::Presence presence : graph.presenceOfNode)
    header.kept += presence == ir::Presence::Kept;
  content->shared = sharedAfter(graph, content->arena);
  if (content->shared)
    header.shared = toJSON(
        [&](JSONWriter &json) { state::writeShared(json, *content->shared); });
}

void FinishedPlan::fillArtifacts(const plan::Plan &made) {
  for (ir::ArtifactId id : artifactsOf(made)) {
    const ir::Artifact &artifact = made->graph().artifacts[id.index];
    planArtifacts.push_back({artifact.type.str().str(), artifact.file.str(),
                             artifact.sha256.str(), /*isRun=*/false,
                             artifact.placeBeside.str()});
  }
}

// Entities.

static PlannedChange changeOf(const PlanData &made, ir::EntityId entity) {
  if (made.graph().isService(entity))
    return leaves(made, entity)       ? PlannedChange::Gone
           : made.graph().hasRecorded ? PlannedChange::None
                                      : PlannedChange::New;
  switch (made.graph().presenceOf(entity)) {
  case ir::Presence::New:
    return PlannedChange::New;
  case ir::Presence::Kept:
    return PlannedChange::None;
  case ir::Presence::Updated:
    return PlannedChange::Updated;
  case ir::Presence::Replaced:
    return PlannedChange::Replaced;
  case ir::Presence::Leaving:
    return PlannedChange::Gone;
  }
  llvm_unreachable("all kinds are handled");
}

/// Nothing: not all of them are known.
static std::optional<Value> knownSets(const ir::Machine &machine,
                                      ArrayRef<ir::Set> sets,
                                      ValueArena &arena) {
  llvm::SmallVector<MapEntry, 2> entries;
  for (const ir::Set &set : sets) {
    if (!set.value->isLiteral())
      return std::nullopt;
    entries.push_back({Value::string(machine.cells[set.cell].name.str()),
                       set.value->value()});
  }
  if (entries.empty())
    return std::nullopt;
  return arena.map(entries);
}

/// Operations that other steps carry out: what they write as long as they
/// last, and where they fail.
static Value lastingOf(const PlanData &plan, ir::EntityId entity,
                       ValueArena &arena) {
  const Layout &layout = plan.system.layout;
  NameTable &all = plan.system.conditions.names;
  llvm::SmallVector<Value, 2> operations;
  for (SlotId slot : layout.slotsOf(entity).ids()) {
    const ir::Machine &machine = layout.machine(slot);
    for (const ir::Operation &operation : machine.operations) {
      Name failed = failedName(operation.name, all);
      const ir::Operation *end =
          llvm::find_if(machine.operations, [&](const ir::Operation &other) {
            return other.name == failed;
          });
      if (end == machine.operations.end())
        continue;
      auto entry = knownSets(machine, operation.success.sets, arena);
      auto failure = knownSets(machine, end->success.sets, arena);
      if (!entry || !failure)
        continue;
      MapEntry entries[] = {
          {Value::string("interface"), Value::string(machine.interface.str())},
          {Value::string("entry"), *entry},
          {Value::string("failure"), *failure}};
      operations.push_back(arena.map(entries));
    }
  }
  return operations.empty() ? Value() : arena.list(operations);
}

namespace {

/// Resolves what remains of values of entities.
class ColumnResolver {
public:
  ColumnResolver(const PlanData &made, ArrayRef<uint32_t> numbers,
                 FinishedPlan::Content &content)
      : made(made), numbers(numbers), content(content) {}

  void resolve(ir::EntityId entity) {
    const ir::Graph &graph = made.graph();
    if (graph.isNode(entity)) {
      const ir::NodeClass &own = graph.classOf(graph.node(entity));
      resolve(own.properties, entity);
      resolve(own.attributes, entity);
    } else if (graph.isRelationship(entity)) {
      const ir::RelationshipClass &own =
          graph.classOf(graph.relationship(entity));
      resolve(own.properties, entity);
      resolve(own.attributes, entity);
    }
  }

private:
  void resolve(ArrayRef<ir::ValueColumn> columns, ir::EntityId entity) {
    uint32_t row = made.graph().rowOf(entity);
    for (const ir::ValueColumn &column : columns) {
      const Expr *value = column.values.at(row);
      if (!value || value->isLiteral())
        continue;
      const Expr *known = residual(made.run, *value, entity, content.arena);
      content.late[{&column, row}] =
          known ? content.arena.make(renumber(*known, numbers, content.arena))
                : nullptr;
    }
  }

  const PlanData &made;
  ArrayRef<uint32_t> numbers;
  FinishedPlan::Content &content;
};

} // namespace

/// By number in the plan instead of the graph's.
static void takeSteps(llvm::DenseMap<uint32_t, std::vector<uint32_t>> &from,
                      ArrayRef<uint32_t> numbers,
                      llvm::DenseMap<uint32_t, std::vector<uint32_t>> &to) {
  for (auto &[entity, steps] : from)
    to[numbers[entity]] = std::move(steps);
}

void FinishedPlan::fillEntities(const PlanData &made) {
  const ir::Graph &graph = made.graph();
  ListedEntities entities(made);
  content->numbers = std::move(entities.numbers);
  takeSteps(entities.gone, content->numbers, content->gone);
  takeSteps(entities.renewed, content->numbers, content->renewed);
  content->listed = std::move(entities.listed);
  CellText cells(made);
  ColumnResolver columns(made, content->numbers, *content);
  bool hasLasting =
      llvm::any_of(graph.subgraphs, [](const ir::Subgraph &subgraph) {
        return !subgraph.operations.empty();
      });
  std::vector<uint32_t> scopes(graph.subgraphs.size(), none);
  auto numberOf = [&](StringRef text) { return number(text); };
  for (auto [i, id] : llvm::enumerate(content->listed)) {
    EntityHead &head = entityHeads.emplace_back();
    head.kind = graph.isNode(id)      ? state::EntityKind::Node
                : graph.isService(id) ? state::EntityKind::Service
                                      : state::EntityKind::Relationship;
    head.change = changeOf(made, id);
    if (auto reason = graph.reasons.find(id.index);
        reason != graph.reasons.end())
      head.reason = numberOf(reason->second);
    if (auto former = graph.formerNameOf(id))
      head.movedFrom = numberOf(*former);
    if (graph.isNode(id)) {
      const ir::NodeClass &own = graph.classOf(graph.node(id));
      head.origin = numberOf(own.name.str());
      head.index = graph.indexOfNode[id.index];
      if (auto outer = graph.subgraphs[own.subgraph.index].substitutes) {
        uint32_t &scope = scopes[own.subgraph.index];
        if (scope == none)
          scope = numberOf(graph.nameOf(*outer) + "/");
        head.scope = scope;
      }
    } else if (graph.isRelationship(id)) {
      ir::RelationshipId own = graph.relationship(id);
      head.origin = numberOf(graph.classOf(own).requirement.str());
      head.index = graph.indexOfRelationship[own.index];
      head.source =
          content->numbers[graph.entity(graph.source[own.index]).index];
    } else {
      head.origin = numberOf(graph.nameOf(id));
      head.index = none;
    }
    for (bool atEnd : {false, true}) {
      StringRef text = cells.of(id, atEnd);
      (atEnd ? content->cellsAfter : content->cellsBefore)
          .push_back(text.empty() ? none : numberOf(text));
    }
    columns.resolve(id);
    if (hasLasting && graph.isNode(id))
      if (Value lasting = lastingOf(made, id, content->arena); lasting.isList())
        content->lasting[i] = lasting;
  }
  if (graph.subgraphs.empty())
    return;
  ir::EntityId service = graph.entity(ir::SubgraphId{0});
  for (const ir::OutputValue &output : graph.outputs)
    if (output.value)
      if (const Expr *value =
              residual(made.run, *output.value, service, content->arena))
        content->outputs.push_back(
            {output.name, content->arena.make(renumber(*value, content->numbers,
                                                       content->arena))});
  planHeader.outputs = toJSON([&](JSONWriter &json) {
    json.object([&] {
      for (const auto &[name, value] : content->outputs) {
        json.attributeBegin(name.str());
        writeJSON(json, *value);
      }
    });
  });
}

// Steps.

void FinishedPlan::fillSteps(PlanData &made) {
  const Layout &layout = made.system.layout;
  std::vector<uint32_t> artifactNumbers(made.graph().artifacts.size());
  uint32_t next = 0;
  for (ir::ArtifactId id : usedArtifacts(made))
    artifactNumbers[id.index] = next++;
  StepResolver resolver(made, content->numbers, artifactNumbers,
                        content->bodies, content->isShared, content->arena);
  content->bodyOf.reserve(made.steps.size() + made.failureSteps.size());
  for (uint32_t i = 0; i != made.steps.size(); ++i) {
    if (made.steps.isJoin({i})) {
      content->bodyOf.push_back(none);
      continue;
    }
    StepId origin = made.origins[i];
    content->bodyOf.push_back(resolver.resolve(
        invocationOf(made.run, origin), guardOf(made, origin, content->arena)));
  }
  for (const FailureStep &step : made.failureSteps)
    content->bodyOf.push_back(resolver.resolve(step.invocation, step.guard));
  Exclusions exclusions = exclusionsOf(made);
  for (const Exclusion &pair : exclusions.all())
    allExclusions.push_back({pair.later.index, pair.earlier.index});
  llvm::sort(allExclusions);
  content->occurrences = made.occurrences;
  // From here on nobody asks how it was found out, and there is less to keep.
  made.forgetRun();

  std::vector<uint32_t> successOf;
  llvm::BitVector isLate(content->bodies.size());
  for (auto [i, body] : llvm::enumerate(content->bodies)) {
    std::string text =
        body.success
            ? toJSON([&](JSONWriter &json) { writeJSON(json, *body.success); })
            : "";
    successOf.push_back(text.empty() ? none : number(text));
    isLate[i] = body.guard || StringRef(text).contains("\"$");
  }
  /// By machine, then operation.
  std::vector<std::vector<uint32_t>> operations(layout.set.machines.size());
  std::vector<uint32_t> interfaces(layout.set.machines.size(), none);
  auto fill = [&](StepHead &head, EventId event, uint32_t id) {
    EventPlace at = layout.place(event);
    const ir::Machine &machine = layout.machine(at.slot);
    uint32_t own = layout.slots[at.slot.index].machine.index;
    if (operations[own].empty()) {
      interfaces[own] = number(machine.interface.str());
      for (const ir::Operation &operation : machine.operations)
        operations[own].push_back(number(operation.name.str()));
    }
    head.entity = content->numbers[layout.entity(at.slot, at.row).index];
    head.interface = interfaces[own];
    head.operation = operations[own][at.operation];
    head.success = successOf[content->bodyOf[id]];
    head.isLate = isLate[content->bodyOf[id]];
    head.isGuarded = content->bodies[content->bodyOf[id]].guard;
    head.kind = machine.operations[at.operation].handlers.empty()
                    ? StepKind::Set
                    : StepKind::Call;
  };
  heads.reserve(content->bodyOf.size());
  allDeps.reserve(made.steps.numEdges());
  for (uint32_t i = 0; i != made.steps.size(); ++i) {
    StepHead &head = heads.emplace_back();
    head.firstDep = allDeps.size();
    for (Dep dep : made.steps.deps({i})) {
      if (dep.isChoice()) {
        if (choices.size() <= allDeps.size())
          choices.resize(
              std::max<size_t>(allDeps.size() + 1, 2 * choices.size()));
        choices.set(allDeps.size());
      }
      allDeps.push_back(dep.step().index);
    }
    if (!made.steps.isJoin({i}))
      fill(head, EventId{made.steps.event({i})}, i);
  }
  mainSteps = heads.size();
  for (const FailureStep &step : made.failureSteps) {
    uint32_t id = heads.size();
    StepHead &head = heads.emplace_back();
    head.firstDep = allDeps.size();
    head.afterFailure = step.after.index;
    llvm::append_range(allDeps, step.deps);
    fill(head, step.invocation.event, id);
    if (step.occurrence > 1)
      content->occurrences[id] = step.occurrence;
  }
}

FinishedPlan::FinishedPlan(plan::Plan made, StringRef root)
    : content(std::make_unique<Content>(made->graph())) {
  fillHeader(*made, root);
  fillArtifacts(made);
  fillEntities(*made);
  fillSteps(*made);
  for (const planfile::StepBody &body : content->bodies)
    for (const planfile::StepHandler &handler : body.handlers) {
      planArtifacts[handler.artifact].isRun = true;
      hasMachines |= handler.host != none;
    }
  countFigures();
  llvm::cantFail(measure(made->options.durations));
  content->made.emplace(std::move(made));
}

FinishedPlan::~FinishedPlan() = default;

llvm::Expected<std::string> FinishedPlan::stepName(uint32_t id) {
  const StepHead &head = heads[id];
  if (head.kind == StepKind::Join)
    return "step " + std::to_string(id);
  std::string name = entityName(head.entity) + "." +
                     text(head.interface).str() + "." +
                     text(head.operation).str();
  if (auto again = content->occurrences.find(id);
      again != content->occurrences.end())
    name += "#" + std::to_string(again->second);
  return name;
}

llvm::Expected<planfile::Step> FinishedPlan::step(uint32_t id, JSONReader &,
                                                  ValueArena &) {
  const StepHead &head = heads[id];
  planfile::Step result;
  if (head.kind != StepKind::Join)
    static_cast<planfile::StepBody &>(result) =
        content->bodies[content->bodyOf[id]];
  result.id = id;
  result.name = *stepName(id);
  result.kind = head.kind;
  result.entity = head.entity;
  result.interface = text(head.interface);
  result.operation = text(head.operation);
  return result;
}

llvm::Expected<state::PlannedEntity>
FinishedPlan::entity(uint32_t id, JSONReader &json, ValueArena &arena) {
  std::string line;
  llvm::raw_string_ostream os(line);
  writeEntity(*this, id, os);
  return state::readPlannedEntity(line, json, arena);
}
