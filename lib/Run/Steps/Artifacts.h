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
  /// `{file}`, `{context}`, `{inputs}` and `{inventory}` stand for paths.
  std::vector<std::string> command;
  /// Where it lies beside what needs it: `roles/web/tasks/main.yml`.
  std::string place;
  /// As the plan names it, and its digest in hexadecimal.
  std::string name;
  std::string sha256;

  /// Why it is not the file that the plan was made for. To be asked when it is
  /// started; it is read only if the file system says that it may have changed.
  llvm::Error checkUnchanged() const;

private:
  /// What the file system says of the file that had the digest.
  struct Stamp {
    uint64_t inode = 0;
    int64_t size = -1;
    int64_t changed = 0;
    friend bool operator==(const Stamp &, const Stamp &) = default;
  };
  mutable Stamp seen;
};

/// Finds the files of all artifacts, compares their digests, and chooses the
/// programs that run them. Reports every one that is missing, has changed, or
/// cannot be run.
std::vector<Runnable> prepareArtifacts(const planfile::PlanFile &plan,
                                       const RunOptions &options,
                                       llvm::StringRef scratch,
                                       DiagnosticEngine &diags);

/// The folder, or archive, that files of \p plan are named from.
std::string artifactRoot(const planfile::PlanFile &plan,
                         const RunOptions &options);

} // namespace toscac::run

#endif
