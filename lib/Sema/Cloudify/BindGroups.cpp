//===- BindGroups.cpp - Scaling groups and their members ------------------===//
///
/// \file
/// A scaling group stands in the tree of containment between its members and
/// what these are contained in. For that to be a tree, a member belongs to one
/// group only, all members of a group are in the same container, and a member
/// that is inside of another one belongs to the group by that alone.
///
//===----------------------------------------------------------------------===//

#include "Model.h"
#include "toscac/Basic/CsrGraph.h"
#include "llvm/ADT/DenseSet.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::StringRef;

namespace {

class GroupBinding {
public:
  GroupBinding(Model &model, DiagnosticEngine &diags)
      : model(model), diags(diags) {}

  void run();

private:
  void addGroups();
  void applyPolicies();
  bool reportCycles();
  void addMembers(uint32_t group);
  void reportMember(const Word &member);
  void join(std::optional<uint32_t> &place, const Word &name, uint32_t group);
  void collect(uint32_t group, llvm::DenseSet<uint32_t> &nodes) const;
  bool isInside(uint32_t node, const llvm::DenseSet<uint32_t> &containers,
                const llvm::DenseSet<uint32_t> &but) const;
  void dropContained(uint32_t group);
  void checkContainers();
  std::optional<uint32_t> containerOf(uint32_t group, uint32_t &member) const;
  void checkConnections();
  std::vector<uint32_t> groupsOf(uint32_t node) const;

  Model &model;
  DiagnosticEngine &diags;
  /// By scaling group: all nodes in it, before any was dropped.
  std::vector<llvm::DenseSet<uint32_t>> contents;
};

} // namespace

void GroupBinding::addGroups() {
  for (const Group &written : model.blueprint.groups) {
    if (auto node = model.findNode(written.name.text))
      diags
          .report(written.name.range, diag::GroupNamedLikeNode,
                  written.name.text)
          .note(model.nodes[*node].written->name.range, diag::FirstDefinedHere,
                written.name.text);
    model.groupsByName[written.name.text] = model.groups.size();
    model.groups.push_back({&written});
  }
}

void GroupBinding::applyPolicies() {
  for (const Policy &policy : model.blueprint.policies) {
    if (policy.type.text != "cloudify.policies.scaling") {
      if (!policy.type.isEmpty())
        diags.report(policy.type.range, diag::PolicyTypeUnknown,
                     policy.type.text);
      continue;
    }
    checkScaling(policy.scaling, ("policy '" + policy.name.text + "'").str(),
                 diags);
    if (policy.targets.empty())
      diags.report(policy.name.range, diag::PolicyWithoutTargets,
                   policy.name.text);
    for (const Word &target : policy.targets) {
      auto group = model.groupsByName.find(target.text);
      if (group == model.groupsByName.end())
        diags.report(target.range, diag::PolicyTargetNotGroup, policy.name.text,
                     target.text);
      else
        model.groups[group->second].policy = &policy;
    }
  }
}

/// Whether there is a cycle of groups; each is reported.
bool GroupBinding::reportCycles() {
  std::vector<CsrGraph::Edge> edges;
  for (auto [i, group] : llvm::enumerate(model.groups))
    for (const Word &member : group.written->members)
      if (auto inner = model.groupsByName.find(member.text);
          inner != model.groupsByName.end())
        edges.push_back({uint32_t(i), inner->second});
  std::vector<Cycle> cycles = findCycles({model.groups.size(), edges});
  for (const Cycle &cycle : cycles) {
    const Word &name = model.groups[cycle.front()].written->name;
    diags.report(name.range, diag::BlueprintGroupCycle, name.text,
                 describeCycle(cycle, [&](uint32_t group) {
                   return model.groups[group].written->name.text.str();
                 }));
  }
  return !cycles.empty();
}

void GroupBinding::join(std::optional<uint32_t> &place, const Word &name,
                        uint32_t group) {
  if (place && *place != group)
    diags.report(name.range, diag::GroupMemberRepeated, name.text,
                 model.groups[*place].written->name.text,
                 model.groups[group].written->name.text);
  place = group;
}

/// Members of a group that is not scaled count as those of the group around.
void GroupBinding::addMembers(uint32_t group) {
  BoundGroup &own = model.groups[group];
  std::vector<const Group *> open{own.written};
  while (!open.empty()) {
    const Group &written = *open.back();
    open.pop_back();
    for (const Word &member : written.members) {
      if (auto node = model.findNode(member.text)) {
        if (own.policy)
          join(model.nodes[*node].group, member, group);
        own.nodes.push_back(*node);
        continue;
      }
      auto inner = model.groupsByName.find(member.text);
      if (inner == model.groupsByName.end()) {
        if (&written == own.written)
          reportMember(member);
        continue;
      }
      BoundGroup &other = model.groups[inner->second];
      if (own.policy && !other.policy) {
        open.push_back(other.written);
        continue;
      }
      if (own.policy)
        join(other.group, member, group);
      own.groups.push_back(inner->second);
    }
  }
}

