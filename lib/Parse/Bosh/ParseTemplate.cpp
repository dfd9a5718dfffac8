//===- ParseTemplate.cpp - Templates of jobs ------------------------------===//

#include "toscac/Parse/Bosh/Template.h"

#include "TemplateExprParser.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

namespace {

/// Splits a template into text and tags, and finds the ends of blocks.
class TemplateParser {
public:
  TemplateParser(StringRef text, SourceLoc start, DiagnosticEngine &diags)
      : text(text), start(start), diags(diags) {}

  bool parse(std::vector<TemplateItem> &items);

private:
  static constexpr size_t maxDepth = 100;

  /// A block that has not ended.
  struct Open {
    /// Where its items go.
    std::vector<TemplateItem> *items;
    /// The block itself; null for the template.
    TemplateItem *block;
    SourceRange range;
  };

  SourceRange rangeOf(StringRef part) const {
    SourceLoc at = start.advanced(part.data() - text.data());
    return {at, at.advanced(part.size())};
  }
  void addText(StringRef part);
  bool addTag(StringRef tag, SourceRange range);
  bool addCode(StringRef code);
  bool addBlock(StringRef code, StringRef call, StringRef rest);
  bool endBlock(StringRef code);
  bool fail(StringRef part, StringRef what);

  StringRef text;
  SourceLoc start;
  DiagnosticEngine &diags;
  std::vector<Open> open;
};

} // namespace

bool TemplateParser::fail(StringRef part, StringRef what) {
  diags.report(rangeOf(part), diag::TemplateNotSupported, what);
  return false;
}

void TemplateParser::addText(StringRef part) {
  if (part.empty())
    return;
  TemplateItem &item = open.back().items->emplace_back();
  item.text = part;
}

/// `end`, or `end.else do`.
bool TemplateParser::endBlock(StringRef code) {
  TemplateItem *block = open.back().block;
  if (!block)
    return fail(code, "an 'end' without a block");
  std::string words;
  for (char c : code)
    if (c != ' ')
      words += c;
  bool isInElse = open.back().items == &block->otherwise;
  SourceRange range = open.back().range;
  open.pop_back();
  if (words == "end")
    return true;
  if (words != "end.elsedo" || isInElse)
    return fail(code, "this code");
  open.push_back({&block->otherwise, block, range});
  return true;
}

/// `call do |a, b|`
bool TemplateParser::addBlock(StringRef code, StringRef call, StringRef rest) {
  if (open.size() > maxDepth)
    return fail(code, "so many nested blocks");
  TemplateItem item;
  item.kind = TemplateItem::Kind::Block;
  rest = rest.trim();
  if (!rest.empty()) {
    if (!rest.consume_front("|") || !rest.consume_back("|"))
      return fail(code, "this code");
    for (StringRef name : llvm::split(rest, ','))
      item.parameters.push_back(name.trim().str());
  }
  if (!parseTemplateExpr(call, rangeOf(call).begin, diags, item.expr))
    return false;
  TemplateItem &added = open.back().items->emplace_back(std::move(item));
  open.push_back({&added.items, &added, rangeOf(code)});
  return true;
}

bool TemplateParser::addCode(StringRef code) {
  if (code.starts_with("end"))
    return endBlock(code);
  size_t at = code.rfind(" do");
  StringRef rest =
      at == StringRef::npos ? StringRef() : code.drop_front(at + 3);
  bool isBlock = at != StringRef::npos &&
                 (rest.trim().empty() || rest.trim().starts_with("|"));
  if (!isBlock)
    return fail(code, "code without output that is no block");
  return addBlock(code, code.take_front(at).rtrim(), rest);
}

bool TemplateParser::addTag(StringRef tag, SourceRange range) {
  if (tag.starts_with("#"))
    return true;
  bool isOutput = tag.consume_front("=");
  StringRef code = tag.trim();
  if (code.empty()) {
    diags.report(range, diag::TemplateNotSupported, "an empty tag");
    return false;
  }
  if (!isOutput)
    return addCode(code);
  TemplateItem item;
  item.kind = TemplateItem::Kind::Output;
  if (!parseTemplateExpr(code, rangeOf(code).begin, diags, item.expr))
    return false;
  open.back().items->push_back(std::move(item));
  return true;
}

bool TemplateParser::parse(std::vector<TemplateItem> &items) {
  open.push_back({&items, nullptr, {}});
  bool good = true;
  StringRef rest = text;
  while (!rest.empty()) {
    size_t at = rest.find("<%");
    StringRef before = rest.take_front(at);
    rest = rest.drop_front(before.size());
    StringRef tag = rest;
    if (rest.consume_front("<%%")) {
      addText(before);
      addText(tag.take_front(2));
      continue;
    }
    bool trimsBefore = rest.consume_front("<%-");
    if (!trimsBefore && !rest.consume_front("<%")) {
      addText(before);
      break;
    }
    addText(trimsBefore ? before.rtrim(" \t") : before);
    size_t end = rest.find("%>");
    if (end == StringRef::npos)
      return fail(tag.take_front(2), "a tag that does not end");
    StringRef code = rest.take_front(end);
    rest = rest.drop_front(end + 2);
    if (code.consume_back("-") && !rest.consume_front("\r\n"))
      rest.consume_front("\n");
    // All tags are looked at, so that one run shows all problems.
    if (!addTag(code, rangeOf(tag.take_front(2))))
      good = false;
  }
  if (good && open.size() > 1) {
    diags.report(open.back().range, diag::TemplateNotSupported,
                 "a block that does not end");
    return false;
  }
  return good;
}

Template bosh::parseTemplate(const SourceManager &sources, FileId file,
                             DiagnosticEngine &diags) {
  Template result;
  result.valid = TemplateParser(sources.text(file), sources.begin(file), diags)
                     .parse(result.items);
  return result;
}
