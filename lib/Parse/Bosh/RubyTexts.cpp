//===- RubyTexts.cpp - Texts and numbers of templates ---------------------===//

#include "RubyParser.h"

#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

static void appendUTF8(uint32_t code, std::string &into) {
  if (code < 0x80) {
    into += char(code);
  } else if (code < 0x800) {
    into += char(0xC0 | (code >> 6));
    into += char(0x80 | (code & 0x3F));
  } else {
    into += char(0xE0 | ((code >> 12) & 0xF));
    into += char(0x80 | ((code >> 6) & 0x3F));
    into += char(0x80 | (code & 0x3F));
  }
}

/// The character that a backslash at \p at of \p raw makes, of a text in double
/// quotes.
bool RubyParser::readEscape(StringRef raw, size_t &at, std::string &into) {
  char c = at + 1 < raw.size() ? raw[at + 1] : '\0';
  at += 2;
  switch (c) {
  case 'n':
    into += '\n';
    return true;
  case 't':
    into += '\t';
    return true;
  case 'r':
    into += '\r';
    return true;
  case 's':
    into += ' ';
    return true;
  case '0':
    into += '\0';
    return true;
  case 'e':
    into += '\x1b';
    return true;
  case '\n':
    return true;
  case 'u':
  case 'x': {
    size_t length = c == 'u' ? 4 : 2;
    uint32_t code;
    if (raw.substr(at, length).getAsInteger(16, code))
      return false;
    at += length;
    if (c == 'x')
      into += char(code);
    else
      appendUTF8(code, into);
    return true;
  }
  default:
    into += c;
    return c != '\0';
  }
}

/// A text, symbol or regular expression from what stands between its quotes:
/// \p raw, which begins at \p offset of the file.
RubyNodePtr RubyParser::parseInterpolated(StringRef raw, size_t offset,
                                          bool interpolates, Kind kind,
                                          size_t begin) {
  RubyNodePtr node = make(kind, begin);
  std::string text;
  bool isRegexp = kind == Kind::Regexp;
  auto flush = [&] {
    if (!text.empty())
      node->parts.push_back(make(Kind::String, begin, text));
    text.clear();
  };
  for (size_t at = 0; at < raw.size();) {
    if (raw[at] == '\\' && isRegexp) {
      // Ruby may hide a slash, RE2 needs none hidden.
      if (raw.substr(at + 1).starts_with("/"))
        ++at;
      else
        text += raw[at++];
      if (at < raw.size())
        text += raw[at++];
    } else if (raw[at] == '\\' && interpolates) {
      if (!readEscape(raw, at, text))
        return in.fail("this character", offset + at);
    } else if (raw[at] == '\\' && at + 1 < raw.size() &&
               (raw[at + 1] == '\\' || raw[at + 1] == '\'')) {
      text += raw[at + 1];
      at += 2;
    } else if (interpolates && raw.substr(at).starts_with("#{")) {
      flush();
      size_t outer = in.at;
      in.at = offset + at + 2;
      RubyNodePtr body = parseBodyUntilEnd({"}"});
      if (!body || in.peek() != '}')
        return in.fail("this text", begin);
      at = in.at + 1 - offset;
      in.at = outer;
      node->parts.push_back(std::move(body));
    } else {
      text += raw[at++];
    }
  }
  bool isPlain = node->parts.empty();
  if (isPlain)
    node->text = std::move(text);
  else
    flush();
  return node;
}

/// Up to \p last, behind the opening quote.
RubyNodePtr RubyParser::parseText(char last, bool interpolates, Kind kind,
                                  size_t begin, char open) {
  size_t first = in.at, nested = 0;
  unsigned braces = 0;
  for (;; ++in.at) {
    if (in.isAtEnd())
      return in.fail("a text that does not end", begin);
    char c = in.peek();
    if (c == '\\') {
      ++in.at;
      continue;
    }
    if (interpolates && c == '#' && in.peek(1) == '{') {
      ++braces;
      ++in.at;
      continue;
    }
    // What is interpolated may have texts of its own.
    if (braces > 0) {
      if (c == '{')
        ++braces;
      else if (c == '}')
        --braces;
      continue;
    }
    if (open && c == open)
      ++nested;
    if (c == last && nested-- == 0)
      break;
  }
  StringRef raw = in.text.slice(first, in.at);
  ++in.at;
  RubyNodePtr node = parseInterpolated(raw, first, interpolates, kind, begin);
  if (!node || kind != Kind::Regexp)
    return node;
  if (node->parts.empty())
    node->parts.push_back(make(Kind::String, begin, node->text));
  node->text.clear();
  while (in.peek() == 'i' || in.peek() == 'm' || in.peek() == 'x')
    node->text += in.text[in.at++];
  return node;
}

static char closing(char open) {
  switch (open) {
  case '(':
    return ')';
  case '[':
    return ']';
  case '{':
    return '}';
  case '<':
    return '>';
  default:
    return open;
  }
}

