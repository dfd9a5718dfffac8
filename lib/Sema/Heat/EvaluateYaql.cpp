//===- EvaluateYaql.cpp - What a query gives ------------------------------===//

#include "Composer.h"
#include "Yaql.h"
#include "YaqlFunctions.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::SmallVector;
using llvm::StringRef;
using Kind = Yaql::Kind;
using Result = std::optional<Value>;

namespace {

/// Names and what they stand for, the innermost first.
struct Binding {
  StringRef name;
  Value value;
  const Binding *outer;
};

class YaqlEvaluator {
public:
  YaqlEvaluator(ValueArena &arena, const OpenParts *open)
      : arena(arena), open(open) {}

  Result evaluate(const Yaql &query, const Binding *names);

private:
  /// A function that evaluates arguments itself, for each item or if needed.
  using Form = Result (YaqlEvaluator::*)(const Yaql &call,
                                         const Binding *names);
  static Form findForm(StringRef name);

  Result evaluatePart(const Yaql &query, const Binding *names);
  Result evaluateMap(const Yaql &query, const Binding *names);
  Result evaluateLet(const Yaql &query, const Binding *names);
  Result callFunction(const Yaql &call, const Binding *names);

  Result where(const Yaql &call, const Binding *names);
  Result select(const Yaql &call, const Binding *names);
  Result selectMany(const Yaql &call, const Binding *names);
  Result groupBy(const Yaql &call, const Binding *names);
  Result toDict(const Yaql &call, const Binding *names);
  Result reduce(const Yaql &call, const Binding *names);
  Result any(const Yaql &call, const Binding *names);
  Result all(const Yaql &call, const Binding *names);
  Result choose(const Yaql &call, const Binding *names);
  Result coalesce(const Yaql &call, const Binding *names);
  Result conjunction(const Yaql &call, const Binding *names);
  Result disjunction(const Yaql &call, const Binding *names);
  Result makeList(const Yaql &call, const Binding *names);
  Result makeMap(const Yaql &call, const Binding *names);

  /// Calls \p visit with each item of the list that the first argument is, and
  /// a binding of `$` to it; false where it is none, or \p visit said so.
  bool forEach(const Yaql &call, const Binding *names,
               llvm::function_ref<bool(const Value &, const Binding &)> visit);

  bool isOpen(const Value &value) const { return open && open->find(value); }
  bool hasOpen(const Value &value) const { return open && open->isIn(value); }
  /// Whether \p value counts as true; nothing where that is not known.
  std::optional<bool> truthOf(const Value &value) const {
    return isOpen(value) ? std::nullopt : std::optional(isTruthy(value));
  }
  bool isDecided(StringRef function, llvm::ArrayRef<Value> arguments) const;
  bool mergesClearly(const Value &a, const Value &b) const;

  ValueArena &arena;
  /// Null: all is known.
  const OpenParts *open;
  unsigned numSteps = 0, depth = 0;

  /// Loops within each other are all that could take long.
  static constexpr unsigned maxSteps = 1 << 20;
  static constexpr unsigned maxDepth = 200;
};

} // namespace

YaqlEvaluator::Form YaqlEvaluator::findForm(StringRef name) {
  static constexpr std::pair<StringRef, Form> forms[] = {
      {"where", &YaqlEvaluator::where},
      {"filter", &YaqlEvaluator::where},
      {"select", &YaqlEvaluator::select},
      {"selectMany", &YaqlEvaluator::selectMany},
      {"groupBy", &YaqlEvaluator::groupBy},
      {"toDict", &YaqlEvaluator::toDict},
      {"reduce", &YaqlEvaluator::reduce},
      {"aggregate", &YaqlEvaluator::reduce},
      {"any", &YaqlEvaluator::any},
      {"all", &YaqlEvaluator::all},
      {"switch", &YaqlEvaluator::choose},
      {"coalesce", &YaqlEvaluator::coalesce},
      {"and", &YaqlEvaluator::conjunction},
      {"or", &YaqlEvaluator::disjunction},
      {"list", &YaqlEvaluator::makeList},
      {"dict", &YaqlEvaluator::makeMap},
  };
  auto found = llvm::find_if(
      forms, [&](const auto &form) { return form.first == name; });
  return found == std::end(forms) ? nullptr : found->second;
}

