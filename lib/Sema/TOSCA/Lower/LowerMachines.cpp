//===- LowerMachines.cpp - Interfaces as state machines -------------------===//

#include "LowerMachines.h"

#include "LowerOperations.h"
#include "TOSCA/Machines/BuildMachine.h"
#include "TOSCA/Machines/CheckMachines.h"
#include "TOSCA/Machines/PolicyEvents.h"
#include "toscac/Sema/AnalyzeMachine.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::SmallVector;

namespace {

class MachineLowering {
public:
  MachineLowering(Lowering &lowering, const InterfaceOwner &owner)
      : lowering(lowering), owner(owner) {}

  std::vector<ir::MachineId> run();
  ir::MachineId runService();

  /// Some trigger leads to what only the service knows.
  bool hasOpenTrigger = false;
  /// Some trigger leads to the service itself.
  bool sendsToService = false;
  /// Look at the service and not only at types.
  bool inService = true;

private:
  TypedPlace self() const;
  /// What templates assign to \p interface, nearest first.
  SmallVector<const Entity *, 2> assignedTo(const Flat &interface) const;
  const Flat *providerOf(const Flat &interface,
                         llvm::ArrayRef<const Entity *> assigned) const;
  /// Sends \p more when \p operation has succeeded.
  void addTriggers(ir::Operation &operation, llvm::ArrayRef<ir::Trigger> more);
  void noteImplemented(const OperationSite &site, const Flat &interface,
                       const ir::Machine &machine,
                       const ir::Operation &operation);
  ir::MachineId add(ir::Machine machine,
                    const SmallVector<ir::Operation> &operations);

  Lowering &lowering;
  const InterfaceOwner &owner;
};

} // namespace

Lowering::Lowering(Program &program, CheckedProgram &result)
    : program(program), result(result) {
  findProfiles();
}
Lowering::~Lowering() = default;

static const PlaceFinder &placesIn(Lowering &lowering,
                                   const ServiceScope *service) {
  std::unique_ptr<PlaceFinder> &finder = lowering.places[service];
  if (!finder)
    finder = std::make_unique<PlaceFinder>(lowering.program, service);
  return *finder;
}

TypedPlace MachineLowering::self() const {
  Candidate candidate{&owner.definition, owner.range.isValid()
                                             ? owner.range
                                             : owner.definition.range()};
  if (inService && owner.origin == Origin::Node)
    candidate.node = owner.node;
  if (inService && owner.origin == Origin::Relationship) {
    candidate.source = owner.node;
    candidate.target = owner.target;
  }
  return {owner.origin, {candidate}, false};
}

SmallVector<const Entity *, 2>
MachineLowering::assignedTo(const Flat &interface) const {
  SmallVector<const Entity *, 2> result;
  for (const Field *field : owner.assignments)
    for (const Entity &entity : field->entities)
      if (findInterface(owner.definition, entity.name.str()) == &interface)
        result.push_back(&entity);
  return result;
}

ir::MachineId
MachineLowering::add(ir::Machine machine,
                     const SmallVector<ir::Operation> &operations) {
  machine.operations = lowering.save(operations);
  lowering.result.machines.push_back(machine);
  return {static_cast<uint32_t>(lowering.result.machines.size() - 1)};
}

void MachineLowering::addTriggers(ir::Operation &operation,
                                  llvm::ArrayRef<ir::Trigger> more) {
  if (more.empty())
    return;
  SmallVector<ir::Trigger> all(operation.success.triggers);
  llvm::append_range(all, more);
  operation.success.triggers = lowering.save(all);
}

/// Whether metadata of \p type, or of what drives it, names \p operation: it
/// has a role, like that of taking over changed properties.
static bool hasRole(const TypeDecl *type, const Flat &operation) {
  for (; type && type->entity; type = type->parent) {
    if (hasRole(type->bound, operation))
      return true;
    const syntax::Node *metadata = type->entity->value(Key::Metadata);
    if (!metadata || !metadata->isMapping())
      continue;
    for (const syntax::Entry &entry : metadata->entries())
      if (entry.value.isScalar() &&
          (entry.value.text() == operation.name.str() ||
           (operation.machineName &&
            entry.value.text() == operation.machineName.str())))
        return true;
  }
  return false;
}

void MachineLowering::noteImplemented(const OperationSite &site,
                                      const Flat &interface,
                                      const ir::Machine &machine,
                                      const ir::Operation &operation) {
  if (operation.isNotification || hasRole(interface.type, *site.operation))
    return;
  const Layer *written = llvm::find_if(site.layers, [](const Layer &layer) {
    return layer.entity->find(Key::Handlers) ||
           layer.entity->find(Key::Implementation);
  });
  if (written == site.layers.end() || written->scope->file->volume->isBundled)
    return;
  lowering.implemented.push_back({machine.interface, operation.name,
                                  isMachine(interface) ? Name() : machine.type,
                                  written->entity->range()});
}

static bool isImplemented(llvm::ArrayRef<Layer> layers) {
  return llvm::any_of(layers, [](const Layer &layer) {
    return layer.entity->find(Key::Implementation) ||
           layer.entity->find(Key::Handlers);
  });
}

