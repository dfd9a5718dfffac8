//===- CheckSubstitution.cpp - Substitution mappings ----------------------===//
///
/// \file
/// TOSCA 2.0 chapter 15: both ends of each mapping must be there, and values
/// must fit where they flow to.
///
//===----------------------------------------------------------------------===//

#include "ServiceScope.h"

#include "CheckAssignments.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

class SubstitutionChecker {
public:
  SubstitutionChecker(Program &program, const ServiceScope &service,
                      const Entity &mappings)
      : program(program), service(service), mappings(mappings) {}

  void run();

private:
  void checkValues(Key key, Key outer, const Flat::Members &inner,
                   StringRef innerNoun);
  void checkFlow(const Entry &entry, const Flat *outer, const Flat *inner,
                 bool inward);
  void checkInputsAreMapped();
  void checkCapabilities();
  void checkRequirements();
  void checkRequirementTarget(const Node &target);
  void checkInterfaces();
  const Flat *findNode(const Node &name);
  void require(const Flat::Members &members, StringRef noun, const Node &name);
  const Node *mapOf(Key key) const {
    const Field *field = mappings.find(key);
    return field && field->valid ? field->value : nullptr;
  }

  Program &program;
  const ServiceScope &service;
  const Entity &mappings;
  /// The type of the nodes that are substituted.
  const Flat *type = nullptr;
};

} // namespace

void SubstitutionChecker::run() {
  const Field *name = mappings.find(Key::NodeType);
  if (!name || !name->valid)
    return;
  TypeDecl *decl =
      resolve(program, service.scope, EntityKind::NodeType, *name->value);
  if (!decl || !decl->flat || !decl->valid)
    return;
  type = decl->flat;
  checkValues(Key::Properties, Key::Properties, service.inputs, "input");
  checkValues(Key::Attributes, Key::Attributes, service.outputs, "output");
  checkInputsAreMapped();
  checkCapabilities();
  checkRequirements();
  checkInterfaces();
  if (const Field *filter = mappings.find(Key::SubstitutionFilter);
      filter && filter->valid)
    checkConditionNode(program, {service.scope, type}, *filter->value);
}

void SubstitutionChecker::require(const Flat::Members &members, StringRef noun,
                                  const Node &name) {
  if (name.isScalar() && !members.contains(name.text()))
    reportUnknownName(program, noun, name, namesOf(members));
}

/// `property: input` and `attribute: output`; a path as key leads to those of
/// capabilities and relationships.
void SubstitutionChecker::checkValues(Key key, Key outer,
                                      const Flat::Members &inner,
                                      StringRef innerNoun) {
  const Node *map = mapOf(key);
  if (!map)
    return;
  StringRef noun = outer == Key::Properties ? "property" : "attribute";
  for (const Entry &entry : map->entries()) {
    require(inner, innerNoun, entry.value);
    if (entry.key.isScalar()) {
      // Every property is an attribute as well (TOSCA 2.0 §9.5).
      if (outer == Key::Attributes &&
          type->members(Key::Properties).contains(entry.key.text()))
        continue;
      require(type->members(outer), noun, entry.key);
      if (entry.value.isScalar())
        checkFlow(entry, type->member(outer, entry.key.text()),
                  inner.lookup(entry.value.text()), outer == Key::Properties);
    }
  }
}

/// Properties flow into inputs, outputs into attributes; null stands for what
/// is not there.
void SubstitutionChecker::checkFlow(const Entry &entry, const Flat *outer,
                                    const Flat *inner, bool inward) {
  if (!outer || !inner || !outer->valid || !inner->valid)
    return;
  const Type &from = typeOf(program, inward ? *outer : *inner);
  const Type &to = typeOf(program, inward ? *inner : *outer);
  if (compatible(from, to) != Fit::Never)
    return;
  StringRef outerName = entry.key.text(), innerName = entry.value.text();
  program.diags
      .report(entry.key.range(), diag::IncompatibleMapping,
              inward ? "property" : "output", inward ? outerName : innerName,
              "'" + typeName(from) + "'", inward ? "input" : "attribute",
              inward ? innerName : outerName, "'" + typeName(to) + "'")
      .note(outer->range(), diag::DeclaredHere, outerName)
      .note(inner->range(), diag::DeclaredHere, innerName);
}

