//===- FormatSource.cpp - Indentation of YAML -----------------------------===//
///
/// \file
/// Only the blanks at the start of lines change, and what follows a dash. The
/// tree says on which lines keys and dashes of blocks stand and how deep they
/// are; all other lines move with the line that they belong to: those of
/// scalars and flow collections with their key, comments with what follows.
///
//===----------------------------------------------------------------------===//

#include "toscac/Parse/FormatSource.h"

#include "toscac/Basic/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <vector>

using namespace toscac;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

bool toscac::isSameContent(const Node &a, const Node &b) {
  if (a.kind() != b.kind() || a.tag() != b.tag())
    return false;
  switch (a.kind()) {
  case syntax::NodeKind::Null:
    return true;
  case syntax::NodeKind::Scalar:
    return a.text() == b.text() && a.scalarType() == b.scalarType();
  case syntax::NodeKind::Sequence:
    return llvm::equal(a.items(), b.items(), isSameContent);
  case syntax::NodeKind::Mapping:
    return llvm::equal(
        a.entries(), b.entries(), [](const Entry &x, const Entry &y) {
          return isSameContent(x.key, y.key) && isSameContent(x.value, y.value);
        });
  }
  llvm_unreachable("all kinds are handled");
}

namespace {

class Formatter {
public:
  Formatter(StringRef text, SourceLoc base) : text(text), base(base) {
    for (StringRef line : llvm::split(text, '\n')) {
      size_t begin = line.data() - text.data();
      StringRef content = line.rtrim(" \t\r");
      lines.push_back(
          {begin, content, content.size() - content.ltrim(' ').size()});
    }
  }

  void place(const Node &node, int indent);
  std::string print();

private:
  struct Line {
    size_t begin;
    /// Without blanks at its end.
    StringRef content;
    size_t oldIndent;
    int newIndent = -1;
    /// Of a scalar or flow collection that began before: it moves by so much,
    /// and keeps what is at its end.
    bool isInner = false;
    int shift = 0;
    /// Blanks to be taken out after the dash at this column.
    std::vector<std::pair<size_t, size_t>> dropped;
  };

  size_t offset(SourceLoc loc) const { return loc.raw - base.raw; }
  size_t lineOf(size_t at) const {
    auto next = llvm::upper_bound(
        lines, at, [](size_t x, const Line &line) { return x < line.begin; });
    return next - lines.begin() - 1;
  }
  size_t columnOf(size_t at) const { return at - lines[lineOf(at)].begin; }
  bool startsLine(size_t at) const {
    const Line &line = lines[lineOf(at)];
    return at == line.begin + line.oldIndent;
  }
  bool isFlow(const Node &node) const;
  bool isWithin(const Node &inner, const Node &outer) const {
    return outer.range().begin <= inner.range().begin &&
           inner.range().end <= outer.range().end;
  }
  void placeMapping(const Node &map, int indent);
  void placeSequence(const Node &list, int indent);
  size_t dashOf(const Node &item, const Node &list) const;
  void placeValue(const Node &value, size_t keyLine, int shift, int indent);
  void shiftInner(const Node &node, size_t first, int shift);
  int indentOfComment(size_t line) const;

  StringRef text;
  SourceLoc base;
  std::vector<Line> lines;
};

} // namespace

/// Whether a collection is in brackets.
bool Formatter::isFlow(const Node &node) const {
  size_t begin = offset(node.range().begin);
  size_t first = offset(node.range().end);
  if (node.isMapping() && !node.entries().empty())
    first = offset(node.entries().front().key.range().begin);
  if (node.isSequence() && !node.items().empty())
    first = offset(node.items().front().range().begin);
  if (first < begin || first > text.size())
    return true;
  return text.slice(begin, first).contains(node.isMapping() ? '{' : '[');
}

/// Lines of \p node after \p first move by \p shift.
void Formatter::shiftInner(const Node &node, size_t first, int shift) {
  size_t end = offset(node.range().end);
  // A block scalar ends at the start of the line behind it.
  size_t last = lineOf(end > 0 ? end - 1 : 0);
  for (size_t i = first + 1; i <= last && i < lines.size(); ++i) {
    lines[i].isInner = true;
    lines[i].shift = shift;
  }
}

void Formatter::placeValue(const Node &value, size_t keyLine, int shift,
                           int indent) {
  if (value.isNull() || value.isAlias())
    return;
  size_t begin = offset(value.range().begin);
  bool isBlock = (value.isMapping() || value.isSequence()) && !isFlow(value);
  if (isBlock)
    return place(value, indent);
  size_t line = lineOf(begin);
  if (line == keyLine)
    return shiftInner(value, line, shift);
  // The value begins on a line of its own.
  lines[line].newIndent = indent;
  shiftInner(value, line, indent - static_cast<int>(lines[line].oldIndent));
}

