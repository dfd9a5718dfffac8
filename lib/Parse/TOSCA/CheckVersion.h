//===- CheckVersion.h - Whether a file is TOSCA, and which ------*- C++ -*-===//

#ifndef TOSCAC_LIB_PARSE_TOSCA_CHECKVERSION_H
#define TOSCAC_LIB_PARSE_TOSCA_CHECKVERSION_H

#include "toscac/Parse/TOSCA/AST.h"

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::tosca {

/// What `tosca_definitions_version` says; empty: nothing.
llvm::StringRef versionOf(const syntax::Node &root);

/// A file that does not say its version is no TOSCA file; that is said once,
/// and nothing else of it.
bool checkIsTosca(const syntax::Node &root, SourceRange importedAt,
                  const EarlierVersion *importer, DiagnosticEngine &diags);

} // namespace toscac::tosca

#endif
