//===- Decompress.h - Decompression within limits ---------------*- C++ -*-===//
///
/// \file
/// Undoes the compression of a tarball, and keeps account of how much an
/// archive grows while it is unpacked.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_DECOMPRESS_H
#define TOSCAC_LIB_PARSE_DECOMPRESS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MemoryBufferRef.h"
#include <optional>

namespace toscac {
class DiagnosticEngine;

/// What unpacking one archive may still cost.
class UnpackBudget {
public:
  UnpackBudget(llvm::MemoryBufferRef archive, DiagnosticEngine &diags)
      : archive(archive), diags(diags) {}

  /// Takes \p bytes off; reports and returns false where that is too much.
  bool take(uint64_t bytes);

private:
  llvm::MemoryBufferRef archive;
  DiagnosticEngine &diags;
  uint64_t taken = 0;
};

using Bytes = llvm::SmallVector<char, 0>;

enum class Compression : uint8_t { None, Gzip, Bzip2, Xz, Zstd };

/// The compression that \p bytes begin like.
Compression compressionOf(llvm::StringRef bytes);

/// Decompresses all of \p archive and checks its checksums; reports where that
/// cannot be done.
std::optional<Bytes> decompress(llvm::MemoryBufferRef archive,
                                Compression compression,
                                DiagnosticEngine &diags);

} // namespace toscac

#endif
