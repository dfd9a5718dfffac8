//===- InstanceTree.cpp - Instances counted per container -----------------===//

#include "InstanceTree.h"

#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Entries
//===----------------------------------------------------------------------===//

EntryTree::EntryTree(const sema::CheckedProgram &program)
    : service(program.services.front()), program(program),
      parents(service.nodes.size() + service.groups.size(), none) {
  std::vector<uint32_t> containers(service.nodes.size(), none);
  for (auto [i, node] : llvm::enumerate(service.nodes))
    for (const sema::Requirement &requirement : node.requirements)
      if (requirement.pairing == sema::Pairing::Container)
        containers[i] = parents[i] = *requirement.node;
  llvm::DenseMap<StringRef, uint32_t> groups;
  for (const sema::Group &group : service.groups)
    if (isScaled(group))
      groups[group.name.str()] = entryOf(group);
  for (const sema::Group &group : service.groups) {
    if (!isScaled(group))
      continue;
    for (uint32_t node : group.nodes)
      parents[node] = entryOf(group);
    for (Name inner : group.groups)
      if (auto found = groups.find(inner.str()); found != groups.end())
        parents[found->second] = entryOf(group);
  }
  // The outermost group around a node hangs where the node would.
  for (uint32_t node = 0; node != service.nodes.size(); ++node) {
    uint32_t outermost = none;
    for (uint32_t at = parents[node]; at != none && isGroup(at);
         at = parents[at])
      outermost = at;
    if (outermost != none)
      parents[outermost] = containers[node];
  }
  std::vector<std::vector<uint32_t>> children(size() + 1);
  for (uint32_t entry = 0; entry != size(); ++entry)
    children[parents[entry] == none ? size() : parents[entry]].push_back(entry);
  sorted = children[size()];
  for (size_t i = 0; i != sorted.size(); ++i)
    llvm::append_range(sorted, children[sorted[i]]);
}

bool EntryTree::isScaled(const sema::Group &group) const {
  return !ir::findMark(program.types, group.type, "scaling.count").empty();
}

StringRef EntryTree::nameOf(uint32_t entry) const {
  return isGroup(entry)
             ? service.groups[entry - service.nodes.size()].name.str()
             : service.nodes[entry].name.str();
}

uint32_t EntryTree::find(StringRef name) const {
  for (const sema::Group &group : service.groups)
    if (group.name.str() == name && isScaled(group))
      return entryOf(group);
  for (auto [i, node] : llvm::enumerate(service.nodes))
    if (node.name.str() == name)
      return i;
  return none;
}

uint32_t EntryTree::commonGroup(uint32_t a, uint32_t b) const {
  std::set<uint32_t> around;
  for (uint32_t at = parents[b]; at != none; at = parents[at])
    around.insert(at);
  for (uint32_t at = parents[a]; at != none; at = parents[at])
    if (isGroup(at) && around.count(at))
      return at;
  return none;
}

std::vector<uint32_t>
expanding::recordedCounts(const EntryTree &tree,
                          const state::Deployment &deployment) {
  std::vector<uint32_t> counts(tree.size(), 1);
  for (uint32_t entry = 0; entry != tree.size(); ++entry)
    if (deployment.counts.isMap())
      if (const Value *count = deployment.counts.find(tree.nameOf(entry));
          count && count->isInteger() && count->asInteger() >= 0)
        counts[entry] = count->asInteger();
  return counts;
}

//===----------------------------------------------------------------------===//
// What is recorded
//===----------------------------------------------------------------------===//

bool expanding::splitInstanceName(StringRef name, StringRef &entry,
                                  uint32_t &index) {
  auto [before, after] = name.rsplit('[');
  entry = before;
  return after.consume_back("]") && !after.getAsInteger(10, index);
}

uint32_t InstanceTree::rowOf(uint32_t entry, uint32_t index) const {
  // Where none is missing, indices are rows.
  if (ArrayRef<Instance> all = instances[entry];
      index < all.size() && all[index].index == index)
    return index;
  auto found =
      llvm::partition_point(instances[entry], [&](const Instance &other) {
        return other.index < index;
      });
  return found != instances[entry].end() && found->index == index
             ? found - instances[entry].begin()
             : none;
}

/// A group instance is there as long as one of its members.
void InstanceTree::addGroups(const Recorded &recorded) {
  llvm::DenseMap<StringRef, uint32_t> entries;
  for (const sema::Group &group : tree.service.groups)
    entries[group.name.str()] = tree.entryOf(group);
  std::vector<std::set<uint32_t>> found(tree.size());
  for (const state::Entity &entity : recorded.deployment.entities)
    for (StringRef name : entity.groups) {
      StringRef group;
      uint32_t index;
      if (!splitInstanceName(name, group, index))
        continue;
      if (auto entry = entries.find(group); entry != entries.end())
        found[entry->second].insert(index);
    }
  for (uint32_t entry = 0; entry != tree.size(); ++entry)
    for (uint32_t index : found[entry])
      instances[entry].push_back({none, index});
}

