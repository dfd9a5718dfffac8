//===- RubyListMethods.cpp - Methods of lists and maps --------------------===//

#include "RubyMethods.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using VKind = RubyValue::Kind;

static constexpr size_t maxItems = 1 << 20;

/// The items of a list, of a range, or the pairs of a map.
static std::vector<RubyValue> itemsOf(const RubyCall &call,
                                      const RubyValue &value) {
  std::vector<RubyValue> items;
  if (value.isList())
    return value.items();
  if (value.isMap()) {
    for (auto &[key, item] : value.data().entries)
      items.push_back(RubyValue::list({key, item}));
    return items;
  }
  if (!value.is(VKind::Range))
    return {value};
  const RubyValue &first = value.items()[0], &last = value.items()[1];
  if (first.isText() && last.isText() && first.asText().size() == 1 &&
      last.asText().size() == 1) {
    for (char c = first.asText()[0]; c <= last.asText()[0]; ++c)
      items.push_back(RubyValue::text(StringRef(&c, 1)));
    return items;
  }
  int64_t end = last.asInteger() - value.data().isFlag;
  bool isGood = first.isInteger() && last.isInteger() &&
                (end < first.asInteger() ||
                 uint64_t(end) - uint64_t(first.asInteger()) < maxItems);
  if (!isGood) {
    wrongUse(call);
    return items;
  }
  for (int64_t i = first.asInteger(); i <= end; ++i)
    items.push_back(RubyValue::integer(i));
  return items;
}

static std::vector<RubyValue> itemsOf(const RubyCall &call) {
  return itemsOf(call, call.self);
}

/// What the block gives for \p item: of a map, for key and value.
static RubyValue forItem(const RubyCall &call, const RubyValue &item) {
  return call.self.isMap() ? call.yield({item.items()[0], item.items()[1]})
                           : call.yield({item});
}

static RubyValue listOfAll(const RubyCall &call) {
  return RubyValue::list(itemsOf(call));
}

static RubyValue listEach(const RubyCall &call) {
  if (!call.hasBlock())
    return RubyValue::list(itemsOf(call));
  bool isReverse = call.name == "reverse_each";
  std::vector<RubyValue> items = itemsOf(call);
  if (isReverse)
    std::reverse(items.begin(), items.end());
  for (const RubyValue &item : items) {
    if (call.self.isMap() && call.name != "each_key" &&
        call.name != "each_value")
      call.yield({item});
    else if (call.name == "each_key" || call.name == "each_value")
      call.yield({item.items()[call.name == "each_value"]});
    else
      call.yield({item});
    if (call.in.isLeaving())
      return {};
  }
  return call.self;
}

static RubyValue listEachWith(const RubyCall &call) {
  std::vector<RubyValue> items = itemsOf(call);
  bool isObject = call.name == "each_with_object";
  int64_t first = call.name == "with_index" ? argument(call, 0).asInteger() : 0;
  RubyValue made = RubyValue::list();
  for (auto [i, item] : llvm::enumerate(items)) {
    RubyValue number = RubyValue::integer(first + int64_t(i));
    if (!call.hasBlock()) {
      made.items().push_back(RubyValue::list({item, number}));
      continue;
    }
    RubyValue value = call.yield({item, isObject ? argument(call, 0) : number});
    if (call.in.isLeaving())
      return {};
    made.items().push_back(value);
  }
  return isObject                                            ? argument(call, 0)
         : call.hasBlock() && call.name == "each_with_index" ? call.self
                                                             : made;
}

static RubyValue listMap(const RubyCall &call) {
  RubyValue made = RubyValue::list();
  if (!call.hasBlock())
    return RubyValue::list(itemsOf(call));
  for (const RubyValue &item : itemsOf(call)) {
    RubyValue value = forItem(call, item);
    if (call.in.isLeaving())
      return {};
    bool isFlat = call.name == "flat_map" && value.isList();
    if (isFlat)
      made.items().insert(made.items().end(), value.items().begin(),
                          value.items().end());
    else if (call.name != "filter_map" || value.isTruthy())
      made.items().push_back(value);
  }
  if (!call.name.ends_with("!"))
    return made;
  call.self.items() = made.items();
  return call.self;
}

