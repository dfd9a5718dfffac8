//===- BrokenYAML.cpp - Why a file is not YAML ----------------------------===//
///
/// \file
/// A list of guesses, the surest first; each looks at the text around the place
/// and reports if it recognises a mistake.
///
//===----------------------------------------------------------------------===//

#include "BrokenYAML.h"

#include "SourceText.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"

using namespace toscac;
using namespace toscac::syntax;
using llvm::StringRef;

static size_t lineBegin(StringRef source, size_t at) {
  return at - columnOf(source, at);
}

static size_t firstWord(StringRef source, size_t at) {
  return lineBegin(source, at) + indentationOf(source, at).size();
}

/// One past the last byte of the line, without blanks or a comment at its end.
static size_t textEnd(StringRef source, size_t at) {
  StringRef line =
      source.slice(at, std::min(source.find('\n', at), source.size()));
  return at + line.split(" #").first.rtrim().size();
}

void BrokenText::addLastBlocks(Node node) {
  while (!node.isAlias() && (node.isMapping() || node.isSequence())) {
    size_t begin = node.range().begin.raw - base.raw;
    if (source[begin] == '[' || source[begin] == '{')
      return;
    blocks.push_back({node.kind(), begin});
    if (node.isMapping() ? node.entries().empty() : node.items().empty())
      return;
    node = node.isMapping() ? node.entries().back().value : node.items().back();
  }
}

bool syntax::reportTabIndentation(StringRef source, SourceLoc base, size_t at,
                                  DiagnosticEngine &diags) {
  size_t tab = indentationOf(source, at).find('\t');
  if (tab == StringRef::npos)
    return false;
  SourceLoc place = base.advanced(lineBegin(source, at) + tab);
  SourceRange range(place, place.advanced(1));
  // Each node of the line asks.
  bool said = !diags.all().empty() &&
              diags.all().back().id == diag::TabIndentation.id &&
              diags.all().back().range == range;
  if (!said)
    diags.report(range, diag::TabIndentation);
  return true;
}

//===----------------------------------------------------------------------===//
// Brackets
//===----------------------------------------------------------------------===//

namespace {

struct OpenBracket {
  /// Its offset; npos if there is none.
  size_t at = StringRef::npos;
  /// Column of the first word on its line.
  size_t column = 0;
  /// A line that has begun before it was closed, although it is not indented
  /// further than the bracket's; npos if there is none.
  size_t outdented = StringRef::npos;
};

} // namespace

/// Whether the line of \p word is one that no bracket of a line at \p column
/// can contain.
static bool isOutdented(StringRef source, size_t word, size_t column) {
  return word < source.size() && columnOf(source, word) <= column &&
         !StringRef("]}#\r\n").contains(source[word]);
}

/// The innermost bracket that is open at \p to, or at an outdented line before.
static OpenBracket findOpenBracket(StringRef source, size_t from, size_t to) {
  std::vector<OpenBracket> open;
  bool startsToken = true;
  size_t column = columnOf(source, firstWord(source, from));
  for (size_t at = from; at < to; ++at) {
    char c = source[at];
    if (startsToken && (c == '"' || c == '\'')) {
      size_t end = scalarEnd(source, at, styleAt(source, at), "");
      at = std::min(end, to) - 1;
      startsToken = false;
      continue;
    }
    if (startsToken && c == '#')
      at = std::min(source.find('\n', at), to - 1);
    c = source[at];
    if (c == '\n') {
      size_t word = std::min(source.find_first_not_of(" \t", at + 1), to);
      if (!open.empty() && isOutdented(source, word, open.back().column)) {
        open.back().outdented = word;
        return open.back();
      }
      column = columnOf(source, word);
    }
    if ((c == '[' || c == '{') && (startsToken || !open.empty()))
      open.push_back({at, column});
    else if ((c == ']' || c == '}') && !open.empty())
      open.pop_back();
    startsToken = StringRef("[{,: \t\r\n").contains(c);
  }
  return open.empty() ? OpenBracket() : open.back();
}

/// The rest of the file is read as if it stood between the brackets, and goes
/// wrong somewhere.
static bool explainForgottenBracket(const BrokenText &text,
                                    DiagnosticEngine &diags) {
  StringRef source = text.source;
  OpenBracket open = findOpenBracket(source, text.lastBlockToken, text.at);
  if (open.outdented == StringRef::npos)
    return false;
  StringRef closing = source[open.at] == '[' ? "]" : "}";
  diags
      .report(text.range(open.at, open.at + 1), diag::UnclosedBracket,
              closing[0])
      .note(text.base.advanced(open.outdented), diag::ExpectedBeforeThis,
            closing);
  return true;
}

