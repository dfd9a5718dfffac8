//===- toscac/Basic/DiagnosticPrinter.h - Showing diagnostics ---*- C++ -*-===//
///
/// \file
/// From what the engine collected to what the user sees: the -W options are
/// applied, the rest is sorted by place, cut to --max-errors and printed as
/// text, JSON, SARIF, GitHub's workflow commands, JUnit's XML or GitLab's
/// report of code quality.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_DIAGNOSTICPRINTER_H
#define TOSCAC_BASIC_DIAGNOSTICPRINTER_H

#include "toscac/Basic/Diagnostics.h"
#include <memory>

namespace llvm {
class raw_ostream;
}

namespace toscac {
class WarningOptions;

enum class DiagnosticsFormat : uint8_t {
  Text,
  JSON,
  SARIF,
  GitHub,
  JUnit,
  GitLab
};

/// What a run has to say, in the order of showing. Refers to the diagnostics of
/// the engine that it was made from.
struct DiagnosticList {
  struct Item {
    const Diagnostic *diagnostic;
    /// Error or Warning.
    Severity severity;
  };
  std::vector<Item> items;
  std::vector<Remark> remarks;
  /// What no snippet may show: sorted, without overlaps.
  std::vector<SourceRange> hidden;
  /// Items that had to be changed, so that they tell nothing of it.
  std::vector<std::shared_ptr<const Diagnostic>> changed;
  /// All errors, including those that were left out.
  size_t numErrors = 0;
  /// Who says what has no place.
  llvm::StringRef program = "toscac";
  /// Text has the details of long chains of notes, too.
  bool isVerbose = false;
};

/// Applies \p warnings, and sorts: what has no place first, then the first file
/// of the run, those beside and below it, and the others, by name; in a file by
/// position, at one position by the order of reporting. What was reported
/// twice, as happens where YAML aliases lead to one place on several ways, is
/// listed once.
DiagnosticList listDiagnostics(const DiagnosticEngine &diags,
                               const WarningOptions &warnings,
                               const SourceManager &sources);

/// Keeps what stands before error number \p maxErrors + 1 (0: everything), and
/// adds a remark that says how much was left out.
void limitErrors(DiagnosticList &list, size_t maxErrors);

/// What \p list comes to, `3 errors, 1 warning in 2 files; 1 fixable with
/// --fix`; empty where there is nothing to say.
std::string totals(const DiagnosticList &list, const SourceManager &sources);

/// Prints \p list; \p color applies to text only. SARIF is one document, so it
/// is printed even where there is nothing to say.
void printDiagnostics(const DiagnosticList &list, const SourceManager &sources,
                      DiagnosticsFormat format, bool color,
                      llvm::raw_ostream &os);

} // namespace toscac

#endif
