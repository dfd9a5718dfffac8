//===- CheckMachines.cpp - The machines of types and templates ------------===//
///
/// \file
/// Every interface of a node or relationship type is built as a machine, which
/// finds what is wrong with its layers, and then looked at as a whole. So is
/// every interface type by itself.
///
//===----------------------------------------------------------------------===//

#include "CheckMachines.h"

#include "BuildMachine.h"
#include "toscac/Sema/AnalyzeMachine.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;

bool sema::isMachine(const Flat &interface) {
  if (!interface.members(Key::Attributes).empty() ||
      findWithType(interface, Key::Triggers))
    return true;
  for (Key key : {Key::Operations, Key::Notifications})
    for (const auto &[name, operation] : interface.members(key))
      for (const Layer &layer : operation->layers)
        if (tosca::hasEvents(*layer.entity))
          return true;
  return false;
}

/// Not if something is wrong with a cell, which has been reported.
static bool isCheckable(const Flat &interface) {
  for (Key key : {Key::Attributes, Key::Properties})
    for (const auto &[name, cell] : interface.members(key))
      if (!cell->valid)
        return false;
  return interface.valid && isMachine(interface);
}

/// Whether \p scope is of a file that comes with the program, which has been
/// checked.
static bool isBundled(const Scope &scope) {
  return scope.file->volume->isBundled;
}

/// Whether all of the machine of \p interface comes with the program. Searching
/// its states takes longer than all else in a small compile.
static bool isBundled(const Flat &interface) {
  return llvm::all_of(interface.layers, [](const Layer &layer) {
    return isBundled(*layer.scope) || !refinesMachine(*layer.entity);
  });
}

namespace {

class TypeMachines {
public:
  explicit TypeMachines(Program &program)
      : program(program), places(program, nullptr) {}

  std::vector<ir::Machine> run();

private:
  void check(const TypeDecl &type);
  void check(const Flat &owner, const TypedPlace &self);
  void checkRequirements(const Flat &node);
  ir::Machine checkAlone(const TypeDecl &interfaceType);

  Program &program;
  PlaceFinder places;
  llvm::DenseSet<const TypeDecl *> used;
  llvm::DenseSet<const Flat *> analyzed;
};

} // namespace

void TypeMachines::check(const Flat &owner, const TypedPlace &self) {
  for (const auto &[name, interface] : owner.members(Key::Interfaces)) {
    for (const TypeDecl *type = interface->type; type; type = type->parent)
      used.insert(type);
    if (!isCheckable(*interface))
      continue;
    size_t errors = program.diags.numErrors();
    ir::Machine machine =
        buildMachine({program, places, self, interface, nullptr}, {});
    // Paths may lead elsewhere from a derived type, but states are the same.
    if (program.diags.numErrors() == errors && !isBundled(*interface) &&
        analyzed.insert(interface).second)
      analyzeMachine(machine, Finality::Final, program.diags);
  }
}

/// A definition may refine the interfaces of its relationships.
void TypeMachines::checkRequirements(const Flat &node) {
  for (const auto &[name, requirement] : node.members(Key::Requirements)) {
    const Flat *relationship = requirement->nested(Key::Relationship);
    if (!relationship || !relationship->find(Key::Interfaces))
      continue;
    Candidate candidate{relationship, requirement->range()};
    candidate.sourceType = &node;
    candidate.requirement = requirement;
    check(*relationship, {Origin::Relationship, {candidate}, false});
  }
}

/// A type that adds nothing a path could lead through has the machines of its
/// parent.
static bool addsToParent(const TypeDecl &type) {
  static constexpr Key keys[] = {
      Key::Interfaces,           Key::Requirements,
      Key::Capabilities,         Key::Attributes,
      Key::Properties,           Key::Operations,
      Key::Notifications,        Key::Triggers,
      Key::ValidSourceNodeTypes, Key::ValidTargetNodeTypes,
      Key::ValidCapabilityTypes};
  return !type.parent ||
         llvm::any_of(keys, [&](Key key) { return type.entity->find(key); });
}

void TypeMachines::check(const TypeDecl &type) {
  bool isNode = type.kind == EntityKind::NodeType;
  if (!addsToParent(type))
    return;
  TypedPlace self;
  self.kind = isNode ? Origin::Node : Origin::Relationship;
  self.candidates.push_back({type.flat, type.range()});
  check(*type.flat, self);
  if (isNode)
    checkRequirements(*type.flat);
}

ir::Machine TypeMachines::checkAlone(const TypeDecl &type) {
  TypedPlace self;
  self.isOpen = true;
  size_t errors = program.diags.numErrors();
  ir::Machine machine =
      buildMachine({program, places, self, type.flat, nullptr}, {});
  // Those that use it may complete it.
  Finality finality =
      used.contains(&type) ? Finality::Refinable : Finality::Final;
  if (program.diags.numErrors() == errors && !isBundled(*type.flat))
    analyzeMachine(machine, finality, program.diags);
  return machine;
}

std::vector<ir::Machine> TypeMachines::run() {
  // Paths of bundled types may lead to others, but there have to be some.
  bool onlyBundled = llvm::all_of(program.types, [](const TypeDecl &type) {
    return type.isBuiltIn() || isBundled(*type.scope);
  });
  for (const TypeDecl &type : program.types)
    if (!onlyBundled && type.flat && type.valid &&
        (type.kind == EntityKind::NodeType ||
         type.kind == EntityKind::RelationshipType))
      check(type);
  std::vector<ir::Machine> alone;
  for (const TypeDecl &type : program.types)
    if (type.kind == EntityKind::InterfaceType && type.flat && type.valid &&
        isCheckable(*type.flat))
      // Another name for its parent is no machine of its own.
      if (ir::Machine machine = checkAlone(type); addsToParent(type))
        alone.push_back(machine);
  return alone;
}

std::vector<ir::Machine> sema::checkMachines(Program &program) {
  return TypeMachines(program).run();
}

/// The interfaces of \p assignments that mean \p interface of \p owner.
static llvm::SmallVector<const Entity *, 2>
assignedTo(const Field *assignments, const Flat &owner, const Flat &interface) {
  llvm::SmallVector<const Entity *, 2> result;
  if (assignments)
    for (const Entity &entity : assignments->entities)
      if (findInterface(owner, entity.name.str()) == &interface)
        result.push_back(&entity);
  return result;
}

void sema::checkMachines(Program &program, const ServiceScope &service) {
  PlaceFinder places(program, &service);
  for (const auto &[name, node] : service.nodes) {
    const Field *assignments = node.find(Key::Interfaces);
    if (!node.flat() || !node.type->valid)
      continue;
    TypedPlace self;
    self.candidates.push_back({node.flat(), node.entity->range(), &node});
    for (const auto &[key, interface] : node.flat()->members(Key::Interfaces))
      if (isCheckable(*interface))
        buildMachine({program, places, self, interface, &service},
                     assignedTo(assignments, *node.flat(), *interface));
  }
  if (!service.entity.entities(Key::Events).empty()) {
    TypedPlace self;
    self.kind = Origin::Service;
    self.candidates.push_back({});
    buildServiceMachine({program, places, self, nullptr, &service});
  }
}
