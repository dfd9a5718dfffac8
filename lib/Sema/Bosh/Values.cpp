//===- Values.cpp - Values of manifests -----------------------------------===//

#include "Values.h"

#include "ScalarValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Node;

Value bosh::toValue(const Node &node, ValueArena &arena) {
  switch (node.kind()) {
  case syntax::NodeKind::Null:
    return Value();
  case syntax::NodeKind::Scalar:
    return sema::scalarValue(node, arena);
  case syntax::NodeKind::Sequence: {
    std::vector<Value> items;
    for (const Node &item : node.items())
      items.push_back(toValue(item, arena));
    return arena.list(items);
  }
  case syntax::NodeKind::Mapping: {
    std::vector<MapEntry> entries;
    for (const syntax::Entry &entry : node.entries())
      entries.push_back(
          {toValue(entry.key, arena), toValue(entry.value, arena)});
    return arena.map(entries);
  }
  }
  llvm_unreachable("all kinds are handled");
}

/// Two maps become one; of anything else, \p strong stays.
static Value mergeValues(const Value &strong, const Value &weak,
                         ValueArena &arena) {
  if (!strong.isMap() || !weak.isMap())
    return strong;
  std::vector<MapEntry> entries(strong.entries());
  for (MapEntry &entry : entries)
    if (const Value *other = weak.find(entry.key))
      entry.value = mergeValues(entry.value, *other, arena);
  for (const MapEntry &entry : weak.entries())
    if (!strong.find(entry.key))
      entries.push_back(entry);
  return arena.map(entries);
}

std::optional<Value> bosh::findPath(llvm::ArrayRef<const Node *> maps,
                                    StringRef path, ValueArena &arena) {
  llvm::SmallVector<const Node *, 2> found(llvm::make_filter_range(
      maps, [](const Node *map) { return map != nullptr; }));
  for (StringRef key : llvm::split(path, '.')) {
    llvm::SmallVector<const Node *, 2> next;
    for (const Node *map : found) {
      // What is no map hides the weaker ones.
      if (!map->isMapping())
        break;
      if (const Node *value = map->find(key))
        next.push_back(value);
    }
    found = std::move(next);
  }
  if (found.empty())
    return std::nullopt;
  Value result = toValue(*found.front(), arena);
  for (const Node *weak : llvm::drop_begin(found))
    result = mergeValues(result, toValue(*weak, arena), arena);
  return result;
}

NestedMap::Child NestedMap::makeChild(Value value) {
  bool isMap =
      value.isMap() && llvm::all_of(value.entries(), [](const MapEntry &entry) {
        return entry.key.isString();
      });
  if (!isMap)
    return {value, nullptr};
  Child child{value, std::make_unique<NestedMap>()};
  for (const MapEntry &entry : value.entries())
    child.map->children[entry.key.asString()] = makeChild(entry.value);
  return child;
}

void NestedMap::set(StringRef path, Value value) {
  auto [key, rest] = path.split('.');
  Child &child = children[key];
  if (rest.empty()) {
    child = makeChild(value);
    return;
  }
  if (!child.map)
    child.map = std::make_unique<NestedMap>();
  child.map->set(rest, value);
}

Value NestedMap::toValue(ValueArena &arena) const {
  std::vector<MapEntry> entries;
  for (const auto &[key, child] : children)
    entries.push_back({arena.string(key),
                       child.map ? child.map->toValue(arena) : child.value});
  return arena.map(entries);
}
