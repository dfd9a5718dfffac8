//===- RubyEnumeration.cpp - What both lists and maps have --------------===//

#include "RubyMethods.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using VKind = RubyValue::Kind;

static constexpr size_t maxRange = 1 << 20;

std::vector<RubyValue> bosh::itemsOf(const RubyCall &call,
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
                 uint64_t(end) - uint64_t(first.asInteger()) < maxRange);
  if (!isGood) {
    wrongUse(call);
    return items;
  }
  for (int64_t i = first.asInteger(); i <= end; ++i)
    items.push_back(RubyValue::integer(i));
  return items;
}

static std::vector<RubyValue> allItems(const RubyCall &call) {
  return itemsOf(call, call.self);
}

RubyValue bosh::forItem(const RubyCall &call, const RubyValue &item) {
  return call.self.isMap() ? call.yield({item.items()[0], item.items()[1]})
                           : call.yield({item});
}

static RubyValue listOfAll(const RubyCall &call) {
  return RubyValue::list(allItems(call));
}

static RubyValue listEach(const RubyCall &call) {
  if (!call.hasBlock())
    return RubyValue::list(allItems(call));
  bool isReverse = call.name == "reverse_each";
  std::vector<RubyValue> items = allItems(call);
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
  std::vector<RubyValue> items = allItems(call);
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
    return RubyValue::list(allItems(call));
  for (const RubyValue &item : allItems(call)) {
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
  for (const RubyValue &item : allItems(call)) {
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
  std::vector<RubyValue> items = allItems(call);
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
  std::vector<RubyValue> items = allItems(call);
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
  std::vector<RubyValue> items = allItems(call);
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
  for (const RubyValue &item : allItems(call)) {
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
  for (const RubyValue &item : allItems(call)) {
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
  for (const RubyValue &item : allItems(call)) {
    RubyValue key = forItem(call, item);
    if (call.in.isLeaving())
      return {};
    if (!groups.find(key))
      groups.set(key, RubyValue::list());
    groups.find(key)->items().push_back(item);
  }
  return groups;
}

static RubyValue listEnds(const RubyCall &call) {
  std::vector<RubyValue> items = allItems(call);
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
  return RubyValue::integer(int64_t(allItems(call).size()));
}

static RubyValue listEmpty(const RubyCall &call) {
  return truth(call.self.isMap() ? call.self.data().entries.empty()
                                 : allItems(call).empty());
}

static RubyValue listZip(const RubyCall &call) {
  RubyValue made = RubyValue::list();
  for (auto [i, item] : llvm::enumerate(allItems(call))) {
    RubyValue tuple = RubyValue::list({item});
    for (const RubyValue &other : call.arguments)
      tuple.items().push_back(other.isList() && i < other.items().size()
                                  ? other.items()[i]
                                  : RubyValue());
    made.items().push_back(tuple);
  }
  return made;
}

static RubyValue listSlices(const RubyCall &call) {
  int64_t size = argument(call, 0).asInteger();
  if (size < 1)
    return wrongUse(call);
  RubyValue made = RubyValue::list();
  for (auto [i, item] : llvm::enumerate(allItems(call))) {
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

RubyMethod bosh::findCommonMethod(StringRef name) {
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
      {"sort!", listSort},
      {"sort_by!", listSort},
      {"index", listFind},
      {"find_index", listFind},
      {"last", listEnds},
      {"take", listEnds},
      {"drop", listEnds},
      {"each_key", listEach},
      {"each_value", listEach},
  };
  return findIn(rows, name);
}
