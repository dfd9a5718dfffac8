//===- toscac/Driver/Driver.h - Options and the pipeline --------*- C++ -*-===//
///
/// \file
/// What `toscac` does with its options: the stages in order, and the exit code.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_DRIVER_DRIVER_H
#define TOSCAC_DRIVER_DRIVER_H

#include <string>
#include <vector>

namespace toscac {

/// Exit codes, the same for every tool (sysexits.h for wrong usage).
enum ExitCode : int {
  ExitGood = 0,
  /// The input is not valid.
  ExitInvalid = 1,
  /// The input is valid but cannot be planned.
  ExitUnplannable = 2,
  /// The file named on the command line, or the output, cannot be read or
  /// written.
  ExitFile = 3,
  ExitUsage = 64,
};

struct DriverOptions {
  std::string input;
};

/// Compiles as \p options say; returns the exit code.
int runDriver(const DriverOptions &options);

} // namespace toscac

#endif
