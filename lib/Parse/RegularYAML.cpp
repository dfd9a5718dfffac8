//===- RegularYAML.cpp - Reads the YAML that people write -----------------===//
///
/// \file
/// Functions that return a bool return false to give up. Each leaves `at`
/// behind what it has read; those that read a value in a block leave it at the
/// next token.
///
//===----------------------------------------------------------------------===//

#include "RegularYAML.h"

#include "LibraryYAML.h"
#include "SourceText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace toscac;
using llvm::StringRef;

namespace {

/// Deeper nesting is left to yaml-cpp, which has its own limit.
constexpr unsigned maxRegularDepth = 100;
/// A key may have 1024 characters in yaml-cpp, all on one line.
constexpr size_t maxKeyLength = 1000;

/// A column, or -1 outside of all collections.
using Column = std::ptrdiff_t;

class Scanner {
public:
  Scanner(StringRef source, YAMLDialect dialect, YAMLEvents &events)
      : source(source), dialect(dialect), events(events) {}

  bool scanDocument();
  /// Whether there was something that yaml-cpp does not know.
  bool isBeyondLibrary() const { return hasTightKeys; }

private:
  /// Where a node begins, which may be at its anchor.
  struct NodeStart {
    size_t at = 0;
    uint32_t anchor = 0;
  };
  struct ScalarText {
    size_t begin = 0;
    size_t end = 0;
    bool plain = true;
    /// What stands between quotes, or the whole of a plain scalar.
    StringRef value;
    /// Whether yaml-cpp has to find out the value.
    bool folded = false;
  };

  char current() const { return at < source.size() ? source[at] : '\0'; }
  char next() const { return at + 1 < source.size() ? source[at + 1] : '\n'; }
  Column column() const { return static_cast<Column>(at - lineStart); }
  bool atEnd() const { return at == source.size(); }
  static bool isBlankOrBreak(char c) { return c == ' ' || c == '\n'; }
  static bool isFlowEnd(char c) { return c == ',' || c == ']' || c == '}'; }
  bool atDash() const { return current() == '-' && isBlankOrBreak(next()); }
  bool atLineEnd() const { return atEnd() || current() == '\n'; }

  bool skipSpace();
  bool endLine();

  bool scanBlockValue(Column indent, bool afterKey);
  bool scanBlockNode(Column indent, NodeStart start);
  bool scanMap(NodeStart start, ScalarText key);
  bool scanSequence(NodeStart start, bool indented);
  bool scanLineValue(Column indent, NodeStart start);
  bool scanBlockScalar(Column indent, NodeStart start);

  bool scanFlowValue();
  bool scanFlowCollection(NodeStart start);
  bool scanFlowEntry(bool inMap);
  bool scanFlowScalar(NodeStart start);

  bool scanAnchor(NodeStart &start);
  bool scanAlias();
  bool scanScalar(ScalarText &scalar, bool inFlow);
  bool scanPlain(ScalarText &scalar, bool inFlow);
  bool scanQuoted(ScalarText &scalar);
  bool startsPlain() const;
  bool isTightColon(size_t colon) const;
  bool isKey(const ScalarText &scalar, bool inFlow) const;
  size_t linesBelow(Column indent) const;

  void add(YAMLEvent::Kind kind, NodeStart start, bool flow = false) {
    events.list.push_back(
        {kind, flow, start.anchor, static_cast<uint32_t>(start.at), {}});
  }
  bool addScalar(const ScalarText &scalar, NodeStart start);
  bool addKey(const ScalarText &key);

  StringRef source;
  YAMLDialect dialect;
  YAMLEvents &events;
  bool hasTightKeys = false;
  size_t at = 0;
  size_t lineStart = 0;
  unsigned depth = 0;
  llvm::StringMap<uint32_t> anchors;
  uint32_t numAnchors = 0;
};

} // namespace

//===----------------------------------------------------------------------===//
// White space
//===----------------------------------------------------------------------===//

/// Goes to the next token.
bool Scanner::skipSpace() {
  for (; !atEnd(); ++at) {
    char c = source[at];
    if (c == '\n') {
      lineStart = at + 1;
    } else if (c == '#') {
      if (at != lineStart && source[at - 1] != ' ')
        return false;
      at = std::min(source.find('\n', at), source.size()) - 1;
    } else if (c != ' ') {
      break;
    }
  }
  // The end of a document.
  return column() != 0 || !source.substr(at).starts_with("...");
}

