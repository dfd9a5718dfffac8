//===- CollectionFunctions.cpp - Functions over lists and maps ------------===//

#include "Composer.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::SmallVector;
using llvm::StringRef;
using Outcome = FunctionInfo::Outcome;

static Outcome refuse(std::string problem) { return {{}, std::move(problem)}; }

static bool isListOf(const Value &value, size_t size) {
  return value.isList() && value.items().size() == size;
}

Outcome heat::equalValues(const Value &argument, ValueArena &) {
  if (!isListOf(argument, 2))
    return refuse("takes a list of two values");
  return {Value::boolean(argument.items()[0] == argument.items()[1])};
}

Outcome heat::containsValue(const Value &argument, ValueArena &) {
  if (!isListOf(argument, 2))
    return refuse("takes a value and a list, map or text to find it in");
  const Value &value = argument.items()[0], &where = argument.items()[1];
  if (where.isList())
    return {Value::boolean(llvm::is_contained(where.items(), value))};
  if (where.isMap())
    return {Value::boolean(where.find(value) != nullptr)};
  if (where.isString())
    return {Value::boolean(where.asString().contains(textOf(value)))};
  return refuse("takes a value and a list, map or text to find it in");
}

Outcome heat::mergeMaps(const Value &argument, ValueArena &arena) {
  if (!argument.isList())
    return refuse("takes a list of maps");
  llvm::MapVector<StringRef, MapEntry> merged;
  for (const Value &map : argument.items()) {
    if (map.isNil())
      continue;
    if (!map.isMap())
      return refuse("takes a list of maps, and " + toText(map) + " is none");
    for (const MapEntry &entry : map.entries())
      merged[arena.save(textOf(entry.key))] = entry;
  }
  SmallVector<MapEntry> entries;
  for (auto &[key, entry] : merged)
    entries.push_back(entry);
  return {arena.map(entries)};
}

Outcome heat::replaceInMap(const Value &argument, ValueArena &arena) {
  constexpr const char *form =
      "takes a map, and a map with 'keys' or 'values' to replace";
  if (!isListOf(argument, 2) || !argument.items()[0].isMap() ||
      !argument.items()[1].isMap())
    return refuse(form);
  const Value &changes = argument.items()[1];
  const Value *keys = changes.find("keys"), *values = changes.find("values");
  bool isRight = (!keys || keys->isMap()) && (!values || values->isMap());
  for (const MapEntry &entry : changes.entries())
    isRight &= textOf(entry.key) == "keys" || textOf(entry.key) == "values";
  if (!isRight)
    return refuse(form);
  llvm::StringSet<> seen;
  SmallVector<MapEntry> entries;
  for (MapEntry entry : argument.items()[0].entries()) {
    if (const Value *key = keys ? keys->find(entry.key) : nullptr)
      entry.key = *key;
    if (const Value *value = values ? values->find(entry.value) : nullptr)
      entry.value = *value;
    if (!seen.insert(textOf(entry.key)).second)
      return refuse("makes the key '" + textOf(entry.key) + "' twice");
    entries.push_back(entry);
  }
  return {arena.map(entries)};
}

Outcome heat::filterList(const Value &argument, ValueArena &arena) {
  if (!isListOf(argument, 2) || !argument.items()[0].isList() ||
      !argument.items()[1].isList())
    return refuse("takes a list of values to leave out, and a list");
  SmallVector<Value> kept;
  for (const Value &item : argument.items()[1].items())
    if (!llvm::is_contained(argument.items()[0].items(), item))
      kept.push_back(item);
  return {arena.list(kept)};
}

static Outcome concat(const Value &argument, bool isUnique, ValueArena &arena) {
  if (!argument.isList())
    return refuse("takes a list of lists");
  SmallVector<Value> items;
  for (const Value &list : argument.items()) {
    if (list.isNil())
      continue;
    if (!list.isList())
      return refuse("takes a list of lists, and " + toText(list) + " is none");
    for (const Value &item : list.items())
      if (!isUnique || !llvm::is_contained(items, item))
        items.push_back(item);
  }
  return {arena.list(items)};
}

Outcome heat::concatLists(const Value &argument, ValueArena &arena) {
  return concat(argument, /*isUnique=*/false, arena);
}
Outcome heat::concatUnique(const Value &argument, ValueArena &arena) {
  return concat(argument, /*isUnique=*/true, arena);
}

