//===- toscac/Sema/AnalyzeMachine.h - Checks of one machine -----*- C++ -*-===//

#ifndef TOSCAC_SEMA_ANALYZEMACHINE_H
#define TOSCAC_SEMA_ANALYZEMACHINE_H

#include "toscac/IR/Machine.h"

namespace toscac {
class DiagnosticEngine;
namespace sema {

/// Whether refinements may still add to a machine.
enum class Finality : uint8_t { Refinable, Final };

/// Looks at all states of \p machine. Warns of operations that are never
/// accepted and of rules that contradict each other; in a final machine also
/// of states that are never reached or never left.
void analyzeMachine(const ir::Machine &machine, Finality finality,
                    DiagnosticEngine &diags);

} // namespace sema
} // namespace toscac

#endif
