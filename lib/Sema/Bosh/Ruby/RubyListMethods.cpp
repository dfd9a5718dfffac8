//===- RubyListMethods.cpp - Methods of lists ---------------------------===//

#include "RubyMethods.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using VKind = RubyValue::Kind;

/// Longer ones are a loop gone wrong.
static constexpr size_t maxItems = 1 << 20;

static std::vector<RubyValue> ownItems(const RubyCall &call) {
  return itemsOf(call, call.self);
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
  joinInto(RubyValue::list(ownItems(call)), argument(call, 0).asText(), text,
           0);
  return RubyValue::text(text);
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
  std::vector<RubyValue> items = ownItems(call);
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
  for (const RubyValue &item : ownItems(call)) {
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
  std::vector<RubyValue> items = ownItems(call);
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

static RubyValue listToMap(const RubyCall &call) {
  RubyValue map = RubyValue::map();
  for (const RubyValue &item : ownItems(call)) {
    RubyValue pair = call.hasBlock() ? forItem(call, item) : item;
    if (call.in.isLeaving())
      return {};
    if (!pair.isList() || pair.items().size() != 2)
      return call.in.raise(call.node, "TypeError", "wrong element type");
    map.set(pair.items()[0], pair.items()[1]);
  }
  return map;
}

static RubyValue rangeEnd(const RubyCall &call) {
  if (!call.self.is(VKind::Range))
    return wrongUse(call);
  return call.self.items()[call.name == "end"];
}

RubyMethod bosh::findListMethod(StringRef name) {
  static constexpr MethodRow rows[] = {
      {"join", listJoin},       {"include?", listHas}, {"member?", listHas},
      {"cover?", listHas},      {"===", listHas},      {"[]", listIndex},
      {"at", listIndex},        {"slice", listIndex},  {"fetch", listIndex},
      {"[]=", listSetIndex},    {"<<", listAdd},       {"push", listAdd},
      {"append", listAdd},      {"concat", listAdd},   {"unshift", listAdd},
      {"prepend", listAdd},     {"pop", listTake},     {"shift", listTake},
      {"clear", listTake},      {"delete", listTake},  {"delete_at", listTake},
      {"+", listOperator},      {"-", listOperator},   {"&", listOperator},
      {"|", listOperator},      {"*", listOperator},   {"flatten", listChange},
      {"reverse", listChange},  {"uniq", listChange},  {"compact", listChange},
      {"flatten!", listChange}, {"uniq!", listChange}, {"compact!", listChange},
      {"to_h", listToMap},      {"begin", rangeEnd},   {"end", rangeEnd},
  };
  RubyMethod own = findIn(rows, name);
  return own ? own : findCommonMethod(name);
}
