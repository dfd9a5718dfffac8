//===- EmitMachines.cpp - The machines of a service or profile ------------===//

#include "Emit.h"

#include "toscac/IR/DrawMachines.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;

/// Each machine of \p service with all that share it.
static std::vector<ir::ShownMachine>
machinesOf(const sema::CheckedProgram &program, const sema::Service &service) {
  llvm::MapVector<uint32_t, ir::ShownMachine> shown;
  auto add = [&](llvm::ArrayRef<ir::MachineId> machines,
                 const std::string &owner) {
    for (ir::MachineId id : machines) {
      ir::ShownMachine &machine = shown[id.index];
      machine.machine = &program.machines[id.index];
      if (!llvm::is_contained(machine.owners, owner))
        machine.owners.push_back(owner);
    }
  };
  add(service.machines, service.name.str().str());
  for (const sema::NodeTemplate &node : service.nodes) {
    add(node.machines, node.name.str().str());
    for (const sema::Requirement &requirement : node.requirements)
      add(requirement.relationship.machines,
          (node.name.str() + "." + requirement.name.str()).str());
  }
  auto machines = llvm::make_second_range(shown);
  return {machines.begin(), machines.end()};
}

int toscac::emitMachines(Compilation &compilation, Output &output) {
  const sema::CheckedProgram &program = compilation.checked;
  std::vector<ir::ShownMachine> machines;
  if (program.hasEntry)
    machines = machinesOf(program, program.services.front());
  else
    for (const ir::Machine &machine : program.interfaceTypes)
      machines.push_back({&machine, {}});
  auto print = [&](llvm::raw_ostream &os) {
    switch (compilation.options.format) {
    case PictureFormat::Text:
      return ir::printMachines(machines, os);
    case PictureFormat::Dot:
      return ir::drawMachinesAsDot(machines, os);
    case PictureFormat::Mermaid:
      return ir::drawMachinesAsMermaid(machines, os);
    }
  };
  return output.write(print, compilation.diags);
}
