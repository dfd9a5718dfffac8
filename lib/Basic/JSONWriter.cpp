//===- JSONWriter.cpp - JSON on few lines ---------------------------------===//

#include "toscac/Basic/JSONWriter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <array>

using namespace toscac;
using llvm::StringRef;

static void writeEscape(llvm::raw_ostream &os, unsigned char c) {
  switch (c) {
  case '"':
    os << "\\\"";
    return;
  case '\\':
    os << "\\\\";
    return;
  case '\n':
    os << "\\n";
    return;
  case '\t':
    os << "\\t";
    return;
  case '\r':
    os << "\\r";
    return;
  default:
    os << "\\u00" << llvm::hexdigit(c >> 4, /*LowerCase=*/true)
       << llvm::hexdigit(c & 15, /*LowerCase=*/true);
  }
}

enum KindOfByte : uint8_t { NeedsEscape = 1, NotASCII = 2 };

static constexpr std::array<uint8_t, 256> kindsOfBytes = [] {
  std::array<uint8_t, 256> kinds{};
  for (unsigned c = 0; c != kinds.size(); ++c)
    kinds[c] = c >= 0x80                           ? NotASCII
               : c < 0x20 || c == '"' || c == '\\' ? NeedsEscape
                                                   : 0;
  return kinds;
}();

void toscac::writeJSONString(llvm::raw_ostream &os, StringRef text) {
  uint8_t kinds = 0;
  for (unsigned char c : text)
    kinds |= kindsOfBytes[c];
  os << '"';
  if (kinds == 0) {
    os << text << '"';
    return;
  }
  std::string fixed;
  if ((kinds & NotASCII) && !llvm::json::isUTF8(text)) {
    fixed = llvm::json::fixUTF8(text);
    text = fixed;
  }
  size_t written = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char c = text[i];
    if (c >= 0x20 && c != '"' && c != '\\')
      continue;
    os << text.slice(written, i);
    writeEscape(os, c);
    written = i + 1;
  }
  os << text.substr(written) << '"';
}

void JSONWriter::attributeBegin(StringRef key) {
  separate();
  writeJSONString(os, key);
  beginValue();
}

void JSONWriter::value(StringRef text) {
  separate();
  writeJSONString(os, text);
}
