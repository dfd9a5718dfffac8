//===- toscac/Expand/BindInputs.h - Values for inputs -----------*- C++ -*-===//
///
/// \file
/// Reads what the user gives as inputs and checks it against what the service
/// says of them.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EXPAND_BINDINPUTS_H
#define TOSCAC_EXPAND_BINDINPUTS_H

#include "toscac/IR/Graph.h"

namespace toscac {
class DiagnosticEngine;
enum class YAMLDialect : uint8_t;
namespace sema {
struct Service;
}

/// What the command line says of inputs.
struct InputSources {
  /// A map with what is recorded of the deployment, weaker than all else; nil:
  /// nothing.
  Value recorded;
  /// Files in YAML or JSON: maps from inputs to values, perhaps below a key
  /// `inputs`. What a later one says holds.
  std::vector<FileId> files;
  /// How files and values are read.
  YAMLDialect dialect{};
  /// `name=value`, stronger than all files. The value is YAML, but text where
  /// the input is a string or something that is written as one.
  std::vector<std::string> values;
};

/// The values that \p given has for the inputs of \p service, in the order of
/// their definitions. Each is of its type, and converted to it. Reports what is
/// wrong where it was written; inputs that need a value and have none all at
/// once. The values live in \p arena.
std::vector<ir::InputValue>
bindInputs(const sema::Service &service, const InputSources &given,
           SourceManager &sources, ValueArena &arena, DiagnosticEngine &diags);

} // namespace toscac

#endif
