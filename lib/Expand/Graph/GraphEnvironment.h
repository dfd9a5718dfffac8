//===- GraphEnvironment.h - Expressions over a growing graph ----*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_GRAPHENVIRONMENT_H
#define TOSCAC_LIB_EXPAND_GRAPHENVIRONMENT_H

#include "Expansion.h"
#include "toscac/IR/ResolvePath.h"
#include "toscac/Value/Evaluate.h"

namespace toscac::expanding {

/// All that is known of the graph so far, seen from one entity.
class GraphEnvironment : public Environment {
public:
  GraphEnvironment(Expansion &expansion, Place self, unsigned depth = 0)
      : expansion(expansion), self(self) {
    this->depth = depth;
  }

  Evaluation input(const Query &query) override;
  Evaluation property(const Query &query) override;
  Evaluation attribute(const Query &query) override;
  Evaluation artifact(const Query &query) override;
  Evaluation nodeIndex(const Query &query) override;
  Evaluation relationshipIndex(const Query &query) override;
  Evaluation availableAllocation(const Query &query) override;

private:
  /// Asks for a value at one end of a path.
  using Ask =
      llvm::function_ref<Evaluation(const Place &, const ir::Reference &)>;
  Evaluation follow(const Query &query, Ask ask);
  Evaluation propertyAt(const Place &place, const ir::Reference &reference);
  Evaluation attributeAt(const Place &place, const ir::Reference &reference);

  Expansion &expansion;
  Place self;
};

/// Evaluates \p expr for \p place. Sets `blockedOn` of \p expansion.
Evaluation evaluateAt(Expansion &expansion, const Expr &expr,
                      const Place &place);

/// \p expr, which stands at the service, as far as it is known; null if it
/// leads nowhere, or after a report.
const Expr *evaluateAtSubgraph(Expansion &expansion, const Expr &expr,
                               ir::SubgraphId subgraph, SourceRange range);

/// Calls \p visit with what \p steps lead to from \p start. False if that is
/// not known yet.
bool walkPath(Expansion &expansion, const Place &start,
              llvm::ArrayRef<ir::PathStep> steps,
              llvm::function_ref<void(const Place &)> visit);

} // namespace toscac::expanding

#endif
