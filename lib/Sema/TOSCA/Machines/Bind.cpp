//===- Bind.cpp - Machines for interface types of others ------------------===//

#include "Bind.h"

#include "CheckMachines.h"
#include "EventPath.h"
#include "ReadBindings.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

namespace {

class LifecycleBinder {
public:
  LifecycleBinder(Program &program, std::vector<Binding> &bindings)
      : program(program), bindings(bindings) {}

  void run();

private:
  /// A binding with its rule for an interface type.
  struct Fit {
    const Binding *binding;
    const InterfaceRule *rule;
    bool byName;
  };

  void findMachines();
  void findMachines(const TypeDecl &type);
  void markMachine(const TypeDecl *type);
  const TypeDecl *interfaceTypeOf(const TypeDecl *owner,
                                  const Entity &interface) const;
  void spareUsed(const TypeDecl &type);
  void bindInterface(TypeDecl &type);
  std::vector<Fit> findFits(const TypeDecl &type,
                            llvm::ArrayRef<StringRef> operations) const;
  void bindOwner(TypeDecl &type);
  void bindUntyped();
  void tell() const;

  Program &program;
  std::vector<Binding> &bindings;
  /// Interface types with a machine of their own, or for some user of them;
  /// roots of node and relationship types of which some have one.
  llvm::DenseSet<const TypeDecl *> machines;
  /// Those in use, with the interface types that they drive.
  llvm::SetVector<const Binding *> used;
  std::vector<std::pair<const Binding *, const TypeDecl *>> driven;
};

} // namespace

static const TypeDecl &rootOf(const TypeDecl &type) {
  const TypeDecl *at = &type;
  while (at->parent)
    at = at->parent;
  return *at;
}

static bool isOwner(const TypeDecl &type) {
  return type.entity && (type.kind == EntityKind::NodeType ||
                         type.kind == EntityKind::RelationshipType);
}

/// The type of \p interface, which \p owner defines or refines; null: unknown.
const TypeDecl *
LifecycleBinder::interfaceTypeOf(const TypeDecl *owner,
                                 const Entity &interface) const {
  if (const TypeDecl *type = owner->scope->find(EntityKind::InterfaceType,
                                                interface.text(Key::Type)))
    return type;
  for (; owner && owner->entity; owner = owner->parent)
    for (const Entity &defined : owner->entity->entities(Key::Interfaces))
      if (defined.name == interface.name)
        if (const TypeDecl *type = owner->scope->find(EntityKind::InterfaceType,
                                                      defined.text(Key::Type)))
          return type;
  return nullptr;
}

/// A binding would give \p type, or one derived from it, a second machine.
void LifecycleBinder::markMachine(const TypeDecl *type) {
  for (; type && machines.insert(type).second; type = type->parent) {
  }
}

static bool isDrivenItself(const TypeDecl *type) {
  for (; type && type->entity; type = type->parent)
    if (refinesMachine(*type->entity))
      return true;
  return false;
}

void LifecycleBinder::findMachines(const TypeDecl &type) {
  for (const Entity &interface : type.entity->entities(Key::Interfaces)) {
    const TypeDecl *of = interfaceTypeOf(&type, interface);
    if (refinesMachine(interface))
      markMachine(of);
    if (refinesMachine(interface) || isDrivenItself(of))
      machines.insert(&rootOf(type));
  }
}

/// Interface types beside a machine are called by whoever wrote that.
void LifecycleBinder::spareUsed(const TypeDecl &type) {
  if (machines.contains(&rootOf(type)))
    for (const Entity &interface : type.entity->entities(Key::Interfaces))
      markMachine(interfaceTypeOf(&type, interface));
}

void LifecycleBinder::findMachines() {
  for (const TypeDecl &type : program.types)
    if (type.kind == EntityKind::InterfaceType && isDrivenItself(&type))
      markMachine(&type);
  for (const TypeDecl &type : program.types)
    if (isOwner(type))
      findMachines(type);
  for (const Scope &scope : program.scopes)
    for (const Entity &service :
         scope.file->root.entities(Key::ServiceTemplate))
      for (const Entity &node : service.entities(Key::NodeTemplates))
        for (const Entity &interface : node.entities(Key::Interfaces))
          if (const TypeDecl *type =
                  scope.find(EntityKind::NodeType, node.text(Key::Type));
              type && refinesMachine(interface))
            markMachine(interfaceTypeOf(type, interface));
  for (const TypeDecl &type : program.types)
    if (isOwner(type))
      spareUsed(type);
}

static llvm::SmallVector<StringRef> operationsOf(const TypeDecl *type) {
  llvm::SmallVector<StringRef> names;
  for (; type && type->entity; type = type->parent)
    for (const Field &field : type->entity->fields)
      if (field.key == Key::Operations)
        for (const Entity &operation : field.entities)
          names.push_back(operation.name.str());
  return names;
}

