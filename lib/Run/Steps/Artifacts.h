//===- Artifacts.h - Files that steps run -----------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_ARTIFACTS_H
#define TOSCAC_LIB_RUN_ARTIFACTS_H

#include "toscac/Plan/ReadPlan.h"
#include "toscac/Run/Run.h"

namespace toscac::run {

/// An artifact, and how to run it.
struct Runnable {
  /// Absolute path of the file.
  std::string file;
  /// The program and its arguments; empty: nothing is to be done. In arguments,
  /// `{file}` and `{context}` stand for paths.
  std::vector<std::string> command;
};

/// Finds the files of all artifacts, compares their digests, and chooses the
/// programs that run them. Reports every one that is missing, has changed, or
/// cannot be run.
std::vector<Runnable> prepareArtifacts(const planfile::PlanFile &plan,
                                       const RunOptions &options,
                                       llvm::StringRef scratch,
                                       DiagnosticEngine &diags);

} // namespace toscac::run

#endif
