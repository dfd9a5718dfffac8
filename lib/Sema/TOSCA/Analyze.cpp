//===- Analyze.cpp - Check a TOSCA program --------------------------------===//

#include "toscac/Sema/TOSCA/Analyze.h"

#include "CheckDefinitions.h"
#include "DataTypes.h"
#include "ServiceScope.h"

using namespace toscac;
using namespace toscac::sema;

void toscac::analyze(const tosca::Package &package, NameTable &names,
                     DiagnosticEngine &diags) {
  Program program(package, names, diags);
  // Names first: everything after refers to them.
  declare(program);
  // Flattening follows chains of parents, so they must be free of cycles.
  deriveTypes(program);
  flattenTypes(program);
  buildDataTypes(program);
  checkTypes(program);
  for (const Scope &scope : program.scopes)
    for (const Entity &service :
         scope.file->root.entities(Key::ServiceTemplate))
      checkService(program, scope, service);
}
