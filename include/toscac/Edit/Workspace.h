//===- toscac/Edit/Workspace.h - The files of an editor ---------*- C++ -*-===//
///
/// \file
/// The files that an editor has open, as they are there, and those of its
/// folders. Each open file is checked as `toscac --check FILE` would; files
/// that are not open are checked together, as `toscac --check FOLDER` does.
///
/// What a file means depends on its text and on the files that it imports, and
/// on nothing that happened before: a change drops what was known of the files
/// concerned, and the next question or update() works it out again.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_EDIT_WORKSPACE_H
#define TOSCAC_EDIT_WORKSPACE_H

#include "toscac/Driver/Check.h"
#include "toscac/Edit/Diagnose.h"
#include "toscac/Edit/Outline.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include <map>
#include <set>

namespace toscac::tosca {
struct File;
}

namespace toscac::edit {

/// A check together with the files that it was made from.
class Checked {
public:
  Checked(DriverOptions options,
          llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);
  ~Checked();

  const Check &operator*() const { return *check; }
  const Check *operator->() const { return check.get(); }
  /// The paths of all files that were read.
  const std::set<std::string> &paths() const { return read; }
  /// Whether it might be different if there were another file.
  bool lacksFiles() const { return isLacking; }
  /// Whether inputs have other values than their defaults.
  bool hasInputs() const { return isGivenInputs; }
  /// The file of the package at \p path; null if there is none.
  const tosca::File *find(llvm::StringRef path) const;

private:
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;
  std::unique_ptr<Check> check;
  std::set<std::string> read;
  bool isLacking = false;
  bool isGivenInputs;
};

/// A file that is open in the editor.
class Document {
public:
  const std::string path;
  int64_t version = 0;

  const std::string &text() const { return content; }

private:
  friend class Workspace;
  explicit Document(std::string path) : path(std::move(path)) {}

  std::string content;
  /// Null while nobody has asked since the last change.
  std::unique_ptr<Outline> outline;
  /// What the compiler says; null after a change of this file or of another
  /// one that it depends on.
  std::unique_ptr<Checked> checked;
  /// The same of the repaired text, where the file does not parse.
  std::unique_ptr<Checked> mended;
  /// The last of both, which is good enough to complete names.
  std::unique_ptr<Checked> earlier;
};

class Workspace {
public:
  /// The diagnostics of a file that are new, or gone.
  struct Published {
    std::string path;
    std::optional<int64_t> version;
    std::vector<ShownDiagnostic> diagnostics;
  };

  explicit Workspace(DriverOptions options);
  ~Workspace();

  void addFolder(std::string path);
  void removeFolder(llvm::StringRef path);
  void setOptions(DriverOptions options);
  const DriverOptions &options() const { return driver; }

  void open(const std::string &path, std::string text, int64_t version);
  void change(llvm::StringRef path, llvm::ArrayRef<Change> changes,
              int64_t version);
  void close(llvm::StringRef path);
  /// A file was made, changed or removed on the disk.
  void changedOnDisk(llvm::StringRef path);

  /// Null if it is not open.
  Document *find(llvm::StringRef path);
  const Outline &outline(Document &document);
  /// What the compiler makes of the document as it is.
  const Checked &checked(Document &document);
  /// The same for questions about names: where the file does not parse, that of
  /// its repaired text.
  const Checked &names(Document &document);
  /// The same, perhaps as it was before the last changes: it costs nothing.
  const Checked &recentNames(Document &document);
  /// All files of the folders with all that they import; open files count as
  /// they are in the editor.
  const Checked &everything();
  const std::vector<std::string> &folders() const { return roots; }

  /// Checks open files that are out of date, then the others that import them,
  /// and gives what changed in what is to be shown. Stops between two checks if
  /// \p isInterrupted: the rest is done by the next update.
  std::vector<Published> update(llvm::function_ref<bool()> isInterrupted);

  /// The diagnostics of the file at \p path as they were published.
  llvm::ArrayRef<ShownDiagnostic> diagnosticsOf(llvm::StringRef path) const;
  /// The text of a file, open or not.
  std::optional<std::string> textOf(llvm::StringRef path);
  /// The files as the editor has them.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
  overlay(llvm::StringRef replacedPath = "",
          llvm::StringRef replacement = "") const;

private:
  bool inFolders(llvm::StringRef path) const;
  DriverOptions optionsFor(std::vector<std::string> inputs) const;
  const std::vector<std::string> &filesOfFolders();
  void invalidate(llvm::StringRef path, bool isNewOrGone);
  void waitForImporters(llvm::StringRef path);
  bool isAsOnDisk(llvm::StringRef path, llvm::StringRef text) const;
  void checkClosed();
  std::vector<Published> publish();

  DriverOptions driver;
  std::vector<std::string> roots;
  std::map<std::string, std::unique_ptr<Document>, std::less<>> documents;

  /// All files of the folders; null before they are asked for.
  std::unique_ptr<Checked> all;
  bool allIsStale = true;
  /// Who imports whom, as of the last check of all.
  std::multimap<std::string, std::string> importers;
  /// Those that toscac --check would look at, and open ones, sorted; none until
  /// somebody asks.
  std::optional<std::vector<std::string>> files;
  /// Files of the folders that are to be checked, unless they are open.
  std::set<std::string> waiting;
  /// Diagnostics of files that are not open.
  FileDiagnostics closed;
  FileDiagnostics published;
  /// Open files whose diagnostics have to be shown with their new version.
  std::set<std::string> changed;
};

} // namespace toscac::edit

#endif
