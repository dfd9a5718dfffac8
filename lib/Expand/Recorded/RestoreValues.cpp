//===- RestoreValues.cpp - Recorded values in the graph -------------------===//
///
/// \file
/// Cells and attributes are as recorded. So are properties, except where an
/// update gives others: then the instance is updated if one of its interfaces
/// has an operation for that, else replaced.
///
//===----------------------------------------------------------------------===//

#include "RestoreValues.h"

#include "DescribeChange.h"
#include "ExistingRelationships.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Sema/TemplateMarks.h"
#include "toscac/Value/Evaluate.h"
#include "toscac/Value/Expr.h"
#include "toscac/Value/Functions.h"
#include "toscac/Value/ReadJSON.h"
#include "toscac/Value/Sealed.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

static const Value *findIn(const Value &map, StringRef key) {
  return map.isMap() ? map.find(key) : nullptr;
}

/// Whether a dollar sign in \p value, as it stands in JSON, means something.
static bool hasDollar(const Value &value) {
  if (value.isString())
    return value.asString().starts_with("$");
  if (value.isList())
    return llvm::any_of(value.items(), hasDollar);
  return value.isMap() &&
         llvm::any_of(value.entries(), [](const MapEntry &entry) {
           return hasDollar(entry.key) || hasDollar(entry.value);
         });
}

/// Whether \p expr asks only for what is given when a plan runs: inputs, and
/// what the store keeps sealed. Entities have numbers of another plan.
static bool isPortable(const Expr &expr) {
  if (expr.isCall()) {
    bool isQuery = expr.function() == Function::Custom ||
                   info(expr.function()).form == FunctionForm::Query;
    bool isOpen = expr.isCall(Function::GetInput) ||
                  expr.functionName() == sealedFunction;
    if (isQuery && !isOpen)
      return false;
  }
  return llvm::all_of(expr.children(), isPortable);
}

/// What \p value, as it was recorded, means.
static Expr recordedExpr(const Value &value, NameTable &names,
                         ValueArena &arena) {
  if (!hasDollar(value))
    return Expr::literal(value);
  llvm::Expected<Expr> expr = toExpr(value, names, arena);
  if (!expr) {
    llvm::consumeError(expr.takeError());
    return Expr::literal(value);
  }
  if (!isPortable(*expr))
    return Expr::literal(value);
  Environment nothing;
  Evaluation result = evaluate(*expr, nothing, arena);
  return result.isKnown() ? Expr::literal(result.value()) : *expr;
}

static bool isRecorded(const Value &given, const Value &recorded,
                       Expansion &expansion) {
  Expr expr = recordedExpr(recorded, expansion.names, expansion.arena());
  return expr.isLiteral() && isSame(given, expr.value());
}

/// Puts \p value into a row; rows that follow each other share it.
static void restoreRow(ir::Column &column, const Value &recorded, uint32_t row,
                       uint32_t rows, Expansion &expansion) {
  ValueArena &arena = expansion.arena();
  Expr expr = recordedExpr(recorded, expansion.names, arena);
  if (!expr.isLiteral())
    return column.set(row, arena.make(expr), rows);
  const Value &value = expr.value();
  const Expr *now = column.at(row);
  if (now && now->isLiteral() && isSame(now->value(), value))
    return;
  const Expr *before = row ? column.at(row - 1) : nullptr;
  if (!before || !before->isLiteral() || !(before->value() == value))
    before = arena.make(Expr::literal(value));
  column.set(row, before, rows);
}

namespace {

/// What instances of a class have.
struct Columns {
  std::vector<ir::ValueColumn> &properties;
  std::vector<ir::ValueColumn> &attributes;
  std::vector<ir::MachineSlot> &machines;
  uint32_t rows;

  bool areShared() const;
  void repeat(uint32_t first, uint32_t end);
};

class Restorer {
public:
  explicit Restorer(Expansion &expansion)
      : expansion(expansion), instances(*expansion.existing),
        relationships(*expansion.existingRelationships),
        change(instances.change), recorded(instances.recorded) {}

  void restore();

private:
  void setNodePresence();
  void setRelationshipPresence();
  /// Instances whose container changes, and what is in replaced ones; whether
  /// there are any.
  bool replaceContents();
  void restoreValues();
  void forgetOutdated();
  /// \p from has the recorded entities of the first rows, or none.
  void restoreAll(ArrayRef<uint32_t> from, ir::EntityId first, Columns columns);
  // Each says whether the template gives the properties that are recorded.
  bool restore(const state::Entity &entity, ir::EntityId id, Columns columns,
               uint32_t row);
  bool compare(const state::Entity &entity, ir::EntityId id, Columns columns,
               uint32_t row);
  void note(ir::EntityId id, ir::Presence presence, const llvm::Twine &reason);

