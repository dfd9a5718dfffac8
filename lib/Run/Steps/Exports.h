//===- Exports.h - Outputs that scripts export ------------------*- C++ -*-===//
///
/// \file
/// Scripts of TOSCA 1.x do not write a file with their outputs: they export
/// variables. Those whose names are outputs of the operation are noted when the
/// script ends, in a file that nobody else may read and that is removed as soon
/// as the script is over, whatever became of it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_EXPORTS_H
#define TOSCAC_LIB_RUN_EXPORTS_H

#include "StepFiles.h"

namespace toscac::run {

/// Changes \p command, which runs the script \p file, so that it notes what of
/// the outputs of \p handler the script exports. Only bash can do that.
void noteExports(Command &command, const planfile::StepHandler &handler,
                 llvm::StringRef file);

/// What the script noted; the file is no more.
std::string takeExports(const StepFiles &files);

/// \p outputs, a map, and what \p exports has of those of \p handler that are
/// not among them.
Value withExports(const Value &outputs, llvm::StringRef exports,
                  const planfile::StepHandler &handler, LiveState &state,
                  ValueArena &arena);

} // namespace toscac::run

#endif
