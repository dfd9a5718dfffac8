//===- EntryName.h - Names of files in an archive ---------------*- C++ -*-===//
///
/// \file
/// Which names the entries of an archive may have, and how they are written.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_ENTRYNAME_H
#define TOSCAC_LIB_PARSE_ENTRYNAME_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace toscac {
class DiagnosticEngine;

/// \p name for a message: as it is where it is clean text, with escapes and
/// cut to a line's length where it is not.
std::string printableName(llvm::StringRef name);

/// \p name without `.` and `..` parts, doubled slashes and a slash at its end;
/// nothing where it leads above the root.
std::optional<std::string> normalisedName(llvm::StringRef name);

/// Checks the name of an entry of \p archive and returns its normal form;
/// empty for the root folder. Reports names that are refused.
std::optional<std::string> checkEntryName(llvm::StringRef archive,
                                          llvm::StringRef name,
                                          DiagnosticEngine &diags);

} // namespace toscac

#endif
