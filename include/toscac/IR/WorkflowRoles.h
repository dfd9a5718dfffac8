//===- toscac/IR/WorkflowRoles.h - What brings up and takes down *- C++ -*-===//

#ifndef TOSCAC_IR_WORKFLOWROLES_H
#define TOSCAC_IR_WORKFLOWROLES_H

#include "toscac/IR/Machine.h"

namespace toscac::ir {

/// The workflows that day two uses for what comes and what goes, as a service
/// or its profile names them. What is planned where no workflow is asked for is
/// the one that brings up.
struct WorkflowRoles {
#define WORKFLOW_ROLE(field, mark, assumed) llvm::StringRef field = assumed;
#include "toscac/IR/Roles.def"

  Intent::Way wayOf(llvm::StringRef workflow) const {
    return workflow == bringUp    ? Intent::Way::Up
           : workflow == takeDown ? Intent::Way::Down
                                  : Intent::Way::Other;
  }
};

} // namespace toscac::ir

#endif
