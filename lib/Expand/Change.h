//===- Change.h - A change of a deployment in the making --------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_CHANGE_H
#define TOSCAC_LIB_EXPAND_CHANGE_H

#include "Containment.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Expand/ChangeDeployment.h"
#include "toscac/Sema/Service.h"

namespace toscac::expanding {

class Change {
public:
  Change(const ChangeRequest &request, const state::Deployment &deployment,
         const sema::CheckedProgram &program, DiagnosticEngine &diags)
      : request(request), recorded(deployment),
        containment(recorded, program.types), program(program), diags(diags) {}

  Continuation result;

  // Each is false after a report.
  bool undeploy();

private:
  /// Null: not given.
  const Value *parameter(llvm::StringRef name) const;
  /// The instances that a parameter lists; what is none is reported, and makes
  /// \p isComplete false.
  std::vector<uint32_t> instances(llvm::StringRef parameterName,
                                  bool &isComplete) const;

  const ChangeRequest &request;
  Recorded recorded;
  Containment containment;
  const sema::CheckedProgram &program;
  DiagnosticEngine &diags;
};

} // namespace toscac::expanding

#endif
