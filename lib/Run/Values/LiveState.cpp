//===- LiveState.cpp - What is known while a plan runs --------------------===//
///
/// \file
/// Entities are read from the plan when somebody asks. Of what steps write,
/// cells are kept as numbers of texts, since most steps write what many others
/// write, too.
///
//===----------------------------------------------------------------------===//

#include "LiveState.h"

#include "toscac/Basic/JSONWriter.h"
#include "toscac/Value/Evaluate.h"
#include "toscac/Value/Sealed.h"
#include "llvm/Support/ScopedPrinter.h"

using namespace toscac;
using namespace toscac::run;
using llvm::ArrayRef;
using llvm::StringRef;
using planfile::none;
using planfile::PlanFile;

LiveState::LiveState(PlanFile &plan, const state::Deployment *deployment,
                     Secrets &secrets)
    : secrets(secrets), json(arena, names), plan(plan) {
  lastWrite.resize(plan.numEntities(), none);
  llvm::Expected<Value> read = json.value(plan.header().values);
  // The reader of the plan has read it before.
  values = read ? *read : Value();
  if (!deployment)
    return;
  for (const state::Entity &entity : deployment->entities)
    before[entity.name] = &entity;
}

std::string run::jsonText(const Value &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  writeJSON(json, value);
  return text;
}

void LiveState::setInput(StringRef name, const Value &value) {
  given[name] = value;
  secrets.add(value);
}

llvm::Expected<std::string> LiveState::keptInputs() {
  llvm::SmallVector<MapEntry> entries;
  if (values.isMap())
    llvm::append_range(entries, values.entries());
  std::vector<StringRef> sealed(given.keys().begin(), given.keys().end());
  llvm::sort(sealed);
  for (StringRef name : sealed) {
    llvm::Expected<Value> kept =
        secrets.kept(given.lookup(name), /*isSecret=*/true, arena);
    if (!kept)
      return kept.takeError();
    auto *same = llvm::find_if(entries, [&](const MapEntry &entry) {
      return entry.key.asString() == name;
    });
    if (same != entries.end())
      same->value = *kept;
    else
      entries.push_back({arena.string(name), *kept});
  }
  return jsonText(arena.map(entries));
}

LiveState::Answer LiveState::ask(const Expr &expr, ValueArena &into) {
  bool before = std::exchange(hasReadSecret, false);
  Evaluation evaluation = evaluate(expr, *this, into);
  bool isSecret = hasReadSecret;
  hasReadSecret |= before;
  // What is derived from a secret is one.
  if (isSecret && evaluation.isKnown())
    secrets.add(evaluation.value());
  return {std::move(evaluation), isSecret};
}

/// `{"$get_input": name}` as the value of \p name: it is to be given.
static bool isOpen(StringRef name, const Value &value) {
  return value.isMap() && value.entries().size() == 1 &&
         value.entries()[0].key.asString() == "$get_input" &&
         value.entries()[0].value.isString() &&
         value.entries()[0].value.asString() == name;
}

std::vector<std::string> LiveState::missingInputs() const {
  std::vector<std::string> result;
  if (values.isMap())
    for (const MapEntry &entry : values.entries())
      if (isOpen(entry.key.asString(), entry.value) &&
          !given.contains(entry.key.asString()))
        result.push_back(entry.key.asString().str());
  return result;
}

uint32_t LiveState::ownText(StringRef text) {
  auto [entry, isNew] = ownNumbers.try_emplace(text, ownTexts.size());
  if (isNew)
    ownTexts.push_back(entry->getKey());
  return entry->second | 0x80000000;
}

StringRef LiveState::text(uint32_t number) const {
  return number & 0x80000000 ? ownTexts[number & 0x7fffffff]
                             : plan.text(number);
}

void LiveState::writeCells(uint32_t entity, uint32_t interface,
                           uint32_t cells) {
  writes.push_back({lastWrite[entity], interface, cells});
  lastWrite[entity] = writes.size() - 1;
  if (entity == currentId)
    currentId = none;
}

void LiveState::writeCells(uint32_t entity, StringRef interface,
                           const Value &cells) {
  writeCells(entity, ownText(interface), ownText(llvm::to_string(cells)));
}

bool LiveState::writeAttribute(uint32_t id, ArrayRef<Value> path,
                               const Value &value) {
  Value now;
  if (auto found = attributes.find(id); found != attributes.end()) {
    now = found->second;
  } else {
    llvm::Expected<const state::PlannedEntity *> read = entity(id);
    if (!read) {
      llvm::consumeError(read.takeError());
      return false;
    }
    // What the entity had lives in an arena that goes.
    llvm::Expected<Value> copy =
        json.value(llvm::to_string((*read)->content.attributes));
    now = copy ? *copy : Value();
  }
  llvm::Expected<Value> copy = json.value(llvm::to_string(value));
  llvm::SmallVector<Value> keys;
  for (const Value &key : path)
    keys.push_back(key.isString() ? arena.string(key.asString()) : key);
  std::optional<Value> changed =
      state::withPart(now, keys, copy ? *copy : Value(), arena);
  if (!changed)
    return false;
  attributes[id] = *changed;
  currentId = none;
  return true;
}

void LiveState::apply(const state::Journal &journal) {
  for (const state::CellWrite &write : journal.cells)
    if (write.entity < lastWrite.size())
      writeCells(write.entity, write.interface, write.cells);
  for (const state::AttributeWrite &write : journal.attributes)
    if (write.entity < lastWrite.size())
      writeAttribute(write.entity, write.path, write.value);
}

