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
  Catalog(const LoadOptions &options, llvm::vfs::FileSystem &disk,
          DiagnosticEngine &diags);

  /// The file of the profile \p name, if it is known.
  std::optional<std::string> findProfile(llvm::StringRef name) const;
  /// Whether \p file, a profile that was found, comes with the program.
  bool isBundled(llvm::StringRef file) const;
  /// The file \p file, which is relative, in the first folder of -I that has
  /// it.
  std::optional<std::string> findInSearchPaths(llvm::StringRef file) const;
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

  /// Folders that are still searched for nearest names: after so many missing
  /// files, one more suggestion helps nobody.
  unsigned searchesLeft = 100;
  llvm::vfs::FileSystem &disk;
  std::vector<std::string> searchPaths;
  std::vector<std::string> bundledProfiles;
  std::map<std::string, std::string> profiles;
  std::map<std::string, std::string> remotes;
};

} // namespace toscac::tosca

#endif
