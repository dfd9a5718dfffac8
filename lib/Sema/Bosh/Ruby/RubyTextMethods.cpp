//===- RubyTextMethods.cpp - Methods of texts, numbers and all values -----===//

#include "RubyMethods.h"

#include "toscac/Value/FindRegex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using VKind = RubyValue::Kind;

static StringRef own(const RubyCall &call) { return call.self.asText(); }

//===----------------------------------------------------------------------===//
// Regular expressions
//===----------------------------------------------------------------------===//

/// Of Ruby, `^` and `$` are ends of lines, and `\h`, `\Z` have other names.
static std::string rubyPattern(StringRef pattern) {
  std::string result = "(?m)";
  for (size_t i = 0; i < pattern.size(); ++i) {
    StringRef rest = pattern.substr(i);
    if (rest.starts_with("\\h"))
      result += "[0-9a-fA-F]", ++i;
    else if (rest.starts_with("\\Z"))
      result += "\\z", ++i;
    else if (rest.starts_with("(?<") && !rest.starts_with("(?<=") &&
             !rest.starts_with("(?<!"))
      result += "(?P<", i += 2;
    else {
      result += pattern[i];
      if (pattern[i] == '\\' && i + 1 < pattern.size())
        result += pattern[++i];
    }
  }
  return result;
}

/// The first match of \p pattern from \p from on; nothing after a report, too.
static std::optional<RegexMatch> findMatch(const RubyCall &call,
                                           const RubyValue &pattern,
                                           StringRef text, size_t from) {
  if (!pattern.is(VKind::Regexp)) {
    size_t at = text.find(pattern.asText(), from);
    if (at == StringRef::npos)
      return std::nullopt;
    return RegexMatch{{text.substr(at, pattern.asText().size())}, {}};
  }
  auto found = findRegex(text, rubyPattern(pattern.asText()), from);
  if (!found) {
    call.in.unsupported(call.node, "this regular expression");
    return std::nullopt;
  }
  return *found;
}

static RubyValue groupOf(const RegexMatch &match, size_t group) {
  return group < match.groups.size() && match.groups[group]
             ? RubyValue::text(*match.groups[group])
             : RubyValue();
}

static RubyValue matchData(const RegexMatch &match) {
  RubyValue data = RubyValue::object("MatchData");
  for (size_t i = 0; i != match.groups.size(); ++i)
    data.items().push_back(groupOf(match, i));
  for (auto &[name, group] : match.names)
    data.set(name, groupOf(match, group));
  return data;
}

static RubyValue textMatch(const RubyCall &call) {
  auto found = findMatch(call, argument(call, 0), own(call), 0);
  if (call.name != "match?")
    call.in.setMatch(found ? matchData(*found) : RubyValue());
  if (call.name == "match?" || call.in.isLeaving())
    return truth(found.has_value());
  if (call.name == "=~")
    return found
               ? RubyValue::integer(found->groups[0]->data() - own(call).data())
               : RubyValue();
  return found ? matchData(*found) : RubyValue();
}

static std::string fillIn(StringRef form, const RegexMatch &match) {
  std::string result;
  for (size_t i = 0; i < form.size(); ++i) {
    bool isGroup =
        form[i] == '\\' && i + 1 < form.size() && llvm::isDigit(form[i + 1]);
    if (isGroup)
      result += toText(groupOf(match, form[++i] - '0'));
    else if (form[i] == '\\' && i + 1 < form.size() && form[i + 1] == '\\')
      result += form[++i];
    else
      result += form[i];
  }
  return result;
}

static RubyValue textReplace(const RubyCall &call) {
  StringRef name = call.name;
  bool inPlace = name.consume_back("!");
  bool isFirst = name == "sub";
  std::string subject = own(call).str(), result;
  size_t from = 0;
  RubyValue form = argument(call, 1);
  while (from <= subject.size()) {
    auto found = findMatch(call, argument(call, 0), subject, from);
    if (!found || call.in.isLeaving() || !call.in.takeStep(call.node))
      break;
    StringRef whole = *found->groups[0];
    size_t at = whole.data() - subject.data();
    result += subject.substr(from, at - from);
    if (form.isMap()) {
      const RubyValue *value = form.find(whole);
      result += value ? toText(*value) : "";
    } else if (call.count() == 2) {
      result += fillIn(form.asText(), *found);
    } else if (call.hasBlock()) {
      result += toText(call.yield({RubyValue::text(whole)}));
    } else {
      return wrongUse(call);
    }
    from = at + whole.size();
    if (whole.empty() && from < subject.size())
      result += subject[from];
    from += whole.empty();
    if (isFirst)
      break;
  }
  if (from < subject.size())
    result += subject.substr(from);
  if (!inPlace)
    return RubyValue::text(result);
  call.self.data().text = std::move(result);
  return call.self;
}

