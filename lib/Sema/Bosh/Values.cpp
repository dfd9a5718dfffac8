//===- Values.cpp - Values of manifests -----------------------------------===//

#include "Values.h"

#include "toscac/Value/ParseLiteral.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Node;
using syntax::ScalarType;

static Value scalarOf(const Node &node, ValueArena &arena) {
  switch (node.scalarType()) {
  case ScalarType::Null:
    return Value();
  case ScalarType::Boolean:
    return Value::boolean(node.text().starts_with_insensitive("t"));
  case ScalarType::Integer:
  case ScalarType::Float:
    if (auto number = parseNumber(node.text()))
      return *number;
    break;
  case ScalarType::String:
    break;
  }
  return arena.string(node.text());
}

Value bosh::toValue(const Node &node, ValueArena &arena) {
  switch (node.kind()) {
  case syntax::NodeKind::Null:
    return Value();
  case syntax::NodeKind::Scalar:
    return scalarOf(node, arena);
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

void NestedMap::set(StringRef path, Value value) {
  auto [key, rest] = path.split('.');
  auto child = llvm::find_if(
      children, [key = key](const Child &child) { return child.key == key; });
  if (child == children.end()) {
    children.push_back({key, {}, {}});
    child = std::prev(children.end());
  }
  if (rest.empty())
    child->value = value;
  else
    child->map.set(rest, value);
}

Value NestedMap::toValue(ValueArena &arena) const {
  std::vector<MapEntry> entries;
  for (const Child &child : children)
    entries.push_back({arena.string(child.key),
                       child.map.children.empty() ? child.value
                                                  : child.map.toValue(arena)});
  return arena.map(entries);
}
