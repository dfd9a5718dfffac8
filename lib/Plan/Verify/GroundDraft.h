//===- GroundDraft.h - A ground system in the making ------------*- C++ -*-===//
///
/// \file
/// What the parts of ground() fill in, one after another: cells with their
/// values, operations, level rules, then tasks and promises.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_GROUNDDRAFT_H
#define TOSCAC_LIB_PLAN_GROUNDDRAFT_H

#include "GroundConditions.h"

namespace toscac::plan {

struct GroundDraft {
  GroundDraft(const Start &start, const SymbolicRun &run)
      : start(start), run(run), system(run.system), layout(run.system.layout),
        numbers(layout), conditions(system, numbers, all, problem) {}

  const Start &start;
  const SymbolicRun &run;
  EventSystem &system;
  const Layout &layout;
  const GroundNumbers numbers;
  GroundSystem all;
  /// What each cell has before the workflow sets goals.
  std::vector<uint8_t> atFirst;
  /// Not empty: the system cannot be spelt out, for this reason.
  std::string problem;
  GroundConditions conditions;

  bool holdsAtFirst(FormulaId id) const {
    return all.holds(id, [&](uint32_t cell) { return atFirst[cell]; });
  }
};

/// Adds the tasks of the workflow, when its operations and rules are there.
void addTasks(GroundDraft &draft);

/// Adds what watches that promises are kept.
void addPromises(GroundDraft &draft);

} // namespace toscac::plan

#endif
