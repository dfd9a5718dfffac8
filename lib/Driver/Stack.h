//===- Stack.h - Heat templates on their way --------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_STACK_H
#define TOSCAC_LIB_DRIVER_STACK_H

#include "Compilation.h"
#include "toscac/Sema/Heat/Compose.h"

namespace toscac {

struct StackInput {
  StackInput(SourceManager &sources, DiagnosticEngine &diags,
             llvm::vfs::FileSystem *files)
      : library(sources, diags, files) {}

  heat::Library library;
  /// All environments of the command line, merged.
  heat::Environment environment;
  /// The templates of the command line; null for one that cannot be used.
  std::vector<heat::File *> files;
};

/// Parse: reads \p input, a Heat template, and the environments that the
/// options name.
void loadStack(Compilation &compilation, InputFile input);

/// Sema: composes and checks the stack.
void checkStack(Compilation &compilation);

} // namespace toscac

#endif