/// Goes to the next token, which has to be on another line.
bool Scanner::endLine() {
  size_t line = lineStart;
  return skipSpace() && (atEnd() || lineStart != line);
}

/// Where the lines end that are indented more than \p indent.
size_t Scanner::linesBelow(Column indent) const {
  size_t end = std::min(source.find('\n', at), source.size());
  while (end != source.size()) {
    size_t line = end + 1;
    size_t ink = std::min(source.find_first_not_of(' ', line), source.size());
    bool empty = ink == source.size() || source[ink] == '\n';
    if (!empty && static_cast<Column>(ink - line) <= indent)
      return line;
    end = std::min(source.find('\n', ink), source.size());
  }
  return end;
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

bool Scanner::startsPlain() const {
  char c = current();
  if (c == '-')
    return llvm::isAlnum(next()) || next() == '.';
  // yaml-cpp skips a byte order mark at the start of what it is given.
  return static_cast<unsigned char>(c) > ' ' &&
         !StringRef("?:,[]{}#&*!|>'\"%@`").contains(c) &&
         !source.substr(at).starts_with("\xEF\xBB\xBF");
}

/// Whether an older loader takes the colon at \p colon, in brackets, for the
/// end of a key although a bracket follows it at once.
bool Scanner::isTightColon(size_t colon) const {
  if (dialect == YAMLDialect::Strict || colon + 1 >= source.size())
    return false;
  return source[colon + 1] == '[' || source[colon + 1] == '{';
}

bool Scanner::scanPlain(ScalarText &scalar, bool inFlow) {
  if (!startsPlain())
    return false;
  scalar.begin = at;
  for (; !atLineEnd(); ++at) {
    char c = source[at];
    if (c == ':' && isBlankOrBreak(next()))
      break;
    if (inFlow && c == ':' && isTightColon(at)) {
      hasTightKeys = true;
      break;
    }
    if (c == '#' && source[at - 1] == ' ')
      break;
    if (inFlow && isFlowEnd(c))
      break;
    if (inFlow &&
        (c == '[' || c == '{' || c == '?' || (c == ':' && isFlowEnd(next()))))
      return false;
    if (static_cast<unsigned char>(c) < ' ')
      return false;
  }
  scalar.value = source.slice(scalar.begin, at).rtrim(' ');
  scalar.end = scalar.begin + scalar.value.size();
  return true;
}

bool Scanner::scanQuoted(ScalarText &scalar) {
  bool isDouble = current() == '"';
  auto style = isDouble ? syntax::ScalarStyle::DoubleQuoted
                        : syntax::ScalarStyle::SingleQuoted;
  scalar.begin = at;
  scalar.plain = false;
  scalar.end = syntax::scalarEnd(source, at, style, "");
  if (scalar.end == StringRef::npos)
    return false;
  scalar.value = source.slice(at + 1, scalar.end - 1);
  scalar.folded =
      scalar.value.find_first_of(isDouble ? "\\\n" : "'\n") != StringRef::npos;
  at = scalar.end;
  size_t newline = scalar.value.rfind('\n');
  if (newline != StringRef::npos)
    lineStart = scalar.begin + 1 + newline + 1;
  return true;
}

bool Scanner::scanScalar(ScalarText &scalar, bool inFlow) {
  bool quoted = current() == '"' || current() == '\'';
  return quoted ? scanQuoted(scalar) : scanPlain(scalar, inFlow);
}

/// Whether a colon follows that makes \p scalar, which was just read, a key.
bool Scanner::isKey(const ScalarText &scalar, bool inFlow) const {
  size_t colon = source.find_first_not_of(' ', at);
  if (colon == StringRef::npos || source[colon] != ':')
    return false;
  // As in JSON.
  if (inFlow && colon == scalar.end && (!scalar.plain || isTightColon(colon)))
    return true;
  return colon + 1 == source.size() || isBlankOrBreak(source[colon + 1]);
}

bool Scanner::addScalar(const ScalarText &scalar, NodeStart start) {
  // yaml-cpp has rules of its own for where a text with an anchor goes on.
  if (start.anchor && scalar.plain && scalar.folded)
    return false;
  if (!start.anchor)
    start.at = scalar.begin;
  bool null = scalar.plain && !scalar.folded &&
              syntax::nullWordAt(scalar.value, 0) == scalar.value.size();
  add(null ? YAMLEvent::Null : YAMLEvent::Scalar, start);
  if (null)
    return true;
  if (!scalar.folded) {
    events.list.back().value = scalar.value;
    return true;
  }
  auto alone = recordYAML(source.slice(scalar.begin, scalar.end));
  if (!alone || alone->list.size() != 1 ||
      alone->list.front().kind != YAMLEvent::Scalar)
    return false;
  events.list.back().value = alone->list.front().value.copy(events.values);
  return true;
}

/// A key that was just read, with its colon.
bool Scanner::addKey(const ScalarText &key) {
  if (key.value.contains('\n') || key.value.size() > maxKeyLength)
    return false;
  at = source.find(':', at) + 1;
  return addScalar(key, {});
}

//===----------------------------------------------------------------------===//
// Anchors
//===----------------------------------------------------------------------===//

static size_t wordLength(StringRef text) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '-'; };
  return text.take_while(isPart).size();
}