/// \p base with all writes to entity \p id, the oldest first.
Value LiveState::cellsOf(uint32_t id, const Value &base) {
  llvm::SmallVector<const CellWrite *> chain;
  for (uint32_t i = lastWrite[id]; i != none; i = writes[i].next)
    chain.push_back(&writes[i]);
  Value result = base;
  for (const CellWrite *write : llvm::reverse(chain)) {
    llvm::Expected<Value> cells = currentReader.value(text(write->json));
    if (!cells) {
      llvm::consumeError(cells.takeError());
      continue;
    }
    Value interface = Value::string(text(write->interface));
    const Value *old = result.isMap() ? result.find(interface) : nullptr;
    result = *state::withPart(
        result, interface,
        state::merge(old ? *old : Value(), *cells, *currentArena),
        *currentArena);
  }
  constexpr size_t longChain = 64;
  if (chain.size() > longChain && chain.size() > 2 * result.entries().size())
    replaceWrites(id, result);
  return result;
}

/// Makes \p cells, what all writes to entity \p id come to, its only writes.
void LiveState::replaceWrites(uint32_t id, const Value &cells) {
  lastWrite[id] = none;
  for (const MapEntry &entry : cells.entries())
    writeCells(id, entry.key.asString(), entry.value);
}

llvm::Expected<const state::PlannedEntity *> LiveState::entity(uint32_t id) {
  if (id == currentId)
    return &*current;
  currentId = none;
  currentArena = std::make_unique<ValueArena>();
  currentReader.useArena(*currentArena);
  llvm::Expected<state::PlannedEntity> read =
      plan.entity(id, currentReader, *currentArena);
  if (!read)
    return read.takeError();
  current = *read;
  state::Entity &content = current->content;
  auto found = before.find(content.name);
  if (found == before.end() && !current->movedFrom.empty())
    found = before.find(current->movedFrom);
  if (found != before.end()) {
    content.attributes = found->second->attributes;
    content.cells = found->second->cells;
  }
  if (auto written = attributes.find(id); written != attributes.end())
    content.attributes = written->second;
  content.cells = cellsOf(id, content.cells);
  currentId = id;
  return &*current;
}

Value LiveState::evaluated(const Value &map, ValueArena &into) {
  if (!map.isMap())
    return into.map({});
  llvm::SmallVector<MapEntry> entries;
  for (const MapEntry &entry : map.entries()) {
    llvm::Expected<Expr> expr = toExpr(entry.value, names, into);
    if (!expr) {
      llvm::consumeError(expr.takeError());
      continue;
    }
    Evaluation result = ask(*expr, into).evaluation;
    entries.push_back({entry.key, result.isKnown() ? result.value() : Value()});
  }
  return into.map(entries);
}

Evaluation LiveState::input(const Query &query) {
  StringRef name = query.arguments.front().asString();
  ArrayRef<Value> rest = query.arguments.drop_front();
  if (auto found = given.find(name); found != given.end()) {
    hasReadSecret = true;
    return select(found->second, rest, query.call.range());
  }
  const Value *value = values.isMap() ? values.find(name) : nullptr;
  if (!value || isOpen(name, *value))
    return Evaluation::nothing();
  // A default may be made of others.
  llvm::Expected<Expr> expr = toExpr(*value, names, query.arena);
  if (!expr) {
    llvm::consumeError(expr.takeError());
    return Evaluation::nothing();
  }
  Evaluation whole = evaluate(*expr, *this, query.arena);
  return whole.isKnown() ? select(whole.value(), rest, query.call.range())
                         : std::move(whole);
}

/// `[entity, name, key…]` in the properties or attributes of an entity.
Evaluation LiveState::lookUp(const Query &query, Value state::Entity::*member) {
  ArrayRef<Value> path = query.arguments;
  if (path.size() < 2 || !path[0].isInteger() || path[0].asInteger() < 0 ||
      static_cast<size_t>(path[0].asInteger()) >= plan.numEntities())
    return Evaluation::nothing();
  llvm::Expected<const state::PlannedEntity *> found =
      entity(static_cast<uint32_t>(path[0].asInteger()));
  if (!found) {
    llvm::consumeError(found.takeError());
    return Evaluation::nothing();
  }
  const Value &map = (*found)->content.*member;
  const Value *plain = map.isMap() ? map.find(path[1]) : nullptr;
  if (!plain)
    return Evaluation::nothing();
  // Evaluation may ask for other entities, which moves this one away.
  llvm::Expected<Value> copy =
      JSONReader(query.arena, names).value(llvm::to_string(*plain));
  llvm::Expected<Expr> expr =
      copy ? toExpr(*copy, names, query.arena) : copy.takeError();
  if (!expr) {
    llvm::consumeError(expr.takeError());
    return Evaluation::nothing();
  }
  Evaluation whole = evaluate(*expr, *this, query.arena);
  return whole.isKnown()
             ? select(whole.value(), path.drop_front(2), query.call.range())
             : std::move(whole);
}

Evaluation LiveState::property(const Query &query) {
  return lookUp(query, &state::Entity::properties);
}

Evaluation LiveState::attribute(const Query &query) {
  return lookUp(query, &state::Entity::attributes);
}

Evaluation LiveState::state(const Query &query) {
  return lookUp(query, &state::Entity::cells);
}

/// What was sealed is opened; other functions are not known here.
Evaluation LiveState::custom(const Query &query) {
  if (query.call.functionName() != sealedFunction ||
      query.arguments.size() != 1 || !query.arguments[0].isString())
    return Environment::custom(query);
  hasReadSecret = true;
  JSONReader reader(query.arena, names);
  llvm::Expected<Value> value =
      secrets.opened(query.arguments[0].asString(), reader);
  if (value)
    return *value;
  llvm::consumeError(value.takeError());
  return Evaluation::nothing();
}