Result YaqlEvaluator::evaluate(const Yaql &query, const Binding *names) {
  if (++numSteps > maxSteps || depth >= maxDepth)
    return std::nullopt;
  ++depth;
  Result result;
  switch (query.kind) {
  case Kind::Literal:
    result = query.literal;
    break;
  case Kind::Variable:
    for (const Binding *at = names; at && !result; at = at->outer)
      if (at->name == query.name)
        result = at->value;
    break;
  case Kind::Part:
  case Kind::PartOrNull:
    result = evaluatePart(query, names);
    break;
  case Kind::List: {
    SmallVector<Value> items;
    for (const Yaql &part : query.parts)
      if (Result item = evaluate(part, names))
        items.push_back(*item);
    if (items.size() == query.parts.size())
      result = arena.list(items);
    break;
  }
  case Kind::Map:
    result = evaluateMap(query, names);
    break;
  case Kind::Let:
    result = evaluateLet(query, names);
    break;
  case Kind::Call:
    result = callFunction(query, names);
    break;
  case Kind::Word:
  case Kind::Pair:
    break;
  }
  --depth;
  return result;
}

/// A part of a list is that part of each item.
Result YaqlEvaluator::evaluatePart(const Yaql &query, const Binding *names) {
  Result whole = evaluate(query.parts.front(), names);
  if (!whole)
    return std::nullopt;
  if (whole->isNil() && query.kind == Kind::PartOrNull)
    return Value();
  if (whole->isMap()) {
    const Value *part = whole->find(query.name);
    return part ? Result(*part) : std::nullopt;
  }
  if (!whole->isList())
    return std::nullopt;
  SmallVector<Value> parts;
  for (const Value &item : whole->items()) {
    const Value *part = item.isMap() ? item.find(query.name) : nullptr;
    if (!part)
      return std::nullopt;
    parts.push_back(*part);
  }
  return arena.list(parts);
}

Result YaqlEvaluator::evaluateMap(const Yaql &query, const Binding *names) {
  SmallVector<MapEntry> entries;
  for (const Yaql &pair : query.parts) {
    if (pair.kind != Kind::Pair)
      return std::nullopt;
    Result key = pair.parts[0].kind == Kind::Word
                     ? Result(arena.string(pair.parts[0].name))
                     : evaluate(pair.parts[0], names);
    Result value = evaluate(pair.parts[1], names);
    if (!key || !value || hasOpen(*key))
      return std::nullopt;
    setEntry(entries, *key, *value);
  }
  return arena.map(entries);
}

Result YaqlEvaluator::evaluateLet(const Yaql &query, const Binding *names) {
  const Yaql &let = query.parts.front();
  if (let.kind != Kind::Call || let.name != "let")
    return std::nullopt;
  // References to bindings must stay good while more are added.
  std::vector<Binding> bindings;
  bindings.reserve(let.parts.size());
  const Binding *inner = names;
  for (const Yaql &pair : let.parts) {
    bool isPair = pair.kind == Kind::Pair && pair.parts[0].kind == Kind::Word;
    Result value = isPair ? evaluate(pair.parts[1], names) : std::nullopt;
    if (!value)
      return std::nullopt;
    bindings.push_back({pair.parts[0].name, *value, inner});
    inner = &bindings.back();
  }
  return evaluate(query.parts[1], inner);
}

/// Maps that have the same key only for maps: nothing else is compared.
bool YaqlEvaluator::mergesClearly(const Value &a, const Value &b) const {
  if (!a.isMap() || !b.isMap())
    return !hasOpen(a) && !hasOpen(b);
  return llvm::all_of(b.entries(), [&](const MapEntry &entry) {
    const Value *known = a.find(entry.key);
    return !known || mergesClearly(*known, entry.value);
  });
}

