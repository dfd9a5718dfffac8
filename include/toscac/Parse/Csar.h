//===- toscac/Parse/Csar.h - Cloud service archives -------------*- C++ -*-===//
///
/// \file
/// Opens a CSAR (TOSCA 2.0 chapter 17): unpacks the archive, reads TOSCA.meta
/// where there is one, and finds the file to start from.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_CSAR_H
#define TOSCAC_PARSE_CSAR_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <optional>
#include <string>
#include <vector>

namespace toscac {
class DiagnosticEngine;
class SourceManager;

struct Csar {
  /// The archive's files under the root "/", which is also the working
  /// directory. Buffers that it gives refer to its memory: a SourceManager
  /// that outlives it needs copies.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;
  /// The file to start from, relative to the root. It exists.
  std::string entry;
  /// Files with substitution templates, in the order of Other-Definitions.
  /// They exist.
  std::vector<std::string> others;
};

/// Opens the CSAR in \p bytes, which diagnostics call \p name. Its TOSCA.meta
/// is added to \p sources, named like a file in a folder \p name.
///
/// Digests that TOSCA.meta states are verified. After any error there is no
/// result.
std::optional<Csar> openCsar(llvm::StringRef name, llvm::StringRef bytes,
                             SourceManager &sources, DiagnosticEngine &diags);

} // namespace toscac

#endif
