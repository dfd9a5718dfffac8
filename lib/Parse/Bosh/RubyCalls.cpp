//===- RubyCalls.cpp - Arguments and blocks of templates ----------------===//

#include "RubyParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

/// Arguments and a block behind the name of a call.
bool RubyParser::parseCallRest(RubyNode &call, bool hasReceiver) {
  if (in.peek() == '(') {
    ++in.at;
    if (!parseArguments(')', call))
      return false;
  } else if (startsArgument(hasReceiver)) {
    if (!parseCommandArguments(call))
      return false;
  }
  return call.block || parseBlock(call);
}

/// Whether what follows a name without parentheses is its first argument.
bool RubyParser::startsArgument(bool hasReceiver) const {
  if (lacksCommands || (in.peek() != ' ' && in.peek() != '\t'))
    return false;
  size_t at = in.at;
  while (at < in.text.size() && (in.text[at] == ' ' || in.text[at] == '\t'))
    ++at;
  auto peek = [&](size_t offset) {
    return at + offset < in.text.size() ? in.text[at + offset] : '\0';
  };
  char c = peek(0), next = peek(1);
  if (llvm::isAlpha(c) || c == '_') {
    size_t end = at;
    while (end < in.text.size() && (llvm::isAlnum(in.text[end]) ||
                                    in.text[end] == '_' || in.text[end] == '?'))
      ++end;
    StringRef word = in.text.slice(at, end);
    static constexpr StringRef values[] = {
        "true", "false", "nil", "self", "not", "lambda", "case", "defined?"};
    return !isKeyword(word) || llvm::is_contained(values, word);
  }
  if (llvm::isDigit(c) || c == '"' || c == '\'' || c == '@' || c == '$')
    return true;
  if (c == ':')
    return llvm::isAlpha(next) || next == '"' || next == '_';
  if (c == '/')
    return next != ' ' && next != '=' && hasReceiver;
  if (c == '-')
    return next == '>' || llvm::isDigit(next);
  if (c == '[')
    return !hasReceiver;
  if (c == '<')
    return next == '<' &&
           (peek(2) == '~' || peek(2) == '-' || llvm::isUpper(peek(2)));
  if (c == '&' || c == '*')
    return next != ' ' && next != '&' && next != '.' && next != '=' &&
           next != '*';
  if (c == '%')
    return (next == 'w' || next == 'q' || next == 'Q' || next == '(') &&
           peek(1) != '>';
  return c == '!' && next != '=' && next != '~';
}

bool RubyParser::parseCommandArguments(RubyNode &call) {
  llvm::SaveAndRestore keep(lacksDo, true);
  do {
    in.skipLines(false);
    if (!parseArgument(call))
      return false;
  } while (in.eat(","));
  return true;
}

/// Arguments up to \p last, which is consumed.
bool RubyParser::parseArguments(char last, RubyNode &call) {
  llvm::SaveAndRestore keepDo(lacksDo, false), keep(lacksCommands, false);
  while (true) {
    in.skipLines(false);
    if (in.peek() == last) {
      ++in.at;
      return true;
    }
    if (!parseArgument(call))
      return false;
    in.skipLines(false);
    if (in.peek() != ',' && in.peek() != last)
      return in.fail("this code", in.at);
    in.eat(",");
  }
}

/// At `name:` or `"text":`, which is a key.
bool RubyParser::isHashKey() const {
  size_t at = in.at;
  char quote = in.peek();
  if (quote == '"' || quote == '\'') {
    at = in.text.find(quote, at + 1);
    return at != StringRef::npos && in.text.substr(at + 1).starts_with(":") &&
           !in.text.substr(at + 1).starts_with("::");
  }
  if (!llvm::isAlpha(quote) && quote != '_')
    return false;
  while (at < in.text.size() &&
         (llvm::isAlnum(in.text[at]) || in.text[at] == '_'))
    ++at;
  if (at < in.text.size() && (in.text[at] == '?' || in.text[at] == '!'))
    ++at;
  StringRef rest = in.text.substr(at);
  return rest.starts_with(":") && !rest.starts_with("::");
}

