//===- Analyze.cpp - Check a TOSCA program --------------------------------===//

#include "toscac/Sema/TOSCA/Analyze.h"

#include "CheckDefinitions.h"
#include "CheckMachines.h"
#include "DataTypes.h"
#include "Lower.h"

using namespace toscac;
using namespace toscac::sema;

CheckedProgram toscac::analyze(const tosca::Package &package, NameTable &names,
                               DiagnosticEngine &diags,
                               const state::Deployment *recorded) {
  auto arena = std::make_unique<ValueArena>();
  Program program(package, names, diags, *arena);
  // Names first: everything after refers to them.
  declare(program);
  // Flattening follows chains of parents, so they must be free of cycles.
  deriveTypes(program);
  flattenTypes(program);
  buildDataTypes(program);
  checkTypes(program);
  // Triggers lead from type to type, so all of them must be there.
  std::vector<ir::Machine> interfaceTypes = checkMachines(program);
  std::deque<ServiceScope> services;
  for (const Scope &scope : program.scopes)
    for (const Entity &service :
         scope.file->root.entities(Key::ServiceTemplate))
      services.push_back(checkService(program, scope, service));
  checkUnusedTypes(program);
  if (diags.hasErrors()) {
    for (const ServiceScope &service : services)
      checkMachines(program, service);
    return CheckedProgram();
  }
  CheckedProgram result = lower(program, std::move(arena), services, recorded);
  result.interfaceTypes = std::move(interfaceTypes);
  if (diags.hasErrors())
    result.services.clear();
  return result;
}
