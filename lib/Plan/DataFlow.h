//===- DataFlow.h - Steps that read what others write -----------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_DATAFLOW_H
#define TOSCAC_LIB_PLAN_DATAFLOW_H

#include "PlanData.h"

namespace toscac::plan {

/// A dependency that data flow adds.
struct DataEdge {
  StepId from;
  StepId to;
};

/// For each step that reads an attribute, the step that writes it: the last one
/// before it in the symbolic run, or else the first one after it.
std::vector<DataEdge> findDataFlow(const Run &run);

/// The steps of \p run with \p edges added, in an order in which they can run;
/// \p origins has the step of the run for each. False, after a report that
/// shows it, if data goes round in a circle.
bool orderSteps(const Run &run, std::vector<DataEdge> edges, StepGraph &steps,
                std::vector<StepId> &origins);

} // namespace toscac::plan

#endif
