//===- toscac/Plan/WritePromela.h - A model for SPIN ------------*- C++ -*-===//

#ifndef TOSCAC_PLAN_WRITEPROMELA_H
#define TOSCAC_PLAN_WRITEPROMELA_H

#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

/// Writes the event system that \p plan was made from as a model for the SPIN
/// checker: in every order of completion the assertions at its end hold, or
/// the plan depends on the order. If it cannot be spelt out, writes nothing
/// and says why.
std::string writePromela(const Plan &plan, llvm::raw_ostream &os);

} // namespace toscac::plan

#endif
