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
#include "toscac/Sema/Service.h"
#include "toscac/State/State.h"
#include "llvm/ADT/STLFunctionalExtras.h"

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

/// What the front end of TOSCA makes of a text: a template with one of each
/// kind of thing that a blueprint is lowered to.
using PatternLoader = llvm::function_ref<sema::CheckedProgram(llvm::StringRef)>;

/// Checks \p blueprint and makes it the service of what \p loadPattern gives.
/// Reports every problem it finds; after an error there are no services. What
/// \p recorded has besides, if there is something, is part of it, to be there
/// not once.
sema::CheckedProgram analyze(const Blueprint &blueprint,
                             const WorkflowRequest &request,
                             PatternLoader loadPattern,
                             const state::Deployment *recorded,
                             NameTable &names, DiagnosticEngine &diags);

} // namespace cloudify
} // namespace toscac

#endif
