//===- External.cpp - Nodes of other deployments as targets ---------------===//
///
/// \file
/// A requirement with the directive `external` (TOSCA 2.0 §8.5) may lead to
/// nodes of other deployments: those that the state has, and that their
/// deployment shares, through an output with metadata `shared: true` or a
/// capability with the directive `external`. They are candidates like all
/// others, in a class for each template of each deployment, `corp:db[0]`. What
/// is recorded of them is known, and nothing is done to them.
///
/// The state may have many of them. So expansion is done twice: with all, then
/// with those that turned out to be targets.
///
//===----------------------------------------------------------------------===//

#include "External.h"

#include "Graph/GraphEnvironment.h"
#include "Graph/Values.h"
#include "Recorded/ExistingInstances.h"
#include "Select.h"
#include "toscac/IR/KindNames.h"
#include "llvm/ADT/MapVector.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::StringRef;

static bool leadsOutside(const sema::Service &service) {
  return llvm::any_of(service.nodes, [](const sema::NodeTemplate &node) {
    return llvm::any_of(node.requirements, [](const sema::Requirement &each) {
      return each.mayBeExternal;
    });
  });
}

namespace {

/// A node of another deployment, whose type is known here.
struct ForeignNode {
  const state::Deployment &deployment;
  const state::Entity &entity;
  const sema::NodeTemplate &type;
  bool isShared;
};

} // namespace

static llvm::StringMap<const sema::NodeTemplate *>
nodeTypesByName(const sema::CheckedProgram &program) {
  llvm::StringMap<const sema::NodeTemplate *> result;
  for (const sema::NodeTemplate &type : program.nodeTypes)
    result.try_emplace(program.types[type.type.index].name.str(), &type);
  return result;
}

static void
forEachForeignNode(const Expansion &expansion,
                   llvm::function_ref<void(const ForeignNode &)> visit) {
  if (!expansion.options.state)
    return;
  auto types = nodeTypesByName(expansion.program);
  for (const state::Deployment &deployment :
       expansion.options.state->deployments) {
    if (deployment.name == expansion.options.deployment)
      continue;
    llvm::StringSet<> providers;
    for (const state::SharedLink &link : deployment.shared)
      providers.insert(link.provider);
    for (const state::Entity &entity : deployment.entities) {
      const sema::NodeTemplate *type = types.lookup(entity.type);
      // What is inside another node belongs to that.
      if (entity.kind == state::EntityKind::Node && type &&
          !entity.name.contains('/'))
        visit({deployment, entity, *type, providers.contains(entity.name)});
    }
  }
}

static std::string externalName(const state::Deployment &deployment,
                                StringRef name) {
  return (deployment.name + ":" + name).str();
}

namespace {

/// Nodes of one template of another deployment.
struct ForeignClass {
  const sema::NodeTemplate *type = nullptr;
  std::vector<const state::Entity *> nodes;
};

/// By name of the class, in the order of the state.
using ForeignClasses =
    llvm::MapVector<std::string, ForeignClass, std::map<std::string, unsigned>>;

} // namespace

/// What is recorded of the entity \p name in the deployment that is changed.
static const state::Entity *findRecorded(const Expansion &expansion,
                                         const std::string &name) {
  if (!expansion.existing)
    return nullptr;
  const Recorded &recorded = expansion.existing->recorded;
  uint32_t row = recorded.find(name);
  return row == none ? nullptr : &recorded[row];
}

/// A recorded deployment keeps the targets that it has, whatever became of
/// them; only an update adds others, which come behind them.
static void keepRecordedTargets(const Expansion &expansion,
                                const std::string &path,
                                std::vector<const state::Entity *> &nodes) {
  if (!expansion.existing)
    return;
  const Recorded &recorded = expansion.existing->recorded;
  std::vector<const state::Entity *> result;
  for (uint32_t row : recorded.nodesOf(path)) {
    auto same = llvm::find_if(nodes, [&](const state::Entity *node) {
      return node->index == recorded[row].index;
    });
    result.push_back(same == nodes.end() ? &recorded[row] : *same);
  }
  uint32_t next = result.empty() ? 0 : result.back()->index + 1;
  if (expansion.existing->change.updates)
    for (const state::Entity *node : nodes)
      if (node->index >= next)
        result.push_back(node);
  nodes = std::move(result);
}

