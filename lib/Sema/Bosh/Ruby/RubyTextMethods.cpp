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

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static RubyValue numberOperator(const RubyCall &call) {
  const RubyValue &a = call.self;
  RubyValue b = argument(call, 0);
  if (!a.isNumber())
    return call.in.raise(
        call.node, "NoMethodError",
        ("undefined method '" + call.name + "' for " + inspect(a)).str());
  if (!b.isNumber())
    return call.in.raise(call.node, "TypeError",
                         classOf(b) + " can't be coerced into " + classOf(a));
  char sign = call.name.front();
  if (call.name == "**")
    sign = '^';
  if (a.isInteger() && b.isInteger()) {
    int64_t x = a.asInteger(), y = b.asInteger(), result = 0;
    bool isTooLarge = false;
    switch (sign) {
    case '+':
      isTooLarge = llvm::AddOverflow(x, y, result);
      break;
    case '-':
      isTooLarge = llvm::SubOverflow(x, y, result);
      break;
    case '*':
      isTooLarge = llvm::MulOverflow(x, y, result);
      break;
    case '^':
      result = 1;
      isTooLarge = y < 0 || y > 64;
      for (int64_t i = 0; i < y && !isTooLarge; ++i)
        isTooLarge = llvm::MulOverflow(result, x, result);
      break;
    default: {
      if (y == 0)
        return call.in.raise(call.node, "ZeroDivisionError", "divided by 0");
      if (x == INT64_MIN)
        return wrongUse(call);
      int64_t rest = x % y;
      bool isBelow = rest != 0 && (rest < 0) != (y < 0);
      result = sign == '%' ? rest + (isBelow ? y : 0) : x / y - isBelow;
    }
    }
    return isTooLarge ? wrongUse(call) : RubyValue::integer(result);
  }
  double x = a.asReal(), y = b.asReal();
  switch (sign) {
  case '+':
    return RubyValue::real(x + y);
  case '-':
    return RubyValue::real(x - y);
  case '*':
    return RubyValue::real(x * y);
  case '/':
    return RubyValue::real(x / y);
  case '^':
    return RubyValue::real(std::pow(x, y));
  default:
    return RubyValue::real(x - y * std::floor(x / y));
  }
}

static RubyValue numberOf(const RubyCall &call) {
  const RubyValue &self = call.self;
  StringRef name = call.name;
  if (self.isNil() || !self.isNumber()) {
    if (self.isNil() && name == "to_i")
      return RubyValue::integer(0);
    if (self.isNil() && name == "to_f")
      return RubyValue::real(0);
    return call.in.raise(
        call.node, "NoMethodError",
        ("undefined method '" + name + "' for " + inspect(self)).str());
  }
  if (name == "to_f")
    return RubyValue::real(self.asReal());
  if (name == "-@")
    return self.isInteger() ? RubyValue::integer(-self.asInteger())
                            : RubyValue::real(-self.asReal());
  if (name == "zero?" || name == "positive?" || name == "negative?") {
    double value = self.asReal();
    return truth(name == "zero?"       ? value == 0
                 : name == "positive?" ? value > 0
                                       : value < 0);
  }
  if (self.isInteger()) {
    if (name == "even?" || name == "odd?")
      return truth((self.asInteger() % 2 != 0) == (name == "odd?"));
    if (name == "abs")
      return RubyValue::integer(std::abs(self.asInteger()));
    if (name == "chr")
      return RubyValue::text(std::string(1, char(self.asInteger())));
    return self;
  }
  double value = self.asReal();
  double digits = std::pow(10.0, double(argument(call, 0).asInteger()));
  if (name == "round" && call.count() == 1)
    return RubyValue::real(std::round(value * digits) / digits);
  value = name == "ceil"    ? std::ceil(value)
          : name == "floor" ? std::floor(value)
          : name == "round" ? std::round(value)
          : name == "abs"   ? std::fabs(value)
                            : std::trunc(value);
  if (name == "abs")
    return RubyValue::real(value);
  if (!(std::fabs(value) < 9e18))
    return wrongUse(call);
  return RubyValue::integer(int64_t(value));
}

