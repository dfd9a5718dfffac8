//===- FormulaTruth.cpp - What conditions are worth now -------------------===//

#include "FormulaTruth.h"

using namespace toscac;
using namespace toscac::plan;

FormulaTruth::FormulaTruth(const GroundSystem &system, const GroundState &state)
    : system(system), truth(system.formulas.size()),
      counts(system.formulas.size()), parents(system.formulas.size(), ~0u),
      tests(system.cells.size()) {
  // Parts come before what they are part of.
  for (auto [i, formula] : llvm::enumerate(system.formulas)) {
    for (FormulaId part : formula.parts) {
      parents[part.index] = i;
      counts[i] += truth[part.index];
    }
    if (!formula.isTest()) {
      truth[i] = counts[i] >= formula.needed;
      continue;
    }
    tests[formula.cell].push_back(i);
    truth[i] = formula.values >> state[formula.cell] & 1;
  }
}
