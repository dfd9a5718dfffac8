//===- toscac/Edit/Diagnose.h - Diagnostics for editors ---------*- C++ -*-===//
///
/// \file
/// What a check has to say, file by file, in the terms of editors.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EDIT_DIAGNOSE_H
#define TOSCAC_EDIT_DIAGNOSE_H

#include "toscac/Edit/Text.h"
#include <map>

namespace toscac {
class Check;
}

namespace toscac::edit {

struct RelatedPlace {
  Location location;
  std::string message;
  friend auto operator<=>(const RelatedPlace &, const RelatedPlace &) = default;
};

struct ShownDiagnostic {
  TextRange range;
  bool isError = false;
  /// Its public name: `unknown-keyname`.
  std::string code;
  std::string message;
  std::vector<RelatedPlace> related;
  /// What it is about can be left out, or is a form of earlier versions.
  bool isUnnecessary = false;
  bool isDeprecated = false;
  /// The changes that cure it; empty: nobody knows.
  std::vector<FileEdit> fix;
  /// Nothing else can have been meant.
  bool isSafeFix = false;
  friend bool operator==(const ShownDiagnostic &,
                         const ShownDiagnostic &) = default;
};

using FileDiagnostics = std::map<std::string, std::vector<ShownDiagnostic>>;

/// The diagnostics of \p check by file. Those without a place are at the start
/// of \p entry.
FileDiagnostics diagnose(const Check &check, const std::string &entry);

/// The safe fixes among \p diagnostics that concern \p path alone and do not
/// overlap.
std::vector<TextEdit> safeFixes(llvm::ArrayRef<ShownDiagnostic> diagnostics,
                                llvm::StringRef path);

/// The page that explains \p code, if it is there, as a URI.
std::string pageOf(llvm::StringRef code);

} // namespace toscac::edit

#endif
