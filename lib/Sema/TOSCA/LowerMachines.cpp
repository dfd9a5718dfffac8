//===- LowerMachines.cpp - Interfaces as state machines -------------------===//

#include "LowerMachines.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

class MachineLowering {
public:
  MachineLowering(Lowering &lowering, const InterfaceOwner &owner)
      : lowering(lowering), owner(owner) {}

  std::vector<ir::MachineId> run();

private:
  ir::Machine lowerInterface(const Flat &interface);
  ir::Operation lowerOperation(const Flat &interface, const Flat &operation,
                               bool isNotification);
  void addInputs(const Flat::Members &definitions,
                 llvm::ArrayRef<const Entity *> assigned,
                 llvm::SmallVectorImpl<ir::Argument> &into);
  void addHandler(const Scope &scope, const Entity &implementation,
                  llvm::SmallVectorImpl<ir::Handler> &into);
  ir::ArtifactId lowerReference(const Scope &scope, const Entity &reference);
  /// What templates assign to interface \p interface, nearest first; also to
  /// one of its operations.
  llvm::SmallVector<const Entity *, 2> assignedTo(StringRef interface) const;
  static llvm::SmallVector<const Entity *, 2>
  assignedTo(llvm::ArrayRef<const Entity *> interfaces, Key key,
             StringRef operation);

  Site siteOfTemplate() const {
    Site site{{owner.service.scope, &owner.definition}, owner.origin};
    site.context.service = &owner.service;
    return site;
  }

  Lowering &lowering;
  const InterfaceOwner &owner;
};

} // namespace

std::vector<ir::MachineId> MachineLowering::run() {
  std::vector<ir::Machine> &machines = lowering.result.machines;
  std::vector<ir::MachineId> result;
  for (const auto &[name, interface] :
       owner.definition.members(Key::Interfaces)) {
    machines.push_back(lowerInterface(*interface));
    result.push_back({static_cast<uint32_t>(machines.size() - 1)});
  }
  return result;
}

llvm::SmallVector<const Entity *, 2>
MachineLowering::assignedTo(StringRef interface) const {
  llvm::SmallVector<const Entity *, 2> result;
  for (const Field *field : owner.assignments)
    for (const Entity &entity : field->entities)
      if (entity.name.str() == interface)
        result.push_back(&entity);
  return result;
}

/// Operations in the old form are fields of their own.
llvm::SmallVector<const Entity *, 2>
MachineLowering::assignedTo(llvm::ArrayRef<const Entity *> interfaces, Key key,
                            StringRef operation) {
  llvm::SmallVector<const Entity *, 2> result;
  for (const Entity *interface : interfaces)
    for (const Field &field : interface->fields)
      if (field.key == key)
        for (const Entity &entity : field.entities)
          if (entity.name.str() == operation)
            result.push_back(&entity);
  return result;
}

ir::Machine MachineLowering::lowerInterface(const Flat &interface) {
  llvm::SmallVector<ir::Operation> operations;
  for (Key key : {Key::Operations, Key::Notifications})
    for (const auto &[name, operation] : interface.members(key))
      operations.push_back(
          lowerOperation(interface, *operation, key == Key::Notifications));
  ir::Machine machine;
  machine.interface = interface.name;
  machine.type = interface.type ? interface.type->name : Name();
  machine.operations = lowering.save(operations);
  machine.range = interface.range();
  return machine;
}

