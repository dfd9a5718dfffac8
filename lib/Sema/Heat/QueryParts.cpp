//===- QueryParts.cpp - Queries over what is known in part ----------------===//
///
/// \file
/// Of what a query is asked, attributes of resources are known only when they
/// are there. Each of them takes part as a text that stands for it. Where the
/// query would have to look at one, the whole waits.
///
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "Yaql.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::SmallVector;

Value OpenParts::add(const Expr *part, ValueArena &arena) {
  Value text = arena.string("not known yet");
  parts[text.asString().data()] = part;
  return text;
}

const Expr *OpenParts::find(const Value &value) const {
  return value.isString() ? parts.lookup(value.asString().data()) : nullptr;
}

bool OpenParts::isIn(const Value &value) const {
  if (value.isList())
    return llvm::any_of(value.items(),
                        [&](const Value &item) { return isIn(item); });
  if (value.isMap())
    return llvm::any_of(value.entries(), [&](const MapEntry &entry) {
      return isIn(entry.key) || isIn(entry.value);
    });
  return find(value);
}

/// \p expr with texts instead of what is not known.
static Value withTexts(const Expr &expr, OpenParts &open, ValueArena &arena) {
  if (expr.isLiteral())
    return expr.value();
  if (expr.is(ExprKind::List)) {
    SmallVector<Value> items;
    for (const Expr &item : expr.children())
      items.push_back(withTexts(item, open, arena));
    return arena.list(items);
  }
  bool isMap = expr.is(ExprKind::Map) && !isCallAsWritten(expr);
  for (size_t i = 0; isMap && i < expr.children().size(); i += 2)
    isMap = expr.children()[i].isLiteral();
  if (!isMap)
    return open.add(&expr, arena);
  SmallVector<MapEntry> entries;
  for (size_t i = 0; i < expr.children().size(); i += 2)
    entries.push_back({expr.children()[i].value(),
                       withTexts(expr.children()[i + 1], open, arena)});
  return arena.map(entries);
}

/// The way back.
static const Expr *withParts(const Value &value, const OpenParts &open,
                             Composer &composer, SourceRange range) {
  if (const Expr *part = open.find(value))
    return part;
  if (!open.isIn(value))
    return composer.literal(value, range);
  SmallVector<const Expr *> parts;
  if (value.isList()) {
    for (const Value &item : value.items())
      parts.push_back(withParts(item, open, composer, range));
    return composer.list(parts, range);
  }
  for (const MapEntry &entry : value.entries()) {
    parts.push_back(withParts(entry.key, open, composer, range));
    parts.push_back(withParts(entry.value, open, composer, range));
  }
  return composer.map(parts, range);
}

const Expr *heat::queryParts(Composer &composer, const Expr &argument,
                             SourceRange range) {
  OpenParts open;
  Value known = withTexts(argument, open, composer.arena);
  const Value *text = known.isMap() ? known.find("expression") : nullptr;
  const Value *data = known.isMap() ? known.find("data") : nullptr;
  if (!text || !text->isString() || open.find(*text) || !data)
    return nullptr;
  std::optional<Yaql> query = parseYaql(text->asString(), composer.arena);
  if (!query)
    return nullptr;
  MapEntry entry{Value::string("data"), *data};
  auto result =
      evaluateYaql(*query, composer.arena.map(entry), composer.arena, &open);
  return result ? withParts(*result, open, composer, range) : nullptr;
}
