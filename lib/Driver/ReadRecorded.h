//===- ReadRecorded.h - The deployment that is there already ----*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_READRECORDED_H
#define TOSCAC_LIB_DRIVER_READRECORDED_H

#include "Compilation.h"

namespace toscac {

/// Reads the state that the options name and finds what the workflow makes of
/// the deployment. Gives the exit code.
int readRecorded(Compilation &compilation);

/// The workflow's parameters as they are written, by name.
std::vector<std::pair<std::string, std::string>>
parameterTexts(Compilation &compilation);

/// The workflow's parameters.
std::vector<ir::InputValue> parametersOf(Compilation &compilation,
                                         ValueArena &arena);

} // namespace toscac

#endif
