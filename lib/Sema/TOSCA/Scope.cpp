//===- Scope.cpp - Declared names and where they are visible --------------===//

#include "Scope.h"

#include "Flatten.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

Program::Program(const tosca::Package &package, NameTable &names,
                 DiagnosticEngine &diags, ValueArena &arena)
    : package(package), names(names), diags(diags), arena(arena) {}
Program::~Program() = default;

llvm::ArrayRef<TypeSection> sema::typeSections() {
  static constexpr TypeSection sections[] = {
      {Key::ArtifactTypes, EntityKind::ArtifactType},
      {Key::DataTypes, EntityKind::DataType},
      {Key::CapabilityTypes, EntityKind::CapabilityType},
      {Key::InterfaceTypes, EntityKind::InterfaceType},
      {Key::RelationshipTypes, EntityKind::RelationshipType},
      {Key::NodeTypes, EntityKind::NodeType},
      {Key::GroupTypes, EntityKind::GroupType},
      {Key::PolicyTypes, EntityKind::PolicyType},
      {Key::Functions, EntityKind::Function},
      {Key::Repositories, EntityKind::Repository},
  };
  return sections;
}

TypeDecl *Scope::find(EntityKind kind, StringRef name) const {
  Visited seen;
  TypeDecl *found = find(kind, name, seen);
  if (found)
    found->isUsed = true;
  return found;
}

TypeDecl *Scope::find(EntityKind kind, StringRef name, Visited &seen) const {
  if (!seen.insert(this).second)
    return nullptr;
  if (TypeDecl *found = ownOf(kind).lookup(name))
    return found;
  for (const Import &import : imports) {
    StringRef rest = name;
    if (!import.prefix) {
      if (TypeDecl *found = import.scope->find(kind, name, seen))
        return found;
    } else if (rest.consume_front(import.prefix.str()) &&
               rest.consume_front(":")) {
      // Behind a prefix another world begins: files seen on the way here may
      // be entered again.
      Visited fresh;
      if (TypeDecl *found = import.scope->find(kind, rest, fresh))
        return found;
    }
  }
  return builtIns ? builtIns->ownOf(kind).lookup(name) : nullptr;
}

void Scope::collect(EntityKind kind, const std::string &prefix, Visited &seen,
                    std::vector<std::string> &into) const {
  // Namespaces may lead to the same file in very many ways.
  constexpr size_t maxNames = 100000, maxPrefix = 200;
  if (into.size() > maxNames || prefix.size() > maxPrefix ||
      !seen.insert(this).second)
    return;
  for (const auto &entry : ownOf(kind))
    into.push_back(prefix + entry.getKey().str());
  for (const Import &import : imports) {
    if (!import.prefix) {
      import.scope->collect(kind, prefix, seen, into);
    } else {
      Visited fresh = seen;
      import.scope->collect(kind, prefix + import.prefix.str().str() + ":",
                            fresh, into);
    }
  }
}

std::vector<std::string> Scope::names(EntityKind kind) const {
  std::vector<std::string> result;
  Visited seen;
  collect(kind, "", seen, result);
  if (builtIns)
    for (const auto &entry : builtIns->ownOf(kind))
      result.push_back(entry.getKey().str());
  llvm::sort(result);
  return result;
}

std::string sema::displayName(const Program &program, const Scope &scope,
                              const TypeDecl &decl) {
  StringRef name = decl.name.str();
  if (decl.isBuiltIn() || program.namesakes.lookup(name) < 2)
    return name.str();
  std::string shortest;
  for (const std::string &known : scope.names(decl.kind))
    if (StringRef(known).ends_with(name) &&
        (shortest.empty() || known.size() < shortest.size()) &&
        scope.find(decl.kind, known) == &decl)
      shortest = known;
  if (!shortest.empty())
    return shortest;
  StringRef profile = decl.scope->file->root.text(Key::Profile);
  return profile.empty() ? name.str() : (profile + ":" + name).str();
}

TypeDecl *sema::resolve(Program &program, const Scope &scope, EntityKind kind,
                        const syntax::Node &node) {
  if (!node.isScalar())
    return nullptr;
  if (TypeDecl *found = scope.find(kind, node.text()))
    return found;
  std::vector<std::string> known = scope.names(kind);
  llvm::SmallVector<StringRef> candidates(known.begin(), known.end());
  auto nearest = nearestName(node.text(), candidates);
  std::string hint =
      nearest ? ("; did you mean '" + *nearest + "'?").str() : std::string();
  auto report = program.diags.report(node.range(), diag::UnknownType,
                                     tosca::rule(kind).noun, node.text(), hint);
  if (nearest)
    report.fixIt(node.range(), nearest->str());
  return nullptr;
}
