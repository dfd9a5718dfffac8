//===- RubyMapMethods.cpp - Methods of maps -----------------------------===//

#include "RubyMethods.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

/// Larger ones are a loop gone wrong.
static constexpr size_t maxEntries = 1 << 20;

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
  if (call.self.data().entries.size() > maxEntries)
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
  return call.hasBlock() ? findListMethod("to_h")(call) : call.self;
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
  };
  RubyMethod own = findIn(rows, name);
  return own ? own : findCommonMethod(name);
}
