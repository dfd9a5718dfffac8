//===- ReadState.cpp - state.json -----------------------------------------===//
///
/// \file
/// The outer levels are walked piece by piece and each entity is parsed on its
/// own, unless it is like one before.
///
//===----------------------------------------------------------------------===//

#include "EntityFamilies.h"
#include "toscac/Basic/DiagnosticsState.h"
#include "toscac/Basic/JSONCursor.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/State/State.h"
#include "toscac/State/Store.h"
#include "toscac/Value/ReadJSON.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

StringRef state::spelling(EntityKind kind) {
  switch (kind) {
  case EntityKind::Node:
    return "node";
  case EntityKind::Relationship:
    return "relationship";
  case EntityKind::Service:
    return "service";
  }
  llvm_unreachable("all kinds are handled");
}

std::optional<EntityKind> state::parseEntityKind(StringRef text) {
  return llvm::StringSwitch<std::optional<EntityKind>>(text)
      .Case("node", EntityKind::Node)
      .Case("relationship", EntityKind::Relationship)
      .Case("service", EntityKind::Service)
      .Default(std::nullopt);
}

const Deployment *State::find(StringRef name) const {
  for (const Deployment &deployment : deployments)
    if (deployment.name == name)
      return &deployment;
  return nullptr;
}

static bool readName(JSONField &value, StringRef &result) {
  std::optional<StringRef> text = value.name();
  result = text.value_or("");
  return text.has_value();
}

static bool readMap(JSONField &value, Value &result) {
  std::optional<Value> read = value.value();
  result = read.value_or(Value());
  return result.isMap();
}

/// Interfaces, each with a map of cells.
static bool readCells(JSONField &value, Value &result) {
  return readMap(value, result) &&
         llvm::all_of(result.entries(), [](const MapEntry &entry) {
           return entry.value.isMap();
         });
}

static bool readKind(JSONField &value, EntityKind &result) {
  std::optional<StringRef> text = value.string();
  std::optional<EntityKind> kind = text ? parseEntityKind(*text) : std::nullopt;
  result = kind.value_or(EntityKind::Node);
  return kind.has_value();
}

static bool readIndex(JSONField &value, uint32_t &result) {
  std::optional<uint32_t> index = value.index();
  result = index.value_or(0);
  return index.has_value();
}

static bool readGroups(JSONField &value, Entity &entity, ValueArena &arena) {
  llvm::SmallVector<StringRef> groups;
  bool good = value.names(groups);
  entity.groups = arena.save(llvm::ArrayRef<StringRef>(groups));
  return good;
}

bool state::readEntityField(StringRef key, JSONField &value, Entity &entity,
                            ValueArena &arena) {
  if (key == "name") {
    std::optional<StringRef> text = value.string();
    entity.name = arena.save(text.value_or(""));
    return text.has_value();
  }
  if (key == "kind")
    return readKind(value, entity.kind);
  if (key == "template" || key == "requirement")
    return readName(value, entity.origin);
  if (key == "index")
    return readIndex(value, entity.index);
  if (key == "type")
    return readName(value, entity.type);
  if (key == "groups")
    return readGroups(value, entity, arena);
  if (key == "source")
    return readName(value, entity.source);
  if (key == "target")
    return readName(value, entity.target);
  if (key == "capability")
    return readName(value, entity.capability);
  if (key == "properties")
    return readMap(value, entity.properties);
  if (key == "attributes")
    return readMap(value, entity.attributes);
  return key != "cells" || readCells(value, entity.cells);
}

namespace {

class StateReader {
public:
  StateReader(int file, uint64_t fileSize, State &result)
      : cursor(file), fileSize(fileSize), result(result),
        json(*result.arena, names) {}

  /// What is wrong, or nothing.
  std::string read();
  uint64_t line() const { return cursor.line(); }

private:
  void readTop();
  void readDeployments();
  void readDeployment(StringRef name);
  void readMember(StringRef key, Deployment &deployment);
  void readEntities(Deployment &deployment);
  bool readEntity(Deployment &deployment, EntityFamilies &alike,
                  DistinctNames &distinct);
  void makeRoom(std::vector<Entity> &entities, uint64_t read) const;
  bool readAll(Deployment &deployment);
  void readShared(Deployment &deployment);
  std::optional<Value> readValue();
  void fail(const llvm::Twine &text);
  void check(llvm::Error error);
  bool isGood() const { return problem.empty() && !cursor.failed(); }

  JSONCursor cursor;
  /// 0: not known.
  uint64_t fileSize;
  State &result;
  NameTable names;
  JSONReader json;
  std::string problem;
  /// Of the deployment, as far as it has been read.
  std::optional<SHA256Digest> digest;
};

} // namespace