bool Scanner::scanAnchor(NodeStart &start) {
  start.at = at++;
  StringRef name = source.substr(at, wordLength(source.substr(at)));
  at += name.size();
  if (name.empty() || !(atEnd() || isBlankOrBreak(current())))
    return false;
  start.anchor = ++numAnchors;
  anchors[name] = start.anchor;
  return true;
}

bool Scanner::scanAlias() {
  size_t begin = at++;
  StringRef name = source.substr(at, wordLength(source.substr(at)));
  at += name.size();
  auto found = anchors.find(name);
  bool ended = atEnd() || isBlankOrBreak(current()) || isFlowEnd(current());
  if (!ended || found == anchors.end())
    return false;
  add(YAMLEvent::Alias, {begin, found->second});
  return true;
}

//===----------------------------------------------------------------------===//
// Brackets
//===----------------------------------------------------------------------===//

bool Scanner::scanFlowScalar(NodeStart start) {
  ScalarText scalar;
  return scanScalar(scalar, true) && !isKey(scalar, true) &&
         addScalar(scalar, start);
}

bool Scanner::scanFlowValue() {
  NodeStart start{at};
  if (current() == '&' && !(scanAnchor(start) && skipSpace()))
    return false;
  if (current() == '[' || current() == '{')
    return scanFlowCollection(start);
  if (current() == '*')
    return !start.anchor && scanAlias();
  return scanFlowScalar(start);
}

/// A key with its value; in a list, also a value alone.
bool Scanner::scanFlowEntry(bool inMap) {
  ScalarText key;
  bool isScalar = !StringRef("[{*&").contains(current());
  if (!isScalar)
    return !inMap && scanFlowValue();
  if (!scanScalar(key, true))
    return false;
  if (!isKey(key, true))
    return !inMap && addScalar(key, {});
  if (!inMap)
    add(YAMLEvent::MapStart, {key.begin}, true);
  if (!addKey(key) || !skipSpace())
    return false;
  if (isFlowEnd(current()))
    add(YAMLEvent::Null, {at});
  else if (!scanFlowValue())
    return false;
  if (!inMap)
    add(YAMLEvent::MapEnd, {});
  return true;
}