static RubyValue textScan(const RubyCall &call) {
  RubyValue list = RubyValue::list();
  StringRef text = own(call);
  for (size_t from = 0; from <= text.size();) {
    auto found = findMatch(call, argument(call, 0), text, from);
    if (!found || call.in.isLeaving())
      break;
    if (found->groups.size() > 1) {
      RubyValue groups = RubyValue::list();
      for (size_t i = 1; i != found->groups.size(); ++i)
        groups.items().push_back(groupOf(*found, i));
      list.items().push_back(groups);
    } else {
      list.items().push_back(groupOf(*found, 0));
    }
    StringRef whole = *found->groups[0];
    from = whole.data() - text.data() + std::max<size_t>(whole.size(), 1);
  }
  return list;
}

static RubyValue textSplit(const RubyCall &call) {
  RubyValue list = RubyValue::list();
  auto add = [&](StringRef part) {
    list.items().push_back(RubyValue::text(part));
  };
  StringRef text = own(call);
  RubyValue separator = argument(call, 0);
  int64_t most = argument(call, 1).asInteger();
  if (separator.isNil() || (separator.isText() && separator.asText() == " ")) {
    llvm::SmallVector<StringRef> words;
    llvm::SplitString(text, words);
    llvm::for_each(words, add);
    return list;
  }
  if (separator.isText() && separator.asText().empty()) {
    for (size_t i = 0; i != text.size(); ++i)
      add(text.substr(i, 1));
    return list;
  }
  size_t from = 0;
  while (most <= 0 || int64_t(list.items().size()) + 1 < most) {
    auto found = findMatch(call, separator, text, from);
    if (!found || call.in.isLeaving() || found->groups[0]->empty())
      break;
    size_t at = found->groups[0]->data() - text.data();
    add(text.slice(from, at));
    from = at + found->groups[0]->size();
  }
  add(text.substr(from));
  // Nothing at the end is not kept.
  while (most == 0 && !list.items().empty() &&
         list.items().back().asText().empty())
    list.items().pop_back();
  return list;
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

std::optional<std::string> bosh::formatText(StringRef form,
                                            std::vector<RubyValue> values) {
  std::string result;
  size_t next = 0;
  for (size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '%') {
      result += form[i];
      continue;
    }
    size_t begin = i++;
    while (i < form.size() && StringRef("-+ 0#.123456789").contains(form[i]))
      ++i;
    if (i == form.size())
      return std::nullopt;
    std::string flags = form.slice(begin, i).str();
    if (form[i] == '%') {
      result += '%';
      continue;
    }
    if (next >= values.size() || flags.size() > 8)
      return std::nullopt;
    const RubyValue &value = values[next++];
    char buffer[512];
    int length = -1;
    if (form[i] == 's') {
      std::string text = toText(value);
      length =
          snprintf(buffer, sizeof(buffer), (flags + "s").c_str(), text.c_str());
      if (length >= int(sizeof(buffer))) {
        result += text;
        continue;
      }
    } else if (StringRef("dixXo").contains(form[i]) && value.isNumber()) {
      char kind = form[i] == 'i' ? 'd' : form[i];
      length =
          snprintf(buffer, sizeof(buffer), (flags + "ll" + kind).c_str(),
                   static_cast<long long>(value.isInteger() ? value.asInteger()
                                                            : value.asReal()));
    } else if (form[i] == 'f' && value.isNumber()) {
      length = snprintf(buffer, sizeof(buffer), (flags + "f").c_str(),
                        value.asReal());
    }
    if (length < 0 || length >= int(sizeof(buffer)))
      return std::nullopt;
    result += buffer;
  }
  return result;
}

static RubyValue textPlus(const RubyCall &call) {
  RubyValue other = argument(call, 0);
  if (!other.isText())
    return call.in.raise(call.node, "TypeError",
                         "no implicit conversion of " + classOf(other) +
                             " into String");
  return RubyValue::text((own(call) + other.asText()).str());
}

static RubyValue textAppend(const RubyCall &call) {
  for (const RubyValue &part : call.arguments) {
    if (!part.isText())
      return wrongUse(call);
    if (call.self.data().text.size() > (16u << 20))
      return call.in.unsupported(call.node, "a text of more than 16 MiB");
    call.self.data().text += part.asText();
  }
  return call.self;
}

static RubyValue textTimes(const RubyCall &call) {
  RubyValue times = argument(call, 0);
  if (!times.isInteger() || times.asInteger() < 0 ||
      uint64_t(times.asInteger()) * own(call).size() > (1u << 20))
    return wrongUse(call);
  std::string result;
  for (int64_t i = 0; i != times.asInteger(); ++i)
    result += own(call);
  return RubyValue::text(result);
}