static ForeignClasses findForeignClasses(const Expansion &expansion,
                                         const std::string &prefix) {
  ForeignClasses found;
  forEachForeignNode(expansion, [&](const ForeignNode &node) {
    const llvm::StringSet<> *chosen = expansion.chosenExternal;
    std::string name = externalName(node.deployment, node.entity.name);
    bool isMeant = node.isShared && (!chosen || chosen->contains(name));
    if (!isMeant && !findRecorded(expansion, prefix + name))
      return;
    ForeignClass &own = found[templatePath(name).str()];
    own.type = own.type ? own.type : &node.type;
    if (own.type == &node.type)
      own.nodes.push_back(&node.entity);
  });
  auto types = nodeTypesByName(expansion.program);
  if (expansion.existing)
    for (StringRef path : expansion.existing->recorded.templates()) {
      const Recorded &recorded = expansion.existing->recorded;
      StringRef own = path;
      const state::Entity &first = recorded[recorded.nodesOf(path).front()];
      const sema::NodeTemplate *type = types.lookup(first.type);
      if (own.consume_front(prefix) && own.contains(':') &&
          !own.contains('/') && type)
        found.insert({own.str(), {type, {}}});
    }
  return found;
}

void expanding::addExternalClasses(Expansion &expansion,
                                   ir::SubgraphId subgraph) {
  ir::Graph &graph = expansion.graph;
  if (!leadsOutside(*expansion.subgraphs[subgraph.index].service))
    return;
  std::string prefix;
  if (auto outer = graph.subgraphs[subgraph.index].substitutes)
    prefix = graph.nameOf(*outer) + "/";
  ForeignClasses classes = findForeignClasses(expansion, prefix);
  for (auto &[name, found] : classes) {
    auto &[type, nodes] = found;
    llvm::sort(nodes, [](const state::Entity *a, const state::Entity *b) {
      return a->index < b->index;
    });
    keepRecordedTargets(expansion, prefix + name, nodes);
    if (nodes.empty())
      continue;
    expansion.external[graph.nodeClasses.size()] = std::move(nodes);
    addClass(expansion, subgraph, *type);
    graph.nodeClasses.back().name = expansion.names.intern(name);
    ++graph.subgraphs[subgraph.index].classes.count;
    expansion.isSelected.back() = true;
  }
}

void expanding::fillExternalNodes(Expansion &expansion,
                                  ir::SubgraphId subgraph) {
  for (ir::NodeClassId id :
       expansion.graph.subgraphs[subgraph.index].classes.ids()) {
    auto found = expansion.external.find(id.index);
    if (found == expansion.external.end())
      continue;
    for (auto [row, entity] : llvm::enumerate(found->second))
      fillFromState(expansion, id.index, row, *entity);
    retire(expansion, id.index);
  }
}

llvm::StringSet<> expanding::usedExternalNodes(const Expansion &expansion) {
  const ir::Graph &graph = expansion.graph;
  llvm::StringSet<> used;
  for (ir::NodeId target : graph.target) {
    const ir::NodeClass &own = graph.classOf(target);
    if (expansion.isExternal(graph.classOfNode[target.index].index))
      used.insert((own.name.str() + "[" +
                   llvm::Twine(graph.indexOfNode[target.index]) + "]")
                      .str());
  }
  return used;
}