static RubyValue listChoose(const RubyCall &call) {
  if (!call.hasBlock())
    return wrongUse(call);
  StringRef name = call.name;
  bool inPlace =
      name.consume_back("!") || name == "delete_if" || name == "keep_if";
  bool isReject = name == "reject" || name == "delete_if";
  RubyValue kept = call.self.isMap() ? RubyValue::map() : RubyValue::list();
  RubyValue others = RubyValue::list();
  for (const RubyValue &item : itemsOf(call)) {
    bool holds = forItem(call, item).isTruthy();
    if (call.in.isLeaving())
      return {};
    if (name == "partition")
      (holds ? kept : others).items().push_back(item);
    else if (holds != isReject && kept.isMap())
      kept.set(item.items()[0], item.items()[1]);
    else if (holds != isReject)
      kept.items().push_back(item);
  }
  if (name == "partition")
    return RubyValue::list({kept, others});
  if (!inPlace)
    return kept;
  call.self.data().items = kept.data().items;
  call.self.data().entries = kept.data().entries;
  call.self.data().places = kept.data().places;
  return call.self;
}

static RubyValue listFind(const RubyCall &call) {
  bool isIndex = call.name.ends_with("index");
  std::vector<RubyValue> items = itemsOf(call);
  for (auto [i, item] : llvm::enumerate(items)) {
    bool holds = call.hasBlock() ? forItem(call, item).isTruthy()
                                 : item == argument(call, 0);
    if (call.in.isLeaving())
      return {};
    if (holds)
      return isIndex ? RubyValue::integer(int64_t(i)) : item;
  }
  return {};
}

static RubyValue listTest(const RubyCall &call) {
  StringRef name = call.name;
  size_t hits = 0;
  std::vector<RubyValue> items = itemsOf(call);
  for (const RubyValue &item : items) {
    RubyValue wanted = argument(call, 0);
    bool holds = call.hasBlock()     ? forItem(call, item).isTruthy()
                 : call.count() == 0 ? (name == "count" || item.isTruthy())
                 : wanted.is(VKind::Class) || wanted.is(VKind::Regexp)
                     ? call.in.callMethod(wanted, "===", {item}, {}, call.node)
                           .isTruthy()
                     : item == wanted;
    if (call.in.isLeaving())
      return {};
    hits += holds;
  }
  if (name == "count")
    return RubyValue::integer(int64_t(hits));
  return truth(name == "any?"    ? hits > 0
               : name == "all?"  ? hits == items.size()
               : name == "none?" ? hits == 0
                                 : hits == 1);
}

static RubyValue listReduce(const RubyCall &call) {
  std::vector<RubyValue> items = itemsOf(call);
  RubyValue soFar;
  bool hasStart = false;
  RubyValue block = call.block;
  for (const RubyValue &given : call.arguments) {
    bool isName = given.is(VKind::Symbol) && !call.hasBlock();
    if (isName) {
      block = RubyValue::named(VKind::Proc, given.asText());
    } else {
      soFar = given;
      hasStart = true;
    }
  }
  for (const RubyValue &item : items) {
    soFar = hasStart ? call.in.callProc(block, {soFar, item}, call.node) : item;
    hasStart = true;
    if (call.in.isLeaving())
      return {};
  }
  return soFar;
}

static RubyValue listSum(const RubyCall &call) {
  RubyValue sum = call.count() ? argument(call, 0) : RubyValue::integer(0);
  for (const RubyValue &item : itemsOf(call)) {
    RubyValue value = call.hasBlock() ? forItem(call, item) : item;
    if (call.in.isLeaving())
      return {};
    sum = call.in.callMethod(sum, "+", {value}, {}, call.node);
  }
  return sum;
}

