//===- CheckActivities.h - What steps and triggers do -----------*- C++ -*-===//
///
/// \file
/// The activities of workflow steps and policy triggers (TOSCA 2.0 §13.2.3).
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_CHECKACTIVITIES_H
#define TOSCAC_LIB_SEMA_TOSCA_CHECKACTIVITIES_H

#include "CheckExpression.h"
#include "ServiceScope.h"

namespace toscac::sema {

/// What operations are called on.
struct ActivityTarget {
  const Flat *type;
  /// The node template; null for a relationship.
  const Template *node = nullptr;
};

/// The node template called \p name, or the members of the group called so;
/// reports what is neither.
llvm::SmallVector<ActivityTarget, 2> findTargets(Program &program,
                                                 const ServiceScope &service,
                                                 const syntax::Node &name);

/// Checks activities that stand in \p context. Where there is no target, only
/// the orchestrator knows it.
void checkActivities(Program &program, const ExprContext &context,
                     llvm::ArrayRef<Entity> activities,
                     llvm::ArrayRef<ActivityTarget> targets);

} // namespace toscac::sema

#endif