bool Scanner::scanFlowCollection(NodeStart start) {
  if (++depth > maxRegularDepth)
    return false;
  bool inMap = current() == '{';
  char close = inMap ? '}' : ']';
  add(inMap ? YAMLEvent::MapStart : YAMLEvent::SequenceStart, start, true);
  ++at;
  while (true) {
    if (!skipSpace() || atEnd())
      return false;
    if (current() == close)
      break;
    if (!scanFlowEntry(inMap) || !skipSpace())
      return false;
    if (current() == ',')
      ++at;
    else if (current() != close)
      return false;
  }
  ++at;
  add(inMap ? YAMLEvent::MapEnd : YAMLEvent::SequenceEnd, {});
  --depth;
  return true;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

bool Scanner::scanBlockScalar(Column indent, NodeStart start) {
  size_t headerEnd = source.find_first_not_of("|>+-", at);
  if (headerEnd == StringRef::npos || source[headerEnd] != '\n')
    return false;
  ScalarText scalar;
  scalar.begin = at;
  scalar.end = linesBelow(indent);
  scalar.folded = true;
  at = lineStart = scalar.end;
  return addScalar(scalar, start) && skipSpace();
}

/// A value that is no block collection; \p indent is the column of the
/// collection that it is in.
bool Scanner::scanLineValue(Column indent, NodeStart start) {
  char c = current();
  if (c == '[' || c == '{')
    return scanFlowCollection(start) && endLine();
  if (c == '*')
    return !start.anchor && scanAlias() && endLine();
  if (indent < 0)
    return false;
  if (c == '|' || c == '>')
    return scanBlockScalar(indent, start);
  ScalarText scalar;
  if (!scanScalar(scalar, false) || isKey(scalar, false))
    return false;
  // A plain scalar goes on in the lines below.
  size_t below = scalar.plain && atLineEnd() ? linesBelow(indent) : at;
  if (source.slice(at, below).find_first_not_of(" \n") != StringRef::npos) {
    scalar.folded = true;
    scalar.end = at = lineStart = below;
    return addScalar(scalar, start) && skipSpace();
  }
  return addScalar(scalar, start) && endLine();
}

/// The node that begins at the current token, in a collection at \p indent.
bool Scanner::scanBlockNode(Column indent, NodeStart start) {
  if (++depth > maxRegularDepth)
    return false;
  bool ok = false;
  if (atDash()) {
    ok = scanSequence(start, true);
  } else {
    size_t begin = at;
    size_t line = lineStart;
    ScalarText key;
    bool isScalar = startsPlain() || current() == '"' || current() == '\'';
    if (isScalar && !scanScalar(key, false))
      return false;
    if (isScalar && isKey(key, false)) {
      ok = scanMap(start, key);
    } else {
      at = begin;
      lineStart = line;
      ok = scanLineValue(indent, start);
    }
  }
  --depth;
  return ok;
}

/// What follows a key or a dash in a collection at \p indent.
bool Scanner::scanBlockValue(Column indent, bool afterKey) {
  size_t line = lineStart;
  if (!skipSpace())
    return false;
  NodeStart start{at};
  bool sameLine = lineStart == line;
  if (sameLine && current() == '&') {
    if (!scanAnchor(start) || !skipSpace())
      return false;
    sameLine = lineStart == line;
  }
  if (!atEnd() && sameLine)
    return afterKey || start.anchor ? scanLineValue(indent, start)
                                    : scanBlockNode(indent, start);
  if (!atEnd() && column() > indent)
    return scanBlockNode(indent, start);
  if (!atEnd() && afterKey && column() == indent && atDash())
    return scanSequence(start, false);
  if (start.anchor)
    return false;
  add(YAMLEvent::Null, start);
  return true;
}

/// A map whose first key was just read.
bool Scanner::scanMap(NodeStart start, ScalarText key) {
  auto indent = static_cast<Column>(key.begin - lineStart);
  if (!start.anchor)
    start.at = key.begin;
  add(YAMLEvent::MapStart, start);
  while (true) {
    if (!addKey(key) || !scanBlockValue(indent, true))
      return false;
    if (atEnd() || column() < indent)
      break;
    key = {};
    if (column() > indent || atDash() || !scanScalar(key, false) ||
        !isKey(key, false))
      return false;
  }
  add(YAMLEvent::MapEnd, {});
  return true;
}

/// A list at whose first dash we are. If it is not \p indented more than the
/// key it belongs to, the next key ends it.
bool Scanner::scanSequence(NodeStart start, bool indented) {
  Column indent = column();
  add(YAMLEvent::SequenceStart, start);
  while (true) {
    ++at;
    if (!scanBlockValue(indent, false))
      return false;
    if (atEnd() || column() < indent)
      break;
    if (column() > indent || (!atDash() && indented))
      return false;
    if (!atDash())
      break;
  }
  add(YAMLEvent::SequenceEnd, {});
  return true;
}

bool Scanner::scanDocument() {
  if (!skipSpace())
    return false;
  if (column() == 0 && source.substr(at).starts_with("---\n")) {
    at += 3;
    if (!skipSpace())
      return false;
  }
  return !atEnd() && scanBlockNode(-1, {at}) && atEnd();
}

std::optional<YAMLEvents> toscac::scanRegularYAML(StringRef source,
                                                  YAMLDialect dialect) {
  YAMLEvents events;
  Scanner scanner(source, dialect, events);
  if (!scanner.scanDocument())
    return std::nullopt;
#ifndef NDEBUG
  if (source.size() < YAMLInput::maxIndicators && !scanner.isBeyondLibrary()) {
    std::optional<YAMLEvents> told = recordYAML(source);
    assert(told && told->list == events.list && "yaml-cpp reads it otherwise");
  }
#endif
  return events;
}
