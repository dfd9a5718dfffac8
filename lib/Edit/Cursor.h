//===- Cursor.h - The cursor in the tree ------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EDIT_CURSOR_H
#define TOSCAC_LIB_EDIT_CURSOR_H

#include "toscac/Edit/Outline.h"

namespace toscac::edit {

/// What stands for the word at the cursor.
inline constexpr llvm::StringLiteral mark = "toscac-cursor";

/// A text with the mark in it, read as far as it can be.
struct Marked {
  std::unique_ptr<Outline> outline;
  Place place;
  /// The mark; the last of the nodes of the place.
  const syntax::Node *node;
  /// It was read as a key: what is inserted needs a colon.
  bool isNewKey = false;
  /// A colon stands behind it already.
  bool hasColon = false;
};

/// The word around the cursor.
struct WordAt {
  size_t begin;
  size_t end;
  llvm::StringRef text;
  size_t cursor;
};
WordAt wordAt(llvm::StringRef text, size_t offset);

/// The ways in which the text can be read with a mark instead of \p word, the
/// likeliest first: as a value, or as a key with what follows it.
std::vector<Marked> placeMark(llvm::StringRef text, const WordAt &word);

} // namespace toscac::edit

#endif
