//===- Strings.cpp - String functions -------------------------------------===//
///
/// \file
/// TOSCA 2.0 §10.2.3. Strings are UTF-8; characters are code points.
///
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include "Unicode.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::StringRef;

static Problem tooLong() {
  return problem({}, diag::ValueTooLarge,
                 std::to_string(maxStringSize) + " bytes");
}

static Evaluation concatStrings(const CallSite &site,
                                ArrayRef<Value> arguments) {
  std::string result;
  for (const Value &argument : arguments) {
    if (result.size() + argument.asString().size() > maxStringSize)
      return tooLong();
    result += argument.asString();
  }
  return site.arena.string(result);
}

static Evaluation concatLists(const CallSite &site, ArrayRef<Value> arguments) {
  llvm::SmallVector<Value> result;
  for (const Value &argument : arguments) {
    if (result.size() + argument.items().size() > ValueArena::maxWeight)
      return problem({}, diag::ValueTooLarge,
                     std::to_string(ValueArena::maxWeight) + " values");
    llvm::append_range(result, argument.items());
  }
  return site.arena.list(result);
}

Evaluation toscac::callConcat(const CallSite &site, ArrayRef<Value> arguments) {
  for (auto [i, argument] : llvm::enumerate(arguments))
    if (argument.kind() != arguments.front().kind())
      return problem(site.range(i), diag::ArgumentsDiffer, site.name(),
                     describe(arguments.front().kind()),
                     describe(argument.kind()));
  return arguments.front().isString() ? concatStrings(site, arguments)
                                      : concatLists(site, arguments);
}

/// Appends an entry of a list to join. Its text asks for strings, but §10.2.3.3
/// joins an integer and shows the result.
static bool appendEntry(std::string &result, const Value &entry) {
  if (entry.isString())
    result += entry.asString();
  else if (entry.isInteger())
    result += std::to_string(entry.asInteger());
  else
    return false;
  return true;
}

Evaluation toscac::callJoin(const CallSite &site, ArrayRef<Value> arguments) {
  StringRef delimiter = arguments.size() > 1 ? arguments[1].asString() : "";
  std::string result;
  for (auto [i, entry] : llvm::enumerate(arguments[0].items())) {
    if (i > 0)
      result += delimiter;
    if (!appendEntry(result, entry))
      return problem(site.range(0), diag::WrongArgumentType, site.name(), "1",
                     "a list of strings",
                     ("a list with " + describe(entry.kind())).str());
    if (result.size() > maxStringSize)
      return tooLong();
  }
  return site.arena.string(result);
}

/// Parts of \p text between characters of \p separators; empty parts count.
static std::vector<StringRef> splitAtAny(StringRef text, StringRef separators) {
  llvm::SmallVector<uint32_t> cuts = decode(separators);
  std::vector<StringRef> parts;
  const char *start = text.begin();
  for (StringRef rest = text; !rest.empty();) {
    const char *here = rest.begin();
    if (!llvm::is_contained(cuts, takeCodePoint(rest)))
      continue;
    parts.emplace_back(start, here - start);
    start = rest.begin();
  }
  parts.emplace_back(start, text.end() - start);
  return parts;
}

Evaluation toscac::callToken(const CallSite &site, ArrayRef<Value> arguments) {
  StringRef text = arguments[0].asString();
  std::vector<StringRef> parts = splitAtAny(text, arguments[1].asString());
  int64_t index = arguments[2].asInteger();
  if (index < 0 || static_cast<uint64_t>(index) >= parts.size())
    return problem(site.range(2), diag::NoSuchToken, std::to_string(index),
                   text, std::to_string(parts.size()));
  return Value::string(parts[index]);
}
