//===- toscac/Edit/Describe.h - What is this --------------------*- C++ -*-===//
///
/// \file
/// What an editor shows beside the text: about the name under the cursor, and
/// about what nobody wrote because it follows from types.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EDIT_DESCRIBE_H
#define TOSCAC_EDIT_DESCRIBE_H

#include "toscac/Edit/Workspace.h"

namespace toscac::edit {

struct Hover {
  TextRange range;
  /// In Markdown.
  std::string text;
};
std::optional<Hover> describe(Workspace &workspace, Document &document,
                              TextPosition at);

/// A short text after the end of a word.
struct Hint {
  TextPosition position;
  std::string label;
};
/// Of the lines of \p range: how many instances a computed count gives, which
/// type of relationship a requirement makes, which operations of an interface
/// are inherited.
std::vector<Hint> hintsIn(Workspace &workspace, Document &document,
                          TextRange range);

} // namespace toscac::edit

#endif