static RubyValue numberTimes(const RubyCall &call) {
  if (!call.self.isInteger())
    return wrongUse(call);
  int64_t first = call.name == "times" ? 0 : call.self.asInteger();
  int64_t last = call.name == "times" ? call.self.asInteger() - 1
                                      : argument(call, 0).asInteger();
  if (!call.hasBlock()) {
    RubyValue range = RubyValue::named(VKind::Range, "");
    range.items() = {RubyValue::integer(first), RubyValue::integer(last)};
    return range;
  }
  for (int64_t i = first; i <= last; ++i) {
    call.yield({RubyValue::integer(i)});
    if (call.in.isLeaving())
      return {};
  }
  return call.self;
}

static RubyValue symbolText(const RubyCall &call) {
  if (!call.self.is(VKind::Symbol))
    return wrongUse(call);
  RubyValue text = RubyValue::text(own(call));
  return call.in.callMethod(text, call.name, call.arguments, call.block,
                            call.node);
}

static RubyValue booleanOperator(const RubyCall &call) {
  bool a = call.self.isTruthy(), b = argument(call, 0).isTruthy();
  if (call.self.isNumber())
    return wrongUse(call);
  return truth(call.name == "&" ? a && b : call.name == "|" ? a || b : a != b);
}

static RubyValue nilList(const RubyCall &call) {
  if (!call.self.isNil())
    return wrongUse(call);
  return call.name == "to_a" ? RubyValue::list() : RubyValue::map();
}

RubyMethod bosh::findScalarMethod(StringRef name) {
  static constexpr MethodRow rows[] = {
      {"+", numberOperator},   {"-", numberOperator},
      {"*", numberOperator},   {"/", numberOperator},
      {"%", numberOperator},   {"**", numberOperator},
      {"to_i", numberOf},      {"to_f", numberOf},
      {"to_int", numberOf},    {"abs", numberOf},
      {"round", numberOf},     {"ceil", numberOf},
      {"floor", numberOf},     {"zero?", numberOf},
      {"positive?", numberOf}, {"negative?", numberOf},
      {"even?", numberOf},     {"odd?", numberOf},
      {"-@", numberOf},        {"chr", numberOf},
      {"times", numberTimes},  {"upto", numberTimes},
      {"&", booleanOperator},  {"|", booleanOperator},
      {"^", booleanOperator},  {"to_a", nilList},
      {"to_h", nilList},       {"to_sym", symbolText},
      {"upcase", symbolText},  {"downcase", symbolText},
      {"length", symbolText},  {"start_with?", symbolText},
  };
  return findIn(rows, name);
}

//===----------------------------------------------------------------------===//
// All values
//===----------------------------------------------------------------------===//

static RubyValue anyText(const RubyCall &call) {
  StringRef name = call.name;
  if (name == "to_s")
    return call.self.isText() ? call.self : RubyValue::text(toText(call.self));
  if (name == "inspect" || name == "dump")
    return RubyValue::text(inspect(call.self));
  if (name == "to_yaml")
    return RubyValue::text(toYAML(call.self));
  return RubyValue::text(toJSON(call.self));
}

