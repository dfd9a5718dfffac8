//===- Catalog.h - Where profiles and remote files are ----------*- C++ -*-===//
///
/// \file
/// What the options of a run say about files that are not named by a path:
/// profiles by name and URLs by prefix.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_TOSCA_CATALOG_H
#define TOSCAC_LIB_PARSE_TOSCA_CATALOG_H

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Parse/TOSCA/Load.h"
#include <map>
#include <optional>

namespace toscac::tosca {

class Catalog {
public:
  /// Reads the maps that \p options name; reports the ones that it cannot.
  Catalog(const LoadOptions &options, DiagnosticEngine &diags);

  /// The folder of \p file, which is in no archive.
  std::shared_ptr<const Volume> folderOf(llvm::StringRef file,
                                         bool isBundled = false) const;
  /// The file of the profile \p name, if it is known.
  std::optional<std::string> findProfile(llvm::StringRef name) const;
  /// Whether \p file, a profile that was found, comes with the program.
  bool isBundled(llvm::StringRef file) const;
  /// The file \p file, which is relative, in the first folder of -I that has
  /// it.
  std::optional<std::string> findInSearchPaths(llvm::StringRef file) const;
  /// The file of the archive \p name, in whatever folder of -I: the one that
  /// calls itself so in `template_name`. Where \p version is not there, the
  /// last one is taken.
  std::optional<std::string> findArchive(llvm::StringRef name,
                                         llvm::StringRef version);
  /// The file that \p url stands for, if a prefix of it is mapped.
  std::optional<std::string> findRemote(llvm::StringRef url) const;
  /// The name in \p file's folder that is nearest to its own.
  std::optional<std::string> findNearestFile(const Volume &volume,
                                             llvm::StringRef file);
  /// The names that findProfile knows without looking into folders.
  std::vector<llvm::StringRef> profileNames() const;

private:
  void readMap(llvm::StringRef file, std::map<std::string, std::string> &into,
               DiagnosticEngine &diags);
  void findArchives();

  /// Folders that are still searched for nearest names: after so many missing
  /// files, one more suggestion helps nobody.
  unsigned searchesLeft = 100;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk;
  std::vector<std::string> searchPaths;
  std::vector<std::string> bundledProfiles;
  std::map<std::string, std::string> profiles;
  std::map<std::string, std::string> remotes;
  struct ArchiveFile {
    std::string version;
    std::string path;
  };
  /// By name; empty until somebody asks.
  std::map<std::string, std::vector<ArchiveFile>> archives;
  bool knowsArchives = false;
};

} // namespace toscac::tosca

#endif
