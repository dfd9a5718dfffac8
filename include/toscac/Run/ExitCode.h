//===- toscac/Run/ExitCode.h - How tosca-run ends ---------------*- C++ -*-===//

#ifndef TOSCAC_RUN_EXITCODE_H
#define TOSCAC_RUN_EXITCODE_H

namespace toscac::run {

enum ExitCode : int {
  ExitDone = 0,
  /// A step failed.
  ExitFailed = 1,
  /// The plan was not begun: digest, lock, missing artifact.
  ExitRefused = 2,
  /// A file or the store cannot be read or written.
  ExitFile = 3,
  ExitUsage = 64,
  ExitStopped = 130
};

} // namespace toscac::run

#endif
