//===- toscac/Parse/TOSCA/Load.h - A file and all it imports ----*- C++ -*-===//
///
/// \file
/// Reads a TOSCA file and, over imports, every file it needs: the input of
/// Sema. The network is never touched; URLs and profiles are found through maps
/// and folders that the user names.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_TOSCA_LOAD_H
#define TOSCAC_PARSE_TOSCA_LOAD_H

#include "toscac/Parse/TOSCA/AST.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace toscac {
class DiagnosticEngine;

namespace tosca {

struct LoadOptions {
  /// -I: folders in which profiles are looked for, first to last, and files
  /// that are not found beside the importing one.
  std::vector<std::string> searchPaths;
  /// Folders of profiles that come with the program, looked at last.
  std::vector<std::string> bundledProfiles;
  /// --profile NAME=FILE
  std::vector<std::string> profiles;
  /// --profile-map: files of lines `name <TAB> path`.
  std::vector<std::string> profileMaps;
  /// --remote-map: files of lines `URL prefix <TAB> folder`.
  std::vector<std::string> remoteMaps;
  /// Threads that read files; 0 means one per core.
  unsigned jobs = 0;
  /// Files with bindings: those that the user named, and those that come with
  /// the program, which are read where a service may need them.
  std::vector<std::string> bindings;
  std::vector<std::string> bundledBindings;
  /// Keynames that the standard lacks, as `entity.keyname`.
  std::vector<std::string> extensions;
  /// Where profiles and bindings are, and whatever else is in no archive; null:
  /// the disk.
  llvm::vfs::FileSystem *files = nullptr;
};

/// Where files are: a folder on disk or an archive. Imports that start with a
/// slash are relative to its root.
struct Volume {
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files;
  std::string root;
  /// Shown before paths of this volume: `service.csar`; empty for folders.
  std::string shownPrefix;
  /// Whether the files come with the program, which has checked them.
  bool isBundled = false;
};

/// An edge of the import graph.
struct Import {
  const Entity *definition;
  /// Index of the imported file.
  uint32_t target;
  /// The namespace that the names are imported into; empty for the root.
  Name prefix;
};

struct File {
  FileId source;
  /// The path in its volume.
  std::string path;
  std::shared_ptr<const Volume> volume;
  /// Where the file is imported first; invalid for an entry.
  SourceRange importedAt;
  syntax::Tree tree;
  /// The version before 2.0 that the file is written in; null for 2.0.
  const EarlierVersion *dialect = nullptr;
  Entity root{EntityKind::File};
  std::vector<Import> imports;
  /// Whether an import of it, or of what it imports, could not be read: names
  /// may be missing, which has been reported once.
  bool isIncomplete = false;
  /// Whether it declares a profile or is a part of one, imported by its path.
  bool isOfProfile = false;
};

/// The import closure of one or more files. Pointers into it stay good.
struct Package {
  std::vector<std::unique_ptr<File>> files;
  /// Indices of the files that were asked for: the entry, then (in a CSAR) the
  /// substitution templates of Other-Definitions.
  std::vector<uint32_t> entries;
  /// Indices of the files with bindings that were read besides.
  std::vector<uint32_t> bindings;
};

/// Whether \p interface, a type, definition or assignment, says anything about
/// a state machine: cells, rules, or when an operation runs.
bool refinesMachine(const Entity &interface);
/// The same of an operation or notification.
bool hasEvents(const Entity &operation);

/// A place in a volume.
struct FileLocation {
  std::shared_ptr<const Volume> volume;
  std::string path;
};

/// Where \p url, a path or a `file:` URL in \p from, leads, whether or not a
/// file is there; nothing for other URLs.
std::optional<FileLocation> locate(llvm::StringRef url, const File &from);

/// A file to start from.
struct EntryFile {
  std::shared_ptr<const Volume> volume;
  std::string path;
  FileId source;
};

/// Loads \p entries and all that they import. Files are read in parallel; the
/// result does not depend on how many threads there are.
Package load(llvm::ArrayRef<EntryFile> entries, const LoadOptions &options,
             SourceManager &sources, NameTable &names, DiagnosticEngine &diags);

/// Loads the profile \p name, as an import of it would, and all that it
/// imports; an empty package after a report.
Package loadProfile(llvm::StringRef name, const LoadOptions &options,
                    SourceManager &sources, NameTable &names,
                    DiagnosticEngine &diags);

} // namespace tosca
} // namespace toscac

#endif
