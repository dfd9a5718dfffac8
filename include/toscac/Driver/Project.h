//===- toscac/Driver/Project.h - Settings that files share ------*- C++ -*-===//
///
/// \file
/// A project file, `.toscac.yaml`, says once what the command line would say
/// again and again: where imports are found, which warnings count, what checks
/// are made with. It stands in the folder of what is compiled or above it. All
/// programs that check files read it by these functions.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_DRIVER_PROJECT_H
#define TOSCAC_DRIVER_PROJECT_H

#include "toscac/Driver/Driver.h"

namespace toscac {
class DiagnosticEngine;

/// The project file of \p options: the one that they name, or the first
/// `.toscac.yaml` in the folder of the first input and those above, in the file
/// system of the options. Empty: there is none.
std::string findProjectFile(const DriverOptions &options);

/// Adds the settings of \p file to \p options; what these say already is
/// stronger. Paths in it start from its folder. Mistakes are reported at their
/// places in \p sources, and their settings left out; false: the file cannot
/// be read.
bool applyProject(const std::string &file, DriverOptions &options,
                  SourceManager &sources, DiagnosticEngine &diags);

/// Whether \p file is called as project files are.
bool isProjectFile(llvm::StringRef file);

/// Whether the project says that \p name, found below a folder, is no input.
bool isExcluded(const DriverOptions &options, llvm::StringRef name);

/// Prints a JSON schema (draft 7) of project files.
void printProjectSchema(llvm::raw_ostream &os);

} // namespace toscac

#endif
