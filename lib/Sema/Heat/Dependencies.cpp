//===- Dependencies.cpp - What resources wait for -------------------------===//

#include "Dependencies.h"

#include "toscac/Basic/CsrGraph.h"
#include "toscac/Basic/DiagnosticsHeat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::heat;

namespace {

class DependencyBinder {
public:
  explicit DependencyBinder(std::vector<StackNode> &nodes) : nodes(nodes) {
    for (uint32_t i = 0; i != nodes.size(); ++i)
      indices[nodes[i].resource] = i;
  }

  void bind();

private:
  using Uses = llvm::SetVector<StackResource *>;

  void addParts(const StackResource &resource,
                std::vector<uint32_t> &dependencies) const;
  const Uses &usesOf(const StackResource &resource) const {
    return nodes[indices.lookup(&resource)].uses;
  }
  Uses ownUses(const StackResource &resource) const;
  Uses outerUses(const StackResource &resource) const;

  std::vector<StackNode> &nodes;
  llvm::DenseMap<const StackResource *, uint32_t> indices;
  /// Groups by their members.
  llvm::DenseMap<const StackResource *, const StackResource *> groups;
};

} // namespace

/// What \p resource, and the group of which it is a member, refer to.
DependencyBinder::Uses
DependencyBinder::ownUses(const StackResource &resource) const {
  Uses result = usesOf(resource);
  auto group = groups.find(&resource);
  if (group != groups.end())
    result.insert(usesOf(*group->second).begin(), usesOf(*group->second).end());
  return result;
}

/// What something that refers to nothing waits for: what the resource that its
/// template implements refers to, or the next one around it.
DependencyBinder::Uses
DependencyBinder::outerUses(const StackResource &resource) const {
  const StackResource *at = resource.stack->facade;
  for (; at; at = at->stack->facade)
    if (Uses uses = ownUses(*at); !uses.empty())
      return uses;
  return {};
}

void DependencyBinder::addParts(const StackResource &resource,
                                std::vector<uint32_t> &dependencies) const {
  if (resource.nested)
    for (const auto &part : resource.nested->resources)
      dependencies.push_back(indices.lookup(part.get()));
  for (const auto &member : resource.members)
    dependencies.push_back(indices.lookup(member.get()));
}

void DependencyBinder::bind() {
  for (const StackNode &node : nodes)
    for (const auto &member : node.resource->members)
      groups[member.get()] = node.resource;
  for (StackNode &node : nodes) {
    std::vector<uint32_t> &dependencies = node.dependencies;
    addParts(*node.resource, dependencies);
    Uses uses = ownUses(*node.resource);
    if (uses.empty())
      uses = outerUses(*node.resource);
    for (StackResource *used : uses)
      dependencies.push_back(indices.lookup(used));
    llvm::sort(dependencies);
    dependencies.erase(llvm::unique(dependencies), dependencies.end());
  }
}

bool heat::bindDependencies(std::vector<StackNode> &nodes,
                            DiagnosticEngine &diags) {
  DependencyBinder(nodes).bind();
  std::vector<CsrGraph::Edge> edges;
  for (auto [i, node] : llvm::enumerate(nodes))
    for (uint32_t dependency : node.dependencies)
      edges.push_back({uint32_t(i), dependency});
  std::vector<Cycle> cycles = findCycles({nodes.size(), edges});
  for (const Cycle &cycle : cycles) {
    const StackResource &first = *nodes[cycle.front()].resource;
    diags.report(first.definition->name.range, diag::HeatDependencyCycle,
                 first.path, describeCycle(cycle, [&](uint32_t node) {
                   return nodes[node].resource->path;
                 }));
  }
  return cycles.empty();
}