static RubyValue textFormat(const RubyCall &call) {
  RubyValue given = argument(call, 0);
  auto text =
      formatText(own(call), given.isList() ? given.items()
                                           : std::vector<RubyValue>{given});
  return text ? RubyValue::text(*text) : wrongUse(call);
}

static RubyValue textIndex(const RubyCall &call) {
  StringRef text = own(call);
  RubyValue at = argument(call, 0);
  if (at.isText())
    return text.contains(at.asText()) ? RubyValue::text(at.asText())
                                      : RubyValue();
  if (at.is(VKind::Regexp)) {
    auto found = findMatch(call, at, text, 0);
    return found ? groupOf(*found, argument(call, 1).asInteger()) : RubyValue();
  }
  int64_t size = text.size(), first, length = 1;
  if (at.is(VKind::Range)) {
    first = at.items()[0].asInteger();
    int64_t last = at.items()[1].isNil() ? -1 : at.items()[1].asInteger();
    first += first < 0 ? size : 0;
    last += last < 0 ? size : 0;
    length = last - first + !(at.data().isFlag && !at.items()[1].isNil());
  } else if (at.isInteger()) {
    first = at.asInteger() + (at.asInteger() < 0 ? size : 0);
    if (call.count() == 2)
      length = argument(call, 1).asInteger();
    else if (first >= size)
      return {};
  } else {
    return wrongUse(call);
  }
  if (first < 0 || first > size || length < 0)
    return first < 0 || first > size ? RubyValue() : RubyValue::text("");
  return RubyValue::text(text.substr(first, length));
}

static RubyValue textCase(const RubyCall &call) {
  StringRef text = own(call);
  if (call.name == "upcase")
    return RubyValue::text(text.upper());
  if (call.name == "downcase")
    return RubyValue::text(text.lower());
  return RubyValue::text(text.take_front(1).upper() +
                         text.drop_front(!text.empty()).lower());
}

static RubyValue textTrim(const RubyCall &call) {
  StringRef text = own(call), name = call.name;
  constexpr StringRef space(" \t\n\v\f\r\0", 7);
  bool inPlace = name.consume_back("!");
  if (name == "strip")
    text = text.trim(space);
  else if (name == "lstrip")
    text = text.ltrim(space);
  else if (name == "rstrip")
    text = text.rtrim(space);
  else if (call.count() == 1)
    text.consume_back(argument(call, 0).asText());
  else if (name == "chomp" && !text.consume_back("\r\n"))
    text.consume_back("\n");
  else if (name == "chop")
    text = text.drop_back(!text.empty());
  if (!inPlace)
    return RubyValue::text(text);
  call.self.data().text = text.str();
  return call.self;
}

static RubyValue textTest(const RubyCall &call) {
  StringRef text = own(call);
  if (call.name == "empty?")
    return truth(text.empty());
  if (call.name == "include?" && !argument(call, 0).isText())
    return call.in.raise(call.node, "TypeError",
                         "no implicit conversion of " +
                             classOf(argument(call, 0)) + " into String");
  if (call.name == "include?")
    return truth(text.contains(argument(call, 0).asText()));
  bool isStart = call.name == "start_with?";
  return truth(llvm::any_of(call.arguments, [&](const RubyValue &part) {
    if (part.is(VKind::Regexp)) {
      auto found = findMatch(call, part, text, 0);
      return found && found->groups[0]->data() == text.data();
    }
    return isStart ? text.starts_with(part.asText())
                   : text.ends_with(part.asText());
  }));
}

static RubyValue textLength(const RubyCall &call) {
  if (call.name == "bytesize")
    return RubyValue::integer(own(call).size());
  return RubyValue::integer(
      llvm::count_if(own(call), [](char c) { return (c & 0xC0) != 0x80; }));
}

static RubyValue textNumber(const RubyCall &call) {
  StringRef text = own(call).ltrim();
  bool isReal = call.name == "to_f";
  size_t end = text.starts_with("-") || text.starts_with("+");
  unsigned base = argument(call, 0).isInteger()
                      ? unsigned(argument(call, 0).asInteger())
                      : 10;
  auto isDigit = [&](char c) {
    return base == 16 ? llvm::isHexDigit(c) : llvm::isDigit(c);
  };
  std::string digits;
  for (; end < text.size() && (isDigit(text[end]) || text[end] == '_' ||
                               (isReal && text[end] == '.'));
       ++end)
    if (text[end] != '_')
      digits += text[end];
  bool isNegative = text.starts_with("-");
  if (isReal) {
    double value = 0;
    StringRef(digits).getAsDouble(value);
    return RubyValue::real(isNegative ? -value : value);
  }
  int64_t value = 0;
  if (!digits.empty() && StringRef(digits).getAsInteger(base, value))
    return wrongUse(call);
  return RubyValue::integer(isNegative ? -value : value);
}

