//===- Interrupt.h - Runs that do not get to their end ----------*- C++ -*-===//

#ifndef TOSCAC_TOOLS_TOSCA_WALK_INTERRUPT_H
#define TOSCAC_TOOLS_TOSCA_WALK_INTERRUPT_H

#include "Planner.h"
#include "llvm/Support/Error.h"
#include <random>

namespace toscac::walk {

/// The state after some of \p plan, a file, has been run from \p before: steps
/// end in an order at random, some fail, and others are in flight when all
/// stops. Goes through the store, like a run that is killed.
llvm::Expected<state::State> interrupt(llvm::StringRef plan,
                                       llvm::StringRef store,
                                       const state::Deployment *before,
                                       std::mt19937 &random);

} // namespace toscac::walk

#endif
