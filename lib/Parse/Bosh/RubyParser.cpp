//===- RubyParser.cpp - Statements of templates ---------------------------===//

#include "RubyParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

/// The statements of `<%= … %>`, of which the last one is shown.
RubyNodePtr RubyParser::parseOutput(size_t begin) {
  RubyNodePtr body = make(Kind::Body, begin);
  while (true) {
    in.skipLines();
    if (in.isAtTagEnd())
      break;
    RubyNodePtr statement = parseStatement();
    if (!statement)
      return nullptr;
    body->parts.push_back(std::move(statement));
    in.skipBlanks();
    bool isGood = in.isAtTagEnd() || in.peek() == '\n' || in.peek() == ';' ||
                  in.peek() == '#';
    if (!isGood)
      return in.fail("this code", in.at);
  }
  if (body->parts.empty())
    return in.fail("an empty tag", begin);
  return make(Kind::Output, begin, "", std::move(body));
}

/// Text up to the next tag, as statements of \p body; stops inside a tag with
/// code. False after a report.
bool RubyParser::parseTags(RubyNode &body) {
  auto addText = [&](StringRef text, size_t begin) {
    if (text.empty())
      return;
    RubyNodePtr node = make(Kind::Text, begin, text);
    body.parts.push_back(std::move(node));
  };
  while (!in.isAtEnd()) {
    size_t begin = in.at, open = in.text.find("<%", begin);
    if (open == StringRef::npos) {
      addText(in.text.substr(begin), begin);
      in.at = in.text.size();
      return true;
    }
    StringRef before = in.text.slice(begin, open);
    StringRef tag = in.text.substr(open);
    in.at = open + 2;
    if (tag.starts_with("<%%")) {
      addText(before, begin);
      addText("<%", open);
      in.at = open + 3;
      continue;
    }
    if (tag.starts_with("<%-")) {
      StringRef line = before.rtrim(" \t");
      bool startsLine = line.ends_with("\n") || (line.empty() && begin == 0) ||
                        (line.empty() && in.text[begin - 1] == '\n');
      before = startsLine ? line : before;
      in.at = open + 3;
    }
    addText(before, begin);
    if (in.peek() == '#') {
      size_t end = in.text.find("%>", in.at);
      if (end == StringRef::npos)
        return in.fail("a tag that does not end", open);
      bool trims = in.text[end - 1] == '-';
      in.at = end + 2;
      if (trims && in.peek() == '\n')
        ++in.at;
      continue;
    }
    if (in.peek() != '=')
      return true;
    ++in.at;
    RubyNodePtr output = parseOutput(open);
    if (!output)
      return false;
    body.parts.push_back(std::move(output));
    in.at += in.startsWith("-%>") ? 3 : 2;
    if (in.text[in.at - 3] == '-' && in.peek() == '\n')
      ++in.at;
  }
  return true;
}

/// Statements up to one of \p ends, which stays.
RubyNodePtr RubyParser::parseBody(Ends ends) {
  RubyNodePtr body = make(Kind::Body, in.at);
  if (++in.depth > RubyReader::maxDepth)
    return in.fail("so many nested blocks", in.at);
  llvm::SaveAndRestore keepDo(lacksDo, false), keep(lacksCommands, false);
  while (true) {
    in.skipLines();
    if (in.isAtTagEnd()) {
      bool trims = in.startsWith("-%>");
      in.at += trims ? 3 : 2;
      if (trims && in.startsWith("\r\n"))
        in.at += 2;
      else if (trims && in.peek() == '\n')
        ++in.at;
      if (!parseTags(*body))
        return nullptr;
      continue;
    }
    if (in.isAtEnd() || (in.peek() == '}' && llvm::is_contained(ends, "}")))
      break;
    auto isHere = [&](StringRef word) { return in.isWord(word); };
    if (llvm::any_of(ends, isHere))
      break;
    size_t begin = in.at;
    RubyNodePtr statement = parseStatement();
    if (!statement)
      return nullptr;
    body->parts.push_back(std::move(statement));
    in.skipBlanks();
    bool isGood = in.isAtEnd() || in.isAtTagEnd() || in.peek() == '\n' ||
                  in.peek() == ';' || in.peek() == '#' || in.peek() == '}' ||
                  llvm::any_of(ends, isHere);
    if (!isGood || in.at == begin)
      return in.fail("this code", in.at);
  }
  --in.depth;
  return body;
}