static RubyValue listSort(const RubyCall &call) {
  std::vector<std::pair<RubyValue, RubyValue>> keyed;
  bool byKey = call.name.ends_with("_by") || call.name == "sort_by!";
  for (const RubyValue &item : itemsOf(call)) {
    keyed.push_back({byKey ? forItem(call, item) : item, item});
    if (call.in.isLeaving())
      return {};
  }
  bool hasOrder = true;
  llvm::stable_sort(keyed, [&](const auto &a, const auto &b) {
    if (call.hasBlock() && !byKey) {
      RubyValue order = call.yield({a.first, b.first});
      return order.isInteger() && order.asInteger() < 0;
    }
    std::optional<int> order = compare(a.first, b.first);
    hasOrder &= order.has_value();
    return order && *order < 0;
  });
  if (!hasOrder)
    return call.in.raise(call.node, "ArgumentError",
                         "comparison of items failed");
  RubyValue sorted = RubyValue::list();
  for (auto &[key, item] : keyed)
    sorted.items().push_back(item);
  if (call.name.starts_with("max"))
    return sorted.items().empty() ? RubyValue() : sorted.items().back();
  if (call.name.starts_with("min"))
    return sorted.items().empty() ? RubyValue() : sorted.items().front();
  if (!call.name.ends_with("!"))
    return sorted;
  call.self.items() = sorted.items();
  return call.self;
}

static RubyValue listGroup(const RubyCall &call) {
  RubyValue groups = RubyValue::map();
  for (const RubyValue &item : itemsOf(call)) {
    RubyValue key = forItem(call, item);
    if (call.in.isLeaving())
      return {};
    if (!groups.find(key))
      groups.set(key, RubyValue::list());
    groups.find(key)->items().push_back(item);
  }
  return groups;
}

static void joinInto(const RubyValue &list, StringRef separator,
                     std::string &into, unsigned depth) {
  for (auto [i, item] : llvm::enumerate(list.items())) {
    if (i)
      into += separator;
    if (item.isList() && depth < 50)
      joinInto(item, separator, into, depth + 1);
    else
      into += toText(item);
  }
}

static RubyValue listJoin(const RubyCall &call) {
  std::string text;
  joinInto(RubyValue::list(itemsOf(call)), argument(call, 0).asText(), text, 0);
  return RubyValue::text(text);
}

static RubyValue listEnds(const RubyCall &call) {
  std::vector<RubyValue> items = itemsOf(call);
  bool isFirst = call.name == "first" || call.name == "take";
  if (call.count() == 0) {
    if (items.empty())
      return {};
    return isFirst ? items.front() : items.back();
  }
  size_t most = std::min<size_t>(
      std::max<int64_t>(argument(call, 0).asInteger(), 0), items.size());
  if (call.name == "drop")
    return RubyValue::list({items.begin() + most, items.end()});
  return isFirst ? RubyValue::list({items.begin(), items.begin() + most})
                 : RubyValue::list({items.end() - most, items.end()});
}

static RubyValue listSize(const RubyCall &call) {
  if (call.self.isMap())
    return RubyValue::integer(int64_t(call.self.data().entries.size()));
  return RubyValue::integer(int64_t(itemsOf(call).size()));
}

static RubyValue listEmpty(const RubyCall &call) {
  return truth(call.self.isMap() ? call.self.data().entries.empty()
                                 : itemsOf(call).empty());
}

static RubyValue listHas(const RubyCall &call) {
  RubyValue wanted = argument(call, 0);
  if (call.self.is(VKind::Range)) {
    auto low = compare(call.self.items()[0], wanted);
    auto high = compare(wanted, call.self.items()[1]);
    return truth(low && high && *low <= 0 &&
                 (call.self.data().isFlag ? *high < 0 : *high <= 0));
  }
  return truth(llvm::is_contained(call.self.items(), wanted));
}

