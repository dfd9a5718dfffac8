//===- Assign.h - Sources to targets, under capacities ----------*- C++ -*-===//
///
/// \file
/// The problem behind requirements: claims pick targets. A claim wants a number
/// of different targets out of its candidates, and each pick takes amounts of
/// resources that the target has only so much of.
///
/// First fit is what people expect: claims in their order take the first
/// candidates with enough left. Where that leaves a claim without targets, all
/// that competes with it is solved anew: as a flow where every pick takes the
/// same from a target, else by a bounded search. What is alike is never spelt
/// out: claims come in groups, candidates as ranges.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EXPAND_ASSIGN_H
#define TOSCAC_LIB_EXPAND_ASSIGN_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace toscac::expanding {

/// In place of a target, demand or group: there is none.
inline constexpr uint32_t none = ~0u;

struct TargetRange {
  uint32_t first;
  uint32_t count;

  uint32_t end() const { return first + count; }
  friend bool operator==(TargetRange, TargetRange) = default;
};

struct Take {
  uint32_t resource;
  /// Above 0.
  int64_t amount;

  friend bool operator==(Take, Take) = default;
};

/// Claims that are alike.
struct ClaimGroup {
  uint32_t claims = 1;
  /// Different targets that each claim wants.
  uint32_t wanted = 1;
  /// Index of the candidates.
  uint32_t set = 0;
  /// Index of what each pick takes.
  uint32_t demand = none;
  /// An earlier group with as many claims, whose picks the claim of the same
  /// number should not repeat if it has a choice; so on for its predecessor.
  uint32_t previous = none;
  /// The first claim must not pick this target (or node, where
  /// AssignmentProblem has such), the second not the one after it, and so on:
  /// themselves.
  uint32_t self = none;
  /// May get fewer targets than it wants.
  bool optional = false;
};

struct AssignmentProblem {
  uint32_t numTargets = 0;
  /// By resource, then by target.
  std::vector<std::vector<int64_t>> capacities;
  std::vector<std::vector<Take>> demands;
  /// Candidates of each set in order of preference, all sets in one array.
  std::vector<TargetRange> ranges;
  std::vector<uint32_t> setOffsets = {0};
  /// In the order in which they choose; optional ones come last.
  std::vector<ClaimGroup> groups;
  /// What must differ among the picks of a claim, for each target; empty:
  /// targets themselves. Targets that share it are neighbours in every set.
  std::vector<uint32_t> nodeOf;
  /// Shuffles the candidates of each set; claims start anywhere.
  std::optional<uint64_t> seed;

  uint32_t addSet(llvm::ArrayRef<TargetRange> candidates);
  uint32_t numSets() const { return setOffsets.size() - 1; }
  llvm::ArrayRef<TargetRange> candidates(uint32_t set) const {
    return llvm::ArrayRef(ranges).slice(setOffsets[set],
                                        setOffsets[set + 1] - setOffsets[set]);
  }
  uint64_t numCandidates(uint32_t set) const;
  /// How often \p demand can be met by \p target; \p demand takes something.
  int64_t picksOf(uint32_t demand, uint32_t target) const;
};

/// Why claims stay without targets.
struct Shortage {
  enum class Kind : uint8_t {
    /// A claim wants more different targets than it has candidates.
    TooFewTargets,
    /// All competitors together need more than there is.
    TooLittle,
    /// There is enough in sum, but it cannot be divided that way.
    Indivisible,
    /// The search was given up.
    Unknown
  };
  Kind kind;
  /// All that compete.
  std::vector<uint32_t> groups;
  /// All targets they can have, ascending.
  std::vector<TargetRange> targets;
  uint32_t resource = none;
  /// In units of the resource, or in targets.
  int64_t needed = 0;
  int64_t offered = 0;
  /// What every one of the targets would have to offer at least.
  std::optional<int64_t> sufficient;
};

struct Assignment {
  /// Where the picks of each group begin.
  std::vector<size_t> offsets;
  /// Claim by claim, as many as wanted; `none` where an optional claim, or one
  /// of a shortage, goes without.
  std::vector<uint32_t> picks;
  std::vector<Shortage> shortages;
  /// Picks that first fit could not make.
  size_t leftByFirstFit = 0;

  llvm::MutableArrayRef<uint32_t> of(uint32_t group, const ClaimGroup &claims,
                                     uint32_t claim) {
    return llvm::MutableArrayRef(picks).slice(
        offsets[group] + size_t(claim) * claims.wanted, claims.wanted);
  }
};

Assignment assign(const AssignmentProblem &problem);

} // namespace toscac::expanding

#endif
