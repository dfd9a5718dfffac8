//===- AssignParts.h - Ways to solve an assignment --------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_ASSIGNPARTS_H
#define TOSCAC_LIB_EXPAND_ASSIGNPARTS_H

#include "Assign.h"

namespace toscac::expanding {

/// Lets the claims pick in their order. Gives, for each group, whether all its
/// claims have got all they want.
std::vector<bool> assignFirstFit(const AssignmentProblem &problem,
                                 Assignment &result);

/// Groups that may compete for something.
struct Component {
  /// Ascending; all have a demand.
  std::vector<uint32_t> groups;
};

/// Solves \p component, in which every pick takes the same and the picks of a
/// claim are different if its targets are. Optional claims get as much as is
/// possible beside the others. On success writes the picks.
std::optional<Shortage> assignByFlow(const AssignmentProblem &problem,
                                     const Component &component,
                                     Assignment &result);

/// Solves \p component, whatever its picks take, in a limited number of steps.
std::optional<Shortage> assignBySearch(const AssignmentProblem &problem,
                                       const Component &component,
                                       Assignment &result);

/// \p ranges ascending, without overlaps and merged where they touch.
std::vector<TargetRange> mergeRanges(std::vector<TargetRange> ranges);

/// The candidates of all groups of \p component, merged.
std::vector<TargetRange> targetsOf(const AssignmentProblem &problem,
                                   llvm::ArrayRef<uint32_t> groups);

} // namespace toscac::expanding

#endif