void StateReader::fail(const llvm::Twine &text) {
  if (problem.empty())
    problem = text.str();
}

void StateReader::check(llvm::Error error) {
  if (error)
    fail(llvm::toString(std::move(error)));
}

std::optional<Value> StateReader::readValue() {
  std::optional<StringRef> text = cursor.value();
  if (!text)
    return std::nullopt;
  llvm::Expected<Value> value = json.value(*text);
  if (value)
    return *value;
  check(value.takeError());
  return std::nullopt;
}

std::string StateReader::read() {
  readTop();
  if (isGood() && !cursor.atEnd())
    fail("something stands after the state");
  return cursor.failed() ? cursor.error().str() : problem;
}

void StateReader::readTop() {
  if (!cursor.enterObject())
    return;
  bool hasVersion = false;
  while (isGood()) {
    std::optional<StringRef> key = cursor.nextKey();
    if (!key)
      break;
    if (*key == "state") {
      std::optional<Value> version = readValue();
      hasVersion = version && *version == Value::integer(1);
      if (version && !hasVersion)
        fail("this is a state of another version; version 1 is understood");
    } else if (*key == "deployments") {
      readDeployments();
    } else {
      cursor.value();
    }
  }
  if (isGood() && !hasVersion)
    fail("this is no state: it lacks '\"state\": 1'");
}

void StateReader::readDeployments() {
  if (!cursor.enterObject())
    return;
  llvm::StringSet<> seen;
  while (isGood()) {
    std::optional<StringRef> key = cursor.nextKey();
    if (!key)
      return;
    // Keys are given with their escapes.
    llvm::Expected<Value> name = json.value(("\"" + *key + "\"").str());
    if (!name)
      return check(name.takeError());
    if (!seen.insert(name->asString()).second)
      return fail("deployment '" + name->asString() + "' is listed twice");
    readDeployment(name->asString());
  }
}

/// How \p deployment is printed before its entities and, where \p isBehind,
/// behind them.
static std::string printAround(const Deployment &deployment, bool isBehind) {
  Deployment around{deployment.name,           deployment.service,
                    deployment.templateDigest, deployment.inputs,
                    deployment.nextIndex,      deployment.counts};
  auto print = [&] {
    std::string text;
    llvm::raw_string_ostream os(text);
    JSONWriter json(os);
    writeDeployment(json, around);
    return text;
  };
  std::string before = print();
  before.resize(before.size() - StringRef("[], \"shared\": []}").size());
  if (!isBehind)
    return before;
  around.shared = deployment.shared;
  return print().substr(before.size() + 2);
}

void StateReader::readDeployment(StringRef name) {
  if (!cursor.enterObject())
    return;
  Deployment &deployment = result.deployments.emplace_back();
  deployment.name = name;
  digest.reset();
  while (isGood()) {
    std::optional<StringRef> key = cursor.nextKey();
    if (!key)
      break;
    // What was hashed has to be all that comes before the entities.
    if (*key != "shared")
      digest.reset();
    readMember(*key, deployment);
  }
  if (!digest || !isGood())
    return;
  digest->update(printAround(deployment, /*isBehind=*/true));
  deployment.knownDigest = result.arena->save("sha256:" + digest->hex());
}

void StateReader::readMember(StringRef key, Deployment &deployment) {
  if (key == "entities")
    return readEntities(deployment);
  if (key == "shared")
    return readShared(deployment);
  bool isText = key == "service" || key == "template";
  Value *map = key == "inputs"       ? &deployment.inputs
               : key == "next_index" ? &deployment.nextIndex
               : key == "counts"     ? &deployment.counts
               : key == "operations" ? &deployment.operations
                                     : nullptr;
  std::string saved = key.str();
  std::optional<Value> value = readValue();
  if (!value || (!isText && !map))
    return;
  if (isText ? !value->isString() : !value->isMap())
    return fail("'" + saved + "' has the wrong form");
  if (map)
    *map = *value;
  else
    (saved == "service" ? deployment.service : deployment.templateDigest) =
        value->asString();
}

/// Reads the entity that the cursor is at. Whether it stands there as it would
/// be printed.
bool StateReader::readEntity(Deployment &deployment, EntityFamilies &alike,
                             DistinctNames &distinct) {
  std::optional<StringRef> text = cursor.value();
  if (!text)
    return false;
  Entity &entity = deployment.entities.emplace_back();
  check(json.fields(*text, [&](StringRef key, JSONField &value) {
    return readEntityField(key, value, entity, *result.arena);
  }));
  if (!isGood())
    return false;
  InstanceNumbers numbers;
  DistinctNames::Family &family = distinct.familyOf(entity.name, numbers);
  if (entity.name.empty())
    fail("an entity has no name");
  else if (!distinct.isNew(family, numbers, deployment.entities))
    fail("entity '" + entity.name + "' is listed twice");
  return alike.learn(*text, deployment.entities.back());
}

