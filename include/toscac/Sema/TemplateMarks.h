//===- toscac/Sema/TemplateMarks.h - Metadata of templates ------*- C++ -*-===//
///
/// \file
/// What node templates say of themselves in metadata: the rows TEMPLATE_MARK of
/// Roles.def.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_TEMPLATEMARKS_H
#define TOSCAC_SEMA_TEMPLATEMARKS_H

#include "toscac/Sema/Service.h"

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::sema {

/// The mark \p key of \p node itself; empty: it has none.
llvm::StringRef markOf(const NodeTemplate &node, llvm::StringRef key);

/// How many instances of a template may be down at once: `2`, or `25%`.
struct Unavailable {
  uint32_t number = 0;
  bool isPercentage = false;

  /// Of \p count instances; at least one.
  uint32_t of(uint32_t count) const {
    if (!isPercentage)
      return number;
    return std::max<uint64_t>(1, uint64_t(count) * number / 100);
  }
};
/// What \p node, or else its type, says; nothing where that is none, or no
/// bound. \p written is its text.
std::optional<Unavailable> maxUnavailable(const NodeTemplate &node,
                                          llvm::ArrayRef<ir::TypeInfo> types,
                                          llvm::StringRef &written);

/// Reports marks that cannot be meant.
void checkTemplateMarks(const CheckedProgram &program, DiagnosticEngine &diags);

} // namespace toscac::sema

#endif
