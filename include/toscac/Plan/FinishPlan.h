//===- toscac/Plan/FinishPlan.h - From lowering to data ---------*- C++ -*-===//
///
/// \file
/// What lowering found out becomes the plan that others share: every input,
/// guard and write is resolved here, and nothing of how it was found is kept.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PLAN_FINISHPLAN_H
#define TOSCAC_PLAN_FINISHPLAN_H

#include "toscac/Plan/MakePlan.h"
#include "toscac/Plan/Plan.h"

namespace toscac::plan {

/// A plan in memory. What entities have stays where it is, in the graph, which
/// has to live as long.
class FinishedPlan : public planfile::Plan {
public:
  /// \p root is the entry file's folder as seen from the plan's.
  FinishedPlan(plan::Plan made, llvm::StringRef root);
  ~FinishedPlan() override;

  llvm::Expected<planfile::Step> step(uint32_t id, JSONReader &json,
                                      ValueArena &arena) override;
  llvm::Expected<std::string> stepName(uint32_t id) override;
  llvm::Expected<state::PlannedEntity> entity(uint32_t id, JSONReader &json,
                                              ValueArena &arena) override;

  /// What only the file has to know beside.
  struct Content;
  const Content &operator*() const { return *content; }
  const Content *operator->() const { return content.get(); }

private:
  void fillHeader(const PlanData &made, llvm::StringRef root);
  void fillArtifacts(const plan::Plan &made);
  void fillEntities(const PlanData &made);
  void fillSteps(PlanData &made);

  std::unique_ptr<Content> content;
};

} // namespace toscac::plan

#endif
