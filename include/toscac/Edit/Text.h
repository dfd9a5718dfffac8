//===- toscac/Edit/Text.h - Positions as editors count them -----*- C++ -*-===//
///
/// \file
/// Editors count lines and UTF-16 units from 0, the compiler counts bytes.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EDIT_TEXT_H
#define TOSCAC_EDIT_TEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace toscac::edit {

struct TextPosition {
  uint32_t line = 0;
  uint32_t character = 0;
  friend auto operator<=>(const TextPosition &, const TextPosition &) = default;
};

/// Half-open.
struct TextRange {
  TextPosition start;
  TextPosition end;
  friend auto operator<=>(const TextRange &, const TextRange &) = default;
};

struct Location {
  std::string path;
  TextRange range;
  friend auto operator<=>(const Location &, const Location &) = default;
};

struct TextEdit {
  TextRange range;
  std::string text;
  friend auto operator<=>(const TextEdit &, const TextEdit &) = default;
};

struct FileEdit {
  std::string path;
  std::vector<TextEdit> edits;
  friend auto operator<=>(const FileEdit &, const FileEdit &) = default;
};

/// Where the lines of a text begin. The text must outlive it.
class Lines {
public:
  explicit Lines(llvm::StringRef text);

  /// Of a byte; one behind the end counts as the end.
  TextPosition position(size_t offset) const;
  TextRange range(size_t begin, size_t end) const {
    return {position(begin), position(end)};
  }
  /// The byte at a position; positions behind the end of their line, or of the
  /// text, mean that end.
  size_t offset(TextPosition position) const;
  /// A line without its break.
  llvm::StringRef line(uint32_t number) const;
  size_t lineStart(uint32_t number) const { return starts[number]; }
  uint32_t numLines() const { return starts.size(); }

private:
  llvm::StringRef text;
  std::vector<size_t> starts;
};

/// A change of a part of a text, or of the whole, if it has no range.
struct Change {
  std::optional<TextRange> range;
  std::string text;
};

void applyChange(std::string &text, const Change &change);

/// \p text with \p edits made, which do not overlap.
std::string applyEdits(llvm::StringRef text, std::vector<TextEdit> edits);

} // namespace toscac::edit

#endif
