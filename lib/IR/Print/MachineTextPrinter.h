//===- MachineTextPrinter.h - Machines and workflows as text ----*- C++ -*-===//

#ifndef TOSCAC_LIB_IR_MACHINETEXTPRINTER_H
#define TOSCAC_LIB_IR_MACHINETEXTPRINTER_H

#include "PartPrinter.h"

namespace toscac::ir {

class MachineTextPrinter : public PartPrinter {
public:
  using PartPrinter::PartPrinter;

  void printMachine(MachineId id);
  void printWorkflow(const Workflow &workflow);
  void printPolicy(const PolicyTrigger &policy);

private:
  void printRoles(const Machine &machine);
  void printCell(const Cell &cell);
  void printOperation(const Machine &machine, const Operation &operation);
  void printReaction(llvm::StringRef keyword, const Machine &machine,
                     const Reaction &reaction);
  void printArguments(llvm::ArrayRef<Argument> arguments);
  void printInputBlock(llvm::ArrayRef<Argument> arguments);
  void printMappings(llvm::ArrayRef<OutputMapping> mappings);
  void printHandlers(llvm::ArrayRef<Handler> handlers);
  void printTrigger(const Trigger &trigger);
  void printStep(const Workflow &workflow, uint32_t number);
  void printActivities(llvm::ArrayRef<Activity> activities);
  void printCondition(const Expr *condition);
};

} // namespace toscac::ir

#endif
