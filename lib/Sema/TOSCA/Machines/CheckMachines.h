//===- CheckMachines.h - The machines of types and templates ----*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_CHECKMACHINES_H
#define TOSCAC_LIB_SEMA_TOSCA_CHECKMACHINES_H

#include "TOSCA/Types/ServiceScope.h"
#include "toscac/IR/Machine.h"

namespace toscac::sema {

/// Checks the interfaces of all types as machines. Gives those of interface
/// types, which are part of no node or relationship.
std::vector<ir::Machine> checkMachines(Program &program);

/// The same for what the templates of \p service add. Only needed where no
/// service is lowered, which checks them, too.
void checkMachines(Program &program, const ServiceScope &service);

/// Whether \p interface has cells, conditions or triggers at all.
bool isMachine(const Flat &interface);

} // namespace toscac::sema

#endif
