//===- CheckActivities.h - What steps and triggers do -----------*- C++ -*-===//
///
/// \file
/// The activities of workflow steps and policy triggers (TOSCA 2.0 §13.2.3).
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_CHECKACTIVITIES_H
#define TOSCAC_LIB_SEMA_TOSCA_CHECKACTIVITIES_H

#include "TOSCA/Types/ServiceScope.h"
#include "TOSCA/Values/CheckExpression.h"

namespace toscac::sema {

/// Checks activities that stand in \p context. Where there is no target, only
/// the orchestrator knows it.
void checkActivities(Program &program, const ExprContext &context,
                     llvm::ArrayRef<Entity> activities,
                     llvm::ArrayRef<ActivityTarget> targets);

} // namespace toscac::sema

#endif
