//===- BundledProfiles.cpp - Profiles that come with toscac ---------------===//
///
/// \file
/// Found from where the program or libtoscac really is, links followed. No path
/// is compiled in: an installation can be moved, and builds are the same in
/// every folder.
///
//===----------------------------------------------------------------------===//

#include "BundledProfiles.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <dlfcn.h>

using namespace toscac;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Any object serves to find the file that it is in.
static const char inThisProgram = 0;

static std::string below(llvm::StringRef folder, llvm::StringRef relative) {
  llvm::SmallString<256> result(folder);
  path::append(result, relative);
  return result.str().str();
}

/// The file that this code is in: libtoscac, or the program.
static std::string ownFile() {
  Dl_info info;
  llvm::SmallString<256> file;
  if (dladdr(&inThisProgram, &info) &&
      path::filename(info.dli_fname).contains(".so") &&
      !fs::real_path(info.dli_fname, file))
    return file.str().str();
  return fs::getMainExecutable(/*argv0=*/nullptr,
                               const_cast<char *>(&inThisProgram));
}

std::vector<std::string> toscac::bundledProfiles() {
  std::string file = ownFile();
  // PREFIX/bin/toscac, or SOURCES/build/PRESET/bin/toscac.
  llvm::StringRef prefix = path::parent_path(path::parent_path(file));
  std::vector<std::string> folders = {below(prefix, "share/toscac/profiles")};
  // PREFIX/lib/x86_64-linux-gnu/libtoscac.so
  if (path::filename(prefix) == "lib")
    folders.push_back(
        below(path::parent_path(prefix), "share/toscac/profiles"));
  if (fs::exists(below(prefix, "CMakeCache.txt"))) {
    llvm::StringRef sources = path::parent_path(path::parent_path(prefix));
    folders.push_back(below(sources, "profiles"));
  }
  llvm::erase_if(folders, [](const std::string &folder) {
    return !fs::is_directory(folder);
  });
  return folders;
}

std::vector<std::string> toscac::bundledBindings() {
  std::vector<std::string> files;
  for (const std::string &folder : bundledProfiles())
    if (std::string file = below(folder, "bindings/profile.yaml");
        fs::exists(file))
      files.push_back(file);
  // An installation beside its sources has them twice.
  files.resize(std::min<size_t>(files.size(), 1));
  return files;
}
