//===- toscac/Expand/ChangeDeployment.h - Changes of deployments -*- C++
//-*-===//
///
/// \file
/// The workflows that change a deployment as a whole: which recorded instances
/// they take down, which they replace, and how many they add. Everything else
/// about them is expansion and planning as usual.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EXPAND_CHANGEDEPLOYMENT_H
#define TOSCAC_EXPAND_CHANGEDEPLOYMENT_H

#include "toscac/Expand/Continue.h"
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
};

/// Whether \p workflow changes deployments as a whole, and so needs one:
/// `scale`, `heal`, `update`.
bool isChange(llvm::StringRef workflow);

/// What \p request makes of \p recorded, a deployment of the first service of
/// \p program. Nothing after a report.
std::optional<Continuation> changeOf(const ChangeRequest &request,
                                     const state::Deployment &recorded,
                                     const sema::CheckedProgram &program,
                                     DiagnosticEngine &diags);

} // namespace toscac

#endif
