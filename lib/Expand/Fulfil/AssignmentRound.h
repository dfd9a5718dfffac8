//===- AssignmentRound.h - Requirements fulfilled together ------*- C++ -*-===//
///
/// \file
/// All requirements of a subgraph whose candidates are known are one assignment
/// problem. Where candidates depend on the outcome of another requirement, they
/// come in a later round.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EXPAND_ASSIGNMENTROUND_H
#define TOSCAC_LIB_EXPAND_ASSIGNMENTROUND_H

#include "Graph/Expansion.h"
#include "Quantity.h"
#include <map>

namespace toscac::expanding {

/// Instances of a class, each with one of its capabilities, as targets.
struct TargetBlock {
  uint32_t first;
  uint32_t nodeClass;
  uint32_t capability;
  uint32_t count;
};

/// What a claim group of the problem stands for.
struct GroupInfo {
  uint32_t relationshipClass;
  uint32_t firstRow;
  /// Its place among the groups of one source and requirement assignment.
  uint32_t number;
  /// Sources may not pick themselves, with this capability or another.
  uint32_t ownCapability;
  /// It has a target already, and chooses before others.
  bool isPinned = false;
};

/// A property that relationships allocate from.
struct Resource {
  Name property;
  Measure measure;
};

/// An amount as it was written.
struct RawTake {
  uint32_t resource;
  Value amount;
  friend bool operator==(const RawTake &, const RawTake &) = default;
};

/// What happened to a requirement.
enum class Progress : uint8_t {
  Done,
  /// It has to know something that a later round will know.
  Blocked,
  /// After a report.
  Failed
};

class AssignmentRound {
public:
  explicit AssignmentRound(Expansion &expansion) : expansion(expansion) {}

  /// The first target of a block, which is added if it is new.
  uint32_t blockOf(uint32_t nodeClass, uint32_t capability);
  const TargetBlock &blockAt(uint32_t target) const;
  ir::NodeId nodeAt(uint32_t target) const;

  uint32_t addSet(llvm::ArrayRef<TargetRange> candidates);
  llvm::ArrayRef<TargetRange> targetsOf(uint32_t set) const {
    return problem.candidates(set);
  }
  /// Whether \p set has a target at \p node.
  bool hasNode(uint32_t set, ir::NodeId node) const;
  uint32_t addResource(Name property);
  uint32_t addDemand(std::vector<RawTake> takes);
  void addGroup(ClaimGroup group, GroupInfo info);
  /// What is there already takes \p demand from \p target, be it more than is
  /// left: an interrupted workflow may have given a place away early.
  void consume(uint32_t target, uint32_t demand) {
    if (demand != none)
      consumed.push_back({target, demand});
  }
  /// Whether there may be \p count more relationships; if not, after a report.
  bool reserve(uint64_t count, const sema::Requirement &requirement);
  /// A node has several targets in some set.
  void distinguishNodes() { severalPerNode = true; }

  /// Solves the problem and keeps the outcome as links of the classes. Blocked:
  /// what is there cannot stay where it is. Failed, after a report.
  Progress solve(llvm::ArrayRef<uint32_t> relationshipClasses);

private:
  void orderGroups();
  void fillNodes();
  bool fillCapacities();
  bool fillCapacities(uint32_t resource, const TargetBlock &block);
  const ir::ValueColumn *capacityColumn(const TargetBlock &block,
                                        Name property);
  /// \p groups are those of the class, by number.
  void keepLinks(uint32_t relationshipClass, llvm::ArrayRef<uint32_t> groups,
                 Assignment &assignment);
  void keepAllLinks(llvm::ArrayRef<uint32_t> relationshipClasses,
                    Assignment &assignment);
  void keepRemaining(Assignment &assignment);
  void report(const Shortage &shortage);
  std::string describeTargets(llvm::ArrayRef<TargetRange> targets) const;
  std::string describeClaims(llvm::ArrayRef<uint32_t> groups) const;

  Expansion &expansion;
  AssignmentProblem problem;
  std::vector<GroupInfo> infos;
  std::vector<TargetBlock> blocks;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> blockIndices;
  std::vector<Resource> resources;
  std::vector<std::vector<RawTake>> rawDemands;
  /// Targets and demands.
  std::vector<std::pair<uint32_t, uint32_t>> consumed;
  /// Sets of one target, by that; others by a hash of their content.
  llvm::DenseMap<uint32_t, uint32_t> singletons;
  std::multimap<uint64_t, uint32_t> setsByHash;
  std::multimap<uint64_t, uint32_t> demandsByHash;
  bool severalPerNode = false;
  uint64_t numRelationships = 0;
};

/// Adds the claims of a requirement to \p round.
Progress addClaims(Expansion &expansion, uint32_t relationshipClass,
                   AssignmentRound &round);

} // namespace toscac::expanding

#endif
