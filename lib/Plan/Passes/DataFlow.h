//===- DataFlow.h - Steps that read what others write -----------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_DATAFLOW_H
#define TOSCAC_LIB_PLAN_DATAFLOW_H

#include "Steps/PlanData.h"

namespace toscac::plan {

/// Lets each step of \p plan that reads an attribute wait for the one that
/// writes it: the last one before it in the symbolic run, or else the first one
/// after it. False, after a report that shows it, if data goes round in a
/// cycle.
bool addDataFlow(PlanData &plan);

} // namespace toscac::plan

#endif
