//===- Dependencies.h - What resources wait for -----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_HEAT_DEPENDENCIES_H
#define TOSCAC_LIB_SEMA_HEAT_DEPENDENCIES_H

#include "toscac/Sema/Heat/Compose.h"
#include "llvm/ADT/SetVector.h"

namespace toscac::heat {

/// A resource with all that it says evaluated.
struct StackNode {
  StackResource *resource;
  const Expr *properties = nullptr;
  const Expr *metadata = nullptr;
  const Expr *deletionPolicy = nullptr;
  /// Resources of its own stack.
  llvm::SetVector<StackResource *> uses = {};
  /// Indices of nodes, in ascending order.
  std::vector<uint32_t> dependencies = {};
};

/// Lets nodes use what Heat's plugins wait for without a reference.
void addImplicitDependencies(std::vector<StackNode> &nodes);

/// Sets what each of \p nodes waits for; false after a report of a cycle.
bool bindDependencies(std::vector<StackNode> &nodes, DiagnosticEngine &diags);

} // namespace toscac::heat

#endif
