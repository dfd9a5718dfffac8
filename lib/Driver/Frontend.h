//===- Frontend.h - From a source buffer to a program -----------*- C++ -*-===//
///
/// \file
/// The stages before planning, as the driver sees them.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_DRIVER_FRONTEND_H
#define TOSCAC_LIB_DRIVER_FRONTEND_H

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Driver/Driver.h"
#include "toscac/Parse/TOSCA/Load.h"
#include "toscac/Sema/Service.h"

namespace toscac {

/// What the front end knows after loading.
struct Program {
  std::unique_ptr<NameTable> names;
  tosca::Package package;
  /// Without services after an error, and for --emit=ast.
  sema::CheckedProgram checked;
};

/// Reads \p file and everything that it imports.
Program loadProgram(const std::string &name,
                    std::unique_ptr<llvm::MemoryBuffer> input,
                    const DriverOptions &options, SourceManager &sources,
                    DiagnosticEngine &diags);

/// Prints \p program for --emit=ast, one entity a line.
void printProgram(const Program &program, const SourceManager &sources,
                  llvm::raw_ostream &os);

} // namespace toscac

#endif
