//===- toscac/Edit/Complete.h - What may stand here -------------*- C++ -*-===//
///
/// \file
/// Completion by the grammar's tables and by what types declare. The word at
/// the cursor is replaced by a mark, the file is read as far as it can be, and
/// the place of the mark in the tree says what may stand there.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EDIT_COMPLETE_H
#define TOSCAC_EDIT_COMPLETE_H

#include "toscac/Edit/Workspace.h"

namespace toscac::edit {

enum class CompletionKind : uint8_t {
  Keyname,
  Type,
  Template,
  Member,
  Operation,
  Input,
  Function,
  Value,
  PathWord,
  Unit,
  File,
  Snippet
};

struct Completion {
  std::string label;
  CompletionKind kind;
  std::string detail;
  std::string documentation;
  /// What is inserted instead of the word at the cursor; of a snippet, with
  /// places to fill in.
  std::string insert;
  bool isSnippet = false;
  /// Lower ones first: 0 is what has to be there.
  unsigned rank = 1;
};

struct Completions {
  /// The word at the cursor.
  TextRange replaced;
  std::vector<Completion> items;
};

Completions complete(Workspace &workspace, Document &document, TextPosition at);

/// One of the ways to call a function.
struct Signature {
  std::string label;
  std::string documentation;
  /// The parts of the label that are arguments.
  std::vector<std::pair<unsigned, unsigned>> parameters;
};

/// What the function around a position takes.
struct SignaturesAt {
  std::vector<Signature> signatures;
  /// Which of them the call is, as far as it is written.
  size_t active = 0;
  size_t activeParameter = 0;
};
std::optional<SignaturesAt> findSignatures(Workspace &workspace,
                                           Document &document, TextPosition at);

} // namespace toscac::edit

#endif
