//===- LateLiterals.cpp - What outputs have to turn out to be -------------===//

#include "LateLiterals.h"

#include "System/CellOutputs.h"

using namespace toscac;
using namespace toscac::plan;

LateLiterals toscac::plan::lateOf(const SymbolicRun &run,
                                  const Justification &needs) {
  LateLiterals late = needs.late;
  for (Dep dep : needs.deps)
    if (auto found = run.late.find(dep.step().index);
        !dep.isChoice() && found != run.late.end())
      late.append(found->second);
  // Ways that part and meet again bring the same from both sides.
  llvm::sort(late);
  late.erase(llvm::unique(late), late.end());
  return late;
}

bool toscac::plan::exclude(const SymbolicRun &run, const LateLiterals &a,
                           const LateLiterals &b) {
  Conditions &conditions = run.system.conditions;
  return llvm::any_of(a, [&](const LateLiteral &one) {
    std::vector<ValueId> values =
        outcomesOf(run.history.writes[one.write.index].cell, run.system);
    llvm::erase_if(values, [&](ValueId value) {
      auto isWrong = [&](const LateLiteral &literal) {
        return literal.write == one.write &&
               conditions.test(conditions.atoms[literal.atom.index], value) !=
                   literal.wanted;
      };
      return llvm::any_of(a, isWrong) || llvm::any_of(b, isWrong);
    });
    return values.empty();
  });
}

bool toscac::plan::isImpossible(const SymbolicRun &run,
                                const LateLiterals &late) {
  return exclude(run, late, {});
}

bool toscac::plan::areExclusive(const SymbolicRun &run, StepId a, StepId b) {
  if (run.late.empty())
    return false;
  return exclude(run, run.late.lookup(a.index), run.late.lookup(b.index));
}