void GroupBinding::reportMember(const Word &member) {
  std::vector<StringRef> known;
  for (const BoundNode &node : model.nodes)
    known.push_back(node.written->name.text);
  for (const BoundGroup &other : model.groups)
    known.push_back(other.written->name.text);
  reportUnknown("node template or group", member, known, diags);
}

void GroupBinding::collect(uint32_t group,
                           llvm::DenseSet<uint32_t> &nodes) const {
  std::vector<uint32_t> open{group};
  while (!open.empty()) {
    const BoundGroup &own = model.groups[open.back()];
    open.pop_back();
    nodes.insert(own.nodes.begin(), own.nodes.end());
    llvm::append_range(open, own.groups);
  }
}

/// Whether \p node is inside one of \p containers that is not among \p but.
bool GroupBinding::isInside(uint32_t node,
                            const llvm::DenseSet<uint32_t> &containers,
                            const llvm::DenseSet<uint32_t> &but) const {
  for (auto at = model.nodes[node].container; at;
       at = model.nodes[*at].container)
    if (containers.contains(*at) && !but.contains(*at))
      return true;
  return false;
}

void GroupBinding::dropContained(uint32_t group) {
  BoundGroup &own = model.groups[group];
  const llvm::DenseSet<uint32_t> &all = contents[group];
  llvm::erase_if(own.nodes, [&](uint32_t node) {
    bool isRedundant = isInside(node, all, {});
    if (isRedundant && model.nodes[node].group == group)
      model.nodes[node].group.reset();
    return isRedundant;
  });
  llvm::erase_if(own.groups, [&](uint32_t inner) {
    bool isRedundant = llvm::any_of(contents[inner], [&](uint32_t node) {
      return isInside(node, all, contents[inner]);
    });
    if (isRedundant && model.groups[inner].group == group)
      model.groups[inner].group.reset();
    return isRedundant;
  });
}

/// What \p group is inside of, by its first node, which \p member becomes.
std::optional<uint32_t> GroupBinding::containerOf(uint32_t group,
                                                  uint32_t &member) const {
  const BoundGroup *own = &model.groups[group];
  while (own->nodes.empty() && !own->groups.empty())
    own = &model.groups[own->groups.front()];
  if (own->nodes.empty())
    return std::nullopt;
  member = own->nodes.front();
  return model.nodes[member].container;
}

void GroupBinding::checkContainers() {
  for (uint32_t i = 0; i != model.groups.size(); ++i) {
    const BoundGroup &group = model.groups[i];
    uint32_t first = 0;
    if (!group.policy)
      continue;
    std::optional<uint32_t> container = containerOf(i, first);
    auto check = [&](uint32_t member, std::optional<uint32_t> other) {
      if (other == container)
        return;
      auto place = [&](std::optional<uint32_t> in) {
        return in ? ("in '" + model.nodes[*in].written->name.text + "'").str()
                  : std::string("in no container");
      };
      diags.report(group.written->name.range, diag::GroupContainersDiffer,
                   model.nodes[first].written->name.text,
                   model.nodes[member].written->name.text,
                   "the one is " + place(container) + ", the other " +
                       place(other));
    };
    for (uint32_t node : group.nodes)
      check(node, model.nodes[node].container);
    for (uint32_t inner : group.groups) {
      uint32_t member = first;
      auto other = containerOf(inner, member);
      check(member, other);
    }
  }
}

/// All scaling groups that \p node is in, by membership and containment,
/// innermost first.
std::vector<uint32_t> GroupBinding::groupsOf(uint32_t node) const {
  std::vector<uint32_t> result;
  // There may be cycles, which are reported elsewhere.
  size_t steps = 0, limit = model.nodes.size() + model.groups.size();
  for (std::optional<uint32_t> at = node; at && steps++ <= limit;
       at = model.nodes[*at].container)
    for (auto group = model.nodes[*at].group; group;
         group = model.groups[*group].group)
      result.push_back(*group);
  return result;
}

void GroupBinding::checkConnections() {
  for (uint32_t i = 0; i != model.nodes.size(); ++i)
    for (const BoundRelationship &relationship : model.nodes[i].relationships) {
      if (!relationship.isAllToOne)
        continue;
      std::vector<uint32_t> around = groupsOf(relationship.target);
      for (uint32_t group : groupsOf(i))
        if (llvm::is_contained(around, group)) {
          diags.report(relationship.written->range, diag::AllToOneInGroup,
                       model.nodes[i].written->name.text,
                       relationship.written->target.text,
                       model.groups[group].written->name.text);
          break;
        }
    }
}

void GroupBinding::run() {
  addGroups();
  applyPolicies();
  if (reportCycles())
    return;
  for (uint32_t i = 0; i != model.groups.size(); ++i)
    addMembers(i);
  // Trees of half the members would only confuse.
  if (diags.hasErrors())
    return;
  contents.resize(model.groups.size());
  for (uint32_t i = 0; i != model.groups.size(); ++i)
    if (model.groups[i].policy)
      collect(i, contents[i]);
  for (uint32_t i = 0; i != model.groups.size(); ++i)
    if (model.groups[i].policy)
      dropContained(i);
  checkContainers();
  checkConnections();
}

void cloudify::bindGroups(Model &model, DiagnosticEngine &diags) {
  GroupBinding(model, diags).run();
}