void MachineLowering::addInputs(const Flat::Members &definitions,
                                llvm::ArrayRef<const Entity *> assigned,
                                llvm::SmallVectorImpl<ir::Argument> &into) {
  const Field *field = nullptr;
  for (const Entity *entity : assigned)
    if (!field)
      field = entity->find(Key::Inputs);
  const Node *values = field ? field->value : nullptr;
  for (const Assignment &input :
       lowerAssignments(lowering, siteOfTemplate(), definitions, values)) {
    llvm::erase_if(into, [&](const ir::Argument &other) {
      return other.name == input.name;
    });
    into.push_back({input.name, input.type->kind, input.value, input.required,
                    input.sensitive, input.range});
  }
  if (!values)
    return;
  // Inputs may be given that nobody declared (TOSCA 2.0 §11.5).
  for (const Entry &entry : values->entries())
    if (entry.key.isScalar() && !definitions.contains(entry.key.text()))
      into.push_back({lowering.intern(entry.key.text()), TypeKind::Any,
                      lowerValue(lowering, siteOfTemplate(), entry.value,
                                 builtinType(TypeKind::Any)),
                      /*required=*/false, /*sensitive=*/false,
                      entry.value.range()});
}

/// The name of an artifact of the template or its type, or a file.
ir::ArtifactId MachineLowering::lowerReference(const Scope &scope,
                                               const Entity &reference) {
  StringRef name = reference.isShort ? reference.text(Key::File) : "";
  if (owner.artifacts)
    for (const Entity &artifact : owner.artifacts->entities)
      if (artifact.name.str() == name)
        return lowerArtifact(lowering, owner.service.scope, artifact);
  if (const Flat *artifact = owner.definition.member(Key::Artifacts, name))
    return lowerArtifact(lowering, *artifact->layers.front().scope,
                         *artifact->layers.front().entity);
  return lowerArtifact(lowering, scope, reference);
}

void MachineLowering::addHandler(const Scope &scope,
                                 const Entity &implementation,
                                 llvm::SmallVectorImpl<ir::Handler> &into) {
  llvm::ArrayRef<Entity> primary = implementation.entities(Key::Primary);
  if (primary.empty())
    return;
  llvm::SmallVector<ir::ArtifactId> files;
  for (const Entity &dependency : implementation.entities(Key::Dependencies))
    files.push_back(lowerReference(scope, dependency));
  into.push_back(
      {lowerReference(scope, primary.front()), lowering.save(files), {}, {}});
}

ir::Operation MachineLowering::lowerOperation(const Flat &interface,
                                              const Flat &operation,
                                              bool isNotification) {
  auto interfaces = assignedTo(interface.name.str());
  auto assigned = assignedTo(
      interfaces, isNotification ? Key::Notifications : Key::Operations,
      operation.name.str());
  llvm::SmallVector<ir::Argument> inputs;
  addInputs(interface.members(Key::Inputs), interfaces, inputs);
  addInputs(operation.members(Key::Inputs), assigned, inputs);
  llvm::SmallVector<ir::Handler> handlers;
  auto nearest = llvm::find_if(assigned, [](const Entity *entity) {
    return entity->find(Key::Implementation);
  });
  Flat::Found defined = operation.find(Key::Implementation);
  if (nearest != assigned.end())
    addHandler(owner.service.scope,
               (*nearest)->entities(Key::Implementation).front(), handlers);
  else if (defined && !defined.field->entities.empty())
    addHandler(*defined.scope, defined.field->entities.front(), handlers);
  ir::Operation result;
  result.name = operation.name;
  result.inputs = lowering.save(inputs);
  result.handlers = lowering.save(handlers);
  result.isNotification = isNotification;
  result.range = operation.range();
  return result;
}

std::vector<ir::MachineId> sema::lowerInterfaces(Lowering &lowering,
                                                 const InterfaceOwner &owner) {
  if (!owner.assignments.empty() || owner.artifacts)
    return MachineLowering(lowering, owner).run();
  auto known = lowering.sharedMachines.find(&owner.definition);
  if (known != lowering.sharedMachines.end())
    return known->second;
  std::vector<ir::MachineId> machines = MachineLowering(lowering, owner).run();
  lowering.sharedMachines[&owner.definition] = machines;
  return machines;
}

std::vector<ir::MachineId> sema::lowerEvents(Lowering &, const ServiceScope &) {
  return {};
}
