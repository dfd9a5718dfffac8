//===- DeclaredTags.h - Templates and what they declare ---------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_CAPS_DECLAREDTAGS_H
#define TOSCAC_LIB_DRIVER_CAPS_DECLAREDTAGS_H

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Parse/SyntaxTree.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class raw_fd_ostream;
}

namespace toscac {

/// A key with any of these values.
struct DeclaredTag {
  llvm::StringRef key;
  llvm::SmallVector<const syntax::Node *, 1> values;
  /// The values are names of types that the template can stand for.
  bool namesTypes = false;
};

/// What the template with this root declares, whatever language it is in;
/// nothing if it is none.
std::vector<DeclaredTag> declaredTags(const syntax::Node &root,
                                      DiagnosticEngine &diags);

/// Templates that cannot be read are no reason to stop: shows everything in
/// \p diags as warnings.
void showAsWarnings(const DiagnosticEngine &diags, const SourceManager &sources,
                    llvm::raw_fd_ostream &err);
/// Shows \p diags as they are; returns the exit code.
int showProblems(const DiagnosticEngine &diags, const SourceManager &sources,
                 llvm::raw_fd_ostream &err);

} // namespace toscac

#endif
