//===- WhatIf.cpp - What a failure leads to -------------------------------===//

#include "toscac/Plan/WhatIf.h"

#include "Steps/PlanData.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using llvm::BitVector;
using llvm::StringRef;

std::optional<StepId> toscac::plan::findStep(const Plan &plan, StringRef name) {
  for (uint32_t i = 0; i != plan->steps.size(); ++i)
    if (!plan->steps.isJoin({i}) && plan->nameOf(StepId{i}) == name)
      return StepId{i};
  return std::nullopt;
}

size_t toscac::plan::numSteps(const Plan &plan) { return plan->steps.size(); }

std::vector<std::string> toscac::plan::stepNames(const Plan &plan) {
  std::vector<std::string> names;
  for (uint32_t i = 0; i != plan->steps.size(); ++i)
    if (!plan->steps.isJoin({i}))
      names.push_back(plan->nameOf(StepId{i}));
  return names;
}

/// Steps that wait for \p step, directly or not.
static BitVector dependantsOf(const PlanData &plan, StepId step) {
  BitVector result(plan.steps.size());
  for (uint32_t i = step.index + 1; i < plan.steps.size(); ++i)
    for (Dep dep : plan.steps.deps({i}))
      if (dep.step() == step || result.test(dep.step().index))
        result.set(i);
  return result;
}

/// Steps that \p step holds back for good if it fails before they run, and what
/// waits for them.
static BitVector heldBackBy(const PlanData &plan, StepId step) {
  BitVector result(plan.steps.size());
  Exclusions exclusions = exclusionsOf(plan);
  for (const Exclusion &pair : exclusions.all()) {
    if (pair.earlier != step && pair.later != step)
      continue;
    StepId other = pair.earlier == step ? pair.later : pair.earlier;
    result |= dependantsOf(plan, other);
    result.set(other.index);
  }
  return result;
}

static BitVector ancestorsOf(const PlanData &plan, StepId step) {
  BitVector result(plan.steps.size());
  result.set(step.index);
  for (uint32_t i = step.index + 1; i-- > 0;)
    if (result.test(i))
      for (Dep dep : plan.steps.deps({i}))
        result.set(dep.step().index);
  result.reset(step.index);
  return result;
}

namespace {

/// Where cells are left.
class Aftermath {
public:
  explicit Aftermath(const PlanData &plan) : plan(plan) {}

  void runAll(const BitVector &never, StepId failed);
  void fail(StepId failed);
  void runFailureSteps(StepId failed);
  void print(llvm::raw_ostream &os) const;

private:
  void apply(EventId event, ArrayRef<ir::Set> sets);

  const PlanData &plan;
  llvm::DenseMap<uint32_t, ValueId> left;
  std::vector<std::pair<CellId, std::string>> texts;
};

} // namespace

void Aftermath::runAll(const BitVector &never, StepId failed) {
  const SymbolicRun &run = plan.run;
  BitVector runs(run.steps.size());
  for (uint32_t i = 0; i != plan.steps.size(); ++i)
    if (StepId origin = plan.origins[i])
      runs[origin.index] = !never.test(i) && StepId{i} != failed;
  StepId culprit = plan.origins[failed.index];
  for (const Write &write : run.history.writes)
    if (!write.step || runs.test(write.step.index) ||
        (write.step == culprit && write.isOnEntry()))
      left[write.cell.index] = write.value;
}

void Aftermath::apply(EventId event, ArrayRef<ir::Set> sets) {
  const Layout &layout = plan.system.layout;
  EventPlace at = layout.place(event);
  for (const ir::Set &set : sets) {
    CellId cell = layout.cell(at.slot, at.row, set.cell);
    left.erase(cell.index);
    llvm::erase_if(texts, [&](auto &text) { return text.first == cell; });
    texts.emplace_back(cell, toText(*set.value));
  }
}

void Aftermath::fail(StepId failed) {
  EventId event{plan.steps.event(failed)};
  apply(event, plan.system.layout.operation(event).failure.sets);
}

void Aftermath::runFailureSteps(StepId failed) {
  for (const FailureStep &step : plan.failureSteps)
    if (step.after == failed) {
      const ir::Operation &operation =
          plan.system.layout.operation(step.invocation.event);
      apply(step.invocation.event, operation.entry.sets);
      apply(step.invocation.event, operation.success.sets);
    }
}

void Aftermath::print(llvm::raw_ostream &os) const {
  const Layout &layout = plan.system.layout;
  std::vector<std::pair<CellId, std::string>> cells = texts;
  for (auto [cell, value] : left)
    cells.emplace_back(CellId{cell}, toText(plan.system.values[value]));
  // Cells that only steps write which never run.
  for (const Write &write : plan.run.history.writes)
    if (llvm::none_of(cells,
                      [&](auto &known) { return known.first == write.cell; }))
      cells.emplace_back(
          write.cell,
          toText(plan.system.values[plan.run.history.initial(write.cell)]));
  llvm::sort(cells);
  for (auto &[cell, text] : cells) {
    std::string planned =
        toText(plan.system.values[plan.run.history.value(cell)]);
    if (planned != text)
      os << "  " << layout.nameOf(cell) << " = " << text << ", not " << planned
         << '\n';
  }
}

static void printSteps(const PlanData &plan, const BitVector &steps,
                       StringRef title, llvm::raw_ostream &os) {
  os << title;
  bool isEmpty = true;
  for (unsigned step : steps.set_bits())
    if (!plan.steps.isJoin({step})) {
      os << (isEmpty ? ":\n" : "") << "  " << plan.nameOf(StepId{step}) << '\n';
      isEmpty = false;
    }
  if (isEmpty)
    os << ": none\n";
}

static void printFailureSteps(const PlanData &plan, StepId failed,
                              llvm::raw_ostream &os) {
  os << "runs because of it";
  bool isEmpty = true;
  for (const FailureStep &step : plan.failureSteps)
    if (step.after == failed) {
      os << (isEmpty ? ":\n" : "") << "  "
         << plan.system.layout.nameOf(step.invocation.event)
         << (step.guard ? " (depends on how far others are)" : "") << '\n';
      isEmpty = false;
    }
  if (isEmpty)
    os << ": nothing\n";
}

void toscac::plan::tellFailure(const Plan &plan, StepId failed,
                               llvm::raw_ostream &os) {
  BitVector never = dependantsOf(*plan, failed);
  BitVector others = never;
  others |= ancestorsOf(*plan, failed);
  others.set(failed.index);
  others.flip();
  BitVector heldBack = heldBackBy(*plan, failed);
  heldBack &= others;
  others.reset(heldBack);
  os << "if " << plan->nameOf(failed) << " fails\n\n";
  printFailureSteps(*plan, failed, os);
  printSteps(*plan, never, "\nnever runs", os);
  if (heldBack.any())
    printSteps(*plan, heldBack,
               "\nnever runs, unless it or what it waits for came first", os);
  printSteps(*plan, others, "\nruns all the same", os);
  os << "\nwhat remains, where it differs from the plan:\n";
  Aftermath aftermath(*plan);
  aftermath.runAll(never, failed);
  aftermath.fail(failed);
  aftermath.runFailureSteps(failed);
  aftermath.print(os);
}
