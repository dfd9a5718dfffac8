//===- Remote.h - Scripts on other machines ---------------------*- C++ -*-===//
///
/// \file
/// A script that runs elsewhere takes its files along and finds there what it
/// would find here. One connection carries it: what it prints comes back as it
/// is printed, its outputs at the end. It dies with the process here that waits
/// for it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_REMOTE_H
#define TOSCAC_LIB_RUN_REMOTE_H

#include "StepFiles.h"

namespace toscac::run {

/// Changes \p command, which runs \p runnable here, so that it runs on
/// \p machine. \p files are taken along, with \p context.
llvm::Error runElsewhere(Command &command, const Runnable &runnable,
                         llvm::ArrayRef<const Runnable *> files,
                         const StepFiles &stepFiles, const Machine &machine,
                         const Connections &connections,
                         llvm::StringRef context);

/// Changes \p command, which reaches \p machine by itself, so that it begins
/// when the machine lets us in.
void waitFor(Command &command, const Machine &machine,
             const Connections &connections);

/// Copies \p files to their places in \p folder.
llvm::Error copyBeside(llvm::ArrayRef<const Runnable *> files,
                       llvm::StringRef folder);

} // namespace toscac::run

#endif
