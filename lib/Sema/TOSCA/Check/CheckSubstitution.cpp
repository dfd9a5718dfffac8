//===- CheckSubstitution.cpp - Substitution mappings ----------------------===//
///
/// \file
/// TOSCA 2.0 chapter 15: both ends of each mapping must be there, and values
/// must fit where they flow to.
///
//===----------------------------------------------------------------------===//

#include "CheckService.h"

#include "TOSCA/Values/CheckAssignments.h"
#include "TOSCA1/MappedConstants.h"
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
  /// What a value flows out of or into; null if it is not there.
  struct Outer {
    const Flat *definition = nullptr;
    /// Whether it is that of all relationships.
    bool isList = false;
  };

  void checkValues(Key key, const Flat::Members &inner, StringRef innerNoun);
  Outer findOuter(const Node &key, Key kind);
  const Flat *findValue(const Flat &owner, const Node &name, Key kind);
  void checkFlow(const Entry &entry, const Outer &outer, const Flat *inner,
                 bool inward);
  void checkInputsAreMapped();
  void checkCapabilities();
  void checkOffer(const Entry &entry, const Flat *inner);
  void checkInterfaces();
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
  checkValues(Key::Properties, service.inputs, "input");
  checkValues(Key::Attributes, service.outputs, "output");
  checkInputsAreMapped();
  checkCapabilities();
  if (const Node *list = mapOf(Key::Requirements))
    checkRequirementMappings(program, service, *type, *list);
  checkInterfaces();
  if (const Field *filter = mappings.find(Key::SubstitutionFilter);
      filter && filter->valid)
    checkConditionNode(program, {service.scope, type}, *filter->value);
}

void SubstitutionChecker::require(const Flat::Members &members, StringRef noun,
                                  const Node &name) {
  if (!name.isScalar())
    return;
  program.use(name.range(), members.lookup(name.text()));
  if (!members.contains(name.text()))
    reportUnknownName(program, noun, name, namesOf(members));
}

/// `property: input` and `attribute: output`.
void SubstitutionChecker::checkValues(Key key, const Flat::Members &inner,
                                      StringRef innerNoun) {
  const Node *map = mapOf(key);
  if (!map)
    return;
  for (const Entry &entry : map->entries()) {
    Outer outer = findOuter(entry.key, key);
    if (key == Key::Properties && isConstantMapping(service, mappings, entry))
      continue;
    require(inner, innerNoun, entry.value);
    checkFlow(entry, outer, inner.lookup(entry.value.text()),
              key == Key::Properties);
  }
}

/// What the key of a mapping means: a property of the node, or
/// [ CAPABILITY, name, property ], or [ RELATIONSHIP, name, index, property ]
/// (TOSCA 2.0 §15.2, §15.3).
SubstitutionChecker::Outer SubstitutionChecker::findOuter(const Node &key,
                                                          Key kind) {
  if (key.isScalar())
    return {findValue(*type, key, kind)};
  llvm::ArrayRef<Node> steps = key.items();
  bool isLong = steps.size() == 4 && steps[0].text() == "RELATIONSHIP";
  bool isPath = (steps.size() == 3 || isLong) &&
                llvm::all_of(steps, [](const Node &n) { return n.isScalar(); });
  bool isCapability = isPath && steps[0].text() == "CAPABILITY";
  if (!isPath || (!isCapability && steps[0].text() != "RELATIONSHIP")) {
    program.diags.report(key.range(), diag::BadMappingPath,
                         kind == Key::Properties ? "property" : "attribute");
    return {};
  }
  Key part = isCapability ? Key::Capabilities : Key::Requirements;
  require(type->members(part), isCapability ? "capability" : "requirement",
          steps[1]);
  const Flat *owner = type->member(part, steps[1].text());
  if (owner && !isCapability)
    owner = owner->nested(Key::Relationship);
  if (isLong && steps[2].text() != "ALL" &&
      steps[2].scalarType() != syntax::ScalarType::Integer)
    program.diags.report(steps[2].range(), diag::BadMappingIndex,
                         steps[2].text());
  bool isAll = isLong && steps[2].text() == "ALL";
  return {owner ? findValue(*owner, steps.back(), kind) : nullptr, isAll};
}

