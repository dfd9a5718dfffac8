//===- JSONCursor.cpp - Large JSON, piece by piece ------------------------===//

#include "toscac/Basic/JSONCursor.h"

#include "llvm/Support/Errno.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

using namespace toscac;
using llvm::StringRef;

/// Bytes read at once; a piece that is longer makes the window grow.
static constexpr size_t windowSize = 1 << 18;

/// The position after the string that starts at \p i, or npos.
static size_t endOfString(StringRef text, size_t i) {
  for (++i; i < text.size(); ++i) {
    const void *quote = memchr(text.data() + i, '"', text.size() - i);
    if (!quote)
      return StringRef::npos;
    size_t end = static_cast<const char *>(quote) - text.data();
    size_t escapes = 0;
    while (text[end - 1 - escapes] == '\\')
      ++escapes;
    if (escapes % 2 == 0)
      return end + 1;
    i = end;
  }
  return StringRef::npos;
}

size_t toscac::endOfJSONValue(StringRef text) {
  size_t depth = 0;
  for (size_t i = 0; i < text.size();) {
    switch (text[i]) {
    case '"':
      i = endOfString(text, i);
      if (i == StringRef::npos || depth == 0)
        return i;
      continue;
    case '{':
    case '[':
      ++depth;
      break;
    case '}':
    case ']':
      if (depth == 0)
        return i;
      if (--depth == 0)
        return i + 1;
      break;
    case ',':
    case ' ':
    case '\n':
    case '\r':
    case '\t':
      if (depth == 0)
        return i;
      break;
    default:
      break;
    }
    ++i;
  }
  return StringRef::npos;
}

JSONCursor::JSONCursor(int file) : file(file), window(windowSize) {}

void JSONCursor::fail(StringRef text) {
  if (failed())
    return;
  reason = text.str();
  pieceLine = currentLine;
}

/// Reads more behind what is not stepped over yet. False at the end of the
/// file.
bool JSONCursor::refill() {
  if (failed())
    return false;
  if (follower)
    follow(follower);
  followed = 0;
  std::copy(window.begin() + next, window.begin() + filled, window.begin());
  windowStart += next;
  filled -= next;
  next = 0;
  if (filled == window.size())
    window.resize(window.size() * 2);
  ssize_t count;
  do
    count = read(file, window.data() + filled, window.size() - filled);
  while (count < 0 && errno == EINTR);
  if (count < 0)
    fail(llvm::sys::StrError());
  if (count <= 0)
    return false;
  filled += count;
  return true;
}

char JSONCursor::peek() {
  while (true) {
    for (; next < filled; ++next) {
      char c = window[next];
      if (c == '\n')
        ++currentLine;
      else if (c != ' ' && c != '\t' && c != '\r')
        return c;
    }
    if (!refill())
      return 0;
  }
}

bool JSONCursor::enter(char bracket) {
  if (peek() != bracket) {
    fail(bracket == '{' ? "an object is expected" : "a list is expected");
    return false;
  }
  ++next;
  hasBefore = false;
  return true;
}

/// Steps over a comma between members. False at the closing bracket, which is
/// stepped over, too.
std::optional<bool> JSONCursor::separated(char close) {
  char c = peek();
  if (c == close) {
    ++next;
    // What was closed is a member of what is around it.
    hasBefore = true;
    return false;
  }
  if (hasBefore) {
    if (c != ',') {
      fail(c ? "a comma is missing" : "the text ends too early");
      return std::nullopt;
    }
    ++next;
    peek();
  }
  hasBefore = true;
  return true;
}

std::optional<StringRef> JSONCursor::piece() {
  if (!peek()) {
    fail("the text ends too early");
    return std::nullopt;
  }
  size_t length;
  while (true) {
    length = endOfJSONValue(ahead());
    if (length != StringRef::npos)
      break;
    if (!refill()) {
      fail("the text ends too early");
      return std::nullopt;
    }
  }
  StringRef text = ahead().take_front(length);
  pieceOffset = windowStart + next;
  pieceLine = currentLine;
  currentLine += text.count('\n');
  next += length;
  return text;
}

std::optional<StringRef> JSONCursor::nextKey() {
  std::optional<bool> more = separated('}');
  if (!more || !*more)
    return std::nullopt;
  if (peek() != '"') {
    fail("a key in quotes is expected");
    return std::nullopt;
  }
  std::optional<StringRef> quoted = piece();
  if (!quoted)
    return std::nullopt;
  // The colon may lie beyond the window, which moves then.
  lastKey = quoted->drop_front().drop_back().str();
  if (peek() != ':') {
    fail("a colon is expected after a key");
    return std::nullopt;
  }
  ++next;
  return StringRef(lastKey);
}

bool JSONCursor::toElement() { return separated(']').value_or(false); }

std::optional<StringRef> JSONCursor::nextElement() {
  if (!toElement())
    return std::nullopt;
  return piece();
}

StringRef JSONCursor::ahead(size_t least) {
  while (filled - next < least && refill()) {
  }
  return {window.data() + next, filled - next};
}

void JSONCursor::follow(SHA256Digest *digest) {
  if (follower)
    follower->update({window.data() + followed, next - followed});
  follower = digest;
  followed = next;
}

void JSONCursor::take(size_t length) {
  pieceOffset = windowStart + next;
  pieceLine = currentLine;
  next += length;
}

std::optional<StringRef> JSONCursor::value() { return piece(); }

bool JSONCursor::atEnd() { return !peek() && !failed(); }
