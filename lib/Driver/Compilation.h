//===- Compilation.h - The input on its way through the stages --*- C++ -*-===//
///
/// \file
/// What the stages have made so far, and the functions that run them.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_DRIVER_COMPILATION_H
#define TOSCAC_LIB_DRIVER_COMPILATION_H

#include "ReadInputs.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Driver/Driver.h"
#include "toscac/IR/Graph.h"
#include "toscac/Parse/TOSCA/Load.h"
#include "toscac/Sema/Service.h"

namespace toscac {

struct Compilation {
  explicit Compilation(const DriverOptions &options)
      : options(options), sources(options.test.maxSource) {}

  const DriverOptions &options;
  DiagnosticEngine diags;
  SourceManager sources;
  NameTable names;
  /// All inputs with all that they import: a file that several of them import
  /// is read, and later checked, once.
  tosca::Package package;
  /// Without services until it has been checked, and after an error.
  sema::CheckedProgram checked;
  /// What the user gave for the inputs of the service.
  std::vector<ir::InputValue> inputValues;
};

/// Parse: reads \p inputs and what they import into the package.
void loadInputs(Compilation &compilation, std::vector<InputFile> inputs);

/// Sema: checks the package.
void checkPackage(Compilation &compilation);

/// Reads the values that the command line has for inputs of the service to
/// compile; gives the exit code.
int readInputValues(Compilation &compilation);

} // namespace toscac

#endif
