//===- Recorded.cpp - A recorded deployment, indexed ----------------------===//

#include "Recorded.h"

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

Recorded::Recorded(const state::Deployment &deployment)
    : deployment(deployment) {
  ArrayRef<state::Entity> entities = deployment.entities;
  byName.reserve(entities.size());
  for (auto [row, entity] : llvm::enumerate(entities)) {
    byName[entity.name] = row;
    if (entity.kind != state::EntityKind::Node)
      continue;
    std::vector<uint32_t> &rows = byPath[templatePath(entity.name)];
    if (rows.empty())
      paths.push_back(templatePath(entity.name));
    rows.push_back(row);
  }
  for (auto &[path, rows] : byPath)
    llvm::stable_sort(rows, [&](uint32_t a, uint32_t b) {
      return entities[a].index < entities[b].index;
    });
  sources.assign(entities.size(), none);
  targets.assign(entities.size(), none);
  for (auto [row, entity] : llvm::enumerate(entities)) {
    if (entity.kind != state::EntityKind::Relationship)
      continue;
    uint32_t source = find(entity.source), target = find(entity.target);
    if (source == none || target == none)
      continue;
    sources[row] = source;
    targets[row] = target;
  }
  leaving.build(sources);
  arriving.build(targets);
}

uint32_t Recorded::find(StringRef name) const {
  auto found = byName.find(name);
  return found == byName.end() ? none : found->second;
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
