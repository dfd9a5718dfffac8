//===- ClaimGroups.cpp - Alike claims of a requirement --------------------===//

#include "ClaimGroups.h"

using namespace toscac;
using namespace toscac::expanding;

void ClaimGroups::add(const ClaimGroup &claim, const GroupInfo &info) {
  numRelationships += claim.wanted;
  if (info.number >= lastGroups.size())
    lastGroups.resize(info.number + 1, none);
  uint32_t &last = lastGroups[info.number];
  if (last != none && joins) {
    Collected &own = groups[last];
    bool isNext = own.info.firstRow + own.group.claims == info.firstRow;
    if (isNext && own.group.wanted == claim.wanted &&
        own.group.set == claim.set && own.group.demand == claim.demand &&
        own.group.optional == claim.optional) {
      ++own.group.claims;
      return;
    }
  }
  last = groups.size();
  groups.push_back({claim, info});
}

bool ClaimGroups::addTo(AssignmentRound &round,
                        const sema::Requirement &requirement) {
  if (!round.reserve(numRelationships, requirement))
    return false;
  for (const Collected &own : groups)
    round.addGroup(own.group, own.info);
  return true;
}