/// One argument; pairs are one map, the last argument.
bool RubyParser::parseArgument(RubyNode &call) {
  size_t begin = in.at;
  auto addPair = [&](RubyNodePtr pair) {
    bool isMap = !call.parts.empty() && call.parts.back() &&
                 call.parts.back()->kind == Kind::Hash &&
                 call.parts.back()->isFlag;
    if (!isMap) {
      call.parts.push_back(make(Kind::Hash, begin));
      // Made of pairs without braces.
      call.parts.back()->isFlag = true;
    }
    call.parts.back()->parts.push_back(std::move(pair));
    return true;
  };
  if (in.startsWith("**")) {
    in.at += 2;
    RubyNodePtr value = parseTernary();
    return value &&
           addPair(make(Kind::DoubleSplat, begin, "", std::move(value)));
  }
  if (in.peek() == '*') {
    ++in.at;
    RubyNodePtr value = parseTernary();
    if (!value)
      return false;
    call.parts.push_back(make(Kind::Splat, begin, "", std::move(value)));
    return true;
  }
  if (in.peek() == '&' && in.peek(1) != '&') {
    ++in.at;
    call.block = parseTernary();
    return call.block != nullptr;
  }
  RubyNodePtr key;
  if (isHashKey()) {
    char quote = in.peek();
    if (quote == '"' || quote == '\'') {
      ++in.at;
      key = parseText(quote, quote == '"', Kind::Symbol, begin);
    } else {
      key = make(Kind::Symbol, begin, in.readName());
    }
    if (!key || !in.eat(":"))
      return in.fail("this code", begin);
  } else {
    RubyNodePtr value = parseNot();
    if (!value)
      return false;
    if (!in.eat("=>")) {
      call.parts.push_back(std::move(value));
      return true;
    }
    key = std::move(value);
  }
  in.skipLines(false);
  RubyNodePtr value = parseNot();
  return value &&
         addPair(make(Kind::Pair, begin, "", std::move(key), std::move(value)));
}

/// `{ |a| … }` or `do |a| … end`, where there is one.
bool RubyParser::parseBlock(RubyNode &call) {
  size_t before = in.at;
  in.skipBlanks();
  size_t begin = in.at;
  bool isBrace = in.peek() == '{';
  bool isDo = !isBrace && !lacksDo && in.isWord("do");
  if (!isBrace && !isDo) {
    in.at = before;
    return true;
  }
  in.at += isBrace ? 1 : 2;
  RubyNodePtr block = make(Kind::Lambda, begin);
  size_t opening = in.at;
  in.skipLines(false);
  if (in.peek() == '|') {
    ++in.at;
    if (!parseParameters("|", block->parameters))
      return false;
  } else {
    in.at = opening;
  }
  RubyNodePtr body;
  if (isBrace) {
    body = parseBodyUntilEnd({"}"});
    if (!body || !in.eat("}"))
      return in.fail("this code", begin);
  } else {
    body = parseGuarded(begin, "end");
    if (!body)
      return false;
  }
  block->parts.push_back(std::move(body));
  call.block = std::move(block);
  return true;
}

RubyNodePtr RubyParser::parseLambda(size_t begin) {
  RubyNodePtr node = make(Kind::Lambda, begin, "lambda");
  in.skipBlanks();
  if (in.eat("(") && !parseParameters(")", node->parameters))
    return nullptr;
  RubyNode holder;
  if (!parseBlock(holder) || !holder.block)
    return in.fail("this code", begin);
  node->parts = std::move(holder.block->parts);
  for (RubyParameter &parameter : holder.block->parameters)
    node->parameters.push_back(std::move(parameter));
  return node;
}
