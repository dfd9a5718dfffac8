//===- ShowCharacter.cpp - Text that is safe on a terminal ----------------===//
///
/// \file
/// Turns what stands in a source file into what can be printed.
///
//===----------------------------------------------------------------------===//

#include "DiagnosticFormats.h"
#include "toscac/Basic/PrintableStream.h"

#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::StringRef;

static std::string inBrackets(const char *format, unsigned value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(format, value);
  return text;
}

ShownCharacter toscac::showCharacter(StringRef text, size_t at) {
  auto byte = static_cast<uint8_t>(text[at]);
  if (byte >= 0x20 && byte < 0x7F)
    return {1, std::string(1, text[at]), 1};
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.data() + at);
  const llvm::UTF8 *next = begin;
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  llvm::UTF32 codePoint;
  if (llvm::convertUTF8Sequence(&next, end, &codePoint,
                                llvm::strictConversion) != llvm::conversionOK) {
    std::string shown = inBrackets("<%02X>", byte);
    return {1, shown, shown.size()};
  }
  size_t length = next - begin;
  if (llvm::sys::unicode::isPrintable(static_cast<int>(codePoint))) {
    StringRef shown = text.substr(at, length);
    int width = llvm::sys::unicode::columnWidthUTF8(shown);
    return {length, shown.str(), static_cast<size_t>(std::max(width, 0))};
  }
  std::string shown = inBrackets("<U+%04X>", codePoint);
  return {length, shown, shown.size()};
}

void PrintableStream::write_impl(const char *text, size_t size) {
  auto isPlain = [](char c) {
    return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t';
  };
  StringRef rest(text, size);
  while (!rest.empty()) {
    StringRef plain = rest.take_while(isPlain);
    target << plain;
    rest = rest.drop_front(plain.size());
    if (rest.empty())
      return;
    ShownCharacter shown = showCharacter(rest, 0);
    target << shown.text;
    rest = rest.drop_front(shown.length);
  }
}

std::string toscac::printable(StringRef text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    ShownCharacter shown = showCharacter(text, at);
    result += text[at] == '\n' ? "\\n" : shown.text;
    at += shown.length;
  }
  return result;
}