static bool explainBracket(const BrokenText &text, DiagnosticEngine &diags) {
  bool atBracket = text.kind == BrokenText::Bracket;
  bool inFlow = text.kind == BrokenText::InFlow;
  if (!atBracket && !inFlow)
    return false;
  StringRef source = text.source;
  size_t open = findOpenBracket(source, text.lastBlockToken, text.at).at;
  if (open == StringRef::npos) {
    if (text.at < source.size())
      diags.report(text.range(text.at, text.at + 1), diag::UnexpectedBracket,
                   source[text.at]);
    return text.at < source.size();
  }
  char closing = source[open] == '[' ? ']' : '}';
  StringRef rest = source.slice(text.at, textEnd(source, text.at));
  if (inFlow && rest.contains(closing)) {
    diags.report(text.range(text.at, text.at + 1), diag::MissingComma);
    return true;
  }
  // The end of the file is no better place than the bracket itself.
  auto report =
      diags.report(text.range(open, open + 1), diag::UnclosedBracket, closing);
  if (text.at < source.size())
    report.note(text.base.advanced(startsLine(source, text.at) || atBracket
                                       ? text.at
                                       : firstWord(source, text.at)),
                diag::ExpectedBeforeThis, StringRef(&closing, 1));
  return true;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// `0`, `0 or 2`, `0, 2 or 4`
static std::string listColumns(const BrokenText &text) {
  std::vector<size_t> columns;
  for (const BrokenText::Block &block : text.blocks)
    columns.push_back(columnOf(text.source, block.begin));
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  std::string result = columns.empty() ? "0" : std::to_string(columns[0]);
  for (size_t i = 1; i < columns.size(); ++i)
    result +=
        (i + 1 == columns.size() ? " or " : ", ") + std::to_string(columns[i]);
  return result;
}

void syntax::reportMisplacedLine(const BrokenText &text, size_t at,
                                 DiagnosticEngine &diags) {
  StringRef source = text.source;
  size_t word = firstWord(source, at);
  SourceRange range = text.range(word, textEnd(source, word));
  size_t column = word - lineBegin(source, at);
  auto sameColumn = [&](const BrokenText::Block &block) {
    return columnOf(source, block.begin) == column;
  };
  auto block = llvm::find_if(text.blocks, sameColumn);
  if (block == text.blocks.end()) {
    diags.report(range, diag::BadIndentation, column, listColumns(text));
    return;
  }
  bool list = block->kind == NodeKind::Sequence;
  if (!list && source[word] != '-') {
    diags.report(range, diag::MissingColon,
                 source.slice(word, textEnd(source, word)));
    return;
  }
  diags.report(range, diag::MixedListAndMap, list ? "list" : "map",
               list ? "map" : "list");
}

/// A key without its colon is read on as the start of a longer word, so that
/// the colon of the next line comes as a surprise.
static bool explainMissingColon(const BrokenText &text,
                                DiagnosticEngine &diags) {
  StringRef source = text.source;
  size_t begin = lineBegin(source, text.at);
  StringRef above = source.take_front(begin).rtrim();
  if (begin == 0 || above.empty())
    return false;
  size_t word = firstWord(source, above.size() - 1);
  StringRef line = source.slice(word, textEnd(source, word));
  bool sameColumn =
      columnOf(source, word) == indentationOf(source, text.at).size();
  if (!sameColumn || line.empty() || line.contains(": ") ||
      line.ends_with(":") || StringRef("-#'\"[]{}|>&*!").contains(line[0]))
    return false;
  diags.report(text.range(word, word + line.size()), diag::MissingColon, line);
  return true;
}

static bool explainLine(const BrokenText &text, DiagnosticEngine &diags) {
  StringRef source = text.source;
  size_t word = firstWord(source, text.at);
  bool endOfBlock = text.kind == BrokenText::InBlock;
  if (endOfBlock && text.at == word) {
    reportMisplacedLine(text, text.at, diags);
    return true;
  }
  if (text.kind != BrokenText::Colon)
    return false;
  bool firstColon = !source.slice(word, text.at).contains(": ");
  // YAML 1.2 §7.4.2: so far a reader looks ahead for the colon of a key.
  constexpr size_t maxKeySize = 1024;
  bool flow = source[word] == '[' || source[word] == '{';
  if (firstColon && !flow && text.at - word > maxKeySize) {
    diags.report(text.range(word, text.at), diag::YAMLSyntax,
                 "a key has at most 1024 characters");
    return true;
  }
  if (explainMissingColon(text, diags))
    return true;
  // A line that is indented further than the one above continues its scalar.
  bool continues = text.lastScalar.isPlain() && firstColon &&
                   text.lastScalar.range().begin.raw - text.base.raw <
                       lineBegin(source, word);
  if (continues)
    diags.report(text.range(word, textEnd(source, word)), diag::BadIndentation,
                 word - lineBegin(source, word), listColumns(text));
  else
    diags.report(text.range(text.at, text.at + 1), diag::NestedColon);
  return true;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static bool explainReservedCharacter(const BrokenText &text,
                                     DiagnosticEngine &diags) {
  StringRef source = text.source;
  size_t at = text.at;
  if (text.kind != BrokenText::Character || at >= source.size())
    return false;
  bool inFlow =
      findOpenBracket(source, text.lastBlockToken, at).at != StringRef::npos;
  StringRef word = source.slice(at, textEnd(source, at));
  word = word.split(": ").first;
  if (inFlow)
    word = word.take_until([](char c) { return StringRef(",]}").contains(c); });
  else if (word.ends_with(":"))
    word = word.drop_back();
  StringRef quote = word.contains('"') || word.contains('\\') ? "'" : "\"";
  auto report = diags.report(text.range(at, at + word.size()),
                             diag::ReservedCharacter, source[at]);
  if (!word.contains(quote))
    report.safeFixIt(text.range(at, at + word.size()),
                     (quote + word + quote).str());
  return true;
}

static bool explainUnknownAnchor(const BrokenText &text,
                                 DiagnosticEngine &diags) {
  if (text.kind != BrokenText::Alias)
    return false;
  StringRef word = text.source.substr(text.at).take_until(
      [](char c) { return StringRef(" \t\r\n,]}").contains(c); });
  diags.report(text.range(text.at, text.at + word.size()), diag::UnknownAnchor,
               word.ltrim('*'));
  return true;
}

static bool explainTextAfterQuote(const BrokenText &text,
                                  DiagnosticEngine &diags) {
  StringRef source = text.source;
  if (text.kind != BrokenText::InBlock)
    return false;
  StringRef before =
      source.slice(lineBegin(source, text.at), text.at).rtrim(" \t");
  ScalarStyle style =
      text.lastScalar.isScalar() ? text.lastScalar.style() : ScalarStyle::Plain;
  bool isSingle = style == ScalarStyle::SingleQuoted;
  if (!isSingle && style != ScalarStyle::DoubleQuoted)
    return false;
  if (!before.ends_with(isSingle ? "'" : "\""))
    return false;
  size_t begin = text.lastScalar.range().begin.raw - text.base.raw;
  StringRef quote = isSingle ? "'" : "\"";
  // A string that takes in lines up to the next quote was not closed.
  if (lineBegin(source, begin) != lineBegin(source, text.at)) {
    diags
        .report(text.range(begin, textEnd(source, begin)),
                diag::UnterminatedQuote, quote)
        .note(text.range(text.at, textEnd(source, text.at)),
              diag::ExpectedBeforeThis, quote);
    return true;
  }
  diags.report(text.range(text.at, textEnd(source, text.at)),
               diag::TextAfterQuote, quote, isSingle ? "''" : "\\\"");
  return true;
}

void syntax::explainBrokenText(const BrokenText &text,
                               DiagnosticEngine &diags) {
  // A string that runs to the end of the file swallows whatever is missed.
  bool swallowed = !diags.all().empty() &&
                   diags.all().back().id == diag::UnterminatedQuote.id;
  if (swallowed || reportTabIndentation(text.source, text.base, text.at, diags))
    return;
  if (explainForgottenBracket(text, diags) ||
      explainReservedCharacter(text, diags) ||
      explainUnknownAnchor(text, diags) || explainBracket(text, diags) ||
      explainLine(text, diags) || explainTextAfterQuote(text, diags))
    return;
  SourceRange range = text.range(text.at, textEnd(text.source, text.at));
  diags.report(range, diag::YAMLSyntax, text.message);
}
