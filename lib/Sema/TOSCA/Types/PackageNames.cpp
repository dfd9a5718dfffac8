//===- PackageNames.cpp - What names mean ---------------------------------===//

#include "toscac/Sema/TOSCA/PackageNames.h"

#include "Flatten.h"
#include "llvm/ADT/DenseSet.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

static const Scope *scopeOf(const Program &program, const tosca::File &file) {
  for (const Scope &scope : program.scopes)
    if (scope.file == &file)
      return &scope;
  return nullptr;
}

llvm::ArrayRef<NameUse> PackageNames::uses() const { return program.uses; }

const TypeDecl *PackageNames::find(const tosca::File &file, EntityKind kind,
                                   StringRef name) const {
  const Scope *scope = scopeOf(program, file);
  return scope ? scope->find(kind, name) : nullptr;
}

std::vector<std::string> PackageNames::visible(const tosca::File &file,
                                               EntityKind kind) const {
  const Scope *scope = scopeOf(program, file);
  return scope ? scope->names(kind) : std::vector<std::string>();
}

const Type *PackageNames::valueType(const Flat &definition) const {
  return program.definitionTypes.lookup(&definition);
}

const Entity *sema::entityOf(const TypeDecl &type) { return type.entity; }
StringRef sema::nameOf(const TypeDecl &type) { return type.name.str(); }
const TypeDecl *sema::parentOf(const TypeDecl &type) { return type.parent; }
bool sema::isDerivedFrom(const TypeDecl &type, const TypeDecl &ancestor) {
  return type.isDerivedFrom(ancestor);
}
const Flat *sema::flatOf(const TypeDecl &type) { return type.flat; }

StringRef sema::nameOf(const Flat &definition) { return definition.name.str(); }

std::vector<const Flat *> sema::partsOf(const Flat &owner, Key key) {
  std::vector<const Flat *> parts;
  for (const auto &[name, part] : owner.members(key))
    parts.push_back(part);
  return parts;
}

const Flat *sema::partOf(const Flat &owner, Key key, StringRef name) {
  return owner.member(key, name);
}

const TypeDecl *sema::typeOf(const Flat &definition) { return definition.type; }

const TypeDecl *sema::typeUnder(const Flat &definition, Key key,
                                EntityKind kind) {
  return typeNamedBy(definition, key, kind);
}

std::vector<const Entity *> sema::layersOf(const Flat &definition) {
  std::vector<const Entity *> entities;
  for (const Layer &layer : definition.layers)
    entities.push_back(layer.entity);
  return entities;
}

const syntax::Node *sema::valueOf(const Flat &definition, Key key) {
  Flat::Found found = definition.find(key);
  return found && found.field->valid ? found.field->value : nullptr;
}

bool sema::needsAssignment(const Flat &definition) {
  return needsValue(definition);
}

static void useRefined(Program &program, const Flat &flat,
                       llvm::DenseSet<const Flat *> &seen) {
  for (const Flat::Group &group : flat.groups)
    for (const auto &[name, part] : group.members) {
      if (!seen.insert(part).second)
        continue;
      llvm::ArrayRef<Layer> layers = part->layers;
      for (size_t i = 1; i < layers.size(); ++i)
        if (layers[i].entity->kind == layers[i - 1].entity->kind &&
            layers[i].entity->nameNode &&
            layers[i].entity->name == layers[i - 1].entity->name)
          program.use(layers[i - 1].entity->range(), layers[i].entity);
      useRefined(program, *part, seen);
    }
}

void sema::useRefined(Program &program) {
  if (!program.keepsUses)
    return;
  llvm::DenseSet<const Flat *> seen;
  for (const TypeDecl &type : program.types)
    if (type.flat)
      ::useRefined(program, *type.flat, seen);
}