/// The same, and `end` is one of them: that of a template is none.
RubyNodePtr RubyParser::parseBodyUntilEnd(Ends ends) {
  size_t begin = in.at;
  RubyNodePtr body = parseBody(ends);
  if (body && in.isAtEnd())
    return in.fail("a block that does not end", begin);
  return body;
}

RubyNodePtr RubyParser::parseProgram() {
  RubyNodePtr body = make(Kind::Body, 0);
  if (!parseTags(*body))
    return nullptr;
  RubyNodePtr rest = parseBody({});
  if (!rest)
    return nullptr;
  for (RubyNodePtr &part : rest->parts)
    body->parts.push_back(std::move(part));
  return body;
}

/// An expression with what may follow it: `if`, `unless`, `rescue`.
RubyNodePtr RubyParser::parseStatement() {
  size_t begin = in.at;
  RubyNodePtr node = parseCondition();
  if (node && in.eat(",") && !in.isAtEnd())
    node = parseTargets(std::move(node), begin);
  while (node) {
    if (in.eatWord("if")) {
      RubyNodePtr condition = parseCondition();
      if (!condition)
        return nullptr;
      node = make(Kind::If, begin, "", std::move(condition), std::move(node),
                  RubyNodePtr());
    } else if (in.eatWord("unless")) {
      RubyNodePtr condition = parseCondition();
      if (!condition)
        return nullptr;
      node = make(Kind::If, begin, "", std::move(condition), RubyNodePtr(),
                  std::move(node));
    } else if (in.eatWord("rescue")) {
      RubyNodePtr other = parseCondition();
      if (!other)
        return nullptr;
      node = make(Kind::Begin, begin, "", std::move(node),
                  make(Kind::Rescue, begin, "", std::move(other)));
    } else if (in.eatWord("while") || in.eatWord("until")) {
      return in.fail("a loop after its body", begin);
    } else {
      return node;
    }
  }
  return nullptr;
}

/// `a, b = c`, after `a,`.
RubyNodePtr RubyParser::parseTargets(RubyNodePtr first, size_t begin) {
  RubyNodePtr node = make(Kind::MultiAssign, begin);
  auto declare = [&](const RubyNode &target) {
    if (target.kind == Kind::Name)
      variables.insert(target.text);
  };
  declare(*first);
  node->parts.push_back(std::move(first));
  do {
    in.skipBlanks();
    bool isSplat = in.eat("*");
    RubyNodePtr target = parsePostfix();
    if (!target)
      return nullptr;
    declare(*target);
    node->parts.push_back(isSplat
                              ? make(Kind::Splat, begin, "", std::move(target))
                              : std::move(target));
  } while (in.eat(","));
  if (!in.eat("="))
    return in.fail("this code", begin);
  in.skipLines(false);
  RubyNodePtr value = parseExpression();
  if (!value)
    return nullptr;
  if (in.peek() == ',') {
    RubyNodePtr list = make(Kind::Array, begin, "", std::move(value));
    while (in.eat(",")) {
      RubyNodePtr item = parseExpression();
      if (!item)
        return nullptr;
      list->parts.push_back(std::move(item));
    }
    value = std::move(list);
  }
  node->parts.push_back(std::move(value));
  return node;
}

RubyNodePtr RubyParser::parseKeyword(StringRef word, size_t begin) {
  if (word == "end")
    return in.fail("an 'end' without a block", begin);
  if (word == "if" || word == "unless")
    return parseIf(begin, word == "unless");
  if (word == "case")
    return parseCase(begin);
  if (word == "while" || word == "until")
    return parseLoop(begin, word == "until");
  if (word == "for")
    return parseFor(begin);
  if (word == "begin")
    return parseGuarded(begin, "end");
  if (word == "def")
    return parseDef(begin);
  static constexpr std::pair<StringRef, Kind> leaving[] = {
      {"return", Kind::Return},
      {"next", Kind::Next},
      {"break", Kind::Break},
      {"yield", Kind::Yield}};
  for (auto [name, kind] : leaving)
    if (word == name) {
      RubyNodePtr node = make(kind, begin);
      bool isList = kind == Kind::Yield && in.peek() == '(';
      if (isList) {
        ++in.at;
        return parseArguments(')', *node) ? std::move(node) : nullptr;
      }
      in.skipBlanks();
      bool hasValue = !in.isAtEnd() && !in.isAtTagEnd() && in.peek() != '\n' &&
                      in.peek() != ';' && in.peek() != '}' &&
                      !in.isWord("if") && !in.isWord("unless") &&
                      !in.isWord("end");
      if (hasValue) {
        do {
          RubyNodePtr value = parseExpression();
          if (!value)
            return nullptr;
          node->parts.push_back(std::move(value));
        } while (in.eat(","));
        if (node->parts.size() > 1 && kind != Kind::Yield) {
          RubyNodePtr list = make(Kind::Array, begin);
          list->parts = std::move(node->parts);
          node->parts.clear();
          node->parts.push_back(std::move(list));
        }
      }
      return node;
    }
  return in.fail(("'" + word + "'").str(), begin);
}

