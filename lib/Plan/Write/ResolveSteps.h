//===- ResolveSteps.h - What steps do, resolved -----------------*- C++ -*-===//
///
/// \file
/// Turns operations with their inputs, writes and guards into what a plan says
/// of a step. Most of it is the same for all instances of a class, and is made
/// once.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_RESOLVESTEPS_H
#define TOSCAC_LIB_PLAN_RESOLVESTEPS_H

#include "Steps/PlanData.h"
#include "toscac/Plan/Plan.h"
#include <deque>

namespace toscac::plan {

class StepResolver {
public:
  /// \p entities and \p artifacts give the positions that the plan has them at;
  /// bodies are added to \p bodies, what they refer to lives in \p arena.
  StepResolver(const PlanData &plan, llvm::ArrayRef<uint32_t> entities,
               llvm::ArrayRef<uint32_t> artifacts,
               std::deque<planfile::StepBody> &bodies,
               std::vector<bool> &isShared, ValueArena &arena);

  /// The number of the body of \p invocation, which happens if \p guard holds.
  uint32_t resolve(const Invocation &invocation, const Expr *guard);

private:
  /// Of an operation of a machine.
  struct Known {
    uint32_t body = ~0u;
    bool isMade = false;
    /// The body is alike for all that have neither a guard nor inputs of a
    /// sender.
    bool isAlike = false;
  };
  uint32_t add(const Invocation &invocation, const Expr *guard, bool shared);

  const PlanData &plan;
  llvm::ArrayRef<uint32_t> entities;
  llvm::ArrayRef<uint32_t> artifacts;
  std::deque<planfile::StepBody> &bodies;
  std::vector<bool> &isShared;
  ValueArena &arena;
  /// By machine, then operation.
  std::vector<std::vector<Known>> known;
  /// Outputs of one operation may be secret for some entities only.
  bool hasSecretAttributes;
};

} // namespace toscac::plan

#endif