/// Whether the outcome of \p function does not depend on what parts of
/// \p arguments are that are not known.
bool YaqlEvaluator::isDecided(StringRef function,
                              llvm::ArrayRef<Value> arguments) const {
  auto isKnown = [&](const Value &value) { return !hasOpen(value); };
  if (!open || llvm::all_of(arguments, isKnown))
    return true;
  if (llvm::any_of(arguments, [&](const Value &arg) { return isOpen(arg); }))
    return false;
  if (function == "=" || function == "!=")
    return arguments[0].isNil() || arguments[1].isNil();
  if (function == "mergeWith")
    return mergesClearly(arguments[0], arguments[1]);
  if (function == "flatten" && arguments[0].isList())
    return llvm::none_of(arguments[0].items(), [&](const Value &item) {
      return isOpen(item) || (item.isList() && hasOpen(item));
    });
  if (function == "get" || function == "[]")
    return isKnown(arguments[1]);
  static constexpr StringRef structural[] = {
      "len", "first", "last",   "zip",    "keys",    "values",
      "not", "items", "isList", "isDict", "reverse", "isString"};
  return llvm::is_contained(structural, function);
}

Result YaqlEvaluator::callFunction(const Yaql &call, const Binding *names) {
  if (Form form = findForm(call.name))
    return (this->*form)(call, names);
  SmallVector<Value> arguments;
  for (const Yaql &part : call.parts) {
    // Names of arguments are only understood where they stand in their order.
    bool isNamed = part.kind == Kind::Pair &&
                   part.parts[0].kind == Kind::Word &&
                   StringRef(call.name).ends_with_insensitive("split");
    Result argument = evaluate(isNamed ? part.parts[1] : part, names);
    if (!argument)
      return std::nullopt;
    arguments.push_back(*argument);
  }
  if (!isDecided(call.name, arguments))
    return std::nullopt;
  Result result = callYaqlFunction(call.name, arguments, arena);
  return result && result->weight() <= maxParts ? result : std::nullopt;
}

//===----------------------------------------------------------------------===//
// For each item
//===----------------------------------------------------------------------===//

bool YaqlEvaluator::forEach(
    const Yaql &call, const Binding *names,
    llvm::function_ref<bool(const Value &, const Binding &)> visit) {
  Result list =
      call.parts.empty() ? std::nullopt : evaluate(call.parts.front(), names);
  return list && list->isList() &&
         llvm::all_of(list->items(), [&](const Value &item) {
           return visit(item, Binding{"", item, names});
         });
}

Result YaqlEvaluator::where(const Yaql &call, const Binding *names) {
  SmallVector<Value> kept;
  auto visit = [&](const Value &item, const Binding &inner) {
    Result holds = evaluate(call.parts[1], &inner);
    std::optional<bool> truth = holds ? truthOf(*holds) : std::nullopt;
    if (truth && *truth)
      kept.push_back(item);
    return truth.has_value();
  };
  bool isDone = call.parts.size() == 2 && forEach(call, names, visit);
  return isDone ? Result(arena.list(kept)) : std::nullopt;
}

Result YaqlEvaluator::select(const Yaql &call, const Binding *names) {
  SmallVector<Value> made;
  auto visit = [&](const Value &, const Binding &inner) {
    Result value = evaluate(call.parts[1], &inner);
    made.push_back(value.value_or(Value()));
    return value.has_value();
  };
  bool isDone = call.parts.size() == 2 && forEach(call, names, visit);
  return isDone ? Result(arena.list(made)) : std::nullopt;
}

Result YaqlEvaluator::selectMany(const Yaql &call, const Binding *names) {
  Result lists = select(call, names);
  if (!lists)
    return std::nullopt;
  SmallVector<Value> items;
  for (const Value &list : lists->items()) {
    if (isOpen(list))
      return std::nullopt;
    if (list.isList())
      items.append(list.items().begin(), list.items().end());
    else
      items.push_back(list);
  }
  return arena.list(items);
}