static RubyValue listIndex(const RubyCall &call) {
  std::vector<RubyValue> items = itemsOf(call);
  RubyValue at = argument(call, 0);
  int64_t size = int64_t(items.size());
  if (at.is(VKind::Range)) {
    int64_t first = at.items()[0].asInteger();
    int64_t last = at.items()[1].isNil() ? -1 : at.items()[1].asInteger();
    first += first < 0 ? size : 0;
    last += last < 0 ? size : 0;
    last -= at.data().isFlag && !at.items()[1].isNil();
    if (first < 0 || first > size)
      return {};
    RubyValue part = RubyValue::list();
    for (int64_t i = first; i <= last && i < size; ++i)
      part.items().push_back(items[i]);
    return part;
  }
  if (!at.isInteger())
    return call.in.raise(call.node, "TypeError",
                         "no implicit conversion of " + classOf(at) +
                             " into Integer");
  int64_t first = at.asInteger() + (at.asInteger() < 0 ? size : 0);
  if (call.count() == 2 && call.name != "fetch") {
    RubyValue part = RubyValue::list();
    for (int64_t i = first;
         i < first + argument(call, 1).asInteger() && i < size; ++i)
      part.items().push_back(items[i]);
    return part;
  }
  bool isThere = first >= 0 && first < size;
  if (isThere || call.name != "fetch")
    return isThere ? items[first] : RubyValue();
  if (call.count() == 2)
    return argument(call, 1);
  return call.in.raise(call.node, "IndexError", "index outside of array");
}

static RubyValue listSetIndex(const RubyCall &call) {
  RubyValue at = argument(call, 0);
  auto &items = call.self.items();
  int64_t first = at.asInteger() + (at.asInteger() < 0 ? items.size() : 0);
  if (!at.isInteger() || first < 0 || first > int64_t(maxItems))
    return wrongUse(call);
  if (first >= int64_t(items.size()))
    items.resize(first + 1);
  items[first] = argument(call, 1);
  return argument(call, 1);
}

static RubyValue listAdd(const RubyCall &call) {
  auto &items = call.self.items();
  if (items.size() > maxItems)
    return call.in.unsupported(call.node, "a list as long as this");
  StringRef name = call.name;
  if (name == "concat") {
    for (const RubyValue &other : call.arguments) {
      std::vector<RubyValue> more = itemsOf(call, other);
      items.insert(items.end(), more.begin(), more.end());
    }
  } else if (name == "unshift" || name == "prepend") {
    items.insert(items.begin(), call.arguments.begin(), call.arguments.end());
  } else {
    items.insert(items.end(), call.arguments.begin(), call.arguments.end());
  }
  return call.self;
}

static RubyValue listTake(const RubyCall &call) {
  auto &items = call.self.items();
  if (call.name == "clear") {
    items.clear();
    return call.self;
  }
  if (call.name == "delete" || call.name == "delete_at") {
    RubyValue wanted = argument(call, 0);
    if (call.name == "delete_at") {
      if (!wanted.isInteger() || wanted.asInteger() < 0 ||
          wanted.asInteger() >= int64_t(items.size()))
        return {};
      RubyValue value = items[wanted.asInteger()];
      items.erase(items.begin() + wanted.asInteger());
      return value;
    }
    bool isThere = llvm::is_contained(items, wanted);
    llvm::erase_if(items,
                   [&](const RubyValue &item) { return item == wanted; });
    return isThere ? wanted : RubyValue();
  }
  if (items.empty())
    return {};
  bool isFirst = call.name == "shift";
  RubyValue value = isFirst ? items.front() : items.back();
  items.erase(isFirst ? items.begin() : items.end() - 1);
  return value;
}