  // Why what the template has no more, or what has to move, is taken down.
  void noteTemplates();
  void explainReplaced();
  void explainLeaving();
  /// Inputs that the deployment does not have.
  void reportInputs() const;
  /// Templates that the deployment does not know yet, or that are gone.
  void reportNovel() const;
  /// Instances that the template has no room for.
  void reportRemoved() const;

  Expansion &expansion;
  const ExistingInstances &instances;
  const ExistingRelationships &relationships;
  const DeploymentChange &change;
  const Recorded &recorded;
};

} // namespace

void Restorer::note(ir::EntityId id, ir::Presence presence,
                    const llvm::Twine &reason) {
  ir::Graph &graph = expansion.graph;
  ir::Presence &own =
      graph.isNode(id)
          ? graph.presenceOfNode[id.index]
          : graph.presenceOfRelationship[graph.relationship(id).index];
  // What has failed is replaced, even if it has an operation for updates.
  own = std::max(own, presence);
  graph.reasons[id.index] = expansion.arena().save(reason.str());
}

/// Whether some interface takes over changed properties.
static bool hasUpdate(const ir::Graph &graph,
                      ArrayRef<ir::MachineSlot> machines) {
  return llvm::any_of(machines, [&](const ir::MachineSlot &slot) {
    const ir::Machine &machine = graph.machines[slot.machine.index];
    std::optional<uint32_t> update = machine.roles.updateOperation;
    return machine.roles.updateRequest ||
           (update && !machine.operations[*update].handlers.empty());
  });
}

static StringRef typeNameOf(const ir::Graph &graph, ir::EntityId id) {
  ir::TypeId type = graph.isNode(id) ? graph.classOf(graph.node(id)).type
                    : graph.isRelationship(id)
                        ? graph.classOf(graph.relationship(id)).type
                        : ir::TypeId();
  return type ? graph.types[type.index].name.str() : "";
}

/// Notes where the template gives another type or other properties than are
/// recorded. What is not known, or secret, is not compared.
bool Restorer::compare(const state::Entity &entity, ir::EntityId id,
                       Columns columns, uint32_t row) {
  // Where values could not be evaluated, there is nothing to compare.
  if (expansion.diags.hasErrors())
    return true;
  std::vector<std::string> changes;
  StringRef type = typeNameOf(expansion.graph, id);
  bool isOther = type != entity.type;
  if (isOther)
    changes.push_back(("type: " + entity.type + " -> " + type).str());
  for (ir::ValueColumn &column : columns.properties) {
    const Expr *given = column.values.at(row);
    const Value *before = findIn(entity.properties, column.name.str());
    if (column.sensitive || (given && !given->isLiteral()))
      continue;
    if (given && before ? isRecorded(given->value(), *before, expansion)
                        : !given && !before)
      continue;
    describeChange(column.name.str().str(), before,
                   given ? &given->value() : nullptr, changes);
    if (!change.updates && before)
      restoreRow(column.values, *before, row, columns.rows, expansion);
  }
  if (changes.empty())
    return true;
  std::string reason = joinChanges(changes);
  if (change.updates) {
    expansion.graph.former[id.index] = entity.properties;
    note(id,
         !isOther && hasUpdate(expansion.graph, expansion.graph.machinesOf(id))
             ? ir::Presence::Updated
             : ir::Presence::Replaced,
         reason);
  } else if (change.mustAgree) {
    expansion.diags.report({}, diag::UpdateFirst, entity.name, reason);
  }
  return false;
}

bool Restorer::restore(const state::Entity &entity, ir::EntityId id,
                       Columns columns, uint32_t row) {
  uint32_t rows = columns.rows;
  bool agrees = true;
  if (expansion.graph.presenceOf(id) == ir::Presence::Leaving) {
    for (ir::ValueColumn &column : columns.properties)
      if (const Value *value = findIn(entity.properties, column.name.str()))
        restoreRow(column.values, *value, row, rows, expansion);
  } else {
    agrees = compare(entity, id, columns, row);
  }
  for (ir::ValueColumn &column : columns.attributes)
    if (const Value *value = findIn(entity.attributes, column.name.str()))
      restoreRow(column.values, *value, row, rows, expansion);
  for (ir::MachineSlot &slot : columns.machines) {
    const ir::Machine &machine = expansion.graph.machines[slot.machine.index];
    const Value *cells = findIn(entity.cells, machine.interface.str());
    if (!cells)
      continue;
    for (auto [cell, column] : llvm::zip(machine.cells, slot.cells))
      if (const Value *value = findIn(*cells, cell.name.str()))
        restoreRow(column, *value, row, rows, expansion);
    if (auto changed = machine.roles.updateRequest;
        changed && expansion.graph.presenceOf(id) == ir::Presence::Updated)
      restoreRow(slot.cells[*changed], Value::boolean(true), row, rows,
                 expansion);
    if (auto broken = machine.roles.healRequest;
        broken && change.healed.contains(entity.name))
      restoreRow(slot.cells[*broken], Value::boolean(true), row, rows,
                 expansion);
  }
  return agrees;
}