std::string expanding::externalButNotShared(const Expansion &expansion,
                                            uint32_t relationshipClass) {
  const sema::Requirement &requirement =
      *expansion.requirements[relationshipClass];
  std::string result;
  const auto &types = expansion.program.types;
  forEachForeignNode(expansion, [&](const ForeignNode &node) {
    bool fits =
        (!requirement.nodeType ||
         ir::isDerivedFrom(types, node.type.type, requirement.nodeType)) &&
        llvm::any_of(node.type.capabilities, [&](const sema::Capability &each) {
          return !requirement.capabilityType ||
                 ir::isDerivedFrom(types, each.type,
                                   requirement.capabilityType);
        });
    if (fits && !node.isShared && result.empty())
      result = llvm::formatv("'{0}' of deployment '{1}'", node.entity.name,
                             node.deployment.name);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// What this deployment shares
//===----------------------------------------------------------------------===//

/// The nodes that queries in \p expr read.
static void collectNodes(Expansion &expansion, const Expr &expr,
                         std::vector<ir::NodeId> &nodes) {
  for (const Expr &child : expr.children())
    collectNodes(expansion, child, nodes);
  ir::Reference reference;
  bool isQuery =
      expr.isCall(Function::GetAttribute) || expr.isCall(Function::GetProperty);
  if (!isQuery || !ir::readReference(expr.children(), ir::EntityKind::Service,
                                     expansion.names, reference))
    return;
  walkPath(expansion, expansion.placeOf(ir::SubgraphId{0}), reference.steps,
           [&](const Place &place) {
             if (place.kind == ir::EntityKind::Node &&
                 !llvm::is_contained(nodes, place.node))
               nodes.push_back(place.node);
           });
}

static void addSharedOutputs(Expansion &expansion) {
  ir::Graph &graph = expansion.graph;
  for (const sema::OutputDefinition &output :
       expansion.subgraphs.front().service->outputs) {
    if (!output.shared || !output.value)
      continue;
    auto found = llvm::find_if(graph.outputs, [&](const ir::OutputValue &each) {
      return each.name == output.name;
    });
    ir::SharedValue shared;
    shared.name = output.name;
    shared.type = expansion.names.intern(ir::nameOf(output.type->kind));
    if (found != graph.outputs.end() && !output.sensitive)
      shared.value = found->value;
    std::vector<ir::NodeId> nodes;
    collectNodes(expansion, *output.value, nodes);
    if (nodes.empty())
      graph.shared.push_back(shared);
    for (ir::NodeId node : nodes) {
      shared.provider = expansion.names.intern(graph.nameOf(node));
      graph.shared.push_back(shared);
    }
  }
}

/// The known properties of the capability.
static const Expr *capabilityValue(Expansion &expansion,
                                   const ir::CapabilityColumns &columns,
                                   uint32_t row) {
  std::vector<MapEntry> entries;
  for (const ir::ValueColumn &column : columns.properties)
    if (const Expr *value = column.values.at(row);
        value && value->isLiteral() && !column.sensitive)
      entries.push_back({Value::string(column.name.str()), value->value()});
  return expansion.arena().make(Expr::literal(expansion.arena().map(entries)));
}

static void addSharedCapabilities(Expansion &expansion, uint32_t nodeClass) {
  ir::Graph &graph = expansion.graph;
  const ir::NodeClass &own = graph.nodeClasses[nodeClass];
  if (expansion.isSelected[nodeClass])
    return;
  for (auto [capability, columns] : llvm::zip(
           expansion.templates[nodeClass]->capabilities, own.capabilities)) {
    if (!capability.mayBeExternal)
      continue;
    for (uint32_t row = 0; row != own.nodes.count; ++row)
      graph.shared.push_back(
          {capability.name, graph.types[capability.type.index].name,
           expansion.names.intern(graph.nameOf(own.nodes[row])),
           capabilityValue(expansion, columns, row)});
  }
}

void expanding::addShared(Expansion &expansion) {
  addSharedOutputs(expansion);
  for (ir::NodeClassId id : expansion.graph.subgraphs.front().classes.ids())
    addSharedCapabilities(expansion, id.index);
}
