//===- Shape.cpp - States up to the indices of instances ------------------===//

#include "Shape.h"

#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/xxhash.h"

using namespace toscac;
using namespace toscac::walk;
using llvm::StringRef;
using state::EntityKind;

static std::string jsonOf(const Value &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  writeJSON(json, value);
  return text;
}

static std::string recordOf(const state::Entity &entity) {
  return (entity.origin + " " + entity.type + " " + entity.capability + " " +
          jsonOf(entity.properties) + " " + jsonOf(entity.attributes) + " " +
          jsonOf(entity.cells))
      .str();
}

namespace {

class Shape {
public:
  explicit Shape(const state::Deployment &deployment) : deployment(deployment) {
    for (const state::Entity &entity : deployment.entities) {
      colours[entity.name.str()] = llvm::xxh3_64bits(recordOf(entity));
      for (StringRef group : entity.groups)
        groups[group.str()].push_back(entity.name.str());
    }
  }

  std::vector<std::string> find();

private:
  void refine();

  const state::Deployment &deployment;
  std::map<std::string, uint64_t> colours;
  std::map<std::string, std::vector<std::string>> groups;
};

} // namespace

void Shape::refine() {
  std::map<std::string, std::vector<uint64_t>> around;
  auto meet = [&](StringRef at, uint64_t how, StringRef other) {
    auto found = colours.find(other.str());
    uint64_t colour = found == colours.end() ? 0 : found->second;
    around[at.str()].push_back(llvm::hash_combine(how, colour));
  };
  for (const state::Entity &entity : deployment.entities) {
    if (entity.kind != EntityKind::Relationship)
      continue;
    meet(entity.name, 1, entity.source);
    meet(entity.name, 2, entity.target);
    meet(entity.source, 3, entity.name);
    meet(entity.target, 4, entity.name);
  }
  for (const auto &[name, members] : groups)
    for (const std::string &member : members)
      for (const std::string &other : members)
        meet(member, 5, other);
  for (auto &[name, colour] : colours) {
    llvm::sort(around[name]);
    colour = llvm::hash_combine(
        colour,
        llvm::hash_combine_range(around[name].begin(), around[name].end()));
  }
}

std::vector<std::string> Shape::find() {
  for (unsigned round = 0; round != 6; ++round)
    refine();
  std::vector<std::string> result;
  for (const state::Entity &entity : deployment.entities)
    result.push_back(recordOf(entity) + " " +
                     std::to_string(colours[entity.name.str()]));
  llvm::sort(result);
  return result;
}

std::vector<std::string> walk::shapeOf(const state::Deployment &deployment) {
  return Shape(deployment).find();
}

std::vector<std::string> walk::contentOf(const state::Deployment &deployment) {
  std::vector<std::string> result;
  for (const state::Entity &entity : deployment.entities)
    if (entity.kind == EntityKind::Node)
      result.push_back(recordOf(entity));
  llvm::sort(result);
  return result;
}

std::map<std::string, std::string>
walk::linesOf(const state::Deployment &deployment) {
  std::map<std::string, std::string> lines;
  for (const state::Entity &entity : deployment.entities) {
    llvm::raw_string_ostream os(lines[entity.name.str()]);
    JSONWriter json(os);
    writeEntity(json, entity);
  }
  return lines;
}

std::map<std::string, int64_t>
walk::countsOf(const state::Deployment &deployment) {
  std::map<std::string, int64_t> counts;
  for (const state::Entity &entity : deployment.entities)
    if (entity.kind == EntityKind::Node)
      ++counts[entity.origin.str()];
  return counts;
}

/// Whether a machine is on its way between two states, and nobody says that it
/// has failed.
static bool isTorn(const state::Entity &entity) {
  const Value *cells =
      entity.cells.isMap() ? entity.cells.find("standard") : nullptr;
  const Value *now = cells ? cells->find("state") : nullptr;
  const Value *error = cells ? cells->find("error") : nullptr;
  return now && now->isString() && now->asString().ends_with("ing") &&
         !(error && error->isTrue());
}

std::string walk::contradictionIn(const state::Deployment &deployment) {
  llvm::StringSet<> names;
  for (const state::Entity &entity : deployment.entities) {
    if (!names.insert(entity.name).second)
      return ("'" + entity.name + "' is recorded twice").str();
    if (isTorn(entity))
      return ("'" + entity.name + "' is left on its way").str();
    const Value *next = deployment.nextIndex.isMap()
                            ? deployment.nextIndex.find(entity.origin)
                            : nullptr;
    if (entity.kind == EntityKind::Node && next && next->isInteger() &&
        next->asInteger() <= entity.index)
      return ("'" + entity.name + "' has an index not given yet").str();
  }
  for (const state::Entity &entity : deployment.entities)
    if (entity.kind == EntityKind::Relationship &&
        (!names.contains(entity.source) || !names.contains(entity.target)))
      return ("'" + entity.name + "' has lost an end").str();
  return "";
}