/// Makes room for the entities in the rest of the file, of which those so far
/// took \p read bytes. Twice as much as seems needed: copying them would cost
/// more than addresses that are never used.
void StateReader::makeRoom(std::vector<Entity> &entities, uint64_t read) const {
  if (entities.size() < entities.capacity() || entities.empty() ||
      fileSize <= cursor.position())
    return;
  size_t each = std::max<size_t>(read / entities.size(), 100);
  size_t rest = (fileSize - cursor.position()) / each;
  entities.reserve(entities.size() + 2 * rest + 2);
}

/// Reads the entities. Whether they stand there as they would be printed.
bool StateReader::readAll(Deployment &deployment) {
  uint64_t begin = cursor.position();
  DistinctNames distinct;
  EntityFamilies alike(distinct, *result.arena);
  bool isPrinted = true;
  StringRef expected = "\n";
  while (isGood()) {
    // What stands between two of them.
    std::string between = cursor.ahead(2).take_front(2).str();
    uint64_t end = cursor.position();
    if (!cursor.toElement())
      return isPrinted && isGood() && between == "\n]";
    isPrinted &= StringRef(between).starts_with(expected) &&
                 cursor.position() - end == expected.size();
    expected = ",\n";
    makeRoom(deployment.entities, cursor.position() - begin);
    if (!alike.match(cursor.ahead(alike.longest()))) {
      isPrinted &= readEntity(deployment, alike, distinct);
      continue;
    }
    deployment.entities.push_back(alike.entity());
    cursor.take(alike.length());
    if (!distinct.isNew(alike.family(), alike.nameNumbers(),
                        deployment.entities))
      fail("entity '" + deployment.entities.back().name + "' is listed twice");
  }
  return false;
}

/// Begins to hash the deployment as it is printed.
void StateReader::readEntities(Deployment &deployment) {
  if (!cursor.enterArray())
    return;
  digest.emplace();
  digest->update(printAround(deployment, /*isBehind=*/false));
  digest->update("[");
  cursor.follow(&*digest);
  bool isFirst = deployment.entities.empty();
  bool isPrinted = readAll(deployment) && isFirst;
  cursor.follow(nullptr);
  if (!isPrinted)
    digest.reset();
}

void StateReader::readShared(Deployment &deployment) {
  if (!cursor.enterArray())
    return;
  while (isGood()) {
    std::optional<StringRef> text = cursor.nextElement();
    if (!text)
      return;
    SharedLink &link = deployment.shared.emplace_back();
    check(json.fields(*text, [&](StringRef key, JSONField &value) {
      if (key == "content") {
        std::optional<Value> content = value.value();
        link.content = content.value_or(Value());
        return content.has_value();
      }
      StringRef unknown;
      return readName(value, key == "name"       ? link.name
                             : key == "type"     ? link.type
                             : key == "provider" ? link.provider
                                                 : unknown);
    }));
  }
}

static std::optional<State> readJSONState(StringRef path, int file,
                                          DiagnosticEngine &diags) {
  State result;
  llvm::sys::fs::file_status status;
  bool isKnown = !llvm::sys::fs::status(file, status);
  StateReader reader(file, isKnown ? status.getSize() : 0, result);
  std::string problem = reader.read();
  if (problem.empty())
    return result;
  diags.report({}, diag::MalformedState, path, reader.line(), problem);
  return std::nullopt;
}

static std::optional<State> readStore(StringRef path, DiagnosticEngine &diags) {
  llvm::Expected<std::unique_ptr<Store>> store =
      Store::open(path, Store::Access::Read);
  if (store) {
    llvm::Expected<State> loaded = (*store)->load(InFlight::Failed);
    if (loaded)
      return std::move(*loaded);
    diags.report({}, diag::BrokenStore, shownStore(path),
                 llvm::toString(loaded.takeError()));
    return std::nullopt;
  }
  diags.report({}, diag::BrokenStore, shownStore(path),
               llvm::toString(store.takeError()));
  return std::nullopt;
}

std::optional<State> state::readState(StringRef path, DiagnosticEngine &diags) {
  namespace fs = llvm::sys::fs;
  if (isStoreUrl(path))
    return readStore(path, diags);
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file) {
    diags.report({}, diag::CannotReadFile, path,
                 llvm::toString(file.takeError()));
    return std::nullopt;
  }
  if (isStore(*file)) {
    fs::closeFile(*file);
    return readStore(path, diags);
  }
  std::optional<State> result = readJSONState(path, *file, diags);
  fs::closeFile(*file);
  return result;
}
