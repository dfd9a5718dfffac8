//===- Recorded.h - The deployment that is there already --------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_RECORDED_H
#define TOSCAC_LIB_DRIVER_RECORDED_H

#include "Compilation.h"
#include "toscac/Plan/MakePlan.h"

namespace toscac {

/// Reads the state that the options name and finds what the workflow makes of
/// the deployment. Gives the exit code.
int readRecorded(Compilation &compilation);

/// Recorded values of inputs as the text of a file of inputs; null where there
/// are none.
std::unique_ptr<llvm::MemoryBuffer>
recordedInputs(const Compilation &compilation);

/// The workflow's parameters as they are written, by name.
std::vector<std::pair<std::string, std::string>>
parameterTexts(Compilation &compilation);

/// The workflow's parameters.
std::vector<ir::InputValue> parametersOf(Compilation &compilation,
                                         ValueArena &arena);

/// How far the workflow reaches: what it means where it changes a deployment.
plan::Goal::Reach reachOf(const Compilation &compilation);

} // namespace toscac

#endif