bool Columns::areShared() const {
  auto isShared = [](const ir::ValueColumn &column) {
    return column.values.isShared();
  };
  return llvm::all_of(properties, isShared) &&
         llvm::all_of(attributes, isShared) &&
         llvm::all_of(machines, [](const ir::MachineSlot &slot) {
           return llvm::all_of(slot.cells, [](const ir::Column &column) {
             return column.isShared();
           });
         });
}

void Columns::repeat(uint32_t first, uint32_t end) {
  for (ir::ValueColumn &column : properties)
    column.values.repeat(first, end);
  for (ir::ValueColumn &column : attributes)
    column.values.repeat(first, end);
  for (ir::MachineSlot &slot : machines)
    for (ir::Column &column : slot.cells)
      column.repeat(first, end);
}

/// Where the template says the same of all instances, those that share what is
/// recorded get the same.
void Restorer::restoreAll(ArrayRef<uint32_t> from, ir::EntityId first,
                          Columns columns) {
  bool areShared = columns.areShared();
  auto isAlike = [&](uint32_t row, uint32_t other) {
    return from[other] != none &&
           recorded.shapeOf(from[row]) == recorded.shapeOf(from[other]) &&
           expansion.graph.presenceOf(ir::EntityId{first.index + row}) ==
               expansion.graph.presenceOf(ir::EntityId{first.index + other});
  };
  for (uint32_t row = 0; row < from.size(); ++row) {
    if (from[row] == none)
      continue;
    ir::EntityId id{first.index + row};
    if (!restore(recorded[from[row]], id, columns, row) || !areShared)
      continue;
    uint32_t end = row + 1;
    while (end != from.size() && isAlike(row, end))
      ++end;
    columns.repeat(row + 1, end);
    row = end - 1;
  }
}

void Restorer::restoreValues() {
  ir::Graph &graph = expansion.graph;
  for (auto [i, own] : llvm::enumerate(graph.nodeClasses))
    restoreAll(instances.recordedRows(i),
               graph.entity(ir::NodeId{own.nodes.first}),
               {own.properties, own.attributes, own.machines, own.nodes.count});
  for (auto [i, own] : llvm::enumerate(graph.relationshipClasses))
    restoreAll(relationships.recordedRows(i),
               graph.entity(ir::RelationshipId{own.relationships.first}),
               {own.properties, own.attributes, own.machines,
                own.relationships.count});
  for (auto [i, subgraph] : llvm::enumerate(graph.subgraphs)) {
    ir::EntityId id = graph.entity(ir::SubgraphId{uint32_t(i)});
    std::vector<ir::ValueColumn> nothing;
    if (uint32_t from = recorded.find(graph.nameOf(id)); from != none)
      restore(recorded[from], id, {nothing, nothing, subgraph.machines, 1}, 0);
  }
}

/// What is brought up anew is not outdated, whatever it was.
void Restorer::forgetOutdated() {
  ir::Graph &graph = expansion.graph;
  for (ir::NodeClass &own : graph.nodeClasses)
    for (ir::MachineSlot &slot : own.machines)
      if (auto cell = graph.machines[slot.machine.index].roles.updateRequest)
        for (uint32_t row = 0; row != own.nodes.count; ++row)
          if (graph.presenceOf(own.nodes[row]) == ir::Presence::Replaced)
            restoreRow(slot.cells[*cell], Value::boolean(false), row,
                       own.nodes.count, expansion);
}

void Restorer::setNodePresence() {
  ir::Graph &graph = expansion.graph;
  for (uint32_t i = 0; i != graph.nodeClasses.size(); ++i)
    llvm::append_range(graph.presenceOfNode, instances.presenceOf(i));
}

