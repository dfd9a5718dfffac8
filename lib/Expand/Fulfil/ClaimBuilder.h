//===- ClaimBuilder.h - Makes the claims of a requirement -------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_CLAIMBUILDER_H
#define TOSCAC_LIB_EXPAND_CLAIMBUILDER_H

#include "FilteredSets.h"
#include "Recorded/ExistingInstances.h"

namespace toscac::expanding {

/// Takes out of \p ranges what \p drops is true of.
void dropTargets(std::vector<TargetRange> &ranges,
                 llvm::function_ref<bool(uint32_t)> drops);

class ClaimBuilder {
public:
  ClaimBuilder(Expansion &expansion, uint32_t relationshipClass,
               AssignmentRound &round)
      : expansion(expansion), relationshipClass(relationshipClass),
        requirement(*expansion.requirements[relationshipClass]),
        sourceClass(expansion.graph.relationshipClasses[relationshipClass]
                        .source.index),
        source(expansion.graph.nodeClasses[sourceClass]), round(round) {}

  Progress run();

private:
  void findTargets();
  Progress count(uint32_t row, uint32_t &result);
  /// Candidates and demand of one source.
  Progress describe(const Place &relationship, ClaimGroup &claim);
  Progress pickIndex(const Place &relationship, uint32_t &set);
  Progress demand(const Place &relationship, uint32_t &result);
  std::optional<uint32_t> rowOf(uint32_t nodeClass, int64_t index) const;
  std::vector<uint32_t> indicesOf(uint32_t nodeClass) const;
  Progress addRow(uint32_t row);
  Progress addFixed(uint32_t row);
  Progress addExistingRow(uint32_t row);
  Progress addPlaced(uint32_t row, ir::NodeId container);
  Progress addKept(uint32_t row);
  Progress consume(uint32_t row, llvm::ArrayRef<ExistingInstances::Pin> pins);
  Progress findPins(uint32_t row, uint32_t wanted,
                    llvm::SmallVectorImpl<ExistingInstances::Pin> &pins);
  Progress addPart(uint32_t row, uint32_t number, uint32_t wanted,
                   bool optional, llvm::ArrayRef<ExistingInstances::Pin> pins,
                   const Place &relationship);
  Place relationshipOf(uint32_t row) const;
  uint32_t targetOf(const ExistingInstances::Pin &pin);
  void beginRow(uint32_t parts);
  /// What one source wants; \p number tells apart relationships that have
  /// candidates of their own.
  void add(uint32_t row, uint32_t number, const ClaimGroup &claim,
           bool isPinned = false);
  Progress addPins(uint32_t row, llvm::ArrayRef<ExistingInstances::Pin> pins,
                   uint32_t &parts);
  bool hasSiblings() const;
  bool isTakenBySibling(uint32_t row, ir::NodeId target) const;
  uint32_t firstIndex(uint32_t row);
  std::string decision() const;
  Progress fail(const Evaluation &result, const Expr &expr);

  Expansion &expansion;
  uint32_t relationshipClass;
  const sema::Requirement &requirement;
  uint32_t sourceClass;
  const ir::NodeClass &source;
  AssignmentRound &round;

  std::vector<CandidateClass> classes;
  std::vector<TargetRange> candidates;
  std::optional<FilteredSets> filtered;
  uint32_t allCandidates = none;
  /// Set where a source may not pick itself.
  uint32_t ownCapability = none;
  /// Relationships of one source differ in what they may lead to or take.
  bool usesIndex = false;
  bool countVaries = false, setVaries = false, demandVaries = false;
  std::optional<uint32_t> commonCount, commonSet, commonDemand;

  struct RowStretch {
    ClaimGroup group;
    GroupInfo info;
  };
  std::vector<RowStretch> runs;
  /// The last run for each number.
  std::vector<uint32_t> lastRuns;
  /// The row may join the groups of the one before it; and how many parts that
  /// one has.
  bool joins = true;
  uint32_t lastParts = 1;
  uint64_t numRelationships = 0;
};

} // namespace toscac::expanding

#endif
