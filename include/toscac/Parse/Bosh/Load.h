//===- toscac/Parse/Bosh/Load.h - A manifest and its releases ---*- C++ -*-===//
///
/// \file
/// Reads a BOSH manifest, the job specs of releases and the cloud file: the
/// input of Sema.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_BOSH_LOAD_H
#define TOSCAC_PARSE_BOSH_LOAD_H

#include "toscac/Parse/Bosh/AST.h"

namespace toscac {
class DiagnosticEngine;

namespace bosh {

struct LoadOptions {
  /// A folder with `<release>/jobs/<job>/spec`; empty: no releases.
  std::string releases;
  /// The cloud file; empty: none.
  std::string cloud;
};

/// Reads \p manifest and what \p options name. Every spec is read and checked,
/// used or not. False where a file or folder of \p options cannot be read.
bool load(FileId manifest, const LoadOptions &options, SourceManager &sources,
          DiagnosticEngine &diags, Deployment &deployment);

} // namespace bosh
} // namespace toscac

#endif
