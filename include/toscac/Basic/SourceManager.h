//===- toscac/Basic/SourceManager.h - Source buffers and places -*- C++ -*-===//
///
/// \file
/// Owns the text of every file that was read and turns compact locations back
/// into file, line and column.
///
/// All files share one 32-bit address space, so that a location is four bytes
/// and a range eight. Line tables are made when the first diagnostic asks.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_SOURCEMANAGER_H
#define TOSCAC_BASIC_SOURCEMANAGER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace toscac {

/// Index of a file in its SourceManager, in the order of reading.
struct FileId {
  uint32_t index = ~0u;
  bool isValid() const { return index != ~0u; }
  friend bool operator==(FileId, FileId) = default;
};

/// A byte in some source file; the default value is "no place".
struct SourceLoc {
  uint32_t raw = 0;

  bool isValid() const { return raw != 0; }
  SourceLoc advanced(uint32_t bytes) const { return {raw + bytes}; }
  friend bool operator==(SourceLoc, SourceLoc) = default;
  friend auto operator<=>(SourceLoc, SourceLoc) = default;
};

/// Half-open range of bytes [begin, end).
struct SourceRange {
  SourceLoc begin;
  SourceLoc end;

  SourceRange() = default;
  SourceRange(SourceLoc at) : begin(at), end(at) {}
  SourceRange(SourceLoc begin, SourceLoc end) : begin(begin), end(end) {}
  bool isValid() const { return begin.isValid(); }
  uint32_t size() const { return end.raw - begin.raw; }
  friend bool operator==(const SourceRange &, const SourceRange &) = default;
};

/// A location as people read it. Lines and columns count from 1; a column is a
/// Unicode code point, not a byte.
struct Position {
  FileId file;
  uint32_t line = 0;
  uint32_t column = 0;
};

class SourceManager {
public:
  /// Largest file that is read. YAML of this size takes minutes; what is
  /// larger is not a template.
  static constexpr uint64_t maxFileSize = uint64_t(512) << 20;

  /// Takes over \p buffer under the name shown to the user. Returns an invalid
  /// id when the address space is exhausted.
  FileId add(std::string name, std::unique_ptr<llvm::MemoryBuffer> buffer);

  size_t numFiles() const { return files.size(); }
  /// The size of all files together.
  uint64_t numBytes() const { return nextBase - 1 - files.size(); }
  llvm::StringRef name(FileId file) const { return get(file).name; }
  llvm::StringRef text(FileId file) const {
    return get(file).buffer->getBuffer();
  }
  llvm::StringRef text(SourceRange range) const;

  /// Where \p file begins in the shared address space.
  SourceLoc begin(FileId file) const { return {get(file).base}; }
  /// All of \p file.
  SourceRange rangeOf(FileId file) const {
    return {begin(file), begin(file).advanced(text(file).size())};
  }
  FileId fileOf(SourceLoc loc) const;
  uint32_t offsetInFile(SourceLoc loc) const;
  Position position(SourceLoc loc) const;

  /// The text of a line (counted from 1) without its line break.
  llvm::StringRef line(FileId file, uint32_t line) const;
  /// The location of a line's first byte.
  SourceLoc lineStart(FileId file, uint32_t line) const;

private:
  struct File {
    std::string name;
    std::unique_ptr<llvm::MemoryBuffer> buffer;
    uint32_t base;
    /// Offsets of line starts; empty until asked for.
    mutable std::vector<uint32_t> lines;
    /// Number of code points before each block of the text, so that a column
    /// costs the same on a line of 100 MB; made together with `lines`.
    mutable std::vector<uint32_t> blocks;
  };
  const File &get(FileId file) const { return files[file.index]; }
  const std::vector<uint32_t> &lineTable(const File &file) const;
  static uint32_t codePointsBefore(const File &file, uint32_t offset);

  std::vector<File> files;
  /// 0 is the invalid location. Bases leave a gap of one byte, so that the end
  /// of a file is not the start of the next.
  uint32_t nextBase = 1;
};

} // namespace toscac

#endif