RubyNodePtr RubyParser::parseIf(size_t begin, bool isUnless) {
  RubyNodePtr condition = parseStatement();
  if (!condition)
    return nullptr;
  in.eatWord("then");
  RubyNodePtr then = parseBodyUntilEnd({"elsif", "else", "end"});
  if (!then)
    return nullptr;
  RubyNodePtr otherwise;
  size_t middle = in.at;
  if (in.eatWord("elsif")) {
    otherwise = parseIf(middle, false);
    if (!otherwise)
      return nullptr;
  } else {
    if (in.eatWord("else") && !(otherwise = parseBodyUntilEnd({"end"})))
      return nullptr;
    in.eatWord("end");
  }
  if (isUnless)
    std::swap(then, otherwise);
  return make(Kind::If, begin, "", std::move(condition), std::move(then),
              std::move(otherwise));
}

RubyNodePtr RubyParser::parseCase(size_t begin) {
  in.skipBlanks();
  bool hasSubject = in.peek() != '\n' && in.peek() != ';' && !in.isAtTagEnd();
  RubyNodePtr subject = hasSubject ? parseStatement() : nullptr;
  if (hasSubject && !subject)
    return nullptr;
  RubyNodePtr node = make(Kind::Case, begin, "", std::move(subject));
  // Nothing but space stands before the first case.
  RubyNodePtr space = parseBodyUntilEnd({"when", "else", "end", "in"});
  if (!space)
    return nullptr;
  if (in.isWord("in"))
    return in.fail("a pattern", in.at);
  while (in.eatWord("when")) {
    RubyNodePtr when = make(Kind::When, in.at);
    do {
      in.skipLines(false);
      bool isSplat = in.eat("*");
      RubyNodePtr value = parseExpression();
      if (!value)
        return nullptr;
      when->parts.push_back(isSplat
                                ? make(Kind::Splat, in.at, "", std::move(value))
                                : std::move(value));
    } while (in.eat(","));
    in.eatWord("then");
    RubyNodePtr body = parseBodyUntilEnd({"when", "else", "end"});
    if (!body)
      return nullptr;
    when->parts.push_back(std::move(body));
    node->parts.push_back(std::move(when));
  }
  RubyNodePtr otherwise;
  if (in.eatWord("else") && !(otherwise = parseBodyUntilEnd({"end"})))
    return nullptr;
  in.eatWord("end");
  node->parts.push_back(std::move(otherwise));
  return node;
}

RubyNodePtr RubyParser::parseLoop(size_t begin, bool isUntil) {
  RubyNodePtr condition;
  {
    llvm::SaveAndRestore keep(lacksDo, true);
    condition = parseCondition();
  }
  if (!condition)
    return nullptr;
  in.eatWord("do");
  RubyNodePtr body = parseBodyUntilEnd({"end"});
  if (!body)
    return nullptr;
  in.eatWord("end");
  RubyNodePtr node =
      make(Kind::While, begin, "", std::move(condition), std::move(body));
  node->isFlag = isUntil;
  return node;
}

RubyNodePtr RubyParser::parseFor(size_t begin) {
  RubyNodePtr node = make(Kind::For, begin);
  do {
    in.skipBlanks();
    RubyParameter parameter;
    parameter.name = in.readName().str();
    if (parameter.name.empty())
      return in.fail("this code", in.at);
    variables.insert(parameter.name);
    node->parameters.push_back(std::move(parameter));
  } while (in.eat(","));
  if (!in.eatWord("in"))
    return in.fail("this code", in.at);
  in.skipBlanks();
  RubyNodePtr list;
  {
    llvm::SaveAndRestore keep(lacksDo, true);
    list = parseExpression();
  }
  if (!list)
    return nullptr;
  in.eatWord("do");
  RubyNodePtr body = parseBodyUntilEnd({"end"});
  if (!body)
    return nullptr;
  in.eatWord("end");
  node->parts.push_back(std::move(list));
  node->parts.push_back(std::move(body));
  return node;
}

