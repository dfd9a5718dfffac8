//===- StepText.h - Steps as lines of plan.json -----------------*- C++ -*-===//
///
/// \file
/// Most of a step's line is the same for all instances of a class. It is made
/// once, so that writing a plan is copying text with numbers in between.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_STEPTEXT_H
#define TOSCAC_LIB_PLAN_STEPTEXT_H

#include "FinishedContent.h"
#include "llvm/Support/raw_ostream.h"

namespace toscac::plan {

class StepText {
public:
  explicit StepText(const FinishedPlan &plan);

  /// Writes the line of \p step, without a line break.
  void write(uint32_t step, llvm::raw_ostream &os);

private:
  /// Of an interface and an operation.
  struct Parts {
    /// `.standard.create`
    std::string name;
    std::string operation;
  };
  const Parts &partsOf(const planfile::StepHead &head);
  /// Everything before the list of deps.
  void writeHead(uint32_t step, llvm::raw_ostream &os);
  /// What it waits for, and what it must not overlap.
  void writeOrder(uint32_t step, llvm::raw_ostream &os);
  void writeBody(uint32_t step, llvm::raw_ostream &os);

  const FinishedPlan &plan;
  std::vector<uint32_t> stages;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, Parts> parts;
  std::pair<uint32_t, uint32_t> lastKey{planfile::none, planfile::none};
  const Parts *lastParts = nullptr;
  /// Of bodies that several steps have.
  llvm::DenseMap<uint32_t, std::string> bodies;
};

} // namespace toscac::plan

#endif
