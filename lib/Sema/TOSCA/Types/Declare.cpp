//===- Declare.cpp - Enter declarations into their scopes -----------------===//

#include "Scope.h"

#include "toscac/Basic/CsrGraph.h"
#include "toscac/Basic/DiagnosticsParse.h"
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

/// The name of the type that \p entity is only another name for; null for all
/// types that are none.
static const syntax::Node *aliasOf(const Entity &entity) {
  const syntax::Node *metadata = entity.value(Key::Metadata);
  return metadata && metadata->isMapping() ? metadata->find("alias") : nullptr;
}

/// Aliases come after imports, which they lead through.
static void declareAliases(Program &program, Scope &scope) {
  for (auto [key, kind] : typeSections())
    for (const Entity &entity : scope.file->root.entities(key))
      if (const syntax::Node *alias = aliasOf(entity))
        if (TypeDecl *type = resolve(program, scope, kind, *alias))
          scope.ownOf(kind)[entity.name.str()] = type;
}

static void declareFile(Program &program, Scope &scope) {
  for (auto [key, kind] : typeSections())
    for (const Entity &entity : scope.file->root.entities(key)) {
      if (aliasOf(entity))
        continue;
      checkName(program, kind, entity);
      program.types.push_back({kind, entity.name, &entity, &scope});
      program.types.back().valid = entity.valid;
      scope.ownOf(kind)[entity.name.str()] = &program.types.back();
      ++program.namesakes[entity.name.str()];
    }
}

/// Whether the types of \p file give way to those of the same names that others
/// bring along.
static bool isReplaceable(const tosca::File &file) {
  const syntax::Node *metadata = file.root.value(Key::Metadata);
  return metadata && metadata->isMapping() && metadata->find("replaceable");
}

/// Files that are imported may bring along the types of the standard, as the
/// tools do that they were written for. The standard's are used, which have a
/// life.
static void keepStandardTypes(Program &program, Scope &scope) {
  if (!scope.standard || !scope.file->importedAt.isValid())
    return;
  llvm::SmallVector<const Entity *> again;
  for (auto [key, kind] : typeSections())
    for (const Entity &entity : scope.file->root.entities(key)) {
      const TypeDecl *known = scope.standard->find(kind, entity.name.str());
      auto own = scope.ownOf(kind).find(entity.name.str());
      if (!known || known->isBuiltIn() || own == scope.ownOf(kind).end() ||
          isReplaceable(*known->scope->file))
        continue;
      own->second->valid = false;
      scope.ownOf(kind).erase(own);
      again.push_back(&entity);
    }
  if (!again.empty())
    program.diags.report(again.front()->range(), diag::RepeatedStandardTypes,
                         again.size(), again.front()->name.str());
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
        // Of files that were imported, see keepStandardTypes().
        if (import.scope == scope.standard &&
            (scope.file->importedAt.isValid() ||
             isReplaceable(*hidden->scope->file)))
          break;
        if (import.scope == scope.standard) {
          program.diags.report(entity.range(), diag::RedefinedStandardType,
                               tosca::rule(kind).noun, entity.name.str());
          break;
        }
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
        if (isNew || known->second == decl || hidden ||
            import->scope == scope.standard)
          continue;
        program.diags
            .report(import->definition->range(), diag::AmbiguousImport,
                    tosca::rule(kind).noun, name)
            .note(known->second->range(), diag::FirstDefinedHere, name)
            .note(decl->range(), diag::AlsoDefinedHere, name);
      }
  }
}

/// Files of TOSCA 1.x see the types of the standard by an import that nobody
/// wrote: it stands for the file.
static void declareStandard(Program &program) {
  llvm::SmallPtrSet<const Scope *, 2> known;
  for (Scope &scope : program.scopes)
    for (const Scope::Import &import : scope.imports) {
      if (import.definition != &scope.file->root || import.scope->isOlder())
        continue;
      scope.standard = import.scope;
      scope.entry = &program.scopes.front();
      if (known.insert(import.scope).second)
        declareShortNames(program, const_cast<Scope &>(*import.scope));
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
  for (Scope &scope : program.scopes)
    declareAliases(program, scope);
  declareStandard(program);
  for (Scope &scope : program.scopes)
    keepStandardTypes(program, scope);
  separateTargets(program);
  for (Scope &scope : program.scopes) {
    checkShadowing(program, scope);
    checkCollisions(program, scope);
    declareServiceFunctions(program, scope);
  }
}

static void breakCycles(Program &program) {
  llvm::DenseMap<const TypeDecl *, uint32_t> numbers;
  for (auto [number, type] : llvm::enumerate(program.types))
    numbers[&type] = number;
  std::vector<CsrGraph::Edge> parents;
  for (auto [number, type] : llvm::enumerate(program.types))
    if (type.parent)
      parents.push_back({uint32_t(number), numbers.lookup(type.parent)});
  auto nameOf = [&](uint32_t type) {
    return program.types[type].name.str().str();
  };
  for (const Cycle &cycle : findCycles({program.types.size(), parents})) {
    // Every member of a cycle of TOSCA 1.x is in a file that may be checked
    // alone.
    bool tellsAll = program.types[cycle[0]].scope->isOlder();
    for (uint32_t member :
         llvm::ArrayRef(cycle).take_front(tellsAll ? cycle.size() : 1)) {
      const TypeDecl &type = program.types[member];
      program.diags.report(type.entity->find(Key::DerivedFrom)->value->range(),
                           diag::DerivationCycle, tosca::rule(type.kind).noun,
                           type.name.str(), describeCycle(cycle, nameOf));
    }
    for (uint32_t member : cycle) {
      program.types[member].parent = nullptr;
      program.types[member].valid = false;
    }
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

/// Types of TOSCA 1.x that name no parent have the standard's for theirs, with
/// its life. Values need none.
static TypeDecl *standardRoot(const TypeDecl &type) {
  if (type.kind == EntityKind::DataType || type.kind == EntityKind::Function ||
      type.kind == EntityKind::Repository)
    return nullptr;
  return type.scope->standard->shortNames[static_cast<size_t>(type.kind)]
      .lookup("Root");
}

void sema::deriveTypes(Program &program) {
  for (TypeDecl &type : program.types) {
    const Field *parent =
        type.entity ? type.entity->find(Key::DerivedFrom) : nullptr;
    if (!parent && type.entity && type.scope->standard)
      type.parent = standardRoot(type);
    if (!parent || !parent->valid)
      continue;
    type.parent = resolve(program, *type.scope, type.kind, *parent->value);
    type.valid &= type.parent != nullptr;
  }
  breakCycles(program);
  limitDepth(program);
}
