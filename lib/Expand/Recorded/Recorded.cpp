//===- Recorded.cpp - A recorded deployment, indexed ----------------------===//

#include "Recorded.h"

#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::ArrayRef;
using llvm::StringRef;

StringRef expanding::templatePath(StringRef nodeName) {
  return nodeName.rsplit('[').first;
}

void Recorded::Ends::build(ArrayRef<uint32_t> nodes) {
  offsets.assign(nodes.size() + 1, 0);
  for (uint32_t node : nodes)
    if (node != none)
      ++offsets[node + 1];
  for (size_t i = 0; i != nodes.size(); ++i)
    offsets[i + 1] += offsets[i];
  relationships.resize(offsets.back());
  std::vector<uint32_t> next = offsets;
  for (auto [row, node] : llvm::enumerate(nodes))
    if (node != none)
      relationships[next[node]++] = row;
}

/// `vm` and 2 of `vm[2]`; false if \p name is of another form.
static bool splitName(StringRef name, StringRef &path, uint32_t &number) {
  if (!name.ends_with("]"))
    return false;
  size_t end = name.size() - 1, at = end;
  uint64_t value = 0, factor = 1;
  for (; at != 0 && llvm::isDigit(name[at - 1]) && end - at < 10; --at) {
    value += factor * (name[at - 1] - '0');
    factor *= 10;
  }
  if (at == end || at == 0 || name[at - 1] != '[' || value > UINT32_MAX ||
      (name[at] == '0' && end - at > 1))
    return false;
  path = name.take_front(at - 1);
  number = value;
  return true;
}

void Recorded::addNodes() {
  ArrayRef<state::Entity> entities = deployment.entities;
  StringRef path;
  std::vector<uint32_t> *rows = nullptr;
  for (auto [row, entity] : llvm::enumerate(entities)) {
    if (entity.kind == state::EntityKind::Service)
      byName[entity.name] = row;
    if (entity.kind != state::EntityKind::Node)
      continue;
    StringRef own;
    uint32_t number;
    if (!splitName(entity.name, own, number) || number != entity.index) {
      own = templatePath(entity.name);
      byName[entity.name] = row;
    }
    if (!rows || own != path) {
      path = own;
      rows = &byPath[path];
    }
    if (rows->empty())
      paths.push_back(path);
    rows->push_back(row);
  }
  auto isBefore = [&](uint32_t a, uint32_t b) {
    return entities[a].index < entities[b].index;
  };
  for (auto &[path, own] : byPath)
    if (!llvm::is_sorted(own, isBefore))
      llvm::stable_sort(own, isBefore);
}

static bool areOne(StringRef a, StringRef b) {
  return a.data() == b.data() && a.size() == b.size();
}

static bool areOne(const Value &a, const Value &b) {
  if (!a.isMap() || !b.isMap())
    return a.isNil() && b.isNil();
  return a.entries().data() == b.entries().data() &&
         a.entries().size() == b.entries().size();
}

/// Entities that stand in the state with the same words share what they have.
void Recorded::addShapes() {
  ArrayRef<state::Entity> entities = deployment.entities;
  auto isAlike = [&](const state::Entity &a, const state::Entity &b) {
    return a.kind == b.kind && areOne(a.cells, b.cells) &&
           areOne(a.properties, b.properties) &&
           areOne(a.attributes, b.attributes) && areOne(a.origin, b.origin) &&
           areOne(a.type, b.type) && areOne(a.capability, b.capability);
  };
  // The last ones that differ, and which of them was met last.
  static constexpr uint32_t most = 8;
  llvm::SmallVector<uint32_t, most> firsts;
  uint32_t last = 0, numShapes = 0;
  indices.reserve(entities.size());
  shapes.reserve(entities.size());
  for (auto [row, entity] : llvm::enumerate(entities)) {
    indices.push_back(entity.index);
    uint32_t tried = 0;
    while (tried != firsts.size() &&
           !isAlike(entities[firsts[(last + tried) % firsts.size()]], entity))
      ++tried;
    if (tried != firsts.size()) {
      last = (last + tried) % firsts.size();
    } else {
      last = numShapes++ % most;
      firsts.resize(std::min(numShapes, most));
      firsts[last] = row;
    }
    shapes.push_back(firsts[last]);
  }
}

Recorded::Recorded(const state::Deployment &deployment)
    : deployment(deployment) {
  addNodes();
  addShapes();
  ArrayRef<state::Entity> entities = deployment.entities;
  sources.assign(entities.size(), none);
  targets.assign(entities.size(), none);
  Nodes lastSources, lastTargets;
  auto find = [&](StringRef name, Nodes &last) {
    uint32_t row = findNode(name, last);
    return row != none || byName.empty() ? row : this->find(name);
  };
  for (auto [row, entity] : llvm::enumerate(entities)) {
    if (entity.kind != state::EntityKind::Relationship)
      continue;
    uint32_t source = find(entity.source, lastSources);
    uint32_t target = find(entity.target, lastTargets);
    if (source == none || target == none)
      continue;
    sources[row] = source;
    targets[row] = target;
  }
  leaving.build(sources);
  arriving.build(targets);
}

/// The node that \p name means if it is that of its path and index.
uint32_t Recorded::findNode(StringRef name, Nodes &last) const {
  StringRef path;
  uint32_t number;
  if (!splitName(name, path, number))
    return none;
  if (path != last.path || last.rows.empty())
    last = {path, nodesOf(path)};
  ArrayRef<state::Entity> entities = deployment.entities;
  auto isIt = [&](uint32_t place) {
    return place < last.rows.size() && entities[last.rows[place]].name == name;
  };
  // Where none is missing, indices are places.
  uint32_t place = number;
  if (!isIt(place))
    place = llvm::partition_point(
                last.rows,
                [&](uint32_t row) { return entities[row].index < number; }) -
            last.rows.begin();
  return isIt(place) ? last.rows[place] : none;
}

uint32_t Recorded::find(StringRef name) const {
  Nodes nodes;
  if (uint32_t row = findNode(name, nodes); row != none)
    return row;
  if (auto found = byName.find(name); found != byName.end())
    return found->second;
  if (!name.contains('.'))
    return none;
  if (relationshipsByName.empty())
    for (auto [row, entity] : llvm::enumerate(deployment.entities))
      if (entity.kind == state::EntityKind::Relationship)
        relationshipsByName[entity.name] = row;
  auto found = relationshipsByName.find(name);
  return found == relationshipsByName.end() ? none : found->second;
}

ArrayRef<uint32_t> Recorded::nodesOf(StringRef path) const {
  auto found = byPath.find(path);
  if (found == byPath.end())
    return {};
  return found->second;
}

ArrayRef<uint32_t> Recorded::outgoing(uint32_t row) const {
  return leaving.of(row);
}

ArrayRef<uint32_t> Recorded::incoming(uint32_t row) const {
  return arriving.of(row);
}

uint32_t Recorded::nextIndex(StringRef path) const {
  uint32_t next = 0;
  if (ArrayRef<uint32_t> rows = nodesOf(path); !rows.empty())
    next = deployment.entities[rows.back()].index + 1;
  if (deployment.nextIndex.isMap())
    if (const Value *recorded = deployment.nextIndex.find(Value::string(path));
        recorded && recorded->isInteger() && recorded->asInteger() > next)
      next = recorded->asInteger();
  return next;
}
