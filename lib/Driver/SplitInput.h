//===- SplitInput.h - Several test cases in one file ------------*- C++ -*-===//
///
/// \file
/// --split-input-file: a line `# -----` ends one input and starts the next.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_DRIVER_SPLITINPUT_H
#define TOSCAC_LIB_DRIVER_SPLITINPUT_H

#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <vector>

namespace toscac {

/// The parts of \p text. Each starts with the line breaks of what stands before
/// it, so that its lines have the numbers they have in the file.
std::vector<std::unique_ptr<llvm::MemoryBuffer>>
splitInput(llvm::StringRef text);

} // namespace toscac

#endif
