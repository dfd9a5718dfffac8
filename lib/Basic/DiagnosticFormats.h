//===- DiagnosticFormats.h - The formats of diagnostics ---------*- C++ -*-===//
///
/// \file
/// One function for each --diagnostics-format, and what they share.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_BASIC_DIAGNOSTICFORMATS_H
#define TOSCAC_LIB_BASIC_DIAGNOSTICFORMATS_H

#include "toscac/Basic/DiagnosticPrinter.h"

namespace toscac {

void printText(const DiagnosticList &list, const SourceManager &sources,
               llvm::raw_ostream &os);
/// One object a line.
void printJSON(const DiagnosticList &list, const SourceManager &sources,
               llvm::raw_ostream &os);
/// One document of SARIF 2.1.0.
void printSARIF(const DiagnosticList &list, const SourceManager &sources,
                llvm::raw_ostream &os);
/// Workflow commands, which GitHub shows beside the changed lines.
void printGitHub(const DiagnosticList &list, const SourceManager &sources,
                 llvm::raw_ostream &os);

/// A test suite in XML with a failed test for each diagnostic.
void printJUnit(const DiagnosticList &list, const SourceManager &sources,
                llvm::raw_ostream &os);
/// GitLab's report of code quality, a JSON array.
void printGitLab(const DiagnosticList &list, const SourceManager &sources,
                 llvm::raw_ostream &os);

/// For each item of \p list, what stays the same while lines above it come and
/// go: made of the file, the rule, the message and how many like it came
/// before.
std::vector<std::string> fingerprints(const DiagnosticList &list,
                                      const SourceManager &sources);

/// Changes \p list so that it says nothing of what stands in \p ranges.
void hideSecrets(DiagnosticList &list, llvm::ArrayRef<SourceRange> ranges,
                 const SourceManager &sources);

/// Those of \p sorted that have a byte in common with \p range, or begin where
/// it, being empty, stands.
llvm::ArrayRef<SourceRange> rangesIn(llvm::ArrayRef<SourceRange> sorted,
                                     SourceRange range);

/// `error`, `warning` or `note`.
llvm::StringRef severityName(Severity severity);

/// Both ends of a valid range as people read them.
struct RangePosition {
  Position begin;
  Position end;
};
RangePosition positions(const SourceManager &sources, SourceRange range);

/// A code point as a terminal can show it.
struct ShownCharacter {
  /// Bytes that it takes in the source.
  size_t length;
  std::string text;
  size_t width;
};

/// The code point at \p at of \p text. What a terminal would act on or not
/// show (control characters, changes of direction, bytes that are no UTF-8: a
/// hostile file may hold any of them) comes as `<U+001B>` or `<FF>`.
ShownCharacter showCharacter(llvm::StringRef text, size_t at);

/// \p text on one line of a terminal, by showCharacter.
std::string printable(llvm::StringRef text);

} // namespace toscac

#endif
