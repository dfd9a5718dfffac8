//===- CheckUnused.cpp - What nothing refers to ---------------------------===//
///
/// \file
/// Inputs that no expression reads, types that nothing names, and templates
/// that nothing leads to. What stands in a service template is searched as it
/// was written, so that no place is forgotten.
///
//===----------------------------------------------------------------------===//

#include "CheckService.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

/// The words of a service template.
struct Mentions {
  llvm::StringSet<> inputs;
  /// Texts of values, and of keys that are lists.
  llvm::StringSet<> names;

  void add(const Node &node);
};

} // namespace

void Mentions::add(const Node &node) {
  if (node.isScalar())
    names.insert(node.text());
  if (node.isSequence())
    for (const Node &item : node.items())
      add(item);
  if (!node.isMapping())
    return;
  for (const Entry &entry : node.entries()) {
    bool isInput =
        entry.key.isScalar() && entry.key.text().ltrim('$') == "get_input";
    const Node *name = &entry.value;
    if (isInput && name->isSequence() && !name->items().empty())
      name = &name->items()[0];
    if (isInput && name->isScalar())
      inputs.insert(name->text());
    if (!entry.key.isScalar())
      add(entry.key);
    add(entry.value);
  }
}

/// What types of TOSCA 1.x speak of: expressions in their definitions are
/// looked at where a template has them.
static Mentions mentionsOfOlderTypes(const Program &program) {
  Mentions mentions;
  for (const TypeDecl &type : program.types)
    if (type.entity && type.scope->isOlder())
      mentions.add(*type.entity->node);
  return mentions;
}

static void checkInputs(Program &program, const Flat::Members &inputs,
                        const Mentions &mentions) {
  std::optional<Mentions> inTypes;
  for (const auto &[name, input] : inputs) {
    if (mentions.inputs.contains(name) || program.inputsInTypes.contains(name))
      continue;
    if (!inTypes)
      inTypes = mentionsOfOlderTypes(program);
    if (!inTypes->inputs.contains(name))
      program.diags.report(input->range(), diag::UnusedInput, name);
  }
}

/// Workflows see the inputs of the service behind their own.
static void checkWorkflowInputs(Program &program, const ServiceScope &service) {
  for (const Entity &workflow : service.entity.entities(Key::Workflows)) {
    const Flat::Members &inputs =
        service.workflows.find(workflow.name.str())->second;
    // What implements a workflow sees all its inputs.
    Mentions mentions;
    mentions.add(*workflow.node);
    if (!workflow.find(Key::Implementation))
      checkInputs(program, inputs, mentions);
    for (const auto &[name, input] : inputs)
      if (const Flat *hidden = service.inputs.lookup(name))
        program.diags
            .report(input->range(), diag::ShadowedInput, name,
                    workflow.name.str())
            .note(hidden->range(), diag::DeclaredHere, name);
  }
}

//===----------------------------------------------------------------------===//
// Templates
//===----------------------------------------------------------------------===//

/// The capability types of requirements whose target expansion chooses.
static llvm::SmallVector<const TypeDecl *>
wantedCapabilities(const ServiceScope &service) {
  llvm::SmallVector<const TypeDecl *> wanted;
  for (const auto &[name, node] : service.nodes)
    if (node.flat())
      for (const auto &[requirement, definition] :
           node.flat()->members(Key::Requirements))
        if (const TypeDecl *type = typeNamedBy(*definition, Key::Capability,
                                               EntityKind::CapabilityType))
          wanted.push_back(type);
  return wanted;
}

static bool offers(const Template &node,
                   llvm::ArrayRef<const TypeDecl *> wanted) {
  return llvm::any_of(
      node.flat()->members(Key::Capabilities), [&](const auto &entry) {
        const TypeDecl *type = entry.second->type;
        return !type || llvm::any_of(wanted, [&](const TypeDecl *each) {
          return type->isDerivedFrom(*each);
        });
      });
}

/// Whether all templates could be read: what the others would have used is not
/// known.
static bool isReadable(const Entity &service) {
  return service.valid && llvm::all_of(service.fields, [](const Field &field) {
           return field.valid &&
                  llvm::all_of(field.entities, [](const Entity &entity) {
                    return entity.valid;
                  });
         });
}

/// Whether \p node speaks of another node template.
static bool refersToOthers(const ServiceScope &service, const Template &node) {
  Mentions mentions;
  mentions.add(*node.entity->node);
  return llvm::any_of(mentions.names.keys(), [&](StringRef name) {
    return name != node.entity->name.str() && service.nodes.contains(name);
  });
}

/// A node that is by itself may be meant so if it is the only one.
static void checkTemplates(Program &program, const ServiceScope &service,
                           const Mentions &mentions) {
  for (const auto &[name, relationship] : service.relationships)
    if (!mentions.names.contains(name))
      program.diags.report(relationship.entity->range(),
                           diag::UnreachedTemplate, "relationship template",
                           name);
  if (service.nodes.size() < 2)
    return;
  llvm::SmallVector<const TypeDecl *> wanted = wantedCapabilities(service);
  for (const auto &[name, node] : service.nodes)
    if (node.flat() && node.type->valid && !mentions.names.contains(name) &&
        node.flat()->members(Key::Requirements).empty() &&
        !offers(node, wanted) && !refersToOthers(service, node))
      program.diags.report(node.entity->range(), diag::UnreachedTemplate,
                           "node template", name);
}

void sema::checkUnused(Program &program, const ServiceScope &service) {
  Mentions mentions;
  mentions.add(*service.entity.node);
  checkInputs(program, service.inputs, mentions);
  checkWorkflowInputs(program, service);
  if (isReadable(service.entity))
    checkTemplates(program, service, mentions);
}

/// Types beside a service template are there for it; those of other files may
/// be used by others.
void sema::checkUnusedTypes(Program &program) {
  for (const TypeDecl &type : program.types)
    if (type.entity && type.kind != EntityKind::Repository && !type.isUsed &&
        llvm::any_of(type.scope->file->root.entities(Key::ServiceTemplate),
                     isReadable))
      program.diags.report(type.range(), diag::UnusedType,
                           tosca::rule(type.kind).noun, type.name.str());
}