/// Inputs that need a value get it by a mapping (TOSCA 2.0 §15.2).
void SubstitutionChecker::checkInputsAreMapped() {
  const Node *map = mapOf(Key::Properties);
  llvm::SmallVector<Flat::Members::Entry> unmapped;
  for (const auto &[name, input] : service.inputs) {
    StringRef wanted = name;
    bool isMapped = map && llvm::any_of(map->entries(), [&](const Entry &e) {
                      return e.value.isScalar() && e.value.text() == wanted;
                    });
    if (!isMapped)
      unmapped.emplace_back(name, input);
  }
  Flat::Members missing = Flat::Members().with(unmapped, program.memberArena);
  Assignments assignments{missing, "input", "the substitution mapping",
                          mappings.range()};
  checkAssignments(program, {service.scope}, assignments, nullptr);
}

const Flat *SubstitutionChecker::findNode(const Node &name) {
  auto node = service.nodes.find(name.text());
  if (node != service.nodes.end())
    return node->second.flat();
  reportUnknownName(program, "node template", name, namesOf(service.nodes));
  return nullptr;
}

void SubstitutionChecker::checkCapabilities() {
  const Node *map = mapOf(Key::Capabilities);
  if (!map)
    return;
  for (const Entry &entry : map->entries()) {
    require(type->members(Key::Capabilities), "capability", entry.key);
    if (const Flat *node = findNode(entry.value.items()[0]))
      require(node->members(Key::Capabilities), "capability",
              entry.value.items()[1]);
  }
}

/// [ node, requirement ], or a node that is selected.
void SubstitutionChecker::checkRequirementTarget(const Node &target) {
  if (target.isScalar()) {
    findNode(target);
    return;
  }
  llvm::ArrayRef<Node> parts = target.items();
  bool isPair = parts.size() == 2 && parts[0].isScalar() &&
                parts[1].isScalar() && !service.nodes.contains(parts[1].text());
  if (!isPair) {
    for (const Node &part : parts)
      checkRequirementTarget(part);
    return;
  }
  if (const Flat *node = findNode(parts[0]))
    require(node->members(Key::Requirements), "requirement", parts[1]);
}

void SubstitutionChecker::checkRequirements() {
  const Node *list = mapOf(Key::Requirements);
  if (!list)
    return;
  for (const Node &item : list->items()) {
    const auto &[key, target] = item.entries().front();
    require(type->members(Key::Requirements), "requirement",
            key.isSequence() ? key.items()[0] : key);
    checkRequirementTarget(target);
  }
}

void SubstitutionChecker::checkInterfaces() {
  const Node *map = mapOf(Key::Interfaces);
  if (!map)
    return;
  llvm::SmallVector<StringRef> workflows;
  for (const Entity &workflow : service.entity.entities(Key::Workflows))
    workflows.push_back(workflow.name.str());
  const Flat::Members &interfaces = type->members(Key::Interfaces);
  for (const Entry &entry : map->entries()) {
    require(interfaces, "interface", entry.key);
    const Flat *interface =
        entry.key.isScalar() ? interfaces.lookup(entry.key.text()) : nullptr;
    for (const Entry &operation : entry.value.entries()) {
      if (interface)
        require(interface->members(Key::Operations), "operation",
                operation.key);
      if (!llvm::is_contained(workflows, operation.value.text()))
        reportUnknownName(program, "workflow", operation.value, workflows);
    }
  }
}

void sema::checkSubstitution(Program &program, const ServiceScope &service) {
  for (const Entity &mappings :
       service.entity.entities(Key::SubstitutionMappings))
    SubstitutionChecker(program, service, mappings).run();
}