Result YaqlEvaluator::groupBy(const Yaql &call, const Binding *names) {
  std::vector<std::pair<Value, SmallVector<Value>>> groups;
  auto visit = [&](const Value &item, const Binding &inner) {
    Result key = evaluate(call.parts[1], &inner);
    Result value =
        call.parts.size() == 3 ? evaluate(call.parts[2], &inner) : Result(item);
    if (!key || !value || hasOpen(*key))
      return false;
    auto found = llvm::find_if(
        groups, [&](const auto &group) { return group.first == *key; });
    if (found == groups.end())
      found = groups.insert(found, {*key, {}});
    found->second.push_back(*value);
    return true;
  };
  bool isCall = call.parts.size() == 2 || call.parts.size() == 3;
  if (!isCall || !forEach(call, names, visit))
    return std::nullopt;
  SmallVector<Value> pairs;
  for (auto &[key, values] : groups) {
    Value pair[] = {key, arena.list(values)};
    pairs.push_back(arena.list(pair));
  }
  return arena.list(pairs);
}

Result YaqlEvaluator::toDict(const Yaql &call, const Binding *names) {
  SmallVector<MapEntry> entries;
  auto visit = [&](const Value &item, const Binding &inner) {
    Result key = evaluate(call.parts[1], &inner);
    Result value =
        call.parts.size() == 3 ? evaluate(call.parts[2], &inner) : Result(item);
    bool isGood = key && value && !hasOpen(*key);
    if (isGood)
      setEntry(entries, *key, *value);
    return isGood;
  };
  bool isCall = call.parts.size() == 2 || call.parts.size() == 3;
  bool isDone = isCall && forEach(call, names, visit);
  return isDone ? Result(arena.map(entries)) : std::nullopt;
}

/// `$1` is what there is so far, `$2` the item.
Result YaqlEvaluator::reduce(const Yaql &call, const Binding *names) {
  Result soFar =
      call.parts.size() == 3 ? evaluate(call.parts[2], names) : std::nullopt;
  bool hasStart = soFar.has_value();
  auto visit = [&](const Value &item, const Binding &) {
    if (!soFar) {
      soFar = item;
      return true;
    }
    Binding whole{"", *soFar, names}, first{"1", *soFar, &whole},
        second{"2", item, &first};
    soFar = evaluate(call.parts[1], &second);
    return soFar.has_value();
  };
  bool isCall = call.parts.size() == 2 || hasStart;
  return isCall && forEach(call, names, visit) ? soFar : std::nullopt;
}

Result YaqlEvaluator::any(const Yaql &call, const Binding *names) {
  Result kept = call.parts.size() == 2   ? where(call, names)
                : call.parts.size() == 1 ? evaluate(call.parts.front(), names)
                                         : std::nullopt;
  if (!kept || !kept->isList())
    return std::nullopt;
  return Value::boolean(!kept->items().empty());
}

Result YaqlEvaluator::all(const Yaql &call, const Binding *names) {
  Result values = call.parts.size() == 2   ? select(call, names)
                  : call.parts.size() == 1 ? evaluate(call.parts.front(), names)
                                           : std::nullopt;
  bool isKnown = values && values->isList() &&
                 llvm::none_of(values->items(),
                               [&](const Value &item) { return isOpen(item); });
  if (!isKnown)
    return std::nullopt;
  return Value::boolean(llvm::all_of(values->items(), isTruthy));
}

//===----------------------------------------------------------------------===//
// If needed
//===----------------------------------------------------------------------===//

Result YaqlEvaluator::choose(const Yaql &call, const Binding *names) {
  for (const Yaql &pair : call.parts) {
    if (pair.kind != Kind::Pair)
      return std::nullopt;
    Result holds = evaluate(pair.parts[0], names);
    std::optional<bool> truth = holds ? truthOf(*holds) : std::nullopt;
    if (!truth)
      return std::nullopt;
    if (*truth)
      return evaluate(pair.parts[1], names);
  }
  return Value();
}

