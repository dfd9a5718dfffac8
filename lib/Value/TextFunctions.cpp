//===- TextFunctions.cpp - Text and maps as Cloudify has them -------------===//
///
/// \file
/// Positions count code points. Upper and lower case are those of ASCII, so
/// that no result depends on tables that differ from machine to machine.
///
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include "Unicode.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::StringRef;

/// Of two entries with one key, the later one holds, at the earlier's place.
Evaluation toscac::callMerge(const CallSite &site, ArrayRef<Value> arguments) {
  llvm::SmallVector<MapEntry> result;
  std::unordered_map<Value, size_t, HashValue> places;
  for (const Value &argument : arguments)
    for (const MapEntry &entry : argument.entries()) {
      auto [known, isNew] = places.try_emplace(entry.key, result.size());
      if (isNew)
        result.push_back(entry);
      else
        result[known->second].value = entry.value;
    }
  return site.arena.map(result);
}

Evaluation toscac::callStringFind(const CallSite &, ArrayRef<Value> arguments) {
  StringRef text = arguments[0].asString();
  size_t at = text.find(arguments[1].asString());
  if (at == StringRef::npos)
    return Value::integer(-1);
  return Value::integer(countCodePoints(text.take_front(at)));
}

/// An empty \p wanted stands before every character and at the end.
static std::string replaceEmpty(StringRef text, StringRef replacement,
                                uint64_t limit) {
  std::string result;
  for (StringRef rest = text; limit--;) {
    result += replacement;
    if (rest.empty() || result.size() > maxStringSize)
      return result;
    const char *start = rest.begin();
    takeCodePoint(rest);
    result.append(start, rest.begin());
    text = rest;
  }
  return result + text.str();
}

Evaluation toscac::callStringReplace(const CallSite &site,
                                     ArrayRef<Value> arguments) {
  for (size_t i : {2, 3})
    if (i < arguments.size() && arguments[i].isString() != (i == 2))
      return problem(site.range(i), diag::WrongArgumentType, site.name(),
                     std::to_string(i + 1), i == 2 ? "a string" : "an integer",
                     describe(arguments[i].kind()));
  StringRef rest = arguments[0].asString(), wanted = arguments[1].asString(),
            replacement = arguments[2].asString();
  // A negative limit is none.
  uint64_t limit = arguments.size() > 3 ? arguments[3].asInteger() : -1;
  std::string result;
  if (wanted.empty()) {
    result = replaceEmpty(rest, replacement, limit);
  } else {
    for (size_t at; limit-- && (at = rest.find(wanted)) != StringRef::npos;
         rest = rest.drop_front(at + wanted.size())) {
      result += rest.take_front(at);
      result += replacement;
      if (result.size() > maxStringSize)
        break;
    }
    result += rest;
  }
  if (result.size() > maxStringSize)
    return problem({}, diag::ValueTooLarge,
                   std::to_string(maxStringSize) + " bytes");
  return site.arena.string(result);
}

/// All parts, or the one that the third argument says; negative ones count
/// from the end.
Evaluation toscac::callStringSplit(const CallSite &site,
                                   ArrayRef<Value> arguments) {
  StringRef text = arguments[0].asString(), separator = arguments[1].asString();
  if (separator.empty())
    return problem(site.range(1), diag::WrongArgumentType, site.name(), "2",
                   "a string that is not empty", "an empty one");
  llvm::SmallVector<StringRef> parts;
  text.split(parts, separator);
  if (arguments.size() < 3) {
    llvm::SmallVector<Value> values;
    for (StringRef part : parts)
      values.push_back(Value::string(part));
    return site.arena.list(values);
  }
  int64_t index = arguments[2].asInteger(), count = parts.size();
  if (index < -count || index >= count)
    return problem(site.range(2), diag::NoSuchToken, std::to_string(index),
                   text, std::to_string(count));
  return Value::string(parts[index < 0 ? index + count : index]);
}

Evaluation toscac::callStringLower(const CallSite &site,
                                   ArrayRef<Value> arguments) {
  return site.arena.string(arguments[0].asString().lower());
}

Evaluation toscac::callStringUpper(const CallSite &site,
                                   ArrayRef<Value> arguments) {
  return site.arena.string(arguments[0].asString().upper());
}
