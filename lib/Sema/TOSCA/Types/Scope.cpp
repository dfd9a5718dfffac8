//===- Scope.cpp - Declared names and where they are visible --------------===//

#include "Scope.h"

#include "Flatten.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

Program::Program(const tosca::Package &package, NameTable &names,
                 DiagnosticEngine &diags, ValueArena &arena)
    : package(package), names(names), diags(diags), arena(arena) {}
Program::~Program() = default;

void Program::use(SourceRange range, const Flat *definition) {
  if (definition && !definition->layers.empty())
    use(range, definition->layers.front().entity);
}

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
  // What somebody wrote, in whatever file, comes before what the standard has.
  Visited seen;
  if (standard)
    seen.insert(standard);
  TypeDecl *found = find(kind, name, seen);
  if (!found && entry && entry != this) {
    Visited fresh;
    fresh.insert(standard);
    found = entry->find(kind, name, fresh);
  }
  if (!found && standard) {
    Visited fresh;
    found = standard->find(kind, name, fresh);
  }
  if (!found && standard) {
    name.consume_front("tosca:");
    found = standard->shortNames[static_cast<size_t>(kind)].lookup(name);
  }
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
               (rest.consume_front(":") ||
                (isOlder() && rest.consume_front(".")))) {
      // Behind a prefix another world begins: files seen on the way here may
      // be entered again.
      Visited fresh;
      if (TypeDecl *found = import.scope->find(kind, rest, fresh))
        return found;
    } else if (isOlder()) {
      // A prefix is for the types of that file; what it imports has none.
      for (const Import &further : import.scope->imports)
        if (!further.prefix)
          if (TypeDecl *found = further.scope->find(kind, name, seen))
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

/// What \p name is if it is no type of \p kind; empty if it is nothing.
static std::string describeOther(const Scope &scope, EntityKind kind,
                                 StringRef name) {
  for (const TypeSection &section : typeSections()) {
    const TypeDecl *other = scope.find(section.kind, name);
    if (!other || section.kind == kind)
      continue;
    StringRef noun = tosca::rule(section.kind).noun;
    bool isVowel = StringRef("aeiou").contains(noun.front());
    std::string text = ((isVowel ? "; it is an " : "; it is a ") + noun).str();
    bool isOwner = section.kind == EntityKind::NodeType &&
                   kind == EntityKind::CapabilityType && other->entity;
    if (isOwner)
      for (const Entity &offered : other->entity->entities(Key::Capabilities))
        if (StringRef type = offered.text(Key::Type);
            scope.find(EntityKind::CapabilityType, type))
          return text + (" with a capability of type '" + type + "'").str();
    return text;
  }
  return "";
}

TypeDecl *sema::resolve(Program &program, const Scope &scope, EntityKind kind,
                        const syntax::Node &node) {
  if (!node.isScalar())
    return nullptr;
  if (TypeDecl *found = scope.find(kind, node.text())) {
    program.use(node.range(), found->entity);
    return found;
  }
  // Files of TOSCA 1.x see most of their types without an import.
  bool isIncomplete =
      scope.file && scope.file->isIncomplete && !scope.isOlder();
  if (isIncomplete) {
    ++program.numUnchecked;
    return nullptr;
  }
  std::vector<std::string> known = scope.names(kind);
  llvm::SmallVector<StringRef> candidates(known.begin(), known.end());
  Suggestion meant(node.text(), candidates);
  std::string other = meant.name ? "" : describeOther(scope, kind, node.text());
  auto report = program.diags.report(node.range(), diag::UnknownType,
                                     tosca::rule(kind).noun, node.text(),
                                     meant.clause() + other);
  meant.fixIn(report, node.range());
  const TypeSection *section =
      llvm::find_if(typeSections(), [&](const TypeSection &section) {
        return section.kind == kind;
      });
  if (!meant.name && other.empty() && section != typeSections().end())
    report.note({}, diag::DeclareType, tosca::word(section->key));
  return nullptr;
}

static llvm::StringRef markOf(const Entity &entity, llvm::StringRef mark) {
  const syntax::Node *metadata = entity.value(Key::Metadata);
  const syntax::Node *value =
      metadata && metadata->isMapping() ? metadata->find(mark) : nullptr;
  return value && value->isScalar() ? value->text() : "";
}

/// What the entry's service template says of \p mark, or the file of \p scope,
/// or the first file that speaks of it.
static llvm::StringRef findWorkflow(const Program &program, const Scope &scope,
                                    llvm::StringRef mark) {
  const tosca::Package &package = program.package;
  for (const Entity &service :
       package.files[package.entries.front()]->root.entities(
           Key::ServiceTemplate))
    if (llvm::StringRef named = markOf(service, mark); !named.empty())
      return named;
  if (scope.file)
    if (llvm::StringRef named = markOf(scope.file->root, mark); !named.empty())
      return named;
  for (const auto &file : package.files)
    if (llvm::StringRef named = markOf(file->root, mark); !named.empty())
      return named;
  return "";
}

ir::WorkflowRoles sema::workflowRoles(const Program &program,
                                      const Scope &scope) {
  ir::WorkflowRoles roles;
#define WORKFLOW_ROLE(field, mark, assumed)                                    \
  if (llvm::StringRef named = findWorkflow(program, scope, mark);              \
      !named.empty())                                                          \
    roles.field = named;
#include "toscac/IR/Roles.def"
  return roles;
}