/// Every property is an attribute as well (TOSCA 2.0 §9.5).
const Flat *SubstitutionChecker::findValue(const Flat &owner, const Node &name,
                                           Key kind) {
  const Flat *found = owner.member(kind, name.text());
  if (!found && kind == Key::Attributes)
    found = owner.member(Key::Properties, name.text());
  program.use(name.range(), found);
  if (!found && owner.valid)
    require(owner.members(kind),
            kind == Key::Properties ? "property" : "attribute", name);
  return found;
}

/// Properties flow into inputs, outputs into attributes.
void SubstitutionChecker::checkFlow(const Entry &entry, const Outer &outer,
                                    const Flat *inner, bool inward) {
  const Flat *definition = outer.definition;
  if (!definition || !inner || !definition->valid || !inner->valid)
    return;
  const Type &outerType =
      outer.isList ? listOf(typeOf(program, *definition), program.arena)
                   : typeOf(program, *definition);
  const Type &innerType = typeOf(program, *inner);
  const Type &from = inward ? outerType : innerType;
  const Type &to = inward ? innerType : outerType;
  if (compatible(from, to) != Fit::Never)
    return;
  StringRef outerName = definition->name.str();
  StringRef innerName = entry.value.text();
  program.diags
      .report(entry.key.range(), diag::IncompatibleMapping,
              inward ? "property" : "output", inward ? outerName : innerName,
              "'" + typeName(from) + "'", inward ? "input" : "attribute",
              inward ? innerName : outerName, "'" + typeName(to) + "'")
      .note(definition->range(), diag::DeclaredHere, outerName)
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
    // TOSCA 1.x maps properties to inputs of the same name by itself.
    isMapped |= service.scope.isOlder() && type->member(Key::Properties, name);
    if (!isMapped)
      unmapped.emplace_back(name, input);
  }
  Flat::Members missing = Flat::Members().with(unmapped, program.memberArena);
  Assignments assignments{missing, "input",
                          [] { return "the substitution mapping"; },
                          mappings.range()};
  checkAssignments(program, {service.scope}, assignments, nullptr);
}

void SubstitutionChecker::checkCapabilities() {
  const Node *map = mapOf(Key::Capabilities);
  if (!map)
    return;
  for (const Entry &entry : map->entries()) {
    require(type->members(Key::Capabilities), "capability", entry.key);
    llvm::ArrayRef<Node> target = entry.value.items();
    const Template *node = findNodeTemplate(program, service, target[0]);
    if (!node || !node->flat())
      continue;
    require(node->flat()->members(Key::Capabilities), "capability", target[1]);
    checkOffer(entry,
               node->flat()->member(Key::Capabilities, target[1].text()));
  }
}

/// A requirement of the outer capability is bound to the inner one.
void SubstitutionChecker::checkOffer(const Entry &entry, const Flat *inner) {
  const Flat *outer = type->member(Key::Capabilities, entry.key.text());
  bool known = outer && inner && outer->type && inner->type;
  if (!known || inner->type->isDerivedFrom(*outer->type))
    return;
  program.diags
      .report(entry.value.items()[1].range(), diag::OtherCapability,
              inner->name.str(), inner->type->name.str(), outer->name.str(),
              outer->type->name.str())
      .note(outer->range(), diag::DeclaredHere, outer->name.str());
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
    const Flat *interface =
        entry.key.isScalar() ? findInterface(*type, entry.key.text()) : nullptr;
    if (!interface)
      require(interfaces, "interface", entry.key);
    for (const Entry &operation : entry.value.entries()) {
      if (interface)
        require(interface->members(Key::Operations), "operation",
                operation.key);
      // TOSCA 1.x maps operations to those of nodes as well.
      if (service.scope.isOlder())
        continue;
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
