//===- LowerTypes.cpp - Types of entities as later stages see them --------===//

#include "Lower.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using syntax::Entry;
using syntax::Node;

static ir::TypeInfo::Kind kindOf(EntityKind kind) {
  switch (kind) {
  case EntityKind::NodeType:
    return ir::TypeInfo::Kind::Node;
  case EntityKind::RelationshipType:
    return ir::TypeInfo::Kind::Relationship;
  case EntityKind::CapabilityType:
    return ir::TypeInfo::Kind::Capability;
  case EntityKind::GroupType:
    return ir::TypeInfo::Kind::Group;
  case EntityKind::PolicyType:
    return ir::TypeInfo::Kind::Policy;
  default:
    llvm_unreachable("entities of this kind have no type of their own");
  }
}

llvm::ArrayRef<ir::Mark> sema::lowerMetadata(Lowering &lowering,
                                             const Entity &entity) {
  const Field *metadata = entity.find(Key::Metadata);
  if (!metadata || !metadata->valid || !metadata->value->isMapping())
    return {};
  llvm::SmallVector<ir::Mark> marks;
  for (const Entry &entry : metadata->value->entries())
    if (entry.key.isScalar() && entry.value.isScalar())
      marks.push_back({lowering.intern(entry.key.text()), entry.value.text()});
  return lowering.save(marks);
}

/// The metadata of \p type, and that of the type that a binding has for it.
static llvm::ArrayRef<ir::Mark> marksOf(Lowering &lowering,
                                        const TypeDecl &type) {
  llvm::ArrayRef<ir::Mark> own = lowerMetadata(lowering, *type.entity);
  if (!type.bound)
    return own;
  llvm::SmallVector<ir::Mark> marks(own);
  for (const TypeDecl *at = type.bound; at && at->entity; at = at->parent)
    llvm::append_range(marks, lowerMetadata(lowering, *at->entity));
  return lowering.save(marks);
}

/// Chains may be long, so parents are entered by hand, not by recursion.
ir::TypeId sema::lowerType(Lowering &lowering, const TypeDecl *type) {
  llvm::SmallVector<const TypeDecl *, 8> chain;
  for (; type && !lowering.typeIds.contains(type); type = type->parent)
    chain.push_back(type);
  ir::TypeId id = type ? lowering.typeIds.lookup(type) : ir::TypeId();
  std::vector<ir::TypeInfo> &types = lowering.result.types;
  for (const TypeDecl *next : llvm::reverse(chain)) {
    types.push_back(
        {kindOf(next->kind), next->name, id, marksOf(lowering, *next)});
    id = {static_cast<uint32_t>(types.size() - 1)};
    lowering.typeIds[next] = id;
  }
  return id;
}

std::vector<ir::TypeId> sema::lowerTypeList(Lowering &lowering,
                                            const Flat &definition, Key key,
                                            EntityKind kind) {
  Flat::Found list = definition.find(key);
  if (!list && definition.type && definition.type->flat)
    list = definition.type->flat->find(key);
  std::vector<ir::TypeId> result;
  if (list)
    for (const Node &name : list.field->value->items())
      if (const TypeDecl *type = list.scope->find(kind, name.text()))
        result.push_back(lowerType(lowering, type));
  return result;
}
