//===- Paths.cpp - Where files are ----------------------------------------===//

#include "Paths.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using llvm::StringRef;
namespace path = llvm::sys::path;

std::string toscac::absolutePath(StringRef name) {
  llvm::SmallString<128> full(name.empty() ? StringRef(".") : name);
  llvm::sys::fs::make_absolute(full);
  path::remove_dots(full, /*remove_dot_dot=*/true);
  return full.str().str();
}

std::string toscac::relativePath(StringRef file, StringRef folder) {
  auto fileAt = path::begin(file), fileEnd = path::end(file);
  auto folderAt = path::begin(folder), folderEnd = path::end(folder);
  while (fileAt != fileEnd && folderAt != folderEnd && *fileAt == *folderAt) {
    ++fileAt;
    ++folderAt;
  }
  std::string result;
  auto add = [&](StringRef part) {
    result += result.empty() ? "" : "/";
    result += part;
  };
  for (; folderAt != folderEnd; ++folderAt)
    add("..");
  for (; fileAt != fileEnd; ++fileAt)
    add(*fileAt);
  return result.empty() ? "." : result;
}
