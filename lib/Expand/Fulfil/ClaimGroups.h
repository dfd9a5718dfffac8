//===- ClaimGroups.h - Alike claims of a requirement ------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_CLAIMGROUPS_H
#define TOSCAC_LIB_EXPAND_CLAIMGROUPS_H

#include "AssignmentRound.h"

namespace toscac::expanding {

/// Collects the claims of one requirement, row after row. Rows that want the
/// same as the one before them are one group.
class ClaimGroups {
public:
  /// Where the deployment is there already, groups that begin at the same row
  /// have as many rows each.
  explicit ClaimGroups(bool hasDeployment) : hasDeployment(hasDeployment) {}

  /// The claims that follow are \p parts of one row.
  void beginRow(uint32_t parts) {
    joins = !hasDeployment || (parts == 1 && lastParts == 1);
    lastParts = parts;
  }
  /// What the row and part that \p info says wants.
  void add(const ClaimGroup &claim, const GroupInfo &info);
  /// False after a report: there are too many.
  bool addTo(AssignmentRound &round, const sema::Requirement &requirement);

private:
  const bool hasDeployment;
  struct Collected {
    ClaimGroup group;
    GroupInfo info;
  };
  std::vector<Collected> groups;
  /// By number of the part: the last of `groups`.
  std::vector<uint32_t> lastGroups;
  /// The row may join the groups of the one before it; and how many parts that
  /// one has.
  bool joins = true;
  uint32_t lastParts = 1;
  uint64_t numRelationships = 0;
};

} // namespace toscac::expanding

#endif
