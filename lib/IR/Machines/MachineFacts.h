//===- MachineFacts.h - A machine for pages ---------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_IR_MACHINEFACTS_H
#define TOSCAC_LIB_IR_MACHINEFACTS_H

#include "toscac/IR/DrawMachines.h"
#include "toscac/IR/GraphFacts.h"

namespace toscac {
class JSONWriter;
}

namespace toscac::ir {

/// Writes the attribute `place` (`service.yaml:12`), where there is one.
void writePlace(SourceRange range, PlaceOf placeOf, JSONWriter &json);

void writeMachineFacts(const ShownMachine &shown, PlaceOf placeOf,
                       JSONWriter &json);

} // namespace toscac::ir

#endif
