//===- toscac/Basic/GivenText.h - Values that are elsewhere -----*- C++ -*-===//

#ifndef TOSCAC_BASIC_GIVENTEXT_H
#define TOSCAC_BASIC_GIVENTEXT_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace toscac {
class DiagnosticEngine;

/// What \p text on a command line means as the value of the sensitive input
/// \p name: `env:NAME` is a variable of the environment, `fd:N` what can be
/// read from an open file, and all else itself. Nothing after a report.
std::optional<std::string> readGivenText(llvm::StringRef name,
                                         llvm::StringRef text,
                                         DiagnosticEngine &diags);

} // namespace toscac

#endif
