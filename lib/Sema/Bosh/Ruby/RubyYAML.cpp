//===- RubyYAML.cpp - Values as YAML --------------------------------------===//
///
/// \file
/// In the form that Ruby's library writes: blocks, lists no deeper than their
/// keys, and quotes where a text could be read as something else.
///
//===----------------------------------------------------------------------===//

#include "RubyValue.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using VKind = RubyValue::Kind;

/// Whether a plain \p text would be read as a number, a date, a truth or
/// nothing.
static bool looksOtherwise(StringRef text) {
  static constexpr StringRef words[] = {"true", "false", "yes", "no",
                                        "on",   "off",   "null"};
  if (text.empty() || llvm::any_of(words, [&](StringRef word) {
        return text.equals_insensitive(word);
      }))
    return true;
  StringRef rest = text;
  if (rest.starts_with("-") || rest.starts_with("+"))
    rest = rest.drop_front();
  if (rest.empty() || !llvm::isDigit(rest.front()))
    return false;
  auto hasOnly = [&](StringRef allowed) {
    return llvm::all_of(
        rest, [&](char c) { return llvm::isDigit(c) || allowed.contains(c); });
  };
  if (rest.starts_with("0x"))
    return llvm::all_of(rest.drop_front(2), llvm::isHexDigit);
  bool isWhole = hasOnly("_,") && !rest.ends_with("_") && !rest.ends_with(",");
  bool isReal = hasOnly("_,.eE+-") && rest.count('.') == 1 &&
                !rest.contains("..") &&
                (!rest.contains('-') || rest.contains("e-"));
  bool isTime = hasOnly(":") && rest.count(':') < 3 && !rest.ends_with(":");
  bool isDate = hasOnly("-") && rest.count('-') == 2 && rest.size() <= 10 &&
                rest.find('-') == 4;
  return isWhole || isReal || isTime || isDate;
}

/// Whether a plain \p text would be no text at all.
static bool needsQuotes(StringRef text) {
  return StringRef("!&*-?:,[]{}#|>@`\"'%=").contains(text.front()) ||
         text.back() == ' ' || text.back() == ':' || text.contains(": ") ||
         text.contains(" #");
}

/// Letters of other alphabets are letters.
static bool isWordPart(char c) {
  return llvm::isAlnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

static std::string doubleQuoted(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += std::string("\\") + c;
    else if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else if (c == '\r')
      result += "\\r";
    else if (c == '\0')
      result += "\\0";
    else
      result += c;
  }
  return result + "\"";
}

static void writeText(StringRef text, size_t indent, std::string &into) {
  bool isBlock = text.drop_back(!text.empty()).contains('\n');
  if (isBlock && !text.contains('\r')) {
    into += " |";
    if (text.starts_with(" ") || text.starts_with("\n"))
      into += "2";
    if (!text.ends_with("\n"))
      into += "-";
    else if (text.ends_with("\n\n"))
      into += "+";
    StringRef body = text;
    body.consume_back("\n");
    for (StringRef line : llvm::split(body, '\n'))
      into +=
          "\n" + (line.empty() ? "" : std::string(indent, ' ')) + line.str();
    into += "\n";
    return;
  }
  bool isLine = text.ends_with("\n") && text.size() > 1 && !isBlock;
  if (isLine && isWordPart(text.front())) {
    into += " '" + text.drop_back().str() + "\n\n" + std::string(indent, ' ') +
            "'\n";
    return;
  }
  bool isOdd =
      !text.empty() && !isWordPart(text.front()) && !text.contains('"');
  bool isOneLetter = text.size() == 1 && StringRef("yYnN").contains(text[0]);
  if (text == "<<") {
    into += " !!str '<<'\n";
    return;
  }
  bool hasControl = llvm::any_of(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (hasControl || isOdd || isOneLetter)
    into += " " + doubleQuoted(text);
  else if (looksOtherwise(text) || needsQuotes(text)) {
    std::string quoted;
    for (char c : text)
      quoted += c == '\'' ? "''" : std::string(1, c);
    into += " '" + quoted + "'";
  } else {
    into += " " + text.str();
  }
  into += "\n";
}

static std::string keyText(const RubyValue &key) {
  std::string text;
  if (key.is(VKind::Symbol))
    return ":" + key.asText().str();
  if (!key.isText())
    return toText(key);
  writeText(key.asText(), 0, text);
  return StringRef(text).trim().str();
}

/// \p value behind its key or dash, with the space before it.
static void writeValue(const RubyValue &value, size_t indent, bool isItem,
                       std::string &into) {
  if (value.isMap() || value.isObject("OpenStruct")) {
    auto &entries = value.data().entries;
    if (entries.empty()) {
      into += " {}\n";
      return;
    }
    if (!isItem)
      into += "\n";
    for (auto [i, entry] : llvm::enumerate(entries)) {
      into += isItem && i == 0 ? " " : std::string(indent, ' ');
      into += keyText(entry.first) + ":";
      bool isList = entry.second.isList();
      writeValue(entry.second, indent + (isList ? 0 : 2), false, into);
    }
    return;
  }
  if (value.isList()) {
    if (value.items().empty()) {
      into += " []\n";
      return;
    }
    if (!isItem)
      into += "\n";
    for (auto [i, item] : llvm::enumerate(value.items())) {
      into += isItem && i == 0 ? " " : std::string(indent, ' ');
      into += "-";
      writeValue(item, indent + 2, true, into);
    }
    return;
  }
  if (value.isText())
    return writeText(value.asText(), indent ? indent : 2, into);
  if (value.is(VKind::Symbol))
    into += " :" + value.asText().str() + "\n";
  else
    into += (value.isNil() ? "" : " " + toText(value)) + "\n";
}

std::string bosh::toYAML(const RubyValue &value) {
  std::string text = "---";
  writeValue(value, 0, false, text);
  return text;
}
