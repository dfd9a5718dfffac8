//===- Regex.h - Regular expressions ----------------------------*- C++ -*-===//
///
/// \file
/// The patterns of `$matches`: what RE2 takes, and `\uXXXX` for a character.
/// That is the syntax of ECMAScript without back references and look-around; in
/// return, matching takes linear time and little stack for every pattern.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_VALUE_REGEX_H
#define TOSCAC_LIB_VALUE_REGEX_H

#include "toscac/Value/Problem.h"

namespace toscac {

/// Whether \p pattern matches anywhere in \p text.
OrProblem<bool> matchesRegex(llvm::StringRef text, llvm::StringRef pattern);

} // namespace toscac

#endif
