//===- toscac/Expand/ChangeDeployment.h - Changes of deployments *- C++ -*-===//
///
/// \file
/// The workflows that change a deployment as a whole: which recorded instances
/// they take down, which they replace, and how many they add. Everything else
/// about them is expansion and planning as usual.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EXPAND_CHANGEDEPLOYMENT_H
#define TOSCAC_EXPAND_CHANGEDEPLOYMENT_H

#include "toscac/Expand/DeploymentChange.h"
#include "toscac/IR/Graph.h"

namespace toscac {
class DiagnosticEngine;
namespace sema {
struct CheckedProgram;
}

struct ChangeRequest {
  llvm::StringRef workflow;
  /// Values are literals.
  llvm::ArrayRef<ir::InputValue> parameters;
  /// The parameters are inputs of the service's own workflow.
  bool isDefinedByService = false;
};

/// A row of DayTwo.def.
struct DayTwoWorkflow {
  llvm::StringLiteral name;
  bool changesCounts;
};
/// The workflow of that name that changes deployments as a whole, and so needs
/// one; null if there is none.
const DayTwoWorkflow *findDayTwo(llvm::StringRef workflow);

/// What \p request makes of \p recorded, a deployment of the first service of
/// \p program. Nothing after a report.
std::optional<DeploymentChange> changeOf(const ChangeRequest &request,
                                         const state::Deployment &recorded,
                                         const sema::CheckedProgram &program,
                                         DiagnosticEngine &diags);

} // namespace toscac

#endif
