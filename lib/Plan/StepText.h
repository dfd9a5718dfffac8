//===- StepText.h - Steps as lines of plan.json -----------------*- C++ -*-===//
///
/// \file
/// Most of a step's line is the same for all instances of a class. It is made
/// once, so that writing a plan is copying text with numbers in between.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_STEPTEXT_H
#define TOSCAC_LIB_PLAN_STEPTEXT_H

#include "EntityNames.h"
#include "PlanData.h"
#include "llvm/Support/raw_ostream.h"

namespace toscac::plan {

class StepText {
public:
  /// \p entities and \p artifacts give the positions that the plan has them at.
  StepText(const PlanData &plan, const EntityNames &names,
           llvm::ArrayRef<uint32_t> entities,
           llvm::ArrayRef<uint32_t> artifacts);

  /// Writes the line of \p step, without a line break.
  void write(StepId step, llvm::raw_ostream &os);
  /// The same of a failure step, which has the number \p id.
  void write(const FailureStep &step, uint32_t id, llvm::raw_ostream &os);

private:
  struct Parts {
    /// `.standard.create`
    std::string name;
    std::string kind;
    std::string operation;
    /// Handlers, writes, timeout, retries.
    std::string rest;
    bool isMade = false;
    /// `rest` is alike for all that have neither a guard nor inputs of a
    /// sender.
    bool isAlike = false;
    bool hasRest = false;
  };
  Parts &partsOf(const EventPlace &at);
  void make(const EventPlace &at, Parts &parts);
  /// Everything before the list of deps; \p occurrence is shown from 2 on.
  void writeHead(uint32_t id, const EventPlace &at, uint32_t occurrence,
                 llvm::raw_ostream &os);
  void writeRest(const EventPlace &at, const Invocation &invocation,
                 const Expr *guard, llvm::raw_ostream &os);
  /// What it waits for, and what it must not overlap.
  void writeOrder(StepId step, llvm::raw_ostream &os);

  const PlanData &plan;
  Exclusions exclusions;
  const EntityNames &names;
  llvm::ArrayRef<uint32_t> entities;
  llvm::ArrayRef<uint32_t> artifacts;
  /// By machine, then operation.
  std::vector<std::vector<Parts>> parts;
  ValueArena guards;
};

} // namespace toscac::plan

#endif