static RubyValue textLines(const RubyCall &call) {
  RubyValue list = RubyValue::list();
  for (StringRef rest = own(call); !rest.empty();) {
    size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
    list.items().push_back(RubyValue::text(rest.take_front(end)));
    rest = rest.drop_front(end);
  }
  if (call.name == "lines" && !call.hasBlock())
    return list;
  for (const RubyValue &line : list.items()) {
    call.yield({line});
    if (call.in.isLeaving())
      return {};
  }
  return call.self;
}

static RubyValue textChange(const RubyCall &call) {
  StringRef text = own(call);
  if (call.name == "reverse") {
    std::string reversed = text.str();
    std::reverse(reversed.begin(), reversed.end());
    return RubyValue::text(reversed);
  }
  if (call.name == "to_sym" || call.name == "intern")
    return RubyValue::symbol(text);
  if (call.name == "chars") {
    RubyValue list = RubyValue::list();
    for (size_t i = 0; i != text.size(); ++i)
      list.items().push_back(RubyValue::text(text.substr(i, 1)));
    return list;
  }
  if (call.name == "hex") {
    int64_t value = 0;
    text.consume_front("0x");
    text.getAsInteger(16, value);
    return RubyValue::integer(value);
  }
  if (call.name == "prepend") {
    call.self.data().text = argument(call, 0).asText().str() + text.str();
    return call.self;
  }
  return call.self;
}

/// `delete`, `tr`, `count`, `squeeze`: of single characters.
static RubyValue textCharacters(const RubyCall &call) {
  std::string from = argument(call, 0).asText().str();
  bool isRange = StringRef(from).drop_front(!from.empty()).contains('-') ||
                 StringRef(from).starts_with("^") ||
                 StringRef(from).contains('\\');
  if (isRange || (call.name == "tr" && call.count() != 2))
    return wrongUse(call);
  std::string to = argument(call, 1).asText().str();
  std::string result;
  int64_t hits = 0;
  for (char c : own(call)) {
    size_t at = from.find(c);
    hits += at != std::string::npos;
    if (at == std::string::npos)
      result += c;
    else if (call.name == "tr" && !to.empty())
      result += to[std::min(at, to.size() - 1)];
  }
  return call.name == "count" ? RubyValue::integer(hits)
                              : RubyValue::text(result);
}

static RubyValue textJustify(const RubyCall &call) {
  std::string text = own(call).str();
  std::string fill = call.count() > 1 ? argument(call, 1).asText().str() : " ";
  int64_t width = argument(call, 0).asInteger();
  if (fill.empty() || width > (1 << 20))
    return wrongUse(call);
  std::string added;
  while (int64_t(text.size() + added.size()) < width)
    added += fill[added.size() % fill.size()];
  return RubyValue::text(call.name == "ljust" ? text + added : added + text);
}

RubyMethod bosh::findTextMethod(StringRef name) {
  static constexpr MethodRow rows[] = {
      {"=~", textMatch},
      {"match", textMatch},
      {"match?", textMatch},
      {"gsub", textReplace},
      {"sub", textReplace},
      {"gsub!", textReplace},
      {"sub!", textReplace},
      {"scan", textScan},
      {"split", textSplit},
      {"+", textPlus},
      {"<<", textAppend},
      {"concat", textAppend},
      {"*", textTimes},
      {"%", textFormat},
      {"[]", textIndex},
      {"slice", textIndex},
      {"upcase", textCase},
      {"downcase", textCase},
      {"capitalize", textCase},
      {"strip", textTrim},
      {"lstrip", textTrim},
      {"rstrip", textTrim},
      {"strip!", textTrim},
      {"chomp", textTrim},
      {"chomp!", textTrim},
      {"chop", textTrim},
      {"delete_suffix", textTrim},
      {"empty?", textTest},
      {"include?", textTest},
      {"start_with?", textTest},
      {"end_with?", textTest},
      {"length", textLength},
      {"size", textLength},
      {"bytesize", textLength},
      {"to_i", textNumber},
      {"to_f", textNumber},
      {"lines", textLines},
      {"each_line", textLines},
      {"reverse", textChange},
      {"to_sym", textChange},
      {"intern", textChange},
      {"chars", textChange},
      {"to_str", textChange},
      {"encode", textChange},
      {"force_encoding", textChange},
      {"freeze", textChange},
      {"hex", textChange},
      {"prepend", textChange},
      {"delete", textCharacters},
      {"tr", textCharacters},
      {"count", textCharacters},
      {"ljust", textJustify},
      {"rjust", textJustify},
  };
  return findIn(rows, name);
}
