//===- ToscaMeta.cpp - The syntax of TOSCA.meta ---------------------------===//

#include "ToscaMeta.h"

#include "CheckEncoding.h"
#include "EntryName.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using llvm::StringRef;

static constexpr StringRef blanks = " \t\r\n";

const MetaPair *MetaBlock::find(StringRef keyname) const {
  for (const MetaPair &pair : pairs)
    if (pair.keyname == keyname)
      return &pair;
  return nullptr;
}

namespace {

class MetaParser {
public:
  MetaParser(const SourceManager &sources, FileId file, DiagnosticEngine &diags)
      : text(sources.text(file)), base(sources.begin(file)), diags(diags) {}

  std::vector<MetaBlock> run();

private:
  SourceRange rangeOf(StringRef part) const {
    SourceLoc begin = base.advanced(part.data() - text.data());
    return {begin, begin.advanced(part.size())};
  }
  bool checkText();
  void parseLine(StringRef line);
  void parsePair(StringRef line);
  void continueValue(StringRef line);

  StringRef text;
  SourceLoc base;
  DiagnosticEngine &diags;
  std::vector<MetaBlock> blocks = {{}};
  /// Where the keynames of the last block stand.
  llvm::DenseMap<StringRef, SourceRange> keynames;
  /// An empty line was read: the next pair starts a block.
  bool atBlockEnd = false;
  /// The line above is part of a pair, so that a value can go on.
  bool inValue = false;
  /// The line above is in error, and so its value's next lines have no pair.
  bool skipsValue = false;
};

} // namespace

bool MetaParser::checkText() {
  size_t bad = syntax::findForbiddenByte(text);
  if (bad == StringRef::npos)
    return true;
  StringRef byte = text.substr(bad, 1);
  diags.report(rangeOf(byte), diag::MetaNotText, llvm::toHex(byte));
  return false;
}

std::vector<MetaBlock> MetaParser::run() {
  if (!checkText())
    return std::move(blocks);
  StringRef rest = text;
  rest.consume_front("\xEF\xBB\xBF");
  while (!rest.empty()) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    parseLine(line.rtrim(blanks));
  }
  return std::move(blocks);
}

void MetaParser::parseLine(StringRef line) {
  if (line.empty()) {
    atBlockEnd = true;
    inValue = skipsValue = false;
  } else if (blanks.contains(line.front())) {
    continueValue(line);
  } else {
    parsePair(line);
  }
}

void MetaParser::continueValue(StringRef line) {
  line = line.ltrim(blanks);
  if (inValue) {
    MetaPair &pair = blocks.back().pairs.back();
    pair.value += (pair.value.empty() ? "" : " ") + line.str();
    SourceRange range = rangeOf(line);
    if (!pair.valueRange.size())
      pair.valueRange.begin = range.begin;
    pair.valueRange.end = range.end;
  } else if (!skipsValue) {
    diags.report(rangeOf(line), diag::MetaStrayContinuation);
  }
}

void MetaParser::parsePair(StringRef line) {
  inValue = false;
  skipsValue = true;
  size_t colon = line.find(':');
  StringRef keyname = line.take_front(colon).rtrim(blanks);
  if (colon == StringRef::npos || keyname.empty()) {
    diags.report(rangeOf(line), diag::MetaNoKeyname, printableName(line));
    return;
  }
  StringRef value = line.substr(colon + 1);
  if (!value.empty() && value.front() != ' ') {
    SourceRange after(rangeOf(value).begin);
    diags.report(after, diag::MetaNoBlank, keyname).fixIt(after, " ");
  }
  value = value.ltrim(blanks);
  if (atBlockEnd && !blocks.back().pairs.empty()) {
    blocks.emplace_back();
    keynames.clear();
  }
  atBlockEnd = false;
  SourceRange range = rangeOf(keyname);
  auto [first, isNew] = keynames.try_emplace(keyname, range);
  if (!isNew) {
    diags.report(range, diag::MetaDuplicateKeyname, keyname)
        .note(first->second, diag::FirstDefinedHere, keyname);
    return;
  }
  blocks.back().pairs.push_back({keyname, range, value.str(), rangeOf(value)});
  inValue = true;
}

std::vector<MetaBlock> toscac::parseToscaMeta(const SourceManager &sources,
                                              FileId file,
                                              DiagnosticEngine &diags) {
  return MetaParser(sources, file, diags).run();
}

std::vector<MetaItem> toscac::splitFileNames(const MetaPair &pair,
                                             const SourceManager &sources,
                                             DiagnosticEngine &diags) {
  std::vector<MetaItem> items;
  if (pair.value.empty())
    return items;
  StringRef text = sources.text(pair.valueRange);
  for (size_t at = 0; at != StringRef::npos;
       at = text.find_first_not_of(blanks, at)) {
    SourceLoc begin = pair.valueRange.begin.advanced(at);
    bool quoted = text[at] == '"';
    size_t end = quoted ? text.find('"', at + 1)
                        : std::min(text.find_first_of(blanks, at), text.size());
    if (end == StringRef::npos) {
      diags.report({begin, begin.advanced(1)}, diag::MetaUnclosedQuote);
      break;
    }
    // A quoted name may go on in the next line.
    llvm::SmallVector<StringRef> words;
    llvm::SplitString(text.slice(at + quoted, end), words, "\r\n");
    for (StringRef &word : llvm::drop_begin(words))
      word = word.ltrim(blanks);
    size_t next = end + quoted;
    items.push_back(
        {llvm::join(words, " "), {begin, begin.advanced(next - at)}});
    at = next;
  }
  return items;
}