Outcome heat::selectPart(const Value &argument, ValueArena &arena) {
  if (!isListOf(argument, 2))
    return refuse("takes an index or key, and a list or map");
  const Value &key = argument.items()[0], &from = argument.items()[1];
  if (from.isMap()) {
    const Value *found = from.find(textOf(key));
    return {found ? *found : arena.string("")};
  }
  size_t index;
  if (!from.isList() || StringRef(textOf(key)).getAsInteger(10, index))
    return refuse("takes an index or key, and a list or map");
  return {index < from.items().size() ? from.items()[index] : arena.string("")};
}

/// `[ Name=a, Value=b ]` with given words for name and value, numbered from 1.
Outcome heat::memberListToMap(const Value &argument, ValueArena &arena) {
  if (!isListOf(argument, 3) || !argument.items()[2].isList())
    return refuse("takes a key name, a value name and a list");
  std::string nameKey = textOf(argument.items()[0]);
  std::string valueKey = textOf(argument.items()[1]);
  llvm::MapVector<StringRef, std::pair<Value, Value>> members;
  for (const Value &item : argument.items()[2].items()) {
    std::string text = textOf(item);
    auto [path, value] = StringRef(text).split('=');
    auto [member, key] = path.rsplit('.');
    auto &pair = members[arena.save(member)];
    if (key == nameKey)
      pair.first = arena.string(value);
    else if (key == valueKey)
      pair.second = arena.string(value);
  }
  SmallVector<MapEntry> entries;
  for (auto &[member, pair] : members)
    if (!pair.first.isNil())
      entries.push_back({pair.first, pair.second});
  return {arena.map(entries)};
}

Value heat::mapTexts(const Value &value,
                     llvm::function_ref<std::string(StringRef)> change,
                     ValueArena &arena) {
  if (value.isString())
    return arena.string(change(value.asString()));
  if (value.isList()) {
    SmallVector<Value> items;
    for (const Value &item : value.items())
      items.push_back(mapTexts(item, change, arena));
    return arena.list(items);
  }
  if (!value.isMap())
    return value;
  SmallVector<MapEntry> entries;
  for (const MapEntry &entry : value.entries())
    entries.push_back({mapTexts(entry.key, change, arena),
                       mapTexts(entry.value, change, arena)});
  return arena.map(entries);
}

namespace {

/// A variable of `repeat` with the values it takes.
struct Loop {
  std::string variable;
  SmallVector<Value> values;
};

} // namespace

/// \p value with \p variable replaced; a text that is nothing else becomes the
/// value itself.
static Value bindVariable(const Value &value, StringRef variable,
                          const Value &bound, ValueArena &arena) {
  if (value.isString() && value.asString() == variable)
    return bound;
  if (value.isList()) {
    SmallVector<Value> items;
    for (const Value &item : value.items())
      items.push_back(bindVariable(item, variable, bound, arena));
    return arena.list(items);
  }
  if (value.isMap()) {
    SmallVector<MapEntry> entries;
    for (const MapEntry &entry : value.entries())
      entries.push_back({bindVariable(entry.key, variable, bound, arena),
                         bindVariable(entry.value, variable, bound, arena)});
    return arena.map(entries);
  }
  std::string text = textOf(bound);
  return mapTexts(
      value,
      [&](StringRef source) {
        std::string result;
        SmallVector<StringRef> parts;
        source.split(parts, variable);
        return llvm::join(parts, text);
      },
      arena);
}

static void permute(const Value &body, llvm::ArrayRef<Loop> loops,
                    llvm::SmallVectorImpl<Value> &results, ValueArena &arena) {
  if (loops.empty()) {
    results.push_back(body);
    return;
  }
  for (const Value &value : loops.front().values)
    permute(bindVariable(body, loops.front().variable, value, arena),
            loops.drop_front(), results, arena);
}

/// Reads `for_each`; a map stands for its keys.
static std::optional<std::vector<Loop>> readLoops(const Value &forEach) {
  std::vector<Loop> loops;
  for (const MapEntry &entry : forEach.entries()) {
    Loop &loop = loops.emplace_back();
    loop.variable = textOf(entry.key);
    if (loop.variable.empty())
      return std::nullopt;
    if (entry.value.isList())
      loop.values.assign(entry.value.items().begin(),
                         entry.value.items().end());
    else if (entry.value.isMap())
      for (const MapEntry &item : entry.value.entries())
        loop.values.push_back(item.key);
    else if (!entry.value.isNil())
      return std::nullopt;
  }
  return loops;
}

