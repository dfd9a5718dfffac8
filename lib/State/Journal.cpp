//===- Journal.cpp - Events of a run --------------------------------------===//

#include "toscac/State/Journal.h"

using namespace toscac;
using namespace toscac::state;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

/// One line of the journal.
struct Event {
  enum class Kind : uint8_t { Other, Started, Done, Skipped, Failed };
  Kind kind = Kind::Other;
  uint32_t step = 0;
  StringRef name;
  std::optional<uint32_t> entity;
  StringRef interface;
  /// What is written now, and what a failure will write.
  Value cells;
  Value failure;
  Value attributes;
  /// Of steps that took no time: the texts that their numbers mean.
  llvm::SmallVector<StringRef, 2> interfaces;
  Value writes;
};

} // namespace

static bool readStep(Event::Kind kind, JSONField &value, Event &event) {
  std::optional<uint32_t> step = value.index();
  event.kind = kind;
  event.step = step.value_or(0);
  return step.has_value();
}

static bool readEventName(JSONField &value, StringRef &result) {
  std::optional<StringRef> text = value.name();
  result = text.value_or("");
  return text.has_value();
}

static bool readEventValue(JSONField &value, Value &result) {
  std::optional<Value> read = value.value();
  result = read.value_or(Value());
  return read.has_value();
}

static void touch(uint32_t entity, Journal &journal) {
  if (journal.touched.size() <= entity)
    journal.touched.resize(std::max<size_t>(entity + 1, 64) * 2);
  journal.touched.set(entity);
}

/// `[step, entity, interface, write]`, or `[step]` where nothing is written.
static bool applySet(JSONField &value, const Event &event, Journal &journal) {
  SmallVector<uint32_t, 4> numbers;
  if (!value.indices(numbers) || (numbers.size() != 1 && numbers.size() != 4))
    return false;
  journal.ended[numbers[0]] = Outcome::Done;
  if (numbers.size() == 1)
    return true;
  if (numbers[2] >= event.interfaces.size() || !event.writes.isList() ||
      numbers[3] >= event.writes.items().size())
    return false;
  touch(numbers[1], journal);
  journal.cells.push_back({numbers[1], event.interfaces[numbers[2]],
                           event.writes.items()[numbers[3]]});
  return true;
}

static bool readEventMember(StringRef key, JSONField &value, Event &event,
                            Journal &journal) {
  if (key == "interfaces")
    return value.names(event.interfaces);
  if (key == "writes")
    return readEventValue(value, event.writes);
  if (key == "sets")
    return value.elements(
        [&](JSONField &set) { return applySet(set, event, journal); });
  if (key == "started")
    return readStep(Event::Kind::Started, value, event);
  if (key == "done")
    return readStep(Event::Kind::Done, value, event);
  if (key == "skipped")
    return readStep(Event::Kind::Skipped, value, event);
  if (key == "failed")
    return readStep(Event::Kind::Failed, value, event);
  if (key == "step")
    return readEventName(value, event.name);
  if (key == "interface")
    return readEventName(value, event.interface);
  if (key == "cells")
    return readEventValue(value, event.cells);
  if (key == "failure")
    return readEventValue(value, event.failure);
  if (key == "attributes")
    return readEventValue(value, event.attributes);
  if (key != "entity")
    return true;
  event.entity = value.index();
  return event.entity.has_value();
}

/// `[entity, [path…], value]`
static bool addAttribute(const Value &write, Journal &journal) {
  if (!write.isList() || write.items().size() != 3 ||
      !write.items()[0].isInteger() || !write.items()[1].isList())
    return false;
  journal.attributes.push_back(
      {static_cast<uint32_t>(write.items()[0].asInteger()),
       write.items()[1].items(), write.items()[2]});
  return true;
}

static bool applyEvent(const Event &event, Journal &journal) {
  if (event.kind == Event::Kind::Other)
    return true;
  if (event.entity)
    touch(*event.entity, journal);
  if (event.cells.isMap() && event.entity)
    journal.cells.push_back({*event.entity, event.interface, event.cells});
  if (event.attributes.isList() &&
      !llvm::all_of(event.attributes.items(), [&](const Value &write) {
        return addAttribute(write, journal);
      }))
    return false;
  if (event.kind == Event::Kind::Started) {
    StartedStep &started = journal.inFlight[event.step];
    started.name = event.name;
    started.hasFailure = event.failure.isMap() && event.entity;
    started.failure = {event.entity.value_or(0), event.interface,
                       event.failure};
    return true;
  }
  journal.inFlight.erase(event.step);
  journal.ended[event.step] = event.kind == Event::Kind::Done ? Outcome::Done
                              : event.kind == Event::Kind::Skipped
                                  ? Outcome::Skipped
                                  : Outcome::Failed;
  return true;
}

llvm::Error Journal::add(StringRef lines, JSONReader &json, ValueArena &arena) {
  while (!lines.empty()) {
    auto [line, rest] = lines.split('\n');
    lines = rest;
    if (line.empty())
      continue;
    Event event;
    if (llvm::Error error =
            json.fields(line, [&](StringRef key, JSONField &value) {
              return readEventMember(key, value, event, *this);
            }))
      return error;
    if (!event.name.empty())
      event.name = arena.save(event.name);
    if (!applyEvent(event, *this))
      return llvm::createStringError("an event of the journal is broken");
  }
  return llvm::Error::success();
}

Value state::merge(const Value &base, const Value &changes, ValueArena &arena) {
  if (!changes.isMap())
    return base;
  if (!base.isMap())
    return changes;
  SmallVector<MapEntry> entries(base.entries());
  for (const MapEntry &change : changes.entries()) {
    auto *same = llvm::find_if(entries, [&](const MapEntry &entry) {
      return entry.key == change.key;
    });
    if (same == entries.end())
      entries.push_back(change);
    else
      same->value = change.value;
  }
  return arena.map(entries);
}

static std::optional<Value> withItem(const Value &base, ArrayRef<Value> path,
                                     const Value &value, ValueArena &arena) {
  int64_t index = path[0].isInteger() ? path[0].asInteger() : -1;
  if (index < 0 || static_cast<uint64_t>(index) >= base.items().size())
    return std::nullopt;
  SmallVector<Value> items(base.items());
  std::optional<Value> part =
      withPart(items[index], path.drop_front(), value, arena);
  if (!part)
    return std::nullopt;
  items[index] = *part;
  return arena.list(items);
}

std::optional<Value> state::withPart(const Value &base, ArrayRef<Value> path,
                                     const Value &value, ValueArena &arena) {
  if (path.empty())
    return value;
  if (base.isList())
    return withItem(base, path, value, arena);
  if (!base.isMap() && !base.isNil())
    return std::nullopt;
  const Value *before = base.isMap() ? base.find(path[0]) : nullptr;
  std::optional<Value> part =
      withPart(before ? *before : Value(), path.drop_front(), value, arena);
  if (!part)
    return std::nullopt;
  MapEntry change{path[0], *part};
  return merge(base, arena.map(change), arena);
}
