//===- toscac/Expand/SetGoal.h - What a graph is to become ------*- C++ -*-===//
///
/// \file
/// Besides instances, a graph says what is wanted of them. expand() sets that;
/// here it is for graphs that were read.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EXPAND_SETGOAL_H
#define TOSCAC_EXPAND_SETGOAL_H

#include "toscac/Expand/ChangeDeployment.h"
#include "toscac/Sema/Service.h"

namespace toscac {
class NameTable;

/// A parameter as people type it: a number, a truth value or text.
Value parseParameter(llvm::StringRef text, ValueArena &arena);

/// Whether the first service of \p program itself says what \p workflow is.
bool isDefinedByService(const sema::CheckedProgram &program,
                        llvm::StringRef workflow);

/// Makes \p request the goal of \p graph, which was made of \p program and
/// changes a deployment as \p change says; null: there is none.
void setGoal(const ChangeRequest &request, const sema::CheckedProgram &program,
             const DeploymentChange *change, NameTable &names,
             ir::Graph &graph);

} // namespace toscac

#endif