/// The groups that the instance \p node of \p entry, recorded in \p row, is a
/// member of, and what they are in.
void InstanceTree::linkGroups(const Containment &containment, uint32_t entry,
                              uint32_t node, uint32_t row) {
  const Recorded &recorded = containment.recorded;
  uint32_t childEntry = entry, childRow = node;
  uint32_t at = tree.parentOf(entry);
  for (StringRef name : recorded[row].groups) {
    StringRef group;
    uint32_t index;
    if (at == none || !tree.isGroup(at) ||
        !splitInstanceName(name, group, index) || group != tree.nameOf(at))
      return;
    uint32_t found = rowOf(at, index);
    instances[childEntry][childRow].parent = found;
    childEntry = at;
    childRow = found;
    at = tree.parentOf(at);
  }
  uint32_t container = containment.containerOf(row);
  if (at != none && !tree.isGroup(at) && container != none)
    instances[childEntry][childRow].parent =
        rowOf(at, recorded[container].index);
}

void InstanceTree::addRecorded(const Containment &containment) {
  const Recorded &recorded = containment.recorded;
  for (uint32_t entry = 0; entry != tree.service.nodes.size(); ++entry)
    for (uint32_t row : recorded.nodesOf(tree.nameOf(entry)))
      instances[entry].push_back({none, recorded[row].index});
  addGroups(recorded);
  for (uint32_t entry = 0; entry != tree.service.nodes.size(); ++entry)
    for (auto [node, row] :
         llvm::enumerate(recorded.nodesOf(tree.nameOf(entry))))
      linkGroups(containment, entry, node, row);
  for (uint32_t entry = 0; entry != tree.size(); ++entry) {
    nextIndices[entry] = recorded.nextIndex(tree.nameOf(entry));
    if (!instances[entry].empty())
      nextIndices[entry] =
          std::max(nextIndices[entry], instances[entry].back().index + 1);
  }
}

//===----------------------------------------------------------------------===//
// What becomes of it
//===----------------------------------------------------------------------===//

/// Those of \p entry that are inside of something that leaves.
void InstanceTree::removeInside(uint32_t entry) {
  uint32_t parent = tree.parentOf(entry);
  if (parent == none)
    return;
  for (Instance &instance : instances[entry])
    if (instance.parent != none)
      instance.leaves |= instances[parent][instance.parent].leaves;
}

void InstanceTree::removeContents() {
  for (uint32_t entry : tree.order())
    removeInside(entry);
}

std::vector<std::vector<uint32_t>>
InstanceTree::byParent(uint32_t entry) const {
  uint32_t parent = tree.parentOf(entry);
  std::vector<std::vector<uint32_t>> result(
      parent == none ? 1 : instances[parent].size());
  for (auto [row, instance] : llvm::enumerate(instances[entry]))
    if (!instance.leaves && (parent == none || instance.parent != none))
      result[parent == none ? 0 : instance.parent].push_back(row);
  return result;
}

void InstanceTree::cut(ArrayRef<uint32_t> counts) {
  for (uint32_t entry : tree.order()) {
    removeInside(entry);
    std::vector<std::vector<uint32_t>> siblings = byParent(entry);
    for (ArrayRef<uint32_t> rows : siblings)
      for (uint32_t row :
           rows.drop_front(std::min<size_t>(counts[entry], rows.size())))
        instances[entry][row].leaves = true;
  }
}

bool InstanceTree::fill(ArrayRef<uint32_t> counts, uint64_t limit) {
  for (uint32_t entry : tree.order()) {
    uint32_t parent = tree.parentOf(entry);
    std::vector<std::vector<uint32_t>> rows = byParent(entry);
    uint64_t total = instances[entry].size();
    for (auto [i, own] : llvm::enumerate(rows)) {
      bool isThere = parent == none || !instances[parent][i].leaves;
      if (!isThere || own.size() >= counts[entry])
        continue;
      uint32_t missing = counts[entry] - own.size();
      total += missing;
      if (total > limit)
        return false;
      for (uint32_t n = 0; n != missing; ++n)
        instances[entry].push_back({parent == none ? none : uint32_t(i),
                                    nextIndices[entry]++, /*isNew=*/true});
    }
  }
  return true;
}

uint32_t InstanceTree::above(uint32_t entry, uint32_t row,
                             uint32_t wanted) const {
  while (entry != wanted && row != none) {
    row = instances[entry][row].parent;
    entry = tree.parentOf(entry);
    if (entry == none)
      return none;
  }
  return row;
}
