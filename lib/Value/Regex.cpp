//===- Regex.cpp - Regular expressions ------------------------------------===//

#include "Regex.h"

#include "toscac/Value/FindRegex.h"
#include "llvm/ADT/StringExtras.h"
#include <re2/re2.h>

using namespace toscac;
using llvm::StringRef;

/// `\u00e9`, which ECMAScript has and RE2 does not, as `\x{00e9}`.
static std::string translate(StringRef pattern) {
  std::string result;
  for (size_t i = 0; i != pattern.size(); ++i) {
    StringRef rest = pattern.drop_front(i);
    StringRef digits = rest.substr(2, 4);
    if (rest.starts_with("\\u") && digits.size() == 4 &&
        llvm::all_of(digits, llvm::isHexDigit)) {
      result += ("\\x{" + digits + "}").str();
      i += 5;
      continue;
    }
    result += pattern[i];
    // What is escaped is no backslash that escapes.
    if (pattern[i] == '\\' && rest.size() > 1)
      result += pattern[++i];
  }
  return result;
}

static StringRef describeMistake(const RE2 &regex) {
  switch (regex.error_code()) {
  case RE2::NoError:
  case RE2::ErrorInternal:
    break;
  case RE2::ErrorBadEscape:
    return llvm::isDigit(regex.error_arg().back())
               ? "back references are not supported"
               : "a letter after '\\' has no meaning";
  case RE2::ErrorBadCharClass:
  case RE2::ErrorBadCharRange:
    return "a range or escape between '[' and ']' has no meaning";
  case RE2::ErrorMissingBracket:
    return "a ']' is missing";
  case RE2::ErrorMissingParen:
    return "a ')' is missing";
  case RE2::ErrorUnexpectedParen:
    return "')' closes nothing";
  case RE2::ErrorTrailingBackslash:
    return "nothing follows the last '\\'";
  case RE2::ErrorRepeatArgument:
    return "there is nothing to repeat";
  case RE2::ErrorRepeatSize:
    return "a repetition is larger than 1000, or its bounds are in the wrong "
           "order";
  case RE2::ErrorRepeatOp:
    return "a repetition is repeated";
  case RE2::ErrorBadPerlOp:
    return "look-around is not supported";
  case RE2::ErrorBadUTF8:
    return "it is no UTF-8";
  case RE2::ErrorBadNamedCapture:
    return "the name of a group has no meaning";
  case RE2::ErrorPatternTooLarge:
    break;
  }
  return "it is too large";
}

OrProblem<bool> toscac::matchesRegex(StringRef text, StringRef pattern) {
  RE2::Options options;
  options.set_log_errors(false);
  RE2 regex(translate(pattern), options);
  if (!regex.ok())
    return problem({}, diag::BadRegex, pattern, describeMistake(regex));
  return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), regex);
}

std::optional<std::optional<RegexMatch>>
toscac::findRegex(StringRef text, StringRef pattern, size_t from) {
  RE2::Options options;
  options.set_log_errors(false);
  RE2 regex(translate(pattern), options);
  if (!regex.ok())
    return std::nullopt;
  std::vector<re2::StringPiece> found(regex.NumberOfCapturingGroups() + 1);
  re2::StringPiece whole(text.data(), text.size());
  if (!regex.Match(whole, from, text.size(), RE2::UNANCHORED, found.data(),
                   int(found.size())))
    return std::optional<RegexMatch>();
  RegexMatch match;
  for (const re2::StringPiece &group : found)
    match.groups.push_back(group.data() ? std::optional<StringRef>(StringRef(
                                              group.data(), group.size()))
                                        : std::nullopt);
  for (const auto &[name, group] : regex.NamedCapturingGroups())
    match.names[name] = group;
  return std::optional<RegexMatch>(std::move(match));
}