void Formatter::placeMapping(const Node &map, int indent) {
  for (const Entry &entry : map.entries()) {
    // A merge key brings entries from elsewhere.
    if (!isWithin(entry.key, map))
      continue;
    size_t key = offset(entry.key.range().begin);
    size_t line = lineOf(key);
    if (startsLine(key))
      lines[line].newIndent = indent;
    int shift = indent - static_cast<int>(columnOf(key));
    bool isList = entry.value.isSequence() && !isFlow(entry.value);
    placeValue(entry.value, line, shift, isList ? indent : indent + 2);
  }
}

/// All dashes of a list are in one column.
size_t Formatter::dashOf(const Node &item, const Node &list) const {
  size_t begin = offset(item.range().begin);
  size_t column = columnOf(offset(list.range().begin));
  for (size_t line = lineOf(begin) + 1; line-- > 0;) {
    size_t at = lines[line].begin + column;
    bool isThere =
        at < text.size() && text[at] == '-' && (at < begin || item.isNull());
    if (isThere)
      return at;
    if (at <= offset(list.range().begin))
      break;
  }
  return StringRef::npos;
}

void Formatter::placeSequence(const Node &list, int indent) {
  for (const Node &item : list.items()) {
    if (!isWithin(item, list))
      continue;
    size_t begin = offset(item.range().begin);
    size_t dash = dashOf(item, list);
    if (dash == StringRef::npos)
      continue;
    size_t line = lineOf(dash);
    if (startsLine(dash))
      lines[line].newIndent = indent;
    StringRef between = text.slice(dash + 1, std::max(begin, dash + 1));
    bool isBeside = !between.empty() && between.trim(' ').empty();
    if (isBeside && between.size() > 1)
      lines[line].dropped.push_back({dash + 1, between.size() - 1});
    int shift = indent - static_cast<int>(columnOf(dash));
    placeValue(item, line, shift, indent + 2);
  }
}

void Formatter::place(const Node &node, int indent) {
  if (node.isMapping())
    placeMapping(node, indent);
  else if (node.isSequence())
    placeSequence(node, indent);
}

/// As deep as what follows, or as what stands before, whichever it was beside.
int Formatter::indentOfComment(size_t line) const {
  size_t old = lines[line].oldIndent;
  const Line *after = nullptr;
  for (size_t i = line + 1; i < lines.size() && !after; ++i)
    if (lines[i].newIndent >= 0)
      after = &lines[i];
  if (after && after->oldIndent == old)
    return after->newIndent;
  for (size_t i = line; i-- > 0;)
    if (lines[i].newIndent >= 0 && lines[i].oldIndent <= old)
      return lines[i].oldIndent == old
                 ? lines[i].newIndent
                 : std::max(0, lines[i].newIndent +
                                   static_cast<int>(old - lines[i].oldIndent));
  return after ? after->newIndent : 0;
}

std::string Formatter::print() {
  std::string result;
  bool wasEmpty = true;
  for (size_t i = 0; i < lines.size(); ++i) {
    const Line &line = lines[i];
    if (line.isInner) {
      // Blanks at the end may belong to the text.
      size_t end = std::min(text.find('\n', line.begin), text.size());
      StringRef whole = text.slice(line.begin, end).rtrim('\r');
      if (!whole.trim(' ').empty() || line.shift >= 0) {
        int indent = static_cast<int>(line.oldIndent) + line.shift;
        if (whole.trim(' ').empty())
          result += whole;
        else
          result += std::string(std::max(0, indent), ' ') +
                    whole.drop_front(line.oldIndent).str();
      }
      result += '\n';
      wasEmpty = false;
      continue;
    }
    if (line.content.empty()) {
      if (!wasEmpty)
        result += '\n';
      wasEmpty = true;
      continue;
    }
    wasEmpty = false;
    int indent = line.newIndent;
    if (indent < 0)
      indent = indentOfComment(i);
    std::string content = line.content.drop_front(line.oldIndent).str();
    for (auto [at, count] : llvm::reverse(line.dropped))
      content.erase(at - line.begin - line.oldIndent, count);
    result += std::string(indent, ' ') + content + '\n';
  }
  while (StringRef(result).ends_with("\n\n"))
    result.pop_back();
  return result;
}

std::optional<std::string> toscac::formatSource(const syntax::Tree &tree,
                                                const SourceManager &sources,
                                                YAMLDialect dialect) {
  StringRef text = sources.text(tree.file);
  Formatter formatter(text, sources.begin(tree.file));
  formatter.place(tree.root, 0);
  std::string result = formatter.print();
  if (text.contains("\r\n")) {
    std::string withReturns;
    for (char c : result)
      withReturns += c == '\n' ? "\r\n" : std::string(1, c);
    result = std::move(withReturns);
  }
  SourceManager again;
  FileId file = again.add("", llvm::MemoryBuffer::getMemBufferCopy(result, ""));
  DiagnosticEngine ignored;
  syntax::Tree copy = readYAML(again, file, ignored, dialect);
  if (!copy.valid || !isSameContent(tree.root, copy.root))
    return std::nullopt;
  return result;
}
