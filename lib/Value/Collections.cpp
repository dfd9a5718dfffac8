//===- Collections.cpp - List, map and set functions ----------------------===//
///
/// \file
/// TOSCA 2.0 §10.2.2.3 and §10.2.4, and what works on lists and strings alike.
/// Nothing here takes more than linear time in the lengths of its arguments.
///
//===----------------------------------------------------------------------===//

#include "Builtins.h"
#include "Unicode.h"
#include <string_view>

using namespace toscac;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Whether the first argument begins with the second, or ends with it.
static Evaluation hasPart(const CallSite &site, ArrayRef<Value> arguments,
                          bool atEnd) {
  const Value &whole = arguments[0], &part = arguments[1];
  if (whole.kind() != part.kind())
    return problem(site.range(1), diag::ArgumentsDiffer, site.name(),
                   describe(whole.kind()), describe(part.kind()));
  if (whole.isString())
    return Value::boolean(atEnd
                              ? whole.asString().ends_with(part.asString())
                              : whole.asString().starts_with(part.asString()));
  ArrayRef<Value> items = whole.items();
  size_t size = part.items().size();
  return Value::boolean(
      size <= items.size() &&
      part.items() == (atEnd ? items.take_back(size) : items.take_front(size)));
}

Evaluation toscac::callHasSuffix(const CallSite &site,
                                 ArrayRef<Value> arguments) {
  return hasPart(site, arguments, /*atEnd=*/true);
}

Evaluation toscac::callHasPrefix(const CallSite &site,
                                 ArrayRef<Value> arguments) {
  return hasPart(site, arguments, /*atEnd=*/false);
}

/// Knuth, Morris and Pratt: length[i] is that of the longest proper prefix of
/// \p part which ends at i.
template <typename Sequence>
static std::vector<size_t> borderLengths(const Sequence &part) {
  std::vector<size_t> length(part.size(), 0);
  for (size_t i = 1, matched = 0; i < part.size(); ++i) {
    while (matched && !(part[i] == part[matched]))
      matched = length[matched - 1];
    matched += part[i] == part[matched];
    length[i] = matched;
  }
  return length;
}

template <typename Sequence>
static bool containsSequence(const Sequence &whole, const Sequence &part) {
  if (part.empty())
    return true;
  std::vector<size_t> length = borderLengths(part);
  size_t matched = 0;
  for (const auto &item : whole) {
    while (matched && !(item == part[matched]))
      matched = length[matched - 1];
    matched += item == part[matched];
    if (matched == part.size())
      return true;
  }
  return false;
}

Evaluation toscac::callContains(const CallSite &site,
                                ArrayRef<Value> arguments) {
  const Value &whole = arguments[0], &part = arguments[1];
  if (whole.kind() != part.kind())
    return problem(site.range(1), diag::ArgumentsDiffer, site.name(),
                   describe(whole.kind()), describe(part.kind()));
  return Value::boolean(
      whole.isString() ? containsSequence(whole.asString(), part.asString())
                       : containsSequence(whole.items(), part.items()));
}

/// Entries of a list or map.
static SmallVector<Value> entriesOf(const Value &collection) {
  if (collection.isList())
    return SmallVector<Value>(collection.items());
  SmallVector<Value> values;
  for (const MapEntry &entry : collection.entries())
    values.push_back(entry.value);
  return values;
}

static SmallVector<Value> keysOf(const Value &map) {
  SmallVector<Value> keys;
  for (const MapEntry &entry : map.entries())
    keys.push_back(entry.key);
  return keys;
}

Evaluation toscac::callHasEntry(const CallSite &site,
                                ArrayRef<Value> arguments) {
  SmallVector<Value> entries = entriesOf(arguments[0]);
  if (entries.empty())
    return Value::boolean(false);
  OrProblem<Value> wanted =
      convertLike(arguments[1], entries.front(), site.arena);
  if (!wanted)
    return wanted.takeProblem();
  return Value::boolean(llvm::is_contained(entries, *wanted));
}

Evaluation toscac::callHasKey(const CallSite &, ArrayRef<Value> arguments) {
  return Value::boolean(arguments[0].find(arguments[1]) != nullptr);
}

/// How many of \p wanted are in \p present.
static OrProblem<size_t> countPresent(const CallSite &site,
                                      ArrayRef<Value> present,
                                      ArrayRef<Value> wanted) {
  if (present.empty())
    return size_t(0);
  ValueSet set(present.begin(), present.end());
  size_t count = 0;
  for (const Value &item : wanted) {
    OrProblem<Value> alike = convertLike(item, present.front(), site.arena);
    if (!alike)
      return alike.takeProblem();
    count += set.count(*alike);
  }
  return count;
}

static Evaluation hasAll(const CallSite &site, ArrayRef<Value> present,
                         ArrayRef<Value> wanted) {
  OrProblem<size_t> count = countPresent(site, present, wanted);
  if (!count)
    return count.takeProblem();
  return Value::boolean(*count == wanted.size());
}

static Evaluation hasAny(const CallSite &site, ArrayRef<Value> present,
                         ArrayRef<Value> wanted) {
  OrProblem<size_t> count = countPresent(site, present, wanted);
  if (!count)
    return count.takeProblem();
  return Value::boolean(*count > 0);
}

Evaluation toscac::callHasAllEntries(const CallSite &site,
                                     ArrayRef<Value> arguments) {
  return hasAll(site, entriesOf(arguments[0]), arguments[1].items());
}

Evaluation toscac::callHasAnyEntry(const CallSite &site,
                                   ArrayRef<Value> arguments) {
  return hasAny(site, entriesOf(arguments[0]), arguments[1].items());
}

Evaluation toscac::callHasAllKeys(const CallSite &site,
                                  ArrayRef<Value> arguments) {
  return hasAll(site, keysOf(arguments[0]), arguments[1].items());
}

Evaluation toscac::callHasAnyKey(const CallSite &site,
                                 ArrayRef<Value> arguments) {
  return hasAny(site, keysOf(arguments[0]), arguments[1].items());
}

Evaluation toscac::callLength(const CallSite &, ArrayRef<Value> arguments) {
  const Value &value = arguments[0];
  size_t length = value.isString() ? countCodePoints(value.asString())
                  : value.is(ValueKind::Bytes) ? value.asBytes().size()
                  : value.isList()             ? value.items().size()
                                               : value.entries().size();
  return Value::integer(static_cast<int64_t>(length));
}

/// Entries of all lists, in the order of their first occurrence.
Evaluation toscac::callUnion(const CallSite &site, ArrayRef<Value> arguments) {
  ValueSet seen;
  SmallVector<Value> result;
  for (const Value &list : arguments)
    for (const Value &item : list.items())
      if (seen.insert(item).second)
        result.push_back(item);
  return site.arena.list(result);
}

/// Entries of the first list that all others have.
Evaluation toscac::callIntersection(const CallSite &site,
                                    ArrayRef<Value> arguments) {
  std::vector<ValueSet> others;
  for (const Value &list : arguments.drop_front())
    others.emplace_back(list.items().begin(), list.items().end());
  ValueSet seen;
  SmallVector<Value> result;
  for (const Value &item : arguments.front().items()) {
    auto hasItem = [&](const ValueSet &set) { return set.count(item); };
    if (llvm::all_of(others, hasItem) && seen.insert(item).second)
      result.push_back(item);
  }
  return site.arena.list(result);
}
