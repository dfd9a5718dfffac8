//===- WorkflowParser.h - Workflows in the text form ------------*- C++ -*-===//

#ifndef TOSCAC_LIB_IR_WORKFLOWPARSER_H
#define TOSCAC_LIB_IR_WORKFLOWPARSER_H

#include "MachineParser.h"

namespace toscac::ir {

class WorkflowParser : public PartParser {
public:
  WorkflowParser(ParsedText &parsed, MachineParser &machines)
      : PartParser(parsed), machines(machines) {}

  bool parseWorkflow(Subgraph &subgraph);
  bool parsePolicy(Subgraph &subgraph);

private:
  bool parseStep(llvm::SmallVectorImpl<WorkflowStep> &steps);
  bool parseActivity(llvm::SmallVectorImpl<Activity> &activities);
  bool linkSteps(llvm::MutableArrayRef<WorkflowStep> steps);

  MachineParser &machines;
  /// Of the workflow at hand.
  struct PendingStep {
    uint32_t step;
    bool onSuccess;
    llvm::SmallVector<Label, 2> next;
  };
  std::vector<PendingStep> pendingSteps;
};

} // namespace toscac::ir

#endif