/// `%w[a b]`, `%q(text)`, `%(text)`.
RubyNodePtr RubyParser::parsePercent(size_t begin) {
  char kind = in.peek();
  bool isNamed = llvm::isAlpha(kind);
  if (isNamed)
    ++in.at;
  char open = in.peek();
  if (llvm::isAlnum(open) || llvm::isSpace(open))
    return in.fail("this code", begin);
  ++in.at;
  if (kind == 'w' || kind == 'i' || kind == 'W') {
    size_t end = in.text.find(closing(open), in.at);
    if (end == StringRef::npos)
      return in.fail("a list that does not end", begin);
    llvm::SmallVector<StringRef> words;
    llvm::SplitString(in.text.slice(in.at, end), words);
    RubyNodePtr node = make(Kind::Array, begin);
    for (StringRef word : words)
      node->parts.push_back(
          make(kind == 'i' ? Kind::Symbol : Kind::String, begin, word));
    in.at = end + 1;
    return node;
  }
  bool isKnown = !isNamed || kind == 'q' || kind == 'Q' || kind == 'r';
  if (!isKnown)
    return in.fail("this code", begin);
  char inner = closing(open) == open ? '\0' : open;
  return parseText(closing(open), kind != 'q',
                   kind == 'r' ? Kind::Regexp : Kind::String, begin, inner);
}

/// `<<~EOF`: the lines behind this one, without what all of them begin with.
RubyNodePtr RubyParser::parseHeredoc(size_t begin) {
  in.at = begin + 2;
  bool isFlush = in.peek() == '~', mayIndent = isFlush || in.peek() == '-';
  if (mayIndent)
    ++in.at;
  char quote = in.peek();
  bool isQuoted = quote == '\'' || quote == '"';
  if (isQuoted)
    ++in.at;
  StringRef word = in.readName();
  if (isQuoted)
    ++in.at;
  size_t lineEnd = in.text.find('\n', in.at);
  if (word.empty() || lineEnd == StringRef::npos)
    return in.fail("this code", begin);
  auto jump = in.jumps.find(lineEnd);
  size_t first = jump == in.jumps.end() ? lineEnd + 1 : jump->second;
  std::vector<std::pair<size_t, StringRef>> lines;
  size_t least = StringRef::npos, at = first;
  for (;; at = std::min(in.text.find('\n', at), in.text.size() - 1) + 1) {
    if (at >= in.text.size())
      return in.fail("a text that does not end", begin);
    StringRef line = in.text.slice(at, in.text.find('\n', at));
    if ((mayIndent ? line.trim() : line.rtrim("\r")) == word)
      break;
    lines.push_back({at, line});
    if (!line.trim().empty())
      least = std::min(least, line.size() - line.ltrim(" \t").size());
  }
  in.jumps[lineEnd] = std::min(in.text.find('\n', at), in.text.size() - 1) + 1;
  RubyNodePtr node = make(Kind::String, begin);
  size_t drop = isFlush && least != StringRef::npos ? least : 0;
  for (auto [offset, line] : lines) {
    size_t cut = std::min(drop, line.size());
    RubyNodePtr part = parseInterpolated(line.drop_front(cut), offset + cut,
                                         quote != '\'', Kind::String, begin);
    if (!part)
      return nullptr;
    node->parts.push_back(std::move(part));
    node->parts.push_back(make(Kind::String, begin, "\n"));
  }
  return node;
}

RubyNodePtr RubyParser::parseSymbol(size_t begin) {
  if (in.peek() == '"' || in.peek() == '\'') {
    char quote = in.peek();
    ++in.at;
    return parseText(quote, quote == '"', Kind::Symbol, begin);
  }
  StringRef name = in.readName();
  if (name.empty()) {
    static constexpr StringRef signs[] = {"[]", "<=>", "==", "<<", "+",
                                          "-",  "*",   "/",  "<",  ">"};
    for (StringRef sign : signs)
      if (in.startsWith(sign)) {
        in.at += sign.size();
        return make(Kind::Symbol, begin, sign);
      }
    return in.fail("this code", begin);
  }
  return make(Kind::Symbol, begin, name);
}

RubyNodePtr RubyParser::parseNumber(size_t begin) {
  if (in.peek() == '-')
    ++in.at;
  bool isReal = false, isHex = in.startsWith("0x") || in.startsWith("-0x");
  while (llvm::isAlnum(in.peek()) || in.peek() == '_' ||
         (in.peek() == '.' && llvm::isDigit(in.peek(1)) && !isReal)) {
    bool isPower = in.peek() == 'e' && !isHex;
    isReal |= in.peek() == '.' || isPower;
    ++in.at;
    if (isPower && (in.peek() == '-' || in.peek() == '+'))
      ++in.at;
  }
  std::string digits;
  for (char c : in.text.slice(begin, in.at))
    if (c != '_')
      digits += c;
  RubyNodePtr node = make(isReal ? Kind::Float : Kind::Integer, begin);
  StringRef text = digits;
  bool isWrong = isReal ? text.getAsDouble(node->real)
                        : text.getAsInteger(0, node->number);
  return isWrong ? in.fail("this number", begin) : std::move(node);
}
