//===- ImplicitDependencies.cpp - What Heat's plugins wait for ------------===//

#include "Dependencies.h"

#include "Composer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>
#include <set>

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;

namespace {

enum class Match : uint8_t { Same, Maybe, Through };

struct ImplicitRow {
  Match match;
  StringRef type, middle, place, other, otherPlace;
};

/// What stands at a place of a resource: texts that are equal where the values
/// are, be they known or not.
struct Found {
  std::set<std::string> values;
  /// Some item of a list does not say it.
  bool isOpen = false;
};

class ImplicitDependencies {
public:
  explicit ImplicitDependencies(std::vector<StackNode> &nodes) {
    for (StackNode &node : nodes)
      if (isOfItself(*node.resource))
        plugins[node.resource->stack][node.resource->implementation.name]
            .push_back(&node);
  }

  void add();

private:
  /// Nodes of one stack, by type.
  using ByType = std::map<StringRef, std::vector<StackNode *>>;

  static bool isOfItself(const StackResource &resource) {
    return !resource.implementation.file && resource.index.empty();
  }
  void addRow(const ImplicitRow &row, ByType &types);

  llvm::MapVector<const Stack *, ByType> plugins;
};

} // namespace

static constexpr ImplicitRow implicitRows[] = {
#define SAME(TYPE, PLACE, OTHER, OTHER_PLACE)                                  \
  {Match::Same, TYPE, "", PLACE, OTHER, OTHER_PLACE},
#define MAYBE(TYPE, PLACE, OTHER, OTHER_PLACE)                                 \
  {Match::Maybe, TYPE, "", PLACE, OTHER, OTHER_PLACE},
#define THROUGH(TYPE, MIDDLE, PLACE, OTHER, OTHER_PLACE)                       \
  {Match::Through, TYPE, MIDDLE, PLACE, OTHER, OTHER_PLACE},
#include "ImplicitDependencies.def"
};

/// The entry of \p map, known or not, with the key \p key; null where there is
/// none.
static std::optional<Expr> entryOf(const Expr &map, StringRef key) {
  if (map.isLiteral()) {
    const Value *value = map.value().isMap() ? map.value().find(key) : nullptr;
    return value && !value->isNil() ? std::optional(Expr::literal(*value))
                                    : std::nullopt;
  }
  if (map.is(ExprKind::Map) && !isCallAsWritten(map))
    for (size_t i = 0; i < map.children().size(); i += 2)
      if (map.children()[i].isLiteral() &&
          textOf(map.children()[i].value()) == key)
        return map.children()[i + 1];
  return std::nullopt;
}

static void collect(const Expr &at, StringRef place, Found &found) {
  if (place.empty()) {
    std::string text;
    llvm::raw_string_ostream(text) << at;
    found.values.insert(std::move(text));
    return;
  }
  auto [first, rest] = place.split('.');
  if (first == "*") {
    if (at.isLiteral() && at.value().isList())
      for (const Value &item : at.value().items())
        collect(Expr::literal(item), rest, found);
    else if (at.is(ExprKind::List))
      for (const Expr &item : at.children())
        collect(item, rest, found);
    return;
  }
  for (StringRef name : llvm::split(first, '|'))
    if (auto entry = entryOf(at, name))
      return collect(*entry, rest, found);
  found.isOpen = true;
}

static Found valuesAt(const StackNode &node, StringRef place) {
  Found found;
  if (node.properties)
    collect(*node.properties, place, found);
  return found;
}

static bool meet(const Found &a, const Found &b) {
  return llvm::any_of(a.values, [&](const std::string &value) {
    return b.values.count(value) != 0;
  });
}

void ImplicitDependencies::addRow(const ImplicitRow &row, ByType &types) {
  auto sources = types.find(row.type), others = types.find(row.other);
  if (sources == types.end() || others == types.end())
    return;
  auto wantedOf = [&](const StackNode &source) {
    if (row.match != Match::Through)
      return valuesAt(source, row.place);
    Found found;
    for (StackNode *middle : types[row.middle])
      if (source.uses.contains(middle->resource))
        collect(*middle->properties, row.place, found);
    return found;
  };
  for (StackNode *source : sources->second) {
    Found wanted = wantedOf(*source);
    bool mayBe = row.match == Match::Maybe &&
                 valuesAt(*source, row.place.split('.').first).values.size();
    for (StackNode *other : others->second) {
      Found offered = valuesAt(*other, row.otherPlace);
      bool isOpen = mayBe && (wanted.isOpen || offered.isOpen);
      if (isOpen || meet(wanted, offered))
        source->uses.insert(other->resource);
    }
  }
}

void ImplicitDependencies::add() {
  for (auto &[stack, types] : plugins)
    for (const ImplicitRow &row : implicitRows)
      addRow(row, types);
}

void heat::addImplicitDependencies(std::vector<StackNode> &nodes) {
  ImplicitDependencies(nodes).add();
}
