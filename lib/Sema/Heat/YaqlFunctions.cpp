//===- YaqlFunctions.cpp - Functions of queries over values ---------------===//

#include "YaqlFunctions.h"

#include "Composer.h"
#include "toscac/Value/ParseLiteral.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::SmallVector;
using llvm::StringRef;
using Result = std::optional<Value>;
using Arguments = llvm::ArrayRef<Value>;

bool heat::isTruthy(const Value &value) {
  if (value.isBoolean())
    return value.isTrue();
  if (value.isString())
    return !value.asString().empty();
  if (value.isList())
    return !value.items().empty();
  if (value.isMap())
    return !value.entries().empty();
  return !value.isNil() && !(value == Value::integer(0));
}

void heat::setEntry(llvm::SmallVectorImpl<MapEntry> &entries, const Value &key,
                    const Value &value) {
  auto found = llvm::find_if(
      entries, [&](const MapEntry &entry) { return entry.key == key; });
  if (found == entries.end())
    entries.push_back({key, value});
  else
    found->value = value;
}

static Result listOf(SmallVector<Value> items, ValueArena &arena) {
  return arena.list(items);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static Result equals(Arguments args, ValueArena &) {
  return Value::boolean(args[0] == args[1]);
}

static Result differs(Arguments args, ValueArena &) {
  return Value::boolean(!(args[0] == args[1]));
}

/// Nothing where the two have no order.
template <typename Holds>
static Result ordered(Arguments args, Holds holds) {
  auto order = compare(args[0], args[1]);
  if (order == std::partial_ordering::unordered)
    return std::nullopt;
  return Value::boolean(holds(order));
}

static Result isLess(Arguments args, ValueArena &) {
  return ordered(args, [](auto order) { return order < 0; });
}
static Result isGreater(Arguments args, ValueArena &) {
  return ordered(args, [](auto order) { return order > 0; });
}
static Result isAtMost(Arguments args, ValueArena &) {
  return ordered(args, [](auto order) { return order <= 0; });
}
static Result isAtLeast(Arguments args, ValueArena &) {
  return ordered(args, [](auto order) { return order >= 0; });
}

static Result contains(Arguments args, ValueArena &) {
  const Value &whole = args[0], &part = args[1];
  if (whole.isList())
    return Value::boolean(llvm::is_contained(whole.items(), part));
  if (whole.isMap())
    return Value::boolean(whole.find(part) != nullptr);
  if (whole.isString() && part.isString())
    return Value::boolean(whole.asString().contains(part.asString()));
  return std::nullopt;
}

static Result isIn(Arguments args, ValueArena &arena) {
  return contains({args[1], args[0]}, arena);
}

static Result negate(Arguments args, ValueArena &) {
  return Value::boolean(!isTruthy(args[0]));
}

static Result add(Arguments args, ValueArena &arena) {
  const Value &a = args[0], &b = args[1];
  int64_t sum;
  if (a.isInteger() && b.isInteger() &&
      !llvm::AddOverflow(a.asInteger(), b.asInteger(), sum))
    return Value::integer(sum);
  if (a.isString() && b.isString())
    return arena.string((a.asString() + b.asString()).str());
  if (a.isList() && b.isList()) {
    SmallVector<Value> items(a.items());
    items.append(b.items().begin(), b.items().end());
    return listOf(items, arena);
  }
  if (!a.isMap() || !b.isMap())
    return std::nullopt;
  SmallVector<MapEntry> entries(a.entries());
  for (const MapEntry &entry : b.entries())
    setEntry(entries, entry.key, entry.value);
  return arena.map(entries);
}

static Result subtract(Arguments args, ValueArena &) {
  int64_t difference;
  if (!args[0].isInteger() || !args[1].isInteger() ||
      llvm::SubOverflow(args[0].asInteger(), args[1].asInteger(), difference))
    return std::nullopt;
  return Value::integer(difference);
}

static Result multiply(Arguments args, ValueArena &) {
  int64_t product;
  if (!args[0].isInteger() || !args[1].isInteger() ||
      llvm::MulOverflow(args[0].asInteger(), args[1].asInteger(), product))
    return std::nullopt;
  return Value::integer(product);
}

/// `[]`: an item of a list, counted from its end if negative, or of a map.
static Result itemAt(Arguments args, ValueArena &) {
  const Value &whole = args[0], &key = args[1];
  if (whole.isMap()) {
    const Value *found = whole.find(key);
    return found ? Result(*found) : std::nullopt;
  }
  if (!whole.isList() || !key.isInteger())
    return std::nullopt;
  int64_t size = int64_t(whole.items().size()), index = key.asInteger();
  if (index < 0)
    index += size;
  return index >= 0 && index < size ? Result(whole.items()[index])
                                    : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

static Result length(Arguments args, ValueArena &) {
  const Value &value = args[0];
  if (value.isList())
    return Value::integer(int64_t(value.items().size()));
  if (value.isMap())
    return Value::integer(int64_t(value.entries().size()));
  if (!value.isString())
    return std::nullopt;
  return Value::integer(llvm::count_if(
      value.asString(), [](char c) { return (c & 0xC0) != 0x80; }));
}

/// The item that none is better than.
template <typename IsBetter>
static Result bestOf(const Value &list, IsBetter isBetter) {
  if (!list.isList() || list.items().empty())
    return std::nullopt;
  Value best = list.items().front();
  for (const Value &item : list.items()) {
    auto order = compare(item, best);
    if (order == std::partial_ordering::unordered)
      return std::nullopt;
    if (isBetter(order))
      best = item;
  }
  return best;
}

static Result largest(Arguments args, ValueArena &) {
  return bestOf(args[0], [](auto order) { return order > 0; });
}
static Result smallest(Arguments args, ValueArena &) {
  return bestOf(args[0], [](auto order) { return order < 0; });
}

static Result sum(Arguments args, ValueArena &arena) {
  if (!args[0].isList())
    return std::nullopt;
  Result total = args.size() == 2 ? args[1] : Value::integer(0);
  for (const Value &item : args[0].items())
    if (total)
      total = add({*total, item}, arena);
  return total;
}

/// The first or last item, or what stands in for it.
static Result endOf(Arguments args, bool isFirst) {
  if (!args[0].isList())
    return std::nullopt;
  if (!args[0].items().empty())
    return isFirst ? args[0].items().front() : args[0].items().back();
  return args.size() == 2 ? Result(args[1]) : std::nullopt;
}
static Result first(Arguments args, ValueArena &) { return endOf(args, true); }
static Result last(Arguments args, ValueArena &) { return endOf(args, false); }

static void flattenInto(const Value &value, SmallVector<Value> &items) {
  if (!value.isList())
    return items.push_back(value);
  for (const Value &item : value.items())
    flattenInto(item, items);
}

static Result flatten(Arguments args, ValueArena &arena) {
  if (!args[0].isList())
    return std::nullopt;
  SmallVector<Value> items;
  flattenInto(args[0], items);
  return listOf(items, arena);
}

static Result distinct(Arguments args, ValueArena &arena) {
  if (!args[0].isList())
    return std::nullopt;
  SmallVector<Value> items;
  for (const Value &item : args[0].items())
    if (!llvm::is_contained(items, item))
      items.push_back(item);
  return listOf(items, arena);
}

static Result reverse(Arguments args, ValueArena &arena) {
  if (!args[0].isList())
    return std::nullopt;
  SmallVector<Value> items(llvm::reverse(args[0].items()));
  return listOf(items, arena);
}

/// Pairs, as far as the shorter list goes.
static Result zip(Arguments args, ValueArena &arena) {
  if (!args[0].isList() || !args[1].isList())
    return std::nullopt;
  SmallVector<Value> pairs;
  for (auto [a, b] : llvm::zip(args[0].items(), args[1].items())) {
    Value pair[] = {a, b};
    pairs.push_back(arena.list(pair));
  }
  return listOf(pairs, arena);
}

static Result repeatValue(Arguments args, ValueArena &arena) {
  if (!args[1].isInteger() || args[1].asInteger() < 0 ||
      uint64_t(args[1].asInteger()) > maxParts)
    return std::nullopt;
  return listOf(SmallVector<Value>(args[1].asInteger(), args[0]), arena);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static Result get(Arguments args, ValueArena &) {
  if (!args[0].isMap())
    return std::nullopt;
  if (const Value *found = args[0].find(args[1]))
    return *found;
  return args.size() == 3 ? args[2] : Value();
}

/// Something of each entry.
template <typename Each>
static Result ofEntries(const Value &map, ValueArena &arena, Each each) {
  if (!map.isMap())
    return std::nullopt;
  SmallVector<Value> items;
  for (const MapEntry &entry : map.entries())
    items.push_back(each(entry));
  return listOf(items, arena);
}

static Result keys(Arguments args, ValueArena &arena) {
  return ofEntries(args[0], arena, [](auto &entry) { return entry.key; });
}
static Result values(Arguments args, ValueArena &arena) {
  return ofEntries(args[0], arena, [](auto &entry) { return entry.value; });
}
static Result items(Arguments args, ValueArena &arena) {
  return ofEntries(args[0], arena, [&](auto &entry) {
    Value pair[] = {entry.key, entry.value};
    return arena.list(pair);
  });
}

static Result containsKey(Arguments args, ValueArena &) {
  if (!args[0].isMap())
    return std::nullopt;
  return Value::boolean(args[0].find(args[1]) != nullptr);
}

/// Maps are merged at all levels; lists take what they do not have yet.
static Value merge(const Value &a, const Value &b, ValueArena &arena) {
  if (a.isMap() && b.isMap()) {
    SmallVector<MapEntry> entries(a.entries());
    for (const MapEntry &entry : b.entries()) {
      const Value *old = a.find(entry.key);
      setEntry(entries, entry.key,
               old ? merge(*old, entry.value, arena) : entry.value);
    }
    return arena.map(entries);
  }
  if (a.isList() && b.isList())
    return *distinct(*add({a, b}, arena), arena);
  return b;
}

static Result mergeWith(Arguments args, ValueArena &arena) {
  if (!args[0].isMap() || !args[1].isMap())
    return std::nullopt;
  return merge(args[0], args[1], arena);
}

static Result without(const Value &map, Arguments keys, ValueArena &arena) {
  if (!map.isMap())
    return std::nullopt;
  SmallVector<MapEntry> entries;
  for (const MapEntry &entry : map.entries())
    if (!llvm::is_contained(keys, entry.key))
      entries.push_back(entry);
  return arena.map(entries);
}

static Result remove(Arguments args, ValueArena &arena) {
  return without(args[0], args.drop_front(), arena);
}
static Result removeAll(Arguments args, ValueArena &arena) {
  return args[1].isList() ? without(args[0], args[1].items(), arena)
                          : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

static Result toText(Arguments args, ValueArena &arena) {
  if (args[0].isNil())
    return Value::string("null");
  if (args[0].isList() || args[0].isMap())
    return std::nullopt;
  return arena.string(textOf(args[0]));
}

static Result toInteger(Arguments args, ValueArena &) {
  if (args[0].isNil())
    return Value::integer(0);
  int64_t number;
  if (args[0].isInteger())
    return args[0];
  if (!args[0].isString() || args[0].asString().trim().getAsInteger(10, number))
    return std::nullopt;
  return Value::integer(number);
}

static Result concat(Arguments args, ValueArena &arena) {
  std::string text;
  for (const Value &part : args) {
    if (!part.isString())
      return std::nullopt;
    text += part.asString();
  }
  return arena.string(text);
}

/// `{}` and `{0}` in a text; other forms are not known.
static Result format(Arguments args, ValueArena &arena) {
  if (!args[0].isString())
    return std::nullopt;
  std::string text;
  size_t next = 0;
  StringRef rest = args[0].asString();
  while (true) {
    size_t at = rest.find_first_of("{}");
    text += rest.take_front(at);
    if (at == StringRef::npos)
      return arena.string(text);
    auto [field, after] = rest.drop_front(at + 1).split('}');
    size_t index = next++;
    bool isField = rest[at] == '{' && rest.drop_front(at).contains('}') &&
                   (field.empty() || !field.getAsInteger(10, index));
    if (!isField || index + 1 >= args.size() || args[index + 1].isList() ||
        args[index + 1].isMap())
      return std::nullopt;
    text += textOf(args[index + 1]);
    rest = after;
  }
}

static Result splitAt(Arguments args, ValueArena &arena, bool fromRight) {
  bool fits = args.size() >= 2 && args[0].isString() && args[1].isString() &&
              !args[1].asString().empty() &&
              (args.size() == 2 || args[2].isInteger());
  if (!fits)
    return std::nullopt;
  int64_t most = args.size() == 3 ? args[2].asInteger() : -1;
  SmallVector<Value> parts;
  StringRef rest = args[0].asString(), separator = args[1].asString();
  while (most < 0 || int64_t(parts.size()) < most) {
    size_t at = fromRight ? rest.rfind(separator) : rest.find(separator);
    if (at == StringRef::npos)
      break;
    StringRef before = rest.take_front(at);
    StringRef after = rest.drop_front(at + separator.size());
    parts.push_back(Value::string(fromRight ? after : before));
    rest = fromRight ? before : after;
  }
  parts.push_back(Value::string(rest));
  if (fromRight)
    std::reverse(parts.begin(), parts.end());
  return listOf(parts, arena);
}
static Result split(Arguments args, ValueArena &arena) {
  return splitAt(args, arena, false);
}
static Result rightSplit(Arguments args, ValueArena &arena) {
  return splitAt(args, arena, true);
}

/// `list.join(separator)` and `separator.join(list)`.
static Result join(Arguments args, ValueArena &arena) {
  const Value &list = args[0].isList() ? args[0] : args[1];
  const Value &separator = args[0].isList() ? args[1] : args[0];
  if (!list.isList() || !separator.isString())
    return std::nullopt;
  std::vector<std::string> texts;
  uint64_t budget = maxText;
  for (const Value &item : list.items()) {
    Result text = toText(item, arena);
    if (!text || !takeText(*text, budget) || !takeText(separator, budget))
      return std::nullopt;
    texts.push_back(text->asString().str());
  }
  return arena.string(llvm::join(texts, separator.asString()));
}

static Result replace(Arguments args, ValueArena &arena) {
  if (!llvm::all_of(args, [](const Value &arg) { return arg.isString(); }) ||
      args[1].asString().empty())
    return std::nullopt;
  Result parts = split(args.take_front(2), arena);
  return join({*parts, args[2]}, arena);
}

/// Something of two texts that holds or not.
template <typename Holds>
static Result ofTexts(Arguments args, Holds holds) {
  if (!args[0].isString() || !args[1].isString())
    return std::nullopt;
  return Value::boolean(holds(args[0].asString(), args[1].asString()));
}
static Result startsWith(Arguments args, ValueArena &) {
  return ofTexts(args,
                 [](StringRef a, StringRef b) { return a.starts_with(b); });
}
static Result endsWith(Arguments args, ValueArena &) {
  return ofTexts(args, [](StringRef a, StringRef b) { return a.ends_with(b); });
}

static Result toLower(Arguments args, ValueArena &arena) {
  return args[0].isString() ? Result(arena.string(args[0].asString().lower()))
                            : std::nullopt;
}
static Result toUpper(Arguments args, ValueArena &arena) {
  return args[0].isString() ? Result(arena.string(args[0].asString().upper()))
                            : std::nullopt;
}
static Result trim(Arguments args, ValueArena &) {
  return args[0].isString() ? Result(Value::string(args[0].asString().trim()))
                            : std::nullopt;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

static Result isList(Arguments args, ValueArena &) {
  return Value::boolean(args[0].isList());
}
static Result isMap(Arguments args, ValueArena &) {
  return Value::boolean(args[0].isMap());
}
static Result isText(Arguments args, ValueArena &) {
  return Value::boolean(args[0].isString());
}

namespace {
struct Row {
  StringRef name;
  size_t fewest, most;
  Result (*function)(Arguments arguments, ValueArena &arena);
};
} // namespace

static constexpr Row rows[] = {
    {"=", 2, 2, equals},
    {"!=", 2, 2, differs},
    {"<", 2, 2, isLess},
    {">", 2, 2, isGreater},
    {"<=", 2, 2, isAtMost},
    {">=", 2, 2, isAtLeast},
    {"in", 2, 2, isIn},
    {"not", 1, 1, negate},
    {"+", 2, 2, add},
    {"-", 2, 2, subtract},
    {"*", 2, 2, multiply},
    {"[]", 2, 2, itemAt},
    {"len", 1, 1, length},
    {"max", 1, 1, largest},
    {"min", 1, 1, smallest},
    {"sum", 1, 2, sum},
    {"first", 1, 2, first},
    {"last", 1, 2, last},
    {"flatten", 1, 1, flatten},
    {"distinct", 1, 1, distinct},
    {"reverse", 1, 1, reverse},
    {"zip", 2, 2, zip},
    {"repeat", 2, 2, repeatValue},
    {"contains", 2, 2, contains},
    {"get", 2, 3, get},
    {"keys", 1, 1, keys},
    {"values", 1, 1, values},
    {"items", 1, 1, items},
    {"containsKey", 2, 2, containsKey},
    {"mergeWith", 2, 2, mergeWith},
    {"delete", 2, 100, remove},
    {"deleteAll", 2, 2, removeAll},
    {"str", 1, 1, toText},
    {"int", 1, 1, toInteger},
    {"concat", 1, 100, concat},
    {"format", 1, 100, format},
    {"split", 2, 3, split},
    {"rightSplit", 2, 3, rightSplit},
    {"join", 2, 2, join},
    {"replace", 3, 3, replace},
    {"startsWith", 2, 2, startsWith},
    {"endsWith", 2, 2, endsWith},
    {"toLower", 1, 1, toLower},
    {"toUpper", 1, 1, toUpper},
    {"trim", 1, 1, trim},
    {"isList", 1, 1, isList},
    {"isDict", 1, 1, isMap},
    {"isString", 1, 1, isText},
};

Result heat::callYaqlFunction(StringRef name, Arguments arguments,
                              ValueArena &arena) {
  auto found =
      llvm::find_if(rows, [&](const Row &row) { return row.name == name; });
  bool fits = found != std::end(rows) && arguments.size() >= found->fewest &&
              arguments.size() <= found->most;
  return fits ? found->function(arguments, arena) : std::nullopt;
}
