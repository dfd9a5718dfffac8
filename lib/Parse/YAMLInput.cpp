//===- YAMLInput.cpp - Feeds yaml-cpp from memory -------------------------===//

#include "YAMLInput.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;

static std::string pad(llvm::StringRef text, llvm::ArrayRef<size_t> blanks) {
  std::string result;
  size_t at = 0;
  for (size_t blank : blanks) {
    result += text.slice(at, blank);
    result += ' ';
    at = blank;
  }
  return result += text.drop_front(at);
}

YAMLInput::YAMLInput(llvm::StringRef text, llvm::ArrayRef<size_t> blanks)
    : padded(pad(text, blanks)), blanks(blanks), text(padded) {
  char *begin = padded.data();
  setg(begin, begin, begin + padded.size());
}

size_t YAMLInput::offset(size_t position) const {
  size_t skipped = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  size_t at = std::min(position + skipped, text.size());
  // The blank before the n-th place stands n characters behind it.
  size_t n = 0;
  while (n != blanks.size() && blanks[n] + n < at)
    ++n;
  return at - n;
}

YAMLInput::YAMLInput(llvm::StringRef text) : text(text) {
  char *begin = const_cast<char *>(text.begin());
  setg(begin, begin, begin + text.size());
}

void YAMLInput::reached(size_t at) {
  lastEvent = at;
  nextCount = maxIndicators;
}

/// Without one of these there is no second token on a line of a scalar.
static bool isIndicator(char c) {
  return llvm::StringRef("[]{},:?&*!'\"").contains(c);
}

bool YAMLInput::isHeldBackTooLong() {
  auto position = static_cast<size_t>(gptr() - eback());
  if (position < lastEvent || position - lastEvent <= nextCount)
    return false;
  nextCount = 2 * (position - lastEvent);
  return llvm::count_if(text.slice(lastEvent, position), isIndicator) >
         static_cast<std::ptrdiff_t>(maxIndicators);
}

std::streamsize YAMLInput::xsgetn(char *to, std::streamsize count) {
  if (!cutOff && isHeldBackTooLong())
    cutOff = lastEvent;
  return cutOff ? 0 : std::streambuf::xsgetn(to, count);
}