void Restorer::setRelationshipPresence() {
  ir::Graph &graph = expansion.graph;
  auto presence = [&](ir::RelationshipId id, uint32_t inClass, uint32_t from) {
    if (from == none)
      return ir::Presence::New;
    ir::Presence source = graph.presenceOf(graph.source[id.index]);
    ir::Presence target = graph.presenceOf(graph.target[id.index]);
    if (source == ir::Presence::Leaving || target == ir::Presence::Leaving ||
        relationships.isUnpinned(inClass, from))
      return ir::Presence::Leaving;
    if (source == ir::Presence::Replaced || target == ir::Presence::Replaced ||
        instances.isReplaced(from))
      return ir::Presence::Replaced;
    return ir::Presence::Kept;
  };
  graph.presenceOfRelationship.resize(graph.numRelationships());
  for (auto [i, own] : llvm::enumerate(graph.relationshipClasses))
    for (auto [row, from] : llvm::enumerate(relationships.recordedRows(i))) {
      ir::RelationshipId id = own.relationships[row];
      ir::Presence &now = graph.presenceOfRelationship[id.index];
      now = std::max(now, presence(id, i, from));
    }
}

bool Restorer::replaceContents() {
  ir::Graph &graph = expansion.graph;
  bool changes = false;
  auto isContainment = [&](ir::RelationshipId id) {
    return ir::findMark(graph.types, graph.classOf(id).type, "containment") ==
           "true";
  };
  std::vector<ir::NodeId> reached;
  auto replace = [&](ir::NodeId node, const llvm::Twine &reason) {
    ir::Presence now = graph.presenceOf(node);
    if (now != ir::Presence::Kept && now != ir::Presence::Updated)
      return;
    note(graph.entity(node), ir::Presence::Replaced, reason);
    reached.push_back(node);
    changes = true;
  };
  for (uint32_t i = 0; i != graph.numRelationships(); ++i) {
    ir::RelationshipId id{i};
    ir::Presence now = graph.presenceOf(id);
    if ((now == ir::Presence::New || now == ir::Presence::Leaving) &&
        isContainment(id))
      replace(graph.source[i], "its container changes");
  }
  for (uint32_t i = 0; i != graph.numNodes(); ++i)
    if (graph.presenceOf(ir::NodeId{i}) == ir::Presence::Replaced)
      reached.push_back({i});
  llvm::DenseMap<uint32_t, const ir::Subgraph *> inside;
  for (const ir::Subgraph &subgraph : graph.subgraphs)
    if (subgraph.substitutes)
      inside[subgraph.substitutes->index] = &subgraph;
  while (!reached.empty()) {
    ir::NodeId container = reached.back();
    reached.pop_back();
    if (const ir::Subgraph *subgraph = inside.lookup(container.index))
      for (ir::NodeClassId id : subgraph->classes.ids())
        for (ir::NodeId node : graph.nodeClasses[id.index].nodes.ids())
          replace(node, "it is inside " + graph.nameOf(container));
    for (ir::RelationshipId id : graph.incomingOf(container))
      if (isContainment(id))
        replace(graph.source[id.index], "it is in " + graph.nameOf(container));
  }
  return changes;
}

/// What templates were called, and how many of their instances may be down.
void Restorer::noteTemplates() {
  ir::Graph &graph = expansion.graph;
  for (ir::NodeClassId id : graph.subgraphs[0].classes.ids())
    for (auto [now, former] : recorded.deployment.moved)
      if (ir::NodeClass &own = graph.nodeClasses[id.index];
          own.name.str() == now)
        own.movedFrom = expansion.names.intern(former);
  for (auto [i, own] : llvm::enumerate(graph.nodeClasses)) {
    StringRef written;
    uint32_t staying = llvm::count_if(own.nodes.ids(), [&](ir::NodeId node) {
      ir::Presence now = graph.presenceOf(node);
      return now != ir::Presence::New && now != ir::Presence::Leaving;
    });
    if (auto bound =
            sema::maxUnavailable(*expansion.templates[i], graph.types, written))
      own.maxUnavailable = bound->of(staying);
  }
}

void Restorer::explainReplaced() {
  ir::Graph &graph = expansion.graph;
  if (change.reasons.empty())
    return;
  for (uint32_t i = 0; i != graph.numNodes() + graph.numRelationships(); ++i)
    if (ir::EntityId id{i}; graph.presenceOf(id) == ir::Presence::Replaced)
      if (auto why = change.reasons.find(graph.nameOf(id));
          why != change.reasons.end())
        graph.reasons.try_emplace(i, expansion.arena().save(why->second));
}

