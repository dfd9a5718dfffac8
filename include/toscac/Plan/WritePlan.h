//===- toscac/Plan/WritePlan.h - plan.json ----------------------*- C++ -*-===//

#ifndef TOSCAC_PLAN_WRITEPLAN_H
#define TOSCAC_PLAN_WRITEPLAN_H

#include "toscac/Plan/MakePlan.h"
#include "toscac/State/State.h"

namespace llvm {
class raw_ostream;
}

namespace toscac::plan {

/// What a plan says of the world outside the graph.
struct PlanHeader {
  /// `toscac 0.1.0`
  std::string tool;
  /// The entry file's folder as seen from the plan's.
  std::string root = ".";
  std::string deployment = "default";
  /// Every file that was read, relative to the root, and its digest.
  std::vector<std::pair<std::string, std::string>> inputs;
  /// The digest of the state that the plan starts from; empty: none.
  std::string state;
  /// What other deployments may consume once the plan runs; not set: the plan
  /// leaves that as it is.
  std::optional<std::vector<state::SharedLink>> shared;
  /// What operations run where templates say so: see state::Deployment.
  Value operations;
  /// Templates that the service has no more, and the index that the next
  /// instance of each would get; requirements (`site.vpn`) with 0.
  std::vector<std::pair<std::string, uint32_t>> former;
  /// In hexadecimal, for each of artifactsOf(); empty: the file is missing.
  std::vector<std::string> artifactDigests;
};

/// Writes \p plan as plan.json, version 1 (docs/PlanFormat.md).
void writePlan(const Plan &plan, const PlanHeader &header,
               llvm::raw_ostream &os);

} // namespace toscac::plan

#endif