/// The interface \p name of the provider for nodes like the owner, which
/// implements none of what that implements; null: there is none.
const Flat *
MachineLowering::providerOf(const Flat &interface,
                            llvm::ArrayRef<const Entity *> assigned) const {
  if (owner.origin != Origin::Node)
    return nullptr;
  auto isMeant = [&](const Program::Provider &rule) {
    return llvm::any_of(owner.definition.layers, [&](const Layer &layer) {
      return llvm::is_contained(rule.types, layer.entity->name.str());
    });
  };
  auto rule = llvm::find_if(lowering.program.providers, isMeant);
  if (rule == lowering.program.providers.end() || !rule->like->flat)
    return nullptr;
  const Flat *provided =
      rule->like->flat->member(Key::Interfaces, interface.name.str());
  if (!provided)
    return nullptr;
  for (const auto &[name, operation] : provided->members(Key::Operations)) {
    const Flat *own = interface.member(Key::Operations, name);
    if (!own || !isImplemented(operation->layers))
      continue;
    bool isAssigned = llvm::any_of(
        assignedOperations(assigned, Key::Operations, name),
        [](const Entity *each) {
          return each->find(Key::Implementation) || each->find(Key::Handlers);
        });
    if (isAssigned || isImplemented(own->layers))
      return nullptr;
  }
  return provided;
}

std::vector<ir::MachineId> MachineLowering::run() {
  std::vector<ir::MachineId> result;
  const ServiceScope *service = inService ? &owner.service : nullptr;
  const PlaceFinder &places = placesIn(lowering, service);
  for (const auto &[name, interface] :
       owner.definition.members(Key::Interfaces)) {
    SmallVector<const Entity *, 2> assigned = assignedTo(*interface);
    EventScope scope{lowering.program, places, self(), interface, service};
    scope.isTrial = !inService;
    scope.around = &owner.service;
    ir::Machine machine = buildMachine(scope, assigned);
    hasOpenTrigger |= scope.hasOpenTrigger;
    sendsToService |= scope.sendsToService;
    if (llvm::any_of(assigned, [](const Entity *assignment) {
          return refinesMachine(*assignment);
        }))
      analyzeMachine(machine, Finality::Final, lowering.program.diags);
    SmallVector<ir::Operation> operations(machine.operations);
    const Flat *provider = providerOf(*interface, assigned);
    for (ir::Operation &operation : operations) {
      Key key = operation.isNotification ? Key::Notifications : Key::Operations;
      const Flat *definition = interface->member(key, operation.name.str());
      OperationSite site{owner, interface, definition, assigned};
      for (const Entity *entity :
           assignedOperations(assigned, key, operation.name.str()))
        site.layers.push_back({entity, &owner.service.scope});
      llvm::append_range(site.layers, definition->layers);
      const Flat *provided =
          provider ? provider->member(key, operation.name.str()) : nullptr;
      if (provided && isImplemented(provided->layers)) {
        site.operation = provided;
        site.layers.append(provided->layers.begin(), provided->layers.end());
      }
      lowerExecution(lowering, site, operation);
      if (!operation.handlers.empty())
        noteImplemented(site, *interface, machine, operation);
      if (operation.isNotification && inService && owner.origin == Origin::Node)
        addTriggers(operation,
                    tellPolicies(lowering.program, owner.service, *owner.node,
                                 interface->name.str(), operation.name.str(),
                                 operation.range));
    }
    result.push_back(add(machine, operations));
  }
  return result;
}

ir::MachineId MachineLowering::runService() {
  TypedPlace place;
  place.kind = Origin::Service;
  place.candidates.push_back({});
  EventScope scope{lowering.program, placesIn(lowering, &owner.service), place,
                   nullptr, &owner.service};
  ir::Machine machine = buildServiceMachine(scope);
  SmallVector<ir::Operation> operations(machine.operations);
  for (auto [operation, event] :
       llvm::zip(operations, owner.service.entity.entities(Key::Events))) {
    OperationSite site{owner};
    site.layers.push_back({&event, &owner.service.scope});
    lowerExecution(lowering, site, operation);
    addTriggers(operation,
                tellPolicies(lowering.program, owner.service, event.name.str(),
                             ir::Path(), event.range()));
  }
  return add(machine, operations);
}

std::vector<ir::MachineId> sema::lowerInterfaces(Lowering &lowering,
                                                 const InterfaceOwner &owner) {
  bool isHeard = owner.origin == Origin::Node && owner.node &&
                 sema::isHeard(owner.service, *owner.node);
  if (!owner.assignments.empty() || owner.artifacts || isHeard)
    return MachineLowering(lowering, owner).run();
  for (const ServiceScope *service :
       {(const ServiceScope *)nullptr, &owner.service}) {
    auto known = lowering.sharedMachines.find({&owner.definition, service});
    if (known != lowering.sharedMachines.end())
      return known->second;
  }
  size_t before = lowering.result.machines.size();
  MachineLowering shared(lowering, owner);
  shared.inService = false;
  std::vector<ir::MachineId> machines = shared.run();
  if (shared.hasOpenTrigger) {
    // Where events go depends on the template.
    lowering.result.machines.resize(before);
    return MachineLowering(lowering, owner).run();
  }
  const ServiceScope *sharers =
      shared.sendsToService ? &owner.service : nullptr;
  lowering.sharedMachines[{&owner.definition, sharers}] = machines;
  return machines;
}

MachineOrigin sema::machineOrigin(const InterfaceOwner &owner) {
  bool refines = llvm::any_of(owner.assignments, [](const Field *interfaces) {
    return llvm::any_of(interfaces->entities, refinesMachine);
  });
  if (refines)
    return MachineOrigin::Refined;
  return owner.assignments.empty() && !owner.artifacts
             ? MachineOrigin::Type
             : MachineOrigin::OwnOperations;
}

std::vector<ir::MachineId> sema::lowerEvents(Lowering &lowering,
                                             const ServiceScope &service) {
  if (service.entity.entities(Key::Events).empty())
    return {};
  static const Flat none{};
  InterfaceOwner owner{service, Origin::Service, none};
  return {MachineLowering(lowering, owner).runService()};
}
