//===- toscac/Parse/Archive.h - Zip files and tarballs ----------*- C++ -*-===//
///
/// \file
/// Reads an archive into memory (TOSCA 2.0 §17.1.1). Archives come from
/// strangers: whatever could reach outside of the archive, or grow without
/// bound, is refused, and nothing is ever written to disk.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_ARCHIVE_H
#define TOSCAC_PARSE_ARCHIVE_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/MemoryBufferRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <optional>
#include <string>
#include <vector>

namespace toscac {
class DiagnosticEngine;

/// What an archive may hold. The limits bound the memory and time that a
/// hostile one can cost.
namespace archive_limits {
/// Files and folders, with those folders that only paths imply.
inline constexpr uint64_t maxEntries = 65536;
inline constexpr uint64_t maxNameSize = 4096;
inline constexpr uint64_t maxFileSize = uint64_t(256) << 20;
/// All files together, and a tarball with its headers.
inline constexpr uint64_t maxTotalSize = uint64_t(512) << 20;
/// Unpacked size by packed size; looked at only beyond `freeSize`, since a
/// small archive of repetitive text can honestly have a high ratio.
inline constexpr uint64_t maxRatio = 200;
inline constexpr uint64_t freeSize = uint64_t(64) << 20;
} // namespace archive_limits

struct Archive {
  /// The files under the root "/", which is also the working directory.
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> files;
  /// Paths of the files relative to the root, sorted.
  std::vector<std::string> names;
};

/// Whether \p bytes begin like a zip file, a tarball or a compressed tarball.
/// No YAML file does.
bool looksLikeArchive(llvm::StringRef bytes);

/// Unpacks \p archive, whose identifier names it in diagnostics. Reports every
/// entry that is refused; after any error there is no result.
std::optional<Archive> readArchive(llvm::MemoryBufferRef archive,
                                   DiagnosticEngine &diags);

} // namespace toscac

#endif