static RubyValue listOperator(const RubyCall &call) {
  RubyValue other = argument(call, 0);
  if (call.name == "*" && other.isText()) {
    std::vector<RubyValue> separator{other};
    return listJoin(
        {call.in, "join", call.self, separator, call.block, call.node});
  }
  if (!other.isList())
    return call.in.raise(call.node, "TypeError",
                         "no implicit conversion of " + classOf(other) +
                             " into Array");
  RubyValue made = RubyValue::list();
  for (const RubyValue &item : itemsOf(call)) {
    bool isThere = llvm::is_contained(other.items(), item);
    bool isNew = !llvm::is_contained(made.items(), item);
    if (call.name == "+" || (call.name == "|" && isNew) ||
        (call.name == "-" && !isThere) ||
        (call.name == "&" && isThere && isNew))
      made.items().push_back(item);
  }
  if (call.name == "+" || call.name == "|")
    for (const RubyValue &item : other.items())
      if (call.name == "+" || !llvm::is_contained(made.items(), item))
        made.items().push_back(item);
  return made;
}

static void flatten(const RubyValue &list, int64_t depth,
                    std::vector<RubyValue> &into) {
  for (const RubyValue &item : list.items()) {
    if (item.isList() && depth != 0)
      flatten(item, depth - 1, into);
    else
      into.push_back(item);
  }
}

static RubyValue listChange(const RubyCall &call) {
  StringRef name = call.name;
  bool inPlace = name.consume_back("!");
  RubyValue made = RubyValue::list();
  std::vector<RubyValue> items = itemsOf(call);
  if (name == "flatten") {
    int64_t depth = call.count() ? argument(call, 0).asInteger() : 100;
    flatten(RubyValue::list(items), depth, made.items());
  } else if (name == "reverse") {
    made.items().assign(items.rbegin(), items.rend());
  } else {
    std::vector<RubyValue> keys;
    for (const RubyValue &item : items) {
      RubyValue key = call.hasBlock() ? forItem(call, item) : item;
      if (call.in.isLeaving())
        return {};
      bool isKept =
          name == "compact" ? !item.isNil() : !llvm::is_contained(keys, key);
      if (isKept) {
        made.items().push_back(item);
        keys.push_back(key);
      }
    }
  }
  if (!inPlace)
    return made;
  bool isSame = made.items().size() == call.self.items().size();
  call.self.items() = made.items();
  return isSame && name != "reverse" ? RubyValue() : call.self;
}

static RubyValue listZip(const RubyCall &call) {
  RubyValue made = RubyValue::list();
  for (auto [i, item] : llvm::enumerate(itemsOf(call))) {
    RubyValue tuple = RubyValue::list({item});
    for (const RubyValue &other : call.arguments)
      tuple.items().push_back(other.isList() && i < other.items().size()
                                  ? other.items()[i]
                                  : RubyValue());
    made.items().push_back(tuple);
  }
  return made;
}

static RubyValue listToMap(const RubyCall &call) {
  RubyValue map = RubyValue::map();
  for (const RubyValue &item : itemsOf(call)) {
    RubyValue pair = call.hasBlock() ? forItem(call, item) : item;
    if (call.in.isLeaving())
      return {};
    if (!pair.isList() || pair.items().size() != 2)
      return call.in.raise(call.node, "TypeError", "wrong element type");
    map.set(pair.items()[0], pair.items()[1]);
  }
  return map;
}

static RubyValue listSlices(const RubyCall &call) {
  int64_t size = argument(call, 0).asInteger();
  if (size < 1)
    return wrongUse(call);
  RubyValue made = RubyValue::list();
  for (auto [i, item] : llvm::enumerate(itemsOf(call))) {
    if (i % size == 0)
      made.items().push_back(RubyValue::list());
    made.items().back().items().push_back(item);
  }
  if (!call.hasBlock())
    return made;
  for (const RubyValue &slice : made.items()) {
    call.yield({slice});
    if (call.in.isLeaving())
      return {};
  }
  return call.self;
}

static RubyValue rangeEnd(const RubyCall &call) {
  if (!call.self.is(VKind::Range))
    return wrongUse(call);
  return call.self.items()[call.name == "end"];
}

