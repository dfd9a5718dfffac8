//===- toscac/Driver/Check.h - Files checked for an editor ------*- C++ -*-===//
///
/// \file
/// What `toscac --check` does, with its results kept: for programs that stay
/// and ask more.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_DRIVER_CHECK_H
#define TOSCAC_DRIVER_CHECK_H

#include "toscac/Driver/Driver.h"
#include <memory>

namespace toscac {
class Analysis;
class DiagnosticEngine;
struct Compilation;
namespace ir {
struct Graph;
}
namespace sema {
struct CheckedProgram;
}
namespace tosca {
struct Package;
}

/// Files that were checked together. Pointers into it stay good.
class Check {
public:
  /// Checks the inputs of \p options, which are read from its file system, with
  /// the settings of the project file that is found there.
  /// Remembers where names are used.
  explicit Check(DriverOptions options);
  ~Check();

  /// Those that were given, with those of the project.
  const DriverOptions &settings() const { return options; }
  const SourceManager &sources() const;
  /// What there is to say, as the options about warnings have it.
  const DiagnosticList &diagnostics() const { return list; }
  /// The inputs in TOSCA with all that they import; empty for other languages.
  const tosca::Package &package() const;
  /// Null if there is no such package.
  const Analysis *analysis() const;
  /// Without services after an error.
  const sema::CheckedProgram &program() const;
  /// What the service of the first input expands to, which is worked out when
  /// somebody asks; null where there is none, or it cannot be done.
  const ir::Graph *graph() const;

private:
  DriverOptions options;
  std::unique_ptr<Compilation> compilation;
  /// What the list refers to, once the compilation goes on; null before.
  mutable std::unique_ptr<DiagnosticEngine> reported;
  DiagnosticList list;
};

/// The language that the keys of \p text tell; none where it may be of any
/// other program.
std::optional<Language> knownLanguage(llvm::StringRef text);

/// The names of profiles that imports can use, sorted.
std::vector<std::string> profileNames(const DriverOptions &options);

/// The files below \p folders that toscac --check FOLDER looks at, but for
/// archives, sorted.
std::vector<std::string> inputsBelow(llvm::ArrayRef<std::string> folders);

} // namespace toscac

#endif
