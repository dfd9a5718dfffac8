//===- LowerObsolete.cpp - What templates do not have any more ------------===//
///
/// \file
/// What a deployment has of node templates and requirements that are gone: its
/// types say what it is like, and the state which operations were not theirs.
///
//===----------------------------------------------------------------------===//

#include "TOSCA/Lower/Lower.h"

#include "toscac/Sema/RecordedOperations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
namespace path = llvm::sys::path;

namespace {

class ObsoleteLowering {
public:
  ObsoleteLowering(Lowering &lowering, const RecordedPart &part)
      : lowering(lowering), part(part) {
    empty.kind = EntityKind::NodeTemplate;
  }

  bool concerns(uint32_t service) const;
  std::optional<NodeTemplate> node(const ServiceScope &service);
  std::optional<Requirement> requirement(const ServiceScope &service,
                                         const NodeTemplate &source);

private:
  TypeDecl *findType(EntityKind kind, StringRef name) const;
  TypeDecl *typeOf(const NodeTemplate &node) const;
  /// Machines as the template had them; false where nobody knows.
  bool restore(std::vector<ir::MachineId> &machines, MachineOrigin &origin);
  ir::ArtifactId findArtifact(const ir::Artifact &wanted);
  std::string locationOf(StringRef file) const;

  Lowering &lowering;
  const RecordedPart &part;
  /// What stands for templates that nobody has written.
  Entity empty;
};

} // namespace

TypeDecl *ObsoleteLowering::findType(EntityKind kind, StringRef name) const {
  for (TypeDecl &type : lowering.program.types)
    if (type.kind == kind && type.flat && type.name.str() == name)
      return &type;
  return nullptr;
}

TypeDecl *ObsoleteLowering::typeOf(const NodeTemplate &node) const {
  for (TypeDecl &type : lowering.program.types)
    if (auto id = lowering.typeIds.find(&type);
        id != lowering.typeIds.end() && id->second == node.type)
      return &type;
  return nullptr;
}

/// Files of profiles are named by the profile.
std::string ObsoleteLowering::locationOf(StringRef file) const {
  const tosca::Package &package = lowering.program.package;
  StringRef rest = file;
  if (rest.consume_front("profile:"))
    for (const auto &[from, profile] : lowering.profiles)
      if (StringRef inside = rest; !profile.name.empty() &&
                                   inside.consume_front(profile.name) &&
                                   inside.consume_front("/"))
        return (profile.folder + "/" + inside).str();
  auto location = tosca::locate(file, *package.files[package.entries.front()]);
  return location ? location->path : std::string();
}

ir::ArtifactId ObsoleteLowering::findArtifact(const ir::Artifact &wanted) {
  std::vector<ir::Artifact> &artifacts = lowering.result.artifacts;
  for (auto [i, artifact] : llvm::enumerate(artifacts))
    if (artifact.type == wanted.type && artifact.file == wanted.file &&
        artifact.placeBeside == wanted.placeBeside)
      return {static_cast<uint32_t>(i)};
  ValueArena &arena = lowering.program.arena;
  ir::Artifact &added = artifacts.emplace_back(wanted);
  added.location = arena.save(StringRef(locationOf(wanted.file)));
  return {static_cast<uint32_t>(artifacts.size() - 1)};
}

bool ObsoleteLowering::restore(std::vector<ir::MachineId> &machines,
                               MachineOrigin &origin) {
  if (!part.operations)
    return true;
  origin = MachineOrigin::OwnOperations;
  return restoreOperations(
      lowering.result, *part.operations,
      [&](const ir::Artifact &wanted) { return findArtifact(wanted); },
      lowering.program.names, machines);
}

std::optional<NodeTemplate>
ObsoleteLowering::node(const ServiceScope &service) {
  TypeDecl *type = findType(EntityKind::NodeType, part.type);
  if (!type)
    return std::nullopt;
  NodeTemplate node = lowerNodeType(lowering, service, *type);
  node.isObsolete = true;
  if (!restore(node.machines, node.machineOrigin))
    return std::nullopt;
  if (part.isOuter)
    node.directives = {Directive::Substitute};
  return node;
}

std::optional<Requirement>
ObsoleteLowering::requirement(const ServiceScope &service,
                              const NodeTemplate &source) {
  Template node;
  node.entity = &empty;
  node.type = typeOf(source);
  const Flat *definition =
      node.type ? node.flat()->member(Key::Requirements, part.origin) : nullptr;
  TypeDecl *type = findType(EntityKind::RelationshipType, part.type);
  if (!definition || (!type && !part.type.empty()))
    return std::nullopt;
  Requirement result =
      lowerObsoleteRequirement(lowering, service, node, *definition, type);
  if (!restore(result.relationship.machines, result.relationship.machineOrigin))
    return std::nullopt;
  return result;
}

/// Whether it is one of the service, or of what such a service may have stood
/// for.
bool ObsoleteLowering::concerns(uint32_t service) const {
  // Nodes of other deployments are named by these.
  if (part.node.contains(':'))
    return false;
  if (!part.node.contains('/'))
    return service == 0;
  const auto &offer = lowering.result.services[service].substitution;
  ir::TypeId outer =
      lowerType(lowering, findType(EntityKind::NodeType, part.outerType));
  return offer && outer &&
         ir::isDerivedFrom(lowering.result.types, outer, offer->nodeType);
}

bool sema::concernsService(Lowering &lowering, uint32_t service,
                           const RecordedPart &part) {
  return ObsoleteLowering(lowering, part).concerns(service);
}

std::optional<NodeTemplate> sema::lowerObsoleteNode(Lowering &lowering,
                                                    const ServiceScope &service,
                                                    const RecordedPart &part) {
  return ObsoleteLowering(lowering, part).node(service);
}

std::optional<Requirement>
sema::lowerObsoleteRequirement(Lowering &lowering, const ServiceScope &service,
                               const NodeTemplate &source,
                               const RecordedPart &part) {
  return ObsoleteLowering(lowering, part).requirement(service, source);
}
