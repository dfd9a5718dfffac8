//===- Unicode.cpp - Code points of UTF-8 text ----------------------------===//

#include "Unicode.h"

#include "llvm/Support/ConvertUTF.h"

using namespace toscac;
using llvm::StringRef;

uint32_t toscac::takeCodePoint(StringRef &text) {
  const auto *begin = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  const auto *at = begin;
  const auto *end = reinterpret_cast<const llvm::UTF8 *>(text.end());
  llvm::UTF32 codePoint;
  if (llvm::convertUTF8Sequence(&at, end, &codePoint, llvm::strictConversion) !=
      llvm::conversionOK) {
    codePoint = 0xDC00u + *begin;
    at = begin + 1;
  }
  text = text.drop_front(at - begin);
  return codePoint;
}

llvm::SmallVector<uint32_t> toscac::decode(StringRef text) {
  llvm::SmallVector<uint32_t> codePoints;
  while (!text.empty())
    codePoints.push_back(takeCodePoint(text));
  return codePoints;
}

size_t toscac::countCodePoints(StringRef text) {
  size_t count = 0;
  for (; !text.empty(); ++count)
    takeCodePoint(text);
  return count;
}
