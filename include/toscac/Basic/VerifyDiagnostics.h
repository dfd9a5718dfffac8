//===- toscac/Basic/VerifyDiagnostics.h - Expected diagnostics --*- C++ -*-===//
///
/// \file
/// The test-side consumer of diagnostics: compares them with comments in the
/// sources.
///
///   a: 1  # expected-note {{'a' is first defined here}}
///   a: 2  # expected-error {{appears twice in the same map [duplicate-key]}}
///
/// `expected-error`, `expected-warning` and `expected-note` stand on the line
/// of the diagnostic, or name it: `@+1`, `@-1`, `@above`, `@below`, `@*` (any
/// place, or none). A number before the text is how often it is expected. The
/// text is a part of the message with its bracketed name; notes have no name.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_VERIFYDIAGNOSTICS_H
#define TOSCAC_BASIC_VERIFYDIAGNOSTICS_H

namespace toscac {
class DiagnosticEngine;
class SourceManager;
struct DiagnosticList;

/// Compares \p list with the comments in all files of \p sources; what is
/// unexpected, missing or malformed is reported to \p result.
void verifyDiagnostics(const DiagnosticList &list, const SourceManager &sources,
                       DiagnosticEngine &result);

} // namespace toscac

#endif
