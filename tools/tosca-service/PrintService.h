//===- PrintService.h - The checked service as text -------------*- C++ -*-===//

#ifndef TOSCAC_TOOLS_TOSCASERVICE_PRINTSERVICE_H
#define TOSCAC_TOOLS_TOSCASERVICE_PRINTSERVICE_H

#include "toscac/Sema/Service.h"

/// Prints \p program, one entity a line, with what belongs to it indented.
void printServices(const toscac::sema::CheckedProgram &program,
                   llvm::raw_ostream &os);

#endif
