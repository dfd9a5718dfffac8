//===- ClaimBuilder.h - Makes the claims of a requirement -------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_CLAIMBUILDER_H
#define TOSCAC_LIB_EXPAND_CLAIMBUILDER_H

#include "ClaimGroups.h"
#include "FilteredSets.h"
#include "Recorded/ExistingRelationships.h"

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
        source(expansion.graph.nodeClasses[sourceClass]), round(round),
        groups(expansion.existing) {}

  Progress run();

private:
  void findTargets();
  Progress count(uint32_t row, uint32_t &result);
  /// Candidates and demand of one source.
  Progress describe(const Place &relationship, ClaimGroup &claim);
  Progress pickIndex(const Place &relationship, uint32_t &set);
  Progress demand(const Place &relationship, uint32_t &result);
  Progress addRow(uint32_t row);
  Progress addFixed(uint32_t row);
  Progress addExistingRow(uint32_t row);
  Progress addPlaced(uint32_t row, ir::NodeId container);
  Progress addKept(uint32_t row);
  Progress consume(uint32_t row, llvm::ArrayRef<Pin> pins);
  Progress findPins(uint32_t row, uint32_t wanted,
                    llvm::SmallVectorImpl<Pin> &pins);
  Progress addPart(uint32_t row, uint32_t number, uint32_t wanted,
                   bool optional, llvm::ArrayRef<Pin> pins,
                   const Place &relationship);
  Place relationshipOf(uint32_t row) const;
  uint32_t targetOf(const Pin &pin);
  /// What one source wants; \p number tells apart relationships that have
  /// candidates of their own.
  void add(uint32_t row, uint32_t number, const ClaimGroup &claim,
           bool isPinned = false) {
    groups.add(claim,
               {relationshipClass, row, number, ownCapability, isPinned});
  }
  Progress addPins(uint32_t row, llvm::ArrayRef<Pin> pins, uint32_t &parts);
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
  ClaimGroups groups;
};

} // namespace toscac::expanding

#endif
