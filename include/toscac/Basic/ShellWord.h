//===- toscac/Basic/ShellWord.h - Texts in shell scripts --------*- C++ -*-===//

#ifndef TOSCAC_BASIC_SHELLWORD_H
#define TOSCAC_BASIC_SHELLWORD_H

#include "llvm/ADT/StringRef.h"

namespace toscac {

/// \p text for a shell, as one word.
inline std::string shellWord(llvm::StringRef text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

} // namespace toscac

#endif
