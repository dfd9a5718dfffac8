//===- toscac/Edit/Actions.h - What an editor can do for people -*- C++ -*-===//
///
/// \file
/// Changes that people would otherwise write by hand, and pages of a file as it
/// is in the editor.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EDIT_ACTIONS_H
#define TOSCAC_EDIT_ACTIONS_H

#include "toscac/Edit/Workspace.h"

namespace toscac::edit {

struct Action {
  std::string title;
  /// What the protocol calls it: `quickfix`, `refactor.extract`.
  std::string kind;
  std::vector<FileEdit> edits;
  bool isPreferred = false;
  /// What it cures, if anything.
  std::optional<ShownDiagnostic> cures;
};

/// What can be done at \p range, with the diagnostics that were published.
std::vector<Action> findActions(Workspace &workspace, Document &document,
                                TextRange range);

/// The change that gives the document its one form; nothing where it does not
/// parse, and no edit where it has it.
std::optional<std::vector<TextEdit>>
formatDocument(Workspace &workspace, Document &document, bool orderKeynames);

/// A button above a line.
struct Lens {
  TextRange range;
  /// Empty: summarizePlan() has it, which costs more.
  std::string title;
  std::string command;
};
std::vector<Lens> findLenses(Workspace &workspace, Document &document);

/// The last line of the view of the plan; just `Plan` where that is not to be
/// had.
std::string summarizePlan(Workspace &workspace, Document &document);

/// What toscac makes of the document as it is in the editor.
struct Preview {
  std::string text;
  /// `html`: a page, or `text`.
  std::string format;
  /// The view of the page to start with: `plan`, `topology`, `machines`.
  std::string view;
  /// Why there is none; empty if there is.
  std::string problem;
};
/// \p command is one of `toscac.showTopology`, `toscac.showMachine` and
/// `toscac.showPlan`.
Preview showPreview(Workspace &workspace, Document &document,
                    llvm::StringRef command);

} // namespace toscac::edit

#endif
