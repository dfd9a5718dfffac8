//===- toscac/Edit/Navigate.h - From names to what they mean ----*- C++ -*-===//
///
/// \file
/// Definitions, references and renaming: all follow the uses of names that the
/// analysis has found.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EDIT_NAVIGATE_H
#define TOSCAC_EDIT_NAVIGATE_H

#include "toscac/Edit/Workspace.h"

namespace toscac::edit {

/// A name at some place, and what it stands for.
struct NameAt {
  SourceRange range;
  /// Null if the name is a declaration itself that refines nothing.
  const tosca::Entity *declaration = nullptr;
};

/// The name at \p offset of the file at \p path, if one is there. It is one of
/// \p checked.
std::optional<NameAt> findName(const Checked &checked, llvm::StringRef path,
                               size_t offset);

std::vector<Location> findDefinitions(Workspace &workspace, Document &document,
                                      TextPosition at);
/// Where the type of what is at \p at is declared.
std::vector<Location> findTypeDefinitions(Workspace &workspace,
                                          Document &document, TextPosition at);
/// All uses, in all files of the folders and all that are open, sorted.
std::vector<Location> findReferences(Workspace &workspace, Document &document,
                                     TextPosition at, bool withDeclarations);
/// The uses in the document itself.
std::vector<TextRange> findHighlights(Workspace &workspace, Document &document,
                                      TextPosition at);

struct Renaming {
  /// The part of the text that is renamed, and what it is.
  TextRange range;
  std::string name;
  std::vector<FileEdit> edits;
  /// Why it cannot be done; empty if it can.
  std::string problem;
};

/// What rename() would start from.
Renaming prepareRename(Workspace &workspace, Document &document,
                       TextPosition at);
Renaming rename(Workspace &workspace, Document &document, TextPosition at,
                llvm::StringRef newName);

/// A part of a document that leads to a file.
struct Link {
  TextRange range;
  std::string target;
  friend auto operator<=>(const Link &, const Link &) = default;
};
/// Imports and artifacts.
std::vector<Link> findLinks(Workspace &workspace, Document &document);

} // namespace toscac::edit

#endif
