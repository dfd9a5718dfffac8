//===- JSONWriter.cpp - JSON on few lines ---------------------------------===//

#include "toscac/Basic/JSONWriter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

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

void toscac::writeJSONString(llvm::raw_ostream &os, StringRef text) {
  std::string fixed;
  bool isPlain = true, isASCII = true;
  for (unsigned char c : text) {
    isPlain &= c >= 0x20 && c != '"' && c != '\\';
    isASCII &= c < 0x80;
  }
  if (!isASCII && !llvm::json::isUTF8(text)) {
    fixed = llvm::json::fixUTF8(text);
    text = fixed;
  }
  os << '"';
  if (isPlain) {
    os << text << '"';
    return;
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

void JSONWriter::separate() {
  if (breakLine)
    os << (first ? "\n" : ",\n");
  else if (!first)
    os << ", ";
  first = false;
  breakLine = false;
}

void JSONWriter::begin(char bracket) {
  separate();
  os << bracket;
  first = true;
}

void JSONWriter::end(char bracket) {
  if (breakLine)
    os << '\n';
  breakLine = false;
  os << bracket;
  first = false;
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

void JSONWriter::value(int64_t number) {
  separate();
  os << number;
}

void JSONWriter::value(uint64_t number) {
  separate();
  os << number;
}

void JSONWriter::rawValue(StringRef json) {
  separate();
  os << json;
}