Result YaqlEvaluator::coalesce(const Yaql &call, const Binding *names) {
  for (const Yaql &part : call.parts) {
    Result value = evaluate(part, names);
    if (value && isOpen(*value))
      return std::nullopt;
    if (!value || !value->isNil())
      return value;
  }
  return Value();
}

Result YaqlEvaluator::conjunction(const Yaql &call, const Binding *names) {
  Result left =
      call.parts.size() == 2 ? evaluate(call.parts[0], names) : std::nullopt;
  if (left && isOpen(*left))
    return std::nullopt;
  return left && isTruthy(*left) ? evaluate(call.parts[1], names) : left;
}

Result YaqlEvaluator::disjunction(const Yaql &call, const Binding *names) {
  Result left =
      call.parts.size() == 2 ? evaluate(call.parts[0], names) : std::nullopt;
  if (left && isOpen(*left))
    return std::nullopt;
  return left && !isTruthy(*left) ? evaluate(call.parts[1], names) : left;
}

//===----------------------------------------------------------------------===//
// Collections
//===----------------------------------------------------------------------===//

/// Whether YAQL makes the items of \p query one by one; `list` takes those
/// apart, and no others.
static bool givesItems(const Yaql &query) {
  static constexpr StringRef makers[] = {"where", "filter",   "select",
                                         "zip",   "distinct", "selectMany",
                                         "skip",  "limit",    "flatten"};
  return query.kind == Kind::Let ? givesItems(query.parts[1])
                                 : query.kind == Kind::Call &&
                                       llvm::is_contained(makers, query.name);
}

Result YaqlEvaluator::makeList(const Yaql &call, const Binding *names) {
  SmallVector<Value> items;
  for (const Yaql &part : call.parts) {
    Result value = evaluate(part, names);
    if (!value)
      return std::nullopt;
    if (givesItems(part) && value->isList())
      items.append(value->items().begin(), value->items().end());
    else
      items.push_back(*value);
  }
  return arena.list(items);
}

/// Of pairs `a => b`, or of a list of lists with a key and a value.
Result YaqlEvaluator::makeMap(const Yaql &call, const Binding *names) {
  if (call.parts.empty() || call.parts.front().kind == Kind::Pair)
    return evaluateMap(call, names);
  Result pairs = call.parts.size() == 1 ? evaluate(call.parts.front(), names)
                                        : std::nullopt;
  if (!pairs || pairs->isMap())
    return pairs;
  if (!pairs->isList())
    return std::nullopt;
  SmallVector<MapEntry> entries;
  for (const Value &pair : pairs->items()) {
    if (!pair.isList() || pair.items().size() != 2 || hasOpen(pair.items()[0]))
      return std::nullopt;
    setEntry(entries, pair.items()[0], pair.items()[1]);
  }
  return arena.map(entries);
}

Result heat::evaluateYaql(const Yaql &query, const Value &data,
                          ValueArena &arena, const OpenParts *open) {
  Binding whole{"", data, nullptr};
  return YaqlEvaluator(arena, open).evaluate(query, &whole);
}

FunctionInfo::Outcome heat::queryValue(const Value &argument,
                                       ValueArena &arena) {
  const Value *text = argument.isMap() ? argument.find("expression") : nullptr;
  const Value *data = argument.isMap() ? argument.find("data") : nullptr;
  if (!text || !text->isString() || !data)
    return {{}, "takes a map with 'expression', a text, and 'data'"};
  std::optional<Yaql> query = parseYaql(text->asString(), arena);
  MapEntry entry{Value::string("data"), *data};
  Result result =
      query ? evaluateYaql(*query, arena.map(entry), arena) : std::nullopt;
  if (!result)
    return notHere(argument, arena);
  return {*result};
}
