//===- toscac/Parse/Bosh/Load.h - A manifest and its releases ---*- C++ -*-===//
///
/// \file
/// Reads a BOSH manifest, the files that change it, the job specs of releases
/// and the cloud file: the input of Sema.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_BOSH_LOAD_H
#define TOSCAC_PARSE_BOSH_LOAD_H

#include "toscac/Parse/Bosh/AST.h"

namespace toscac {
class DiagnosticEngine;

namespace bosh {

/// What changes a manifest before it is read, as for `bosh interpolate`.
struct ManifestChanges {
  /// Files of operations, applied in this order.
  std::vector<std::string> opsFiles;
  /// `NAME=VALUE`, the strongest values of variables; the value is YAML.
  std::vector<std::string> variables;
  /// `NAME=FILE`: the value is what stands in the file.
  std::vector<std::string> variableFiles;
  /// Files with a map of values; later ones are stronger.
  std::vector<std::string> variableMaps;
  /// One more such file, the weakest; it need not be there.
  std::string variableStore;
};

struct LoadOptions {
  /// A folder with `<release>/jobs/<job>/spec`; empty: no releases.
  std::string releases;
  /// The cloud file; empty: none.
  std::string cloud;
  ManifestChanges changes;
};

/// Reads \p manifest and what \p options name. Every spec is read and checked,
/// used or not. False where a file or folder of \p options cannot be read.
bool load(FileId manifest, const LoadOptions &options, SourceManager &sources,
          DiagnosticEngine &diags, Deployment &deployment);

/// What stands at \p path of \p document; nothing after a report.
std::optional<syntax::Node> findByPath(const syntax::Node &document,
                                       llvm::StringRef path,
                                       DiagnosticEngine &diags);

/// The name of the variable that \p text consists of, as in `((name))`.
std::optional<llvm::StringRef> variableIn(llvm::StringRef text);

} // namespace bosh
} // namespace toscac

#endif
