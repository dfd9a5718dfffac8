//===- Scope.h - Declared names and where they are visible ------*- C++ -*-===//
///
/// \file
/// Types, functions and repositories by name. Each file has a scope: its own
/// names, then those of files imported without a namespace, then qualified
/// names through the namespaces of its imports (TOSCA 2.0 §6.8.4).
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_SCOPE_H
#define TOSCAC_LIB_SEMA_TOSCA_SCOPE_H

#include "toscac/Basic/Diagnostics.h"
#include "toscac/IR/WorkflowRoles.h"
#include "toscac/Parse/TOSCA/Load.h"
#include "toscac/Sema/TOSCA/PackageNames.h"
#include "toscac/Value/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <deque>

namespace toscac {
class Expr;
} // namespace toscac

namespace toscac::sema {

using tosca::Entity;
using tosca::EntityKind;
using tosca::Field;
using tosca::Key;
using tosca::refinesMachine;

class Scope;
struct Flat;

/// A declared type (or function). Built-in data types have no entity.
struct TypeDecl {
  EntityKind kind;
  Name name;
  const Entity *entity = nullptr;
  const Scope *scope = nullptr;
  /// The type named by `derived_from`; null for a root, and where the name is
  /// unknown or leads back here, which has been reported.
  TypeDecl *parent = nullptr;
  /// What a binding has for the type, which has no machine; null for most. An
  /// interface type is driven by the machine of this one, as if derived from
  /// it, too. A node or relationship type has the interfaces of this one.
  TypeDecl *bound = nullptr;
  /// Names of its operations, each with the name that the machine has for it;
  /// null: they are the same.
  const syntax::Node *boundNames = nullptr;
  /// All that the type holds, with what it inherits; see Flatten.h.
  Flat *flat = nullptr;
  /// Set while something is wrong with the type: what follows from it is not
  /// reported again.
  bool valid = true;
  /// Set when something looks the type up by its name.
  mutable bool isUsed = false;

  bool isBuiltIn() const { return !entity; }
  bool isDerivedFrom(const TypeDecl &other) const {
    for (const TypeDecl *type = this; type; type = type->parent) {
      if (type == &other)
        return true;
      bool isDriven = type->bound && kind == EntityKind::InterfaceType;
      if (isDriven && type->bound->isDerivedFrom(other))
        return true;
    }
    return false;
  }
  SourceRange range() const { return entity ? entity->range() : SourceRange(); }
};

/// The names of one file.
class Scope {
public:
  explicit Scope(const tosca::File *file) : file(file) {}

  /// The declaration of \p kind that \p name, which may have prefixes, means
  /// here; null if there is none.
  TypeDecl *find(EntityKind kind, llvm::StringRef name) const;
  /// All names of \p kind that find() knows, with their prefixes.
  std::vector<std::string> names(EntityKind kind) const;

  const tosca::File *file;
  llvm::StringMap<TypeDecl *> own[2 + size_t(EntityKind::PolicyTrigger)];
  struct Import {
    Name prefix;
    const Scope *scope;
    const Entity *definition;
  };
  std::vector<Import> imports;
  /// The scope of built-in types; null for itself.
  const Scope *builtIns = nullptr;
  /// Of a file of TOSCA 1.x: the scope of the types of the standard, which it
  /// sees without an import.
  const Scope *standard = nullptr;
  /// Of that scope: the types by their short names, `Compute` for
  /// `tosca.nodes.Compute`.
  llvm::StringMap<TypeDecl *> shortNames[2 + size_t(EntityKind::PolicyTrigger)];

  /// Of such a file: the scope of the file that was compiled. All files of 1.x
  /// share one namespace, so that one sees what another one imports.
  const Scope *entry = nullptr;

  /// Whether the file is written in TOSCA 1.x.
  bool isOlder() const { return file && file->dialect; }