/// Where a binding fits by name, shapes do not count; nor does what comes with
/// the program where somebody gave another.
std::vector<LifecycleBinder::Fit>
LifecycleBinder::findFits(const TypeDecl &type,
                          llvm::ArrayRef<StringRef> operations) const {
  std::vector<Fit> fits;
  auto hasAll = [](llvm::ArrayRef<StringRef> all,
                   llvm::ArrayRef<StringRef> some) {
    return llvm::all_of(
        some, [&](StringRef name) { return llvm::is_contained(all, name); });
  };
  for (const Binding &binding : bindings)
    for (const InterfaceRule &rule : binding.interfaces) {
      bool byName = llvm::is_contained(rule.types, type.name.str());
      llvm::SmallVector<StringRef> allowed;
      llvm::append_range(allowed, rule.must);
      llvm::append_range(allowed, rule.may);
      bool byShape = !rule.must.empty() && hasAll(operations, rule.must) &&
                     hasAll(allowed, operations);
      if (byName || byShape)
        fits.push_back({&binding, &rule, byName});
    }
  auto prefer = [&](auto isBetter) {
    if (llvm::any_of(fits, isBetter))
      llvm::erase_if(fits, [&](const Fit &fit) { return !isBetter(fit); });
  };
  prefer([](const Fit &fit) { return !fit.binding->isBundled(); });
  prefer([](const Fit &fit) { return fit.byName; });
  return fits;
}

void LifecycleBinder::bindInterface(TypeDecl &type) {
  llvm::SmallVector<StringRef> operations = operationsOf(&type);
  for (const TypeDecl *at = &type; at; at = at->parent)
    if (machines.contains(at) || at->bound)
      return;
  if (operations.empty() || !type.valid)
    return;
  std::vector<Fit> fits = findFits(type, operations);
  llvm::SetVector<StringRef> names;
  for (const Fit &fit : fits)
    names.insert(fit.binding->name);
  if (names.size() > 1) {
    program.diags.report(type.range(), diag::AmbiguousBinding, type.name.str(),
                         llvm::join(names, "', '"));
    return;
  }
  if (fits.empty())
    return;
  type.bound = fits.front().rule->machine;
  type.boundNames = fits.front().rule->operations;
  used.insert(fits.front().binding);
  driven.push_back({fits.front().binding, &type});
}

/// Types that the rules name, and roots.
void LifecycleBinder::bindOwner(TypeDecl &type) {
  if (machines.contains(&rootOf(type)) || !type.valid)
    return;
  auto find = [&](auto applies) {
    for (const Binding *binding : used)
      for (const LikeRule &rule : type.kind == EntityKind::NodeType
                                      ? binding->nodes
                                      : binding->relationships)
        if (!type.bound && applies(rule))
          type.bound = rule.like;
  };
  find([&](const LikeRule &rule) {
    return llvm::is_contained(rule.types, type.name.str());
  });
  if (!type.parent)
    find([](const LikeRule &rule) {
      return rule.types.empty() && rule.requirements.empty();
    });
}

void LifecycleBinder::bindUntyped() {
  for (const Binding *binding : used)
    for (const LikeRule &rule : binding->relationships) {
      for (StringRef requirement : rule.requirements)
        program.untyped.push_back({requirement, rule.like});
      if (rule.types.empty() && rule.requirements.empty())
        program.untyped.push_back({"", rule.like});
    }
  // Those for any requirement come last.
  llvm::stable_sort(program.untyped, [](const auto &a, const auto &b) {
    return a.requirement.empty() < b.requirement.empty();
  });
}

void LifecycleBinder::run() {
  findMachines();
  for (TypeDecl &type : program.types)
    if (type.kind == EntityKind::InterfaceType && type.entity)
      bindInterface(type);
  if (used.empty())
    return;
  for (TypeDecl &type : program.types)
    if (isOwner(type))
      bindOwner(type);
  bindUntyped();
  for (const Binding *binding : used)
    if (binding->providers.empty())
      program.bindings.push_back(binding->scope->file);
  tell();
}

/// Which binding was used where nobody asked for it.
void LifecycleBinder::tell() const {
  for (const Binding *binding : used) {
    if (!binding->isBundled())
      continue;
    std::vector<std::string> names;
    for (const auto &[by, type] : driven)
      if (by == binding)
        names.push_back(("'" + type->name.str() + "'").str());
    constexpr size_t enough = 3;
    std::string more;
    if (names.size() > enough)
      more = " and " + std::to_string(names.size() - enough) + " more";
    names.resize(std::min(names.size(), enough));
    program.diags.remark(diag::LifecycleBound, llvm::join(names, ", ") + more,
                         binding->name);
  }
}

void sema::bindLifecycles(Program &program, StringRef choice) {
  if (choice == "none")
    return;
  std::vector<Binding> bindings = readBindings(program);
  if (!choice.empty()) {
    llvm::SmallVector<StringRef> known;
    for (const Binding &binding : bindings)
      known.push_back(binding.name);
    if (!bindings.empty() && !llvm::is_contained(known, choice))
      program.diags.report({}, diag::UnknownLifecycle, choice,
                           didYouMean(choice, known));
    llvm::erase_if(bindings, [&](const Binding &binding) {
      return binding.name != choice;
    });
  }
  for (const Binding &binding : bindings) {
    for (const LikeRule &rule : binding.providers)
      program.providers.push_back({rule.types, rule.like});
    if (!binding.providers.empty())
      program.bindings.push_back(binding.scope->file);
  }
  if (!bindings.empty())
    LifecycleBinder(program, bindings).run();
}
