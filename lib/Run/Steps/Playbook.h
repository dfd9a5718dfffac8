//===- Playbook.h - What Ansible is given -----------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_PLAYBOOK_H
#define TOSCAC_LIB_RUN_PLAYBOOK_H

#include "StepFiles.h"

namespace toscac::run {

/// Whether \p runnable asks for an inventory: it reaches machines by itself.
bool isPlaybook(const Runnable &runnable);

/// Completes \p prepared, the command of a playbook, with the inventory, the
/// inputs and what makes its statistics outputs.
void completePlaybook(PreparedCommand &prepared, const StepFiles &files,
                      const RunFolder &run, llvm::StringRef inputs);

} // namespace toscac::run

#endif
