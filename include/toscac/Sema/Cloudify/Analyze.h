//===- toscac/Sema/Cloudify/Analyze.h - Check a blueprint -------*- C++ -*-===//
///
/// \file
/// Semantic analysis of a Cloudify blueprint: types flattened, names bound,
/// relationships and groups checked, and the whole as a checked service whose
/// machines are those of the profile `cloudify`.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_CLOUDIFY_ANALYZE_H
#define TOSCAC_SEMA_CLOUDIFY_ANALYZE_H

#include "toscac/Parse/Cloudify/AST.h"
#include "toscac/Sema/Models.h"

namespace toscac {
class DiagnosticEngine;

namespace cloudify {

/// The workflow that is asked for. Those with parameters that only a blueprint
/// can explain become workflows of the service.
struct WorkflowRequest {
  struct Parameter {
    std::string name;
    std::string text;
    /// Where the text is that of a map; null otherwise.
    const syntax::Node *map = nullptr;
  };
  llvm::StringRef workflow;
  std::vector<Parameter> parameters;
  /// All are only to be listed.
  bool listsAll = false;
};

/// What can still be asked of a blueprint that was checked.
class CheckedBlueprint : public sema::ObsoleteModels {
public:
  /// Warns of operations that no workflow runs, but for \p executed, which
  /// somebody runs by hand.
  virtual void reportUnused(llvm::StringRef executed) = 0;
  /// Adds the workflow that \p request asks for to the service, if its
  /// parameters are Cloudify's own, and what it runs to the nodes.
  virtual void define(const WorkflowRequest &request) = 0;
};

/// Checks \p blueprint and makes it the service of \p program, which has the
/// types of \p profile. Reports every problem it finds; after an error there is
/// no service. What it gives refers to all of these.
std::unique_ptr<CheckedBlueprint>
analyze(const Blueprint &blueprint, sema::Profile &profile, NameTable &names,
        DiagnosticEngine &diags, sema::CheckedProgram &program);

} // namespace cloudify
} // namespace toscac

#endif
