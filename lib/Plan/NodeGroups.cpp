//===- NodeGroups.cpp - Scaling groups by node ----------------------------===//

#include "NodeGroups.h"

using namespace toscac;
using namespace toscac::plan;

NodeGroups::NodeGroups(const ir::Graph &graph) {
  // A group that is a member of another one has fewer members.
  std::vector<const ir::Group *> groups;
  for (const ir::Group &group : graph.groups)
    if (!group.instances.empty())
      groups.push_back(&group);
  llvm::stable_sort(groups, [](const ir::Group *a, const ir::Group *b) {
    return llvm::is_contained(b->members, a->name);
  });
  for (const ir::Group *group : groups)
    for (const ir::Group::Instance &instance : group->instances)
      for (ir::NodeId node : instance.nodes)
        names[node.index].push_back(
            (group->name.str() + "[" + llvm::Twine(instance.index) + "]")
                .str());
}

llvm::ArrayRef<std::string> NodeGroups::of(ir::NodeId node) const {
  auto found = names.find(node.index);
  if (found == names.end())
    return {};
  return found->second;
}
