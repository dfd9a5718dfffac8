//===- SplitInput.cpp - Several test cases in one file --------------------===//
///
/// \file
/// Parts are copies: a test file is small.
///
//===----------------------------------------------------------------------===//

#include "SplitInput.h"

#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using llvm::StringRef;

std::vector<std::unique_ptr<llvm::MemoryBuffer>>
toscac::splitInput(StringRef text) {
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> parts;
  std::string part;
  size_t numLines = 0;
  auto finish = [&] {
    parts.push_back(llvm::MemoryBuffer::getMemBufferCopy(part));
    part.assign(numLines, '\n');
  };
  while (!text.empty()) {
    size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    StringRef line = text.take_front(size);
    text = text.drop_front(size);
    ++numLines;
    if (line.rtrim() == "# -----")
      finish();
    else
      part += line;
  }
  finish();
  return parts;
}
