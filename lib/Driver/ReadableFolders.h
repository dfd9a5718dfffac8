//===- ReadableFolders.h - Where inputs may read ----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_READABLEFOLDERS_H
#define TOSCAC_LIB_DRIVER_READABLEFOLDERS_H

#include "toscac/Driver/Driver.h"

namespace toscac {

/// The folders that files named in the inputs may lie in or below: those of the
/// inputs and of what else the command line names, or, where an input belongs
/// to a project, all of that.
std::vector<std::string> readableFolders(const DriverOptions &options);

} // namespace toscac

#endif
