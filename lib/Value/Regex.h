//===- Regex.h - Regular expressions ----------------------------*- C++ -*-===//
///
/// \file
/// The patterns of `$matches`, in the syntax of ECMAScript without back
/// references and look-around, over code points. Matching follows all
/// possibilities at once (Thompson, "Regular Expression Search Algorithm",
/// CACM 1968), so that no pattern takes exponential time or a deep stack.
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
