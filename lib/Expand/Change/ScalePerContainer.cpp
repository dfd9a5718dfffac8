//===- ScalePerContainer.cpp - Scaling where counts are per container -----===//
///
/// \file
/// A new count holds in every instance of what the scaled entry is inside of:
/// each of them gets or loses the difference. What an instance holds comes and
/// goes with it.
///
//===----------------------------------------------------------------------===//

#include "Count/InstanceTree.h"
#include "Scaling.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

namespace toscac::expanding {

class PerContainerScaling {
public:
  PerContainerScaling(const Recorded &recorded, const Containment &containment,
                      const EntryTree &tree, DiagnosticEngine &diags,
                      DeploymentChange &result)
      : recorded(recorded), tree(tree), diags(diags), result(result),
        instanceTree(tree) {
    instanceTree.addRecorded(containment);
  }

  /// False after a report.
  bool scale(uint32_t entry, int64_t delta, ArrayRef<std::string> included,
             ArrayRef<std::string> excluded);

private:
  /// The row of \p entry that \p name means: itself, or what is in the group.
  uint32_t findHint(uint32_t entry, StringRef name);
  bool findHints(uint32_t entry, ArrayRef<std::string> hints,
                 std::vector<uint32_t> &rows);
  bool pickVictims(uint32_t entry, uint32_t count, ArrayRef<uint32_t> included,
                   ArrayRef<uint32_t> excluded);
  std::string nameOf(uint32_t entry, uint32_t row) const;

  const Recorded &recorded;
  const EntryTree &tree;
  DiagnosticEngine &diags;
  DeploymentChange &result;
  InstanceTree instanceTree;
};

} // namespace toscac::expanding

std::string PerContainerScaling::nameOf(uint32_t entry, uint32_t row) const {
  return (tree.nameOf(entry) + "[" +
          llvm::Twine(instanceTree.of(entry)[row].index) + "]")
      .str();
}

uint32_t PerContainerScaling::findHint(uint32_t entry, StringRef name) {
  StringRef named;
  uint32_t index;
  if (!splitInstanceName(name, named, index))
    return InstanceTree::none;
  uint32_t at = tree.find(named);
  if (at == EntryTree::none)
    return InstanceTree::none;
  // An instance of a group can be named by anything that is in it.
  if (at != entry && !tree.isGroup(entry))
    return InstanceTree::none;
  for (auto [row, instance] : llvm::enumerate(instanceTree.of(at)))
    if (instance.index == index)
      return instanceTree.above(at, row, entry);
  return InstanceTree::none;
}

bool PerContainerScaling::findHints(uint32_t entry, ArrayRef<std::string> hints,
                                    std::vector<uint32_t> &rows) {
  bool complete = true;
  for (const std::string &hint : hints) {
    uint32_t row = findHint(entry, hint);
    if (row != InstanceTree::none) {
      rows.push_back(row);
      continue;
    }
    complete = false;
    if (recorded.find(hint) != Recorded::none) {
      diags.report({}, diag::NotScaledInstance, hint, tree.nameOf(entry));
      continue;
    }
    std::string known;
    if (ArrayRef<InstanceTree::Instance> all = instanceTree.of(entry);
        !all.empty())
      known = "; there are '" + nameOf(entry, 0) + "' to '" +
              nameOf(entry, all.size() - 1) + "'";
    diags.report({}, diag::UnknownInstance, recorded.deployment.name, hint,
                 known);
  }
  return complete;
}

/// In each instance of the parent: those named, then the newest; what is
/// excluded stays.
bool PerContainerScaling::pickVictims(uint32_t entry, uint32_t count,
                                      ArrayRef<uint32_t> included,
                                      ArrayRef<uint32_t> excluded) {
  std::vector<std::vector<uint32_t>> siblings = instanceTree.byParent(entry);
  for (ArrayRef<uint32_t> rows : siblings) {
    size_t surplus = rows.size() > count ? rows.size() - count : 0, taken = 0;
    llvm::DenseSet<uint32_t> kept(excluded.begin(), excluded.end());
    auto take = [&](uint32_t row) {
      if (taken == surplus || !kept.insert(row).second)
        return;
      instanceTree.remove(entry, row);
      ++taken;
    };
    for (uint32_t row : included)
      if (llvm::is_contained(rows, row))
        take(row);
    for (uint32_t row : llvm::reverse(rows))
      take(row);
    if (taken == surplus)
      continue;
    diags.report({}, diag::TooManyExcluded, tree.nameOf(entry), surplus, taken);
    return false;
  }
  return true;
}

bool PerContainerScaling::scale(uint32_t entry, int64_t delta,
                                ArrayRef<std::string> included,
                                ArrayRef<std::string> excluded) {
  std::vector<uint32_t> counts = recordedCounts(tree, recorded.deployment);
  int64_t wanted = int64_t(counts[entry]) + delta;
  if (wanted < 0) {
    diags.report({}, diag::ScaledBelowZero, tree.nameOf(entry), counts[entry],
                 -delta);
    return false;
  }
  std::vector<uint32_t> first, last;
  bool complete = findHints(entry, included, first);
  complete &= findHints(entry, excluded, last);
  for (uint32_t row : first)
    if (llvm::is_contained(last, row)) {
      diags.report({}, diag::IncludedAndExcluded, nameOf(entry, row));
      complete = false;
    }
  if (!complete)
    return false;
  counts[entry] = wanted;
  if (delta < 0 && !pickVictims(entry, wanted, first, last))
    return false;
  instanceTree.removeContents();
  for (uint32_t at = 0; at != tree.size(); ++at) {
    result.counts[tree.nameOf(at)] = counts[at];
    for (auto [row, instance] : llvm::enumerate(instanceTree.of(at)))
      if (instance.leaves)
        result.removed.insert(nameOf(at, row));
  }
  return true;
}

/// One name, several with commas between, or a list in JSON.
static std::vector<std::string> listedNames(const Value *given) {
  std::vector<std::string> names;
  if (!given || !given->isString())
    return names;
  StringRef text = given->asString().trim();
  if (auto parsed = llvm::json::parse(text))
    if (const llvm::json::Array *items = parsed->getAsArray()) {
      for (const llvm::json::Value &item : *items)
        names.push_back(item.getAsString().value_or("").str());
      return names;
    }
  llvm::SmallVector<StringRef> parts;
  llvm::SplitString(text, parts, ", ");
  for (StringRef part : parts)
    names.push_back(part.str());
  return names;
}

bool Scaling::scalePerContainer(StringRef name, int64_t delta,
                                bool scalesCompute) {
  result.mustAgree = true;
  EntryTree tree(program);
  uint32_t entry = tree.find(name);
  std::vector<std::string> included =
      listedNames(change.parameter("include_instances"));
  std::vector<std::string> excluded =
      listedNames(change.parameter("exclude_instances"));
  if (scalesCompute && !tree.isGroup(entry)) {
    if (!included.empty() || !excluded.empty()) {
      diags.report({}, diag::BadParameter, "scale_compute", request.workflow,
                   "true", "false where instances are named");
      return false;
    }
    auto isCompute = [&](uint32_t at) {
      return !tree.isGroup(at) &&
             ir::findMark(program.types, service.nodes[at].type, "compute") ==
                 "true";
    };
    uint32_t at = entry;
    while (at != EntryTree::none && !isCompute(at))
      at = tree.parentOf(at);
    if (at != EntryTree::none)
      entry = at;
  }
  if (delta == 0)
    return true;
  return PerContainerScaling(recorded, containment, tree, diags, result)
      .scale(entry, delta, included, excluded);
}
