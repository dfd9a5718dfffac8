//===- CopyTemplate.cpp - Templates that start as copies ------------------===//
///
/// \file
/// What the grammar calls a map is merged name by name, anything else is taken
/// whole. So the result is what a person would have written instead of `copy`.
///
//===----------------------------------------------------------------------===//

#include "CopyTemplate.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::SmallVector;
using syntax::Entry;
using syntax::Node;
using tosca::ShapeKind;

namespace {

class Copier {
public:
  explicit Copier(ValueArena &arena) : arena(arena) {}

  Entity merge(const Entity &own, const Entity &source);

private:
  Field merge(const Field &own, const Field &source, ShapeKind shape);
  llvm::ArrayRef<Entity> merge(llvm::ArrayRef<Entity> own,
                               llvm::ArrayRef<Entity> source, ShapeKind shape);
  const Node *merge(const Node &own, const Node &source);

  ValueArena &arena;
};

} // namespace

static ShapeKind shapeOf(EntityKind kind, Key key) {
  return tosca::rule(kind).find(tosca::word(key))->shape.kind;
}

Entity Copier::merge(const Entity &own, const Entity &source) {
  SmallVector<Field> fields;
  for (const Field &field : own.fields) {
    const Field *inherited = source.find(field.key);
    fields.push_back(
        inherited ? merge(field, *inherited, shapeOf(own.kind, field.key))
                  : field);
  }
  for (const Field &field : source.fields)
    if (!own.find(field.key))
      fields.push_back(field);
  Entity merged = own;
  merged.isShort = false;
  merged.fields = arena.save(llvm::ArrayRef<Field>(fields));
  return merged;
}

Field Copier::merge(const Field &own, const Field &source, ShapeKind shape) {
  Field merged = own;
  if (!own.valid || !source.valid)
    return merged;
  if (shape == ShapeKind::Map || shape == ShapeKind::NamedList)
    merged.entities = merge(own.entities, source.entities, shape);
  else if (shape == ShapeKind::Values && own.value->isMapping() &&
           source.value->isMapping())
    merged.value = merge(*own.value, *source.value);
  return merged;
}

/// Of a list, several may have one name: those of the copy replace all of that
/// name.
llvm::ArrayRef<Entity> Copier::merge(llvm::ArrayRef<Entity> own,
                                     llvm::ArrayRef<Entity> source,
                                     ShapeKind shape) {
  auto find = [](llvm::ArrayRef<Entity> entities, Name name) {
    const Entity *found = llvm::find_if(
        entities, [&](const Entity &entity) { return entity.name == name; });
    return found == entities.end() ? nullptr : found;
  };
  SmallVector<Entity> merged;
  for (const Entity &entity : source)
    if (!find(own, entity.name))
      merged.push_back(entity);
  for (const Entity &entity : own) {
    const Entity *inherited = find(source, entity.name);
    bool isMerged = inherited && shape == ShapeKind::Map &&
                    entity.kind != EntityKind::ArtifactDefinition;
    merged.push_back(isMerged ? merge(entity, *inherited) : entity);
  }
  return arena.save(llvm::ArrayRef<Entity>(merged));
}

const Node *Copier::merge(const Node &own, const Node &source) {
  SmallVector<Entry> entries(own.entries());
  for (const Entry &entry : source.entries())
    if (!entry.key.isScalar() || !own.find(entry.key.text()))
      entries.push_back(entry);
  return arena.make(
      Node::mapping(own.range(), arena.save(llvm::ArrayRef<Entry>(entries))));
}

const Entity *sema::copyTemplate(const Entity &copy, const Entity &source,
                                 ValueArena &arena) {
  return arena.make(Copier(arena).merge(copy, source));
}
