//===- MovedTemplates.cpp - Templates that have got another name ----------===//
///
/// \file
/// A template says what it was called (metadata `moved_from`). Its recorded
/// instances, and all that names them, then get the new name before anybody
/// compares the deployment with its files.
///
//===----------------------------------------------------------------------===//

#include "toscac/Expand/MovedTemplates.h"

#include "toscac/Sema/TemplateMarks.h"
#include "llvm/ADT/DenseMap.h"

using namespace toscac;
using llvm::StringRef;

namespace {

class Renaming {
public:
  Renaming(state::Deployment &deployment, ValueArena &arena)
      : deployment(deployment), arena(arena) {}

  void find(const sema::Service &service);
  void apply();

private:
  StringRef renamed(StringRef name) const;
  Value renamedKeys(const Value &map) const;

  state::Deployment &deployment;
  ValueArena &arena;
  /// New names by old ones.
  llvm::DenseMap<StringRef, StringRef> names;
};

} // namespace

/// A template that has instances of its own was moved long ago.
void Renaming::find(const sema::Service &service) {
  llvm::DenseMap<StringRef, StringRef> wanted;
  for (const sema::NodeTemplate &node : service.nodes)
    if (StringRef former = sema::markOf(node, "moved_from"); !former.empty())
      wanted[former] = node.name.str();
  if (wanted.empty())
    return;
  llvm::DenseMap<StringRef, bool> isThere;
  auto note = [&](const Value &map) {
    if (map.isMap())
      for (const MapEntry &entry : map.entries())
        isThere[entry.key.asString()] = true;
  };
  note(deployment.counts);
  for (const state::Entity &entity : deployment.entities)
    if (entity.kind == state::EntityKind::Node && !entity.name.contains('/'))
      isThere[entity.origin] = true;
  for (auto [former, now] : wanted)
    if (isThere.contains(former) && !isThere.contains(now))
      names[former] = now;
}

/// Of the outermost node that \p name begins with: `old[0]/vm[1].net[0]`.
StringRef Renaming::renamed(StringRef name) const {
  StringRef old = name.take_until([](char c) { return c == '[' || c == '.'; });
  auto found = names.find(old);
  if (found == names.end())
    return name;
  return arena.save((found->second + name.drop_front(old.size())).str());
}

Value Renaming::renamedKeys(const Value &map) const {
  if (!map.isMap())
    return map;
  llvm::SmallVector<MapEntry> entries(map.entries());
  for (MapEntry &entry : entries)
    entry.key = Value::string(renamed(entry.key.asString()));
  return arena.map(entries);
}

void Renaming::apply() {
  if (names.empty())
    return;
  // Plans say which state they start from, by what is recorded.
  deployment.knownDigest = arena.save(state::digest(deployment));
  for (auto [former, now] : names)
    deployment.moved.push_back({now, former});
  llvm::sort(deployment.moved);
  deployment.counts = renamedKeys(deployment.counts);
  deployment.nextIndex = renamedKeys(deployment.nextIndex);
  deployment.operations = renamedKeys(deployment.operations);
  for (state::Entity &entity : deployment.entities) {
    if (entity.kind == state::EntityKind::Node && !entity.name.contains('/'))
      entity.origin = renamed(entity.origin);
    if (entity.kind != state::EntityKind::Service || entity.name.contains('/'))
      entity.name = renamed(entity.name);
    entity.source = renamed(entity.source);
    entity.target = renamed(entity.target);
  }
  for (state::SharedLink &link : deployment.shared)
    link.provider = renamed(link.provider);
}

void toscac::moveTemplates(const sema::Service &service,
                           state::Deployment &recorded, ValueArena &arena) {
  Renaming renaming(recorded, arena);
  renaming.find(service);
  renaming.apply();
}