/// Whether so many copies of \p body, with all loops' values in them, can be
/// held.
static bool isSmall(const Value &body, llvm::ArrayRef<Loop> loops) {
  uint64_t parts = body.weight(), bodyText = maxText, longest = 1;
  if (!takeText(body, bodyText))
    return false;
  for (const Loop &loop : loops) {
    parts = llvm::SaturatingMultiply(parts,
                                     std::max<uint64_t>(loop.values.size(), 1));
    for (const Value &value : loop.values) {
      uint64_t left = maxText;
      if (!takeText(value, left))
        return false;
      longest = std::max(longest, maxText - left);
    }
  }
  return parts <= maxParts && (maxText - bodyText) * longest <= maxText * 4;
}

Outcome heat::repeat(const Value &argument, ValueArena &arena) {
  constexpr const char *form =
      "takes a map with 'template' and 'for_each', a map of variables to lists";
  const Value *body = argument.isMap() ? argument.find("template") : nullptr;
  const Value *forEach = argument.isMap() ? argument.find("for_each") : nullptr;
  if (!body || !forEach || !forEach->isMap())
    return refuse(form);
  auto loops = readLoops(*forEach);
  if (!loops)
    return refuse(form);
  const Value *permutations = argument.find("permutations");
  SmallVector<Value> results;
  if (!permutations || !permutations->isFalse()) {
    if (!isSmall(*body, *loops))
      return refuse("makes more than a million items, or too long texts");
    permute(*body, *loops, results, arena);
    return {arena.list(results)};
  }
  for (const Loop &loop : *loops)
    if (loop.values.size() != loops->front().values.size())
      return refuse("without permutations takes lists of the same length");
  if (!loops->empty() && !isSmall(*body, loops->front()))
    return refuse("makes more than a million items, or too long texts");
  for (size_t i = 0; !loops->empty() && i != loops->front().values.size();
       ++i) {
    Value item = *body;
    for (const Loop &loop : *loops)
      item = bindVariable(item, loop.variable, loop.values[i], arena);
    results.push_back(item);
  }
  return {arena.list(results)};
}

//===----------------------------------------------------------------------===//
// With parts that are known only when the stack runs
//===----------------------------------------------------------------------===//

/// Lists whose lengths are known are one list, whatever their items are.
const Expr *heat::concatParts(Composer &composer, const Expr &argument,
                              SourceRange range) {
  if (!argument.is(ExprKind::List))
    return nullptr;
  SmallVector<const Expr *> items;
  for (const Expr &part : argument.children()) {
    if (part.is(ExprKind::List))
      for (const Expr &item : part.children())
        items.push_back(&item);
    else if (part.isLiteral() && part.value().isList())
      for (const Value &item : part.value().items())
        items.push_back(composer.literal(item, part.range()));
    else
      return nullptr;
  }
  return composer.list(items, range);
}

/// Maps whose keys are known are one map, whatever their values are.
const Expr *heat::mergeParts(Composer &composer, const Expr &argument,
                             SourceRange range) {
  if (!argument.is(ExprKind::List))
    return nullptr;
  llvm::MapVector<StringRef, std::pair<const Expr *, const Expr *>> merged;
  auto add = [&](const Expr *key, const Expr *value) {
    merged[composer.arena.save(textOf(key->value()))] = {key, value};
  };
  for (const Expr &part : argument.children()) {
    if (part.is(ExprKind::Map) && !isCallAsWritten(part)) {
      for (size_t i = 0; i < part.children().size(); i += 2) {
        if (!part.children()[i].isLiteral())
          return nullptr;
        add(&part.children()[i], &part.children()[i + 1]);
      }
    } else if (part.isLiteral() && part.value().isMap()) {
      for (const MapEntry &entry : part.value().entries())
        add(composer.literal(entry.key, part.range()),
            composer.literal(entry.value, part.range()));
    } else {
      return nullptr;
    }
  }
  SmallVector<const Expr *> parts;
  for (auto &[key, entry] : merged)
    parts.append({entry.first, entry.second});
  return composer.map(parts, range);
}
