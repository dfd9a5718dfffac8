//===- PictureText.cpp - Text inside of pictures --------------------------===//

#include "toscac/Basic/PictureText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace toscac;
using llvm::StringRef;

/// Bytes that no picture shows become question marks.
static std::string showable(StringRef text) {
  std::string result = llvm::json::fixUTF8(text);
  for (char &c : result)
    if ((c >= 0 && c < 0x20 && c != '\n') || c == 0x7F)
      c = '?';
  return result;
}

std::string toscac::quoteDot(StringRef text) {
  std::string result = "\"";
  for (char c : showable(text)) {
    // Graphviz knows HTML's escapes in every string.
    if (c == '&')
      result += "&amp;";
    else if (c == '\n')
      result += "\\n";
    else if (c == '"' || c == '\\')
      (result += '\\') += c;
    else
      result += c;
  }
  return result + '"';
}

std::string toscac::escapeMermaid(StringRef text) {
  constexpr StringRef plain = " _-.,()[]/'?";
  std::string result;
  for (char c : showable(text)) {
    bool isPlain = llvm::isAlnum(c) || plain.contains(c) ||
                   static_cast<unsigned char>(c) >= 0x80;
    if (c == '\n')
      result += "<br/>";
    else if (isPlain)
      result += c;
    else
      result += "#" + std::to_string(c) + ";";
  }
  return result;
}
