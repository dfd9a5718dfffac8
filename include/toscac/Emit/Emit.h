//===- toscac/Emit/Emit.h - Plans for other engines -------------*- C++ -*-===//
///
/// \file
/// Turns a plan into what another engine reads: a few files that go into a
/// folder beside plan.json. All engines start steps by `tosca-run step` and
/// leave it to `tosca-run collect` to keep the state; docs/Executors.md has the
/// contract.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EMIT_EMIT_H
#define TOSCAC_EMIT_EMIT_H

#include "toscac/Plan/Plan.h"

namespace toscac::emit {

struct EngineFile {
  std::string name;
  std::string text;
  bool isProgram = false;
};

struct EngineOptions {
  /// A JSON file with what the engine has to know of its surroundings; empty:
  /// none.
  std::string config;
};

/// The files of \p plan for an engine; none after a report.
using Engine = std::vector<EngineFile> (*)(planfile::Plan &plan,
                                           const EngineOptions &options,
                                           DiagnosticEngine &diags);

#define ENGINE(KIND, WORD, HELP)                                               \
  std::vector<EngineFile> files##KIND(planfile::Plan &plan,                    \
                                      const EngineOptions &options,            \
                                      DiagnosticEngine &diags);
#include "toscac/Emit/Engines.def"

} // namespace toscac::emit

#endif
