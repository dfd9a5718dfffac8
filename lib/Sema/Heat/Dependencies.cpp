//===- Dependencies.cpp - What resources wait for -------------------------===//

#include "Dependencies.h"

#include "toscac/Basic/DiagnosticsHeat.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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

/// A circle of dependencies, as indices of nodes; empty if there is none.
static std::vector<uint32_t> findCircle(llvm::ArrayRef<StackNode> nodes) {
  enum class Color : uint8_t { New, Open, Done };
  std::vector<Color> colors(nodes.size(), Color::New);
  struct Visit {
    uint32_t node;
    size_t next;
  };
  std::vector<Visit> open;
  for (uint32_t root = 0; root != nodes.size(); ++root) {
    if (colors[root] != Color::New)
      continue;
    open.push_back({root, 0});
    colors[root] = Color::Open;
    while (!open.empty()) {
      auto &[node, next] = open.back();
      if (next == nodes[node].dependencies.size()) {
        colors[node] = Color::Done;
        open.pop_back();
        continue;
      }
      uint32_t target = nodes[node].dependencies[next++];
      if (colors[target] == Color::New) {
        colors[target] = Color::Open;
        open.push_back({target, 0});
      } else if (colors[target] == Color::Open) {
        auto first = llvm::find_if(
            open, [&](const Visit &visit) { return visit.node == target; });
        std::vector<uint32_t> circle;
        for (; first != open.end(); ++first)
          circle.push_back(first->node);
        return circle;
      }
    }
  }
  return {};
}

bool heat::bindDependencies(std::vector<StackNode> &nodes,
                            DiagnosticEngine &diags) {
  DependencyBinder(nodes).bind();
  std::vector<uint32_t> circle = findCircle(nodes);
  if (circle.empty())
    return true;
  std::vector<std::string> names;
  for (uint32_t node : circle)
    names.push_back(nodes[node].resource->path);
  const StackResource &first = *nodes[circle.front()].resource;
  diags.report(first.definition->name.range, diag::HeatDependencyCircle,
               first.path,
               llvm::join(names, " waits for ") + " waits for " + first.path);
  return false;
}