/// `rescue A, B => e` and its body.
RubyNodePtr RubyParser::parseRescue() {
  RubyNodePtr rescue = make(Kind::Rescue, in.at);
  in.skipBlanks();
  while (llvm::isAlpha(in.peek()) && !in.isWord("then")) {
    RubyNodePtr name = parsePostfix();
    if (!name)
      return nullptr;
    rescue->parts.push_back(std::move(name));
    if (!in.eat(","))
      break;
    in.skipBlanks();
  }
  if (in.eat("=>")) {
    in.skipBlanks();
    rescue->text = in.readName().str();
    variables.insert(rescue->text);
  }
  in.eatWord("then");
  RubyNodePtr body = parseBodyUntilEnd({"rescue", "else", "ensure", "end"});
  if (!body)
    return nullptr;
  rescue->parts.push_back(std::move(body));
  return rescue;
}

/// A body with `rescue` and `ensure`, up to \p last.
RubyNodePtr RubyParser::parseGuarded(size_t begin, StringRef last) {
  RubyNodePtr body = parseBodyUntilEnd({"rescue", "ensure", last});
  if (!body)
    return nullptr;
  RubyNodePtr node = make(Kind::Begin, begin, "", std::move(body));
  while (in.eatWord("rescue")) {
    RubyNodePtr rescue = parseRescue();
    if (!rescue)
      return nullptr;
    node->parts.push_back(std::move(rescue));
  }
  if (in.isWord("else"))
    return in.fail("'else' after 'rescue'", in.at);
  if (in.eatWord("ensure") && !(node->otherwise = parseBodyUntilEnd({last})))
    return nullptr;
  in.eatWord(last);
  return node;
}

/// Up to \p last, which is consumed; an end of a line where it is empty.
bool RubyParser::parseParameters(StringRef last,
                                 std::vector<RubyParameter> &into) {
  using PKind = RubyParameter::Kind;
  llvm::SaveAndRestore keep(lacksPipes, last == "|");
  while (true) {
    in.skipBlanks();
    if (!last.empty())
      in.skipLines(false);
    if (!last.empty() && in.eat(last))
      return true;
    if (last.empty() &&
        (in.peek() == '\n' || in.peek() == ';' || in.isAtTagEnd()))
      return true;
    RubyParameter parameter;
    if (in.eat("**"))
      return in.fail("parameters with '**'", in.at);
    if (in.eat("*"))
      parameter.kind = PKind::Splat;
    else if (in.eat("&"))
      parameter.kind = PKind::Block;
    if (in.eat("(")) {
      parameter.kind = PKind::Nested;
      if (!parseParameters(")", parameter.parts))
        return false;
    } else {
      parameter.name = in.readName().str();
      if (parameter.name.empty())
        return in.fail("these parameters", in.at);
      variables.insert(parameter.name);
      if (in.peek() == ':') {
        ++in.at;
        parameter.kind = PKind::Key;
        in.skipBlanks();
        if (in.peek() != ',' && in.peek() != '\n' && !in.startsWith(last) &&
            !(parameter.defaultValue = parseTernary()))
          return false;
      } else if (in.eat("=") && !(parameter.defaultValue = parseTernary())) {
        return false;
      }
    }
    into.push_back(std::move(parameter));
    in.skipBlanks();
    if (in.eat(";"))
      return in.fail("variables of a block", in.at);
    in.eat(",");
  }
}

RubyNodePtr RubyParser::parseDef(size_t begin) {
  in.skipBlanks();
  StringRef name = in.readName();
  if (name.empty() || in.peek() == '.')
    return in.fail("this method", begin);
  RubyNodePtr node = make(Kind::Def, begin, name);
  bool isList = in.peek() == '(';
  if (isList)
    ++in.at;
  if (!parseParameters(isList ? ")" : "", node->parameters))
    return nullptr;
  RubyNodePtr body = parseGuarded(begin, "end");
  if (!body)
    return nullptr;
  node->parts.push_back(std::move(body));
  return node;
}

Template bosh::parseTemplate(const SourceManager &sources, FileId file,
                             DiagnosticEngine &diags) {
  RubyReader reader(sources.text(file), sources.begin(file), diags);
  Template result;
  result.program = RubyParser(reader).parseProgram();
  return result;
}