static RubyValue anyTest(const RubyCall &call) {
  StringRef name = call.name;
  const RubyValue &self = call.self;
  RubyValue other = argument(call, 0);
  if (name == "nil?")
    return truth(self.isNil());
  if (name == "!")
    return truth(!self.isTruthy());
  if (name == "==" || name == "eql?" || name == "equal?")
    return truth(self == other);
  if (name == "!=")
    return truth(!(self == other));
  if (name == "===")
    return self.is(VKind::Class)
               ? call.in.callMethod(other, "is_a?", {self}, {}, call.node)
           : self.is(VKind::Regexp)
               ? call.in.callMethod(other, "match?", {self}, {}, call.node)
               : truth(self == other);
  if (name == "blank?" || name == "present?") {
    bool isBlank = !self.isTruthy() ||
                   (self.isText() && own(call).trim().empty()) ||
                   (self.isList() && self.items().empty()) ||
                   (self.isMap() && self.data().entries.empty());
    return truth(isBlank == (name == "blank?"));
  }
  // is_a?, kind_of?, instance_of?
  std::string wanted = toText(other), is = classOf(self);
  bool fits = wanted == is || wanted == "Object" ||
              (wanted == "Numeric" && self.isNumber()) ||
              (wanted == "Enumerable" && (self.isList() || self.isMap())) ||
              (wanted == "Fixnum" && self.isInteger()) ||
              (wanted == "StandardError" && self.find("message"));
  return truth(fits);
}

static RubyValue anyOrder(const RubyCall &call) {
  std::optional<int> order = compare(call.self, argument(call, 0));
  if (call.name == "<=>")
    return order ? RubyValue::integer(*order) : RubyValue();
  if (!order)
    return call.in.raise(call.node,
                         call.self.isNil() ? "NoMethodError" : "ArgumentError",
                         "comparison of " + classOf(call.self) + " with " +
                             inspect(argument(call, 0)) + " failed");
  return truth(call.name == "<"    ? *order < 0
               : call.name == ">"  ? *order > 0
               : call.name == "<=" ? *order <= 0
                                   : *order >= 0);
}

static RubyValue anyCopy(const RubyCall &call) {
  return call.name == "freeze" || call.name == "itself"
             ? call.self
             : copyOf(call.self, call.name == "deep_dup");
}

static RubyValue anyTap(const RubyCall &call) {
  RubyValue value = call.yield({call.self});
  return call.name == "tap" ? call.self : value;
}

static RubyValue anyClass(const RubyCall &call) {
  return RubyValue::named(VKind::Class, classOf(call.self));
}

static RubyValue anyResponds(const RubyCall &call) {
  std::string name = argument(call, 0).asText().str();
  const RubyValue &self = call.self;
  bool knows =
      findAnyMethod(name) || (self.isText() && findTextMethod(name)) ||
      (self.isList() && findListMethod(name)) ||
      (self.isMap() && findMapMethod(name)) ||
      (self.is(VKind::Object) &&
       (self.isObject("OpenStruct") ? self.find(name) != nullptr
                                    : findObjectMethod(self, name) != nullptr));
  return truth(knows);
}

static RubyValue anySend(const RubyCall &call) {
  if (call.count() == 0)
    return wrongUse(call);
  std::vector<RubyValue> rest(call.arguments.begin() + 1, call.arguments.end());
  std::string name = toText(call.arguments[0]);
  return call.in.callMethod(call.self, name, std::move(rest), call.block,
                            call.node);
}

RubyMethod bosh::findAnyMethod(StringRef name) {
  static constexpr MethodRow rows[] = {
      {"to_s", anyText},
      {"inspect", anyText},
      {"to_json", anyText},
      {"to_yaml", anyText},
      {"dump", anyText},
      {"nil?", anyTest},
      {"==", anyTest},
      {"!=", anyTest},
      {"===", anyTest},
      {"!", anyTest},
      {"eql?", anyTest},
      {"equal?", anyTest},
      {"is_a?", anyTest},
      {"kind_of?", anyTest},
      {"instance_of?", anyTest},
      {"blank?", anyTest},
      {"present?", anyTest},
      {"<=>", anyOrder},
      {"<", anyOrder},
      {">", anyOrder},
      {"<=", anyOrder},
      {">=", anyOrder},
      {"dup", anyCopy},
      {"clone", anyCopy},
      {"deep_dup", anyCopy},
      {"freeze", anyCopy},
      {"itself", anyCopy},
      {"tap", anyTap},
      {"then", anyTap},
      {"class", anyClass},
      {"respond_to?", anyResponds},
      {"send", anySend},
      {"public_send", anySend},
  };
  return findIn(rows, name);
}