void Restorer::explainLeaving() {
  ir::Graph &graph = expansion.graph;
  auto explain = [&](ir::EntityId id, StringRef reason) {
    if (change.updates && graph.presenceOf(id) == ir::Presence::Leaving)
      graph.reasons[id.index] = reason;
  };
  for (auto [i, own] : llvm::enumerate(graph.nodeClasses)) {
    bool isObsolete = expansion.templates[i]->isObsolete;
    size_t asked = own.nodes.count -
                   llvm::count(instances.presenceOf(i), ir::Presence::Leaving);
    StringRef fewer = expansion.arena().save("the template asks for " +
                                             std::to_string(asked));
    for (ir::NodeId node : own.nodes.ids())
      explain(graph.entity(node), isObsolete ? "its template is gone" : fewer);
  }
  for (auto [i, own] : llvm::enumerate(graph.relationshipClasses))
    if (expansion.requirements[i]->isObsolete &&
        !expansion.templates[own.source.index]->isObsolete)
      for (ir::RelationshipId id : own.relationships.ids())
        explain(graph.entity(id), "its requirement is gone");
  for (auto [i, own] : llvm::enumerate(graph.relationshipClasses))
    for (auto [row, from] : llvm::enumerate(relationships.recordedRows(i)))
      if (from != none && relationships.hasMoved(i, from))
        explain(graph.entity(own.relationships[row]),
                "its target has no room for it any more");
}

/// Inputs decide about counts, too, which are as recorded.
void Restorer::reportInputs() const {
  const SubgraphState &subgraph = expansion.subgraphs.front();
  for (auto [input, given] :
       llvm::zip(subgraph.service->inputs, subgraph.inputs)) {
    const Value *before = findIn(recorded.deployment.inputs, input.name.str());
    if (before && given && !input.sensitive && given->isLiteral() &&
        !isSame(given->value(), *before))
      expansion.diags.report({}, diag::UpdateFirst, input.name.str(),
                             "the input is " + toText(given->value()) +
                                 ", and was " + toText(*before));
  }
}

void Restorer::reportNovel() const {
  const Value &counts = recorded.deployment.counts;
  for (ir::NodeClassId id : expansion.graph.subgraphs[0].classes.ids()) {
    StringRef name = expansion.graph.nodeClasses[id.index].name.str();
    if (counts.isMap() && !counts.find(name) && recorded.nodesOf(name).empty())
      expansion.diags.report({}, diag::UpdateFirst, name, "it is new");
  }
  for (ir::NodeClassId id : expansion.graph.subgraphs[0].classes.ids()) {
    const sema::NodeTemplate &node = *expansion.templates[id.index];
    if (node.isObsolete)
      expansion.diags.report({}, diag::UpdateFirst, node.name.str(),
                             "it is gone");
    for (const sema::Requirement &requirement : node.requirements)
      if (requirement.isObsolete && !node.isObsolete)
        expansion.diags.report(
            {}, diag::UpdateFirst, node.name.str(),
            ("its requirement '" + requirement.name.str() + "' is gone").str());
  }
}

void Restorer::reportRemoved() const {
  const ir::Graph &graph = expansion.graph;
  for (auto [i, own] : llvm::enumerate(graph.nodeClasses)) {
    // The node that it is inside of is named.
    if (instances.presenceAround(i) == ir::Presence::Leaving)
      continue;
    std::string names;
    for (ir::NodeId node : own.nodes.ids())
      if (graph.presenceOf(node) == ir::Presence::Leaving)
        names += (names.empty() ? "'" : "', '") + graph.nameOf(node);
    if (!names.empty() && expansion.templates[i]->isObsolete)
      expansion.diags.report({}, diag::Obsolete, "node template",
                             own.name.str(), names + "'");
    else if (!names.empty())
      expansion.diags.report(
          own.range, diag::InstancesLost, own.name.str(),
          own.nodes.count -
              llvm::count(instances.presenceOf(i), ir::Presence::Leaving),
          names + "'");
  }
}

void Restorer::restore() {
  setNodePresence();
  setRelationshipPresence();
  restoreValues();
  // Properties that differ may have replaced some.
  if (replaceContents() || change.updates)
    setRelationshipPresence();
  forgetOutdated();
  noteTemplates();
  explainReplaced();
  explainLeaving();
  if (change.mustAgree) {
    reportInputs();
    reportNovel();
  }
  if (change.updates)
    reportRemoved();
}

bool expanding::restoreRecorded(Expansion &expansion) {
  size_t errors = expansion.diags.numErrors();
  const ExistingInstances &instances = *expansion.existing;
  for (StringRef path : instances.recorded.templates())
    if (uint32_t first = instances.recorded.nodesOf(path).front();
        instances.nodeOf(first).index == none)
      instances.reportLost(first);
  if (expansion.diags.numErrors() != errors)
    return false;
  Restorer(expansion).restore();
  return true;
}
