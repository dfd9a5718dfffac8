//===- FilteredSets.h - Targets that satisfy filters ------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_FILTEREDSETS_H
#define TOSCAC_LIB_EXPAND_FILTEREDSETS_H

#include "AssignmentRound.h"
#include "Graph/Candidates.h"
#include "toscac/Value/Evaluate.h"

namespace toscac::expanding {

/// Cuts candidates down to those of which the filters of a requirement are
/// true, for each source.
///
/// What a filter reads of the source and of the target is evaluated for each of
/// these once; sources for which it is the same are alike, and so are targets.
/// The filter itself is evaluated once for each pair of kinds. Where a part of
/// it says that something of the source equals something of the target, only
/// pairs of which that is true are looked at.
class FilteredSets {
public:
  /// \p candidates are the targets in their order.
  FilteredSets(Expansion &expansion, uint32_t relationshipClass,
               AssignmentRound &round, llvm::ArrayRef<TargetRange> candidates);

  /// Looks at the targets.
  Progress prepare();
  /// The set for a relationship from \p source, to be looked up in `set`.
  Progress setFor(const Place &relationship, uint32_t &set);
  /// Leaves those of \p targets, single ones, that satisfy the filters.
  Progress keepTrue(const Place &relationship,
                    std::vector<TargetRange> &targets);
  /// Whether sources can differ.
  bool dependsOnSource() const { return isMixed || !sourceQueries.empty(); }

private:
  /// What of a relationship an expression reads, as bits.
  enum Side : unsigned { Neither = 0, Source = 1, Target = 2 };
  using Key = llvm::SmallVector<Value, 4>;

  void collect(const Expr &expr);
  void findEquality(const Expr &expr);
  unsigned sidesOf(const Expr &expr) const;
  unsigned sidesOfPath(const Expr &query) const;
  Progress readKey(llvm::ArrayRef<const Expr *> queries, const Place &place,
                   Key &key);
  Place withTarget(Place relationship, uint32_t target) const;
  Progress holds(const Place &relationship, bool &result);
  Progress indexTargets();
  /// Kinds of targets that can be meant by \p relationship.
  Progress likelyKinds(const Place &relationship, std::vector<uint32_t> &kinds);
  uint32_t makeSet(llvm::ArrayRef<uint32_t> kinds);

  Expansion &expansion;
  const sema::Requirement &requirement;
  uint32_t relationshipClass;
  AssignmentRound &round;
  std::vector<TargetRange> candidates;
  std::vector<const Expr *> sourceQueries, targetQueries;
  /// Something is read that depends on both ends at once.
  bool isMixed = false;
  /// Sides of an equality that must hold.
  const Expr *sourceSide = nullptr, *targetSide = nullptr;

  /// The targets of each kind as positions among the candidates.
  std::vector<std::vector<uint32_t>> targetKinds;
  std::vector<uint32_t> order;
  /// Kinds by the value of `targetSide`; a value decides only among its like.
  std::multimap<uint64_t, std::pair<Value, uint32_t>> kindsByValue;
  bool hasIndex = false;
  std::multimap<uint64_t, std::pair<Key, uint32_t>> setsByKey;
  uint64_t numPairs = 0;
};

/// Whether \p function is called somewhere in \p expr.
bool calls(const Expr &expr, Function function);

} // namespace toscac::expanding

#endif
