//===- toscac/Basic/Confinement.h - What an input may read ------*- C++ -*-===//
///
/// \file
/// Templates come from others and name files: what they import, the text that
/// `get_file` puts into a plan. A file system that is confined gives them those
/// below a few folders and nothing else, wherever links lead.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_CONFINEMENT_H
#define TOSCAC_BASIC_CONFINEMENT_H

#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace toscac {

/// \p files with what lies in or below \p folders, and templates, only. Whether
/// other files exist can be seen; opening them fails, and the error says why.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
confine(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
        llvm::ArrayRef<std::string> folders);

} // namespace toscac

#endif