/// What both lists and maps have.
static RubyMethod findCommonMethod(StringRef name) {
  static constexpr MethodRow rows[] = {
      {"each", listEach},
      {"each_pair", listEach},
      {"reverse_each", listEach},
      {"each_with_index", listEachWith},
      {"with_index", listEachWith},
      {"each_with_object", listEachWith},
      {"map", listMap},
      {"collect", listMap},
      {"map!", listMap},
      {"collect!", listMap},
      {"flat_map", listMap},
      {"filter_map", listMap},
      {"select", listChoose},
      {"filter", listChoose},
      {"reject", listChoose},
      {"select!", listChoose},
      {"reject!", listChoose},
      {"delete_if", listChoose},
      {"keep_if", listChoose},
      {"partition", listChoose},
      {"find", listFind},
      {"detect", listFind},
      {"any?", listTest},
      {"all?", listTest},
      {"none?", listTest},
      {"one?", listTest},
      {"count", listTest},
      {"reduce", listReduce},
      {"inject", listReduce},
      {"sum", listSum},
      {"sort", listSort},
      {"sort_by", listSort},
      {"min", listSort},
      {"max", listSort},
      {"min_by", listSort},
      {"max_by", listSort},
      {"group_by", listGroup},
      {"to_a", listOfAll},
      {"entries", listOfAll},
      {"first", listEnds},
      {"size", listSize},
      {"length", listSize},
      {"empty?", listEmpty},
      {"zip", listZip},
      {"each_slice", listSlices},
  };
  return findIn(rows, name);
}

