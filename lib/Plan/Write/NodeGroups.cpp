//===- NodeGroups.cpp - Scaling groups by node ----------------------------===//

#include "NodeGroups.h"

using namespace toscac;
using namespace toscac::plan;

NodeGroups::NodeGroups(const ir::Graph &graph) {
  std::vector<const ir::Group *> groups;
  llvm::DenseMap<const char *, uint32_t> heights;
  for (const ir::Group &group : graph.groups)
    if (!group.instances.empty()) {
      groups.push_back(&group);
      heights[group.name.str().data()] = 0;
    }
  // A group is higher than those in it, of which there is no cycle.
  bool isSettled = false;
  for (size_t round = 0; !isSettled && round <= groups.size(); ++round) {
    isSettled = true;
    for (const ir::Group *group : groups)
      for (Name member : group->members)
        if (auto inner = heights.find(member.str().data());
            inner != heights.end())
          if (uint32_t &own = heights[group->name.str().data()];
              own <= inner->second &&
              inner->first != group->name.str().data()) {
            own = inner->second + 1;
            isSettled = false;
          }
  }
  llvm::stable_sort(groups, [&](const ir::Group *a, const ir::Group *b) {
    return heights.lookup(a->name.str().data()) <
           heights.lookup(b->name.str().data());
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
