//===- GivenText.cpp - Values that are elsewhere --------------------------===//

#include "toscac/Basic/GivenText.h"

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>
#include <unistd.h>

using namespace toscac;
using llvm::StringRef;

std::optional<std::string> toscac::readGivenText(StringRef name, StringRef text,
                                                 DiagnosticEngine &diags) {
  StringRef rest = text;
  auto isWord = [](StringRef word) {
    return !word.empty() && !llvm::isDigit(word[0]) &&
           llvm::all_of(word,
                        [](char c) { return llvm::isAlnum(c) || c == '_'; });
  };
  if (rest.consume_front("env:") && isWord(rest)) {
    if (const char *value = getenv(rest.str().c_str()))
      return value;
    diags.report({}, diag::UnsetVariable, name, rest);
    return std::nullopt;
  }
  rest = text;
  int file;
  if (!rest.consume_front("fd:") || rest.getAsInteger(10, file))
    return text.str();
  std::string result;
  constexpr size_t most = 1 << 20;
  char buffer[4096];
  ssize_t size;
  while ((size = read(file, buffer, sizeof(buffer))) > 0 &&
         result.size() < most)
    result.append(buffer, size);
  if (size != 0) {
    diags.report({}, diag::CannotReadFile, text,
                 size < 0 ? std::generic_category().message(errno)
                          : "it is too long for an input");
    return std::nullopt;
  }
  if (StringRef(result).ends_with("\n"))
    result.pop_back();
  return result;
}
