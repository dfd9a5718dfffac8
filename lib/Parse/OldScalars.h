//===- OldScalars.h - Scalars as older loaders take them --------*- C++ -*-===//
///
/// \file
/// The loaders for which manifests, stacks and blueprints are written take
/// plain scalars otherwise than YAML 1.2: `on` is a boolean and `0644` is 420.
/// Here a scalar is spelt anew, so that the core schema gives what such a
/// loader gives and nobody else has to know of it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_OLDSCALARS_H
#define TOSCAC_LIB_PARSE_OLDSCALARS_H

#include "toscac/Parse/ReadYAML.h"

namespace toscac::syntax {

/// Spells \p node, a plain scalar, in the core schema; the new text lies in
/// \p arena. What is a string in \p dialect gets the tag of one.
void respellScalar(Node &node, YAMLDialect dialect,
                   llvm::BumpPtrAllocator &arena);

} // namespace toscac::syntax

#endif