RubyMethod bosh::findListMethod(StringRef name) {
  static constexpr MethodRow rows[] = {
      {"sort!", listSort},      {"sort_by!", listSort},   {"index", listFind},
      {"find_index", listFind}, {"join", listJoin},       {"last", listEnds},
      {"take", listEnds},       {"drop", listEnds},       {"include?", listHas},
      {"member?", listHas},     {"cover?", listHas},      {"===", listHas},
      {"[]", listIndex},        {"at", listIndex},        {"slice", listIndex},
      {"fetch", listIndex},     {"[]=", listSetIndex},    {"<<", listAdd},
      {"push", listAdd},        {"append", listAdd},      {"concat", listAdd},
      {"unshift", listAdd},     {"prepend", listAdd},     {"pop", listTake},
      {"shift", listTake},      {"clear", listTake},      {"delete", listTake},
      {"delete_at", listTake},  {"+", listOperator},      {"-", listOperator},
      {"&", listOperator},      {"|", listOperator},      {"*", listOperator},
      {"flatten", listChange},  {"reverse", listChange},  {"uniq", listChange},
      {"compact", listChange},  {"flatten!", listChange}, {"uniq!", listChange},
      {"compact!", listChange}, {"to_h", listToMap},      {"begin", rangeEnd},
      {"end", rangeEnd},
  };
  RubyMethod own = findIn(rows, name);
  return own ? own : findCommonMethod(name);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static RubyValue mapGet(const RubyCall &call) {
  const RubyValue *found = call.self.find(argument(call, 0));
  if (found || call.name != "fetch")
    return found                       ? *found
           : call.self.items().empty() ? RubyValue()
                                       : call.self.items()[0];
  if (call.hasBlock())
    return call.yield({argument(call, 0)});
  if (call.count() == 2)
    return argument(call, 1);
  return call.in.raise(call.node, "KeyError",
                       "key not found: " + inspect(argument(call, 0)));
}

static RubyValue mapSet(const RubyCall &call) {
  if (call.self.data().entries.size() > maxItems)
    return call.in.unsupported(call.node, "a map as large as this");
  call.self.set(argument(call, 0), argument(call, 1));
  return argument(call, 1);
}

static RubyValue mapHas(const RubyCall &call) {
  if (call.name.ends_with("value?"))
    return truth(llvm::any_of(call.self.data().entries, [&](const auto &entry) {
      return entry.second == argument(call, 0);
    }));
  return truth(call.self.find(argument(call, 0)) != nullptr);
}

static RubyValue mapParts(const RubyCall &call) {
  RubyValue list = RubyValue::list();
  for (auto &[key, value] : call.self.data().entries)
    list.items().push_back(call.name == "keys" ? key : value);
  return list;
}

static RubyValue mapDig(const RubyCall &call) {
  RubyValue at = call.self;
  for (const RubyValue &key : call.arguments) {
    if (at.isNil())
      return at;
    at = call.in.callMethod(at, "[]", {key}, {}, call.node);
    if (call.in.isLeaving())
      return {};
  }
  return at;
}

static RubyValue mapMerge(const RubyCall &call) {
  StringRef name = call.name;
  bool isDeep = name.starts_with("deep_");
  RubyValue made = name.ends_with("!") || name == "update"
                       ? call.self
                       : copyOf(call.self, false);
  for (const RubyValue &other : call.arguments) {
    if (!other.isMap())
      return call.in.raise(call.node, "TypeError",
                           "no implicit conversion of " + classOf(other) +
                               " into Hash");
    auto entries = other.data().entries;
    for (auto &[key, value] : entries) {
      const RubyValue *known = made.find(key);
      RubyValue merged = value;
      if (known && call.hasBlock())
        merged = call.yield({key, *known, value});
      else if (known && isDeep && known->isMap() && value.isMap())
        merged =
            call.in.callMethod(*known, "deep_merge", {value}, {}, call.node);
      if (call.in.isLeaving())
        return {};
      made.set(key, merged);
    }
  }
  return made;
}

static RubyValue mapDelete(const RubyCall &call) {
  const RubyValue *found = call.self.find(argument(call, 0));
  RubyValue value = found ? *found : RubyValue();
  call.self.erase(argument(call, 0));
  return value;
}

static RubyValue mapChange(const RubyCall &call) {
  RubyValue made = RubyValue::map();
  StringRef name = call.name;
  bool inPlace = name.consume_back("!");
  auto entries = call.self.data().entries;
  for (auto &[key, value] : entries) {
    bool isNamed = llvm::is_contained(call.arguments, key);
    if (name == "compact" ? value.isNil()
        : name == "slice" ? !isNamed
                          : name == "except" && isNamed)
      continue;
    RubyValue newKey = key, newValue = value;
    if (name == "transform_values")
      newValue = call.yield({value});
    else if (name == "transform_keys")
      newKey = call.yield({key});
    else if (name == "invert")
      std::swap(newKey, newValue);
    else if (name == "stringify_keys")
      newKey = RubyValue::text(toText(key));
    else if (name == "symbolize_keys")
      newKey = RubyValue::symbol(toText(key));
    if (call.in.isLeaving())
      return {};
    made.set(newKey, newValue);
  }
  if (!inPlace)
    return made;
  call.self.data().entries = made.data().entries;
  call.self.data().places = made.data().places;
  return call.self;
}

static RubyValue mapToMap(const RubyCall &call) {
  return call.hasBlock() ? listToMap(call) : call.self;
}

RubyMethod bosh::findMapMethod(StringRef name) {
  static constexpr MethodRow rows[] = {
      {"[]", mapGet},
      {"fetch", mapGet},
      {"[]=", mapSet},
      {"store", mapSet},
      {"key?", mapHas},
      {"has_key?", mapHas},
      {"include?", mapHas},
      {"member?", mapHas},
      {"value?", mapHas},
      {"has_value?", mapHas},
      {"keys", mapParts},
      {"values", mapParts},
      {"dig", mapDig},
      {"merge", mapMerge},
      {"merge!", mapMerge},
      {"update", mapMerge},
      {"deep_merge", mapMerge},
      {"deep_merge!", mapMerge},
      {"delete", mapDelete},
      {"compact", mapChange},
      {"slice", mapChange},
      {"except", mapChange},
      {"transform_values", mapChange},
      {"transform_keys", mapChange},
      {"invert", mapChange},
      {"stringify_keys", mapChange},
      {"symbolize_keys", mapChange},
      {"compact!", mapChange},
      {"to_h", mapToMap},
      {"to_hash", mapToMap},
      {"each_key", listEach},
      {"each_value", listEach},
  };
  RubyMethod own = findIn(rows, name);
  return own ? own : findCommonMethod(name);
}
