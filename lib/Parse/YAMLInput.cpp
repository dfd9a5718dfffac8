//===- YAMLInput.cpp - Feeds yaml-cpp from memory -------------------------===//

#include "YAMLInput.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;

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
