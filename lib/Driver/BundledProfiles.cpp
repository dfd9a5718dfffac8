//===- BundledProfiles.cpp - Profiles that come with toscac ---------------===//
///
/// \file
/// Found from where the executable really is, links followed. No path is
/// compiled in: an installation can be moved, and builds are the same in every
/// folder.
///
//===----------------------------------------------------------------------===//

#include "BundledProfiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace toscac;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Any object of the program serves to find its file.
static const char inThisProgram = 0;

static std::string below(llvm::StringRef folder, llvm::StringRef relative) {
  llvm::SmallString<256> result(folder);
  path::append(result, relative);
  return result.str().str();
}

std::vector<std::string> toscac::bundledProfiles() {
  std::string program = fs::getMainExecutable(
      /*argv0=*/nullptr, const_cast<char *>(&inThisProgram));
  // PREFIX/bin/toscac, or SOURCES/build/PRESET/bin/toscac.
  llvm::StringRef prefix = path::parent_path(path::parent_path(program));
  std::vector<std::string> folders = {below(prefix, "share/toscac/profiles")};
  if (fs::exists(below(prefix, "CMakeCache.txt"))) {
    llvm::StringRef sources = path::parent_path(path::parent_path(prefix));
    folders.push_back(below(sources, "profiles"));
  }
  llvm::erase_if(folders, [](const std::string &folder) {
    return !fs::is_directory(folder);
  });
  return folders;
}
