//===- toscac/Sema/RecordedOperations.h - Operations to record --*- C++ -*-===//
///
/// \file
/// What operations of a template run, where the template says so and not its
/// type, is recorded with the deployment: once the template is gone, nobody
/// else could tell how its instances are taken down.
///
///   {"app": {"standard": {"delete": {"handlers": [{"artifact": {"type":
///   "Bash",
///     "file": "scripts/drop.sh"}, "inputs": {"size": 3}}], "timeout": 60}}},
///    "app.host": null}
///
/// A relationship is named by its template and requirement. Null: what the
/// template adds are more than operations, or secrets, and not recorded.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_RECORDEDOPERATIONS_H
#define TOSCAC_SEMA_RECORDEDOPERATIONS_H

#include "toscac/Sema/Service.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace toscac {
class NameTable;

namespace sema {

/// What is to be recorded of the first service of \p program; nil: nothing.
Value recordedOperations(const CheckedProgram &program, NameTable &names,
                         ValueArena &arena);

/// Finds the artifact that has the type, file and place of another one, as
/// plans name them.
using FindArtifact = llvm::function_ref<ir::ArtifactId(const ir::Artifact &)>;

/// Gives \p machines, those of a type, what \p recorded says of one template;
/// false where that has the wrong form.
bool restoreOperations(CheckedProgram &program, const Value &recorded,
                       FindArtifact findArtifact, NameTable &names,
                       std::vector<ir::MachineId> &machines);

} // namespace sema
} // namespace toscac

#endif
