//===- Show.h - Changes on demand, step by step -----------------*- C++ -*-===//

#ifndef TOSCAC_TOOLS_TOSCA_WALK_SHOW_H
#define TOSCAC_TOOLS_TOSCA_WALK_SHOW_H

#include "Planner.h"

namespace toscac::walk {

/// Deploys the template and makes the changes that stand in \p script after
/// `DO:`, one a line, each from the state that was predicted; `DO: deploy`
/// starts anew. Shows the steps of each: a line for each entity, with what they
/// wait for at other entities. False after saying what went wrong.
bool show(Planner &planner, llvm::StringRef script, llvm::raw_ostream &os);

} // namespace toscac::walk

#endif
