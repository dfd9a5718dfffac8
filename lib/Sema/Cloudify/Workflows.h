//===- Workflows.h - Workflows that blueprints explain ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_CLOUDIFY_WORKFLOWS_H
#define TOSCAC_LIB_SEMA_CLOUDIFY_WORKFLOWS_H

#include "Lower.h"
#include "toscac/Sema/Cloudify/Analyze.h"

namespace toscac::cloudify {

/// Instances of one node template that a workflow is for.
struct Part {
  /// Index into Model::nodes.
  uint32_t node;
  /// Indices of instances, in order; empty: all.
  std::vector<uint32_t> instances;
};

/// What passes the filters of \p request: `node_ids`, `node_instance_ids` and
/// `type_names`.
std::vector<Part> selectParts(const Model &model,
                              const WorkflowRequest &request,
                              DiagnosticEngine &diags);

/// Null: not given.
const WorkflowRequest::Parameter *findParameter(const WorkflowRequest &request,
                                                llvm::StringRef name);

/// Reports that there is no \p kind called \p name, as \p parameter says, with
/// the nearest of \p known.
void reportUnknown(const WorkflowRequest &request, llvm::StringRef parameter,
                   llvm::StringRef kind, llvm::StringRef name,
                   llvm::ArrayRef<llvm::StringRef> known,
                   DiagnosticEngine &diags);

/// Adds the workflow that is asked for to \p service, if its parameters are
/// Cloudify's own, and what it runs to the nodes.
void lowerWorkflows(const Model &model, const WorkflowRequest &request,
                    OperationLowering &operations, NameTable &names,
                    DiagnosticEngine &diags, sema::CheckedProgram &program,
                    sema::Service &service);

} // namespace toscac::cloudify

#endif
