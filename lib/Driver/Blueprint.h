//===- Blueprint.h - Cloudify blueprints on their way -----------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_BLUEPRINT_H
#define TOSCAC_LIB_DRIVER_BLUEPRINT_H

#include "Compilation.h"
#include "toscac/Parse/Cloudify/AST.h"
#include "toscac/Sema/Cloudify/Analyze.h"
#include <deque>

namespace toscac {

struct BlueprintInput {
  cloudify::Blueprint blueprint;
  /// Parameters of the workflow that are maps.
  std::deque<syntax::Tree> parameters;
  /// Once it was checked; the compilation owns it.
  cloudify::CheckedBlueprint *checked = nullptr;
};

/// Parse: reads \p input, a Cloudify blueprint, and what it imports.
void loadBlueprint(Compilation &compilation, InputFile input);

/// Sema: checks the blueprint and makes the checked service.
void checkBlueprint(Compilation &compilation);

/// Expand: makes the workflow that is asked for one of the service, where only
/// the blueprint can explain its parameters.
void defineWorkflow(Compilation &compilation);

} // namespace toscac

#endif