  llvm::StringMap<TypeDecl *> &ownOf(EntityKind kind) {
    return own[static_cast<size_t>(kind)];
  }
  const llvm::StringMap<TypeDecl *> &ownOf(EntityKind kind) const {
    return own[static_cast<size_t>(kind)];
  }

private:
  using Visited = llvm::SmallPtrSet<const Scope *, 16>;
  TypeDecl *find(EntityKind kind, llvm::StringRef name, Visited &seen) const;
  void collect(EntityKind kind, const std::string &prefix, Visited &seen,
               std::vector<std::string> &into) const;
};

/// The keyname of a file under which types of \p kind are declared.
struct TypeSection {
  Key key;
  EntityKind kind;
};
llvm::ArrayRef<TypeSection> typeSections();

/// The scopes of a package, one for each file, and all declarations.
struct Program {
  const tosca::Package &package;
  NameTable &names;
  DiagnosticEngine &diags;
  Scope builtIns{nullptr};
  std::deque<Scope> scopes;
  /// In order of declaration: file by file, section by section.
  std::deque<TypeDecl> types;
  /// How many types of any kind have a name.
  llvm::StringMap<unsigned> namesakes;
  /// The types that a binding has for relationships of which no type is known:
  /// of requirements with this name, or with any.
  struct Untyped {
    llvm::StringRef requirement;
    TypeDecl *type;
  };
  std::vector<Untyped> untyped;
  /// Node types whose operations those of other types have that implement none
  /// of them: they make machines.
  struct Provider {
    llvm::SmallVector<llvm::StringRef, 2> types;
    TypeDecl *like;
  };
  std::vector<Provider> providers;
  /// Files whose bindings are in use.
  std::vector<const tosca::File *> bindings;
  std::deque<Flat> flats;
  /// Owns the maps of their members.
  llvm::BumpPtrAllocator memberArena;

  /// Owns values, their types and expressions.
  ValueArena &arena;
  /// Functions that are called and that nobody defined.
  llvm::StringSet<> undefinedFunctions;
  /// Functions that the orchestrator knows: nobody needs to define them.
  llvm::StringSet<> knownFunctions;
  /// Names that may stand in what could not be imported.
  size_t numUnchecked = 0;
  /// Inputs that expressions of types read: of whatever service they are.
  llvm::StringSet<> inputsInTypes;
  llvm::DenseMap<const TypeDecl *, const Type *> dataTypes;
  /// Declared data types, parents first.
  std::vector<TypeDecl *> dataTypeOrder;
  llvm::DenseMap<const Flat *, const Type *> definitionTypes;
  /// Types that definitions made of declared ones.
  std::vector<Type *> narrowedTypes;
  /// What toExpr() made of each node, so that it reports once; null if it did.
  llvm::DenseMap<std::pair<const Scope *, const syntax::Node *>, const Expr *>
      expressions;

  /// Where names are used, if somebody wants to know; see NameUse.
  bool keepsUses = false;
  std::vector<NameUse> uses;
  void use(SourceRange range, const Entity *declaration) {
    if (keepsUses && declaration)
      uses.push_back({range, declaration});
  }
  /// \p definition is null where nothing is called so.
  void use(SourceRange range, const Flat *definition);

  Program(const tosca::Package &package, NameTable &names,
          DiagnosticEngine &diags, ValueArena &arena);
  ~Program();
};

/// Enters every declaration of the package into its scope and links imports.
/// Reports names that are declared twice or hide imported ones.
void declare(Program &program);

/// The workflows that bring up and take down what types of \p scope describe:
/// what the entry's service template says, its profile, or any other file.
ir::WorkflowRoles workflowRoles(const Program &program, const Scope &scope);

/// Enters the functions that the service template of a file defines; the parent
/// of one is the function that it refines.
void declareServiceFunctions(Program &program, Scope &scope);

/// One way to call a function, and where the types that it names are looked up.
struct Signature {
  const Entity *entity;
  const Scope *scope;
};

/// Those of the function that \p function refines come first.
std::vector<Signature> signaturesOf(const TypeDecl &function);

/// Reports what a refinement must not change.
void checkFunctionRefinement(Program &program, const TypeDecl &function);

/// Enters the short names of the types of the standard; see Sema/TOSCA1.
void declareShortNames(Program &program, Scope &standard);
/// Relationship types of TOSCA 1.x may name node types among the capability
/// types that they lead to.
void separateTargets(Program &program);

/// Resolves `derived_from` of every type; reports unknown parents and cycles.
void deriveTypes(Program &program);

/// What messages in \p scope call \p decl: its name, with its namespace where
/// other types are called so as well.
std::string displayName(const Program &program, const Scope &scope,
                        const TypeDecl &decl);

/// The declaration that the scalar \p node names in \p scope, or null with a
/// report that suggests the nearest name.
TypeDecl *resolve(Program &program, const Scope &scope, EntityKind kind,
                  const syntax::Node &node);

} // namespace toscac::sema

#endif
