//===- Declare.cpp - Enter declarations into their scopes -----------------===//

#include "Scope.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

/// TOSCA 2.0 §9.1.
static constexpr llvm::StringLiteral builtInTypes[] = {
    "string",    "integer", "float",   "boolean", "bytes", "nil",
    "timestamp", "scalar",  "version", "list",    "map",
};

/// Those that only earlier versions had built in.
static constexpr llvm::StringLiteral olderTypes[] = {
    "scalar-unit.size",
    "scalar-unit.time",
    "scalar-unit.frequency",
    "scalar-unit.bitrate",
    "range",
};

static void declareBuiltIns(Program &program) {
  for (StringRef text :
       llvm::concat<const llvm::StringLiteral>(builtInTypes, olderTypes)) {
    Name name = program.names.intern(text);
    program.types.push_back(
        {EntityKind::DataType, name, nullptr, &program.builtIns});
    program.builtIns.ownOf(EntityKind::DataType)[text] = &program.types.back();
  }
}

static void checkName(Program &program, EntityKind kind, const Entity &entity) {
  StringRef name = entity.name.str();
  if (kind == EntityKind::DataType && llvm::is_contained(builtInTypes, name))
    program.diags.report(entity.range(), diag::ReservedTypeName, name);
  if (kind == EntityKind::Function && name.contains('$'))
    program.diags.report(entity.range(), diag::DollarInFunctionName, name);
}

static void declareFile(Program &program, Scope &scope) {
  for (auto [key, kind] : typeSections())
    for (const Entity &entity : scope.file->root.entities(key)) {
      checkName(program, kind, entity);
      program.types.push_back({kind, entity.name, &entity, &scope});
      program.types.back().valid = entity.valid;
      scope.ownOf(kind)[entity.name.str()] = &program.types.back();
      ++program.namesakes[entity.name.str()];
    }
}

/// A name of the file itself wins over an imported one; it is worth a warning,
/// because the importing file now means something else than its imports do.
static void checkShadowing(Program &program, Scope &scope) {
  for (auto [key, kind] : typeSections())
    for (const Entity &entity : scope.file->root.entities(key))
      for (const Scope::Import &import : scope.imports) {
        if (import.prefix)
          continue;
        const TypeDecl *hidden = import.scope->find(kind, entity.name.str());
        if (!hidden || hidden->entity == &entity)
          continue;
        auto report =
            program.diags.report(entity.range(), diag::ShadowedName,
                                 tosca::rule(kind).noun, entity.name.str());
        if (!hidden->isBuiltIn())
          report.note(hidden->range(), diag::FirstDefinedHere,
                      entity.name.str());
        break;
      }
}

/// Two files imported into one namespace must not declare the same name.
static void checkCollisions(Program &program, Scope &scope) {
  llvm::SmallVector<const Scope::Import *> plain;
  for (const Scope::Import &import : scope.imports)
    if (!import.prefix)
      plain.push_back(&import);
  if (plain.size() < 2)
    return;
  for (auto [key, kind] : typeSections()) {
    llvm::StringMap<const TypeDecl *> first;
    for (const Scope::Import *import : plain)
      for (const std::string &name : import->scope->names(kind)) {
        const TypeDecl *decl = import->scope->find(kind, name);
        auto [known, isNew] = first.try_emplace(name, decl);
        bool hidden = scope.ownOf(kind).contains(name);
        if (isNew || known->second == decl || hidden)
          continue;
        program.diags
            .report(import->definition->range(), diag::AmbiguousImport,
                    tosca::rule(kind).noun, name)
            .note(known->second->range(), diag::FirstDefinedHere, name)
            .note(decl->range(), diag::AlsoDefinedHere, name);
      }
  }
}

void sema::declare(Program &program) {
  declareBuiltIns(program);
  for (const auto &file : program.package.files) {
    Scope &scope = program.scopes.emplace_back(file.get());
    scope.builtIns = &program.builtIns;
    declareFile(program, scope);
  }
  for (auto [file, scope] :
       llvm::zip_equal(program.package.files, program.scopes))
    for (const tosca::Import &import : file->imports)
      scope.imports.push_back(
          {import.prefix, &program.scopes[import.target], import.definition});
  for (Scope &scope : program.scopes) {
    checkShadowing(program, scope);
    checkCollisions(program, scope);
    declareServiceFunctions(program, scope);
  }
}

static void reportCycle(Program &program, llvm::ArrayRef<TypeDecl *> cycle) {
  std::string chain;
  for (const TypeDecl *member : cycle)
    chain += ("'" + member->name.str() + "' -> ").str();
  const TypeDecl &first = *cycle.front();
  chain += ("'" + first.name.str() + "'").str();
  program.diags.report(first.entity->find(Key::DerivedFrom)->value->range(),
                       diag::DerivationCycle, tosca::rule(first.kind).noun,
                       first.name.str(), chain);
  for (TypeDecl *member : cycle) {
    member->parent = nullptr;
    member->valid = false;
  }
}

/// Every type is walked over once: a chain ends at a root or at a type that an
/// earlier walk has finished, or it meets itself.
static void breakCycles(Program &program) {
  llvm::DenseMap<const TypeDecl *, size_t> walkOf;
  for (auto [number, type] : llvm::enumerate(program.types)) {
    std::vector<TypeDecl *> chain;
    TypeDecl *at = &type;
    for (; at && walkOf.try_emplace(at, number).second; at = at->parent)
      chain.push_back(at);
    if (at && walkOf.lookup(at) == number)
      reportCycle(program, llvm::ArrayRef(chain).drop_front(
                               llvm::find(chain, at) - chain.begin()));
  }
}

/// A type holds what all its ancestors do; without a limit, that would grow
/// with the square of the file.
static void limitDepth(Program &program) {
  constexpr unsigned maxDepth = 500;
  llvm::DenseMap<const TypeDecl *, unsigned> depths;
  for (TypeDecl &type : program.types) {
    llvm::SmallVector<TypeDecl *, 8> chain;
    TypeDecl *at = &type;
    for (; at && !depths.contains(at); at = at->parent)
      chain.push_back(at);
    unsigned depth = at ? depths.lookup(at) : 0;
    for (TypeDecl *member : llvm::reverse(chain)) {
      if (++depth > maxDepth) {
        program.diags.report(member->range(), diag::DerivationTooDeep,
                             tosca::rule(member->kind).noun, member->name.str(),
                             maxDepth);
        member->parent = nullptr;
        member->valid = false;
        depth = 1;
      }
      depths[member] = depth;
    }
  }
}

void sema::deriveTypes(Program &program) {
  for (TypeDecl &type : program.types) {
    const Field *parent =
        type.entity ? type.entity->find(Key::DerivedFrom) : nullptr;
    if (!parent || !parent->valid)
      continue;
    type.parent = resolve(program, *type.scope, type.kind, *parent->value);
    type.valid &= type.parent != nullptr;
  }
  breakCycles(program);
  limitDepth(program);
}
