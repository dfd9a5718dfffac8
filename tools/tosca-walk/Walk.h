//===- Walk.h - A deployment that changes at random -------------*- C++ -*-===//

#ifndef TOSCAC_TOOLS_TOSCA_WALK_WALK_H
#define TOSCAC_TOOLS_TOSCA_WALK_WALK_H

#include "Planner.h"
#include <random>

namespace toscac::walk {

/// What was done, over all walks.
struct Tally {
  size_t changes = 0;
  size_t refused = 0;
  size_t steps = 0;
  size_t compared = 0;
  /// Of these, with all relationships.
  size_t shapes = 0;
  size_t interrupted = 0;
  /// By name of the error.
  std::map<std::string, size_t> refusals;
};

/// Deploys the template of \p planner, changes it \p length times, each time
/// from the state that was predicted, and takes it down. Gives what went wrong,
/// with the way there; empty: nothing.
std::string walk(Planner &planner, unsigned length, std::mt19937 &random,
                 Tally &tally);

} // namespace toscac::walk

#endif
