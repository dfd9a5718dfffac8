//===- ReadableFolders.cpp - Where inputs may read ------------------------===//

#include "ReadableFolders.h"

#include "BundledProfiles.h"
#include "Paths.h"
#include "toscac/Driver/Project.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

class Folders {
public:
  void add(StringRef folder) { found.push_back(absolutePath(folder)); }
  void addAround(StringRef file) { add(path::parent_path(file)); }
  /// A folder, or the file beside which others lie.
  void addTarget(StringRef name) {
    fs::is_directory(name) ? add(name) : addAround(name);
  }
  /// What the lines `name <TAB> path` of the table \p file lead to.
  void addTable(const std::string &file);
  void addInput(StringRef input);
  std::vector<std::string> take() { return std::move(found); }

private:
  std::vector<std::string> found;
};

} // namespace

void Folders::addTable(const std::string &file) {
  addAround(file);
  auto buffer = llvm::MemoryBuffer::getFile(file);
  // Who reads it next says why that is not possible.
  if (!buffer)
    return;
  for (llvm::line_iterator line(**buffer, /*SkipBlanks=*/true, '#');
       !line.is_at_end(); ++line) {
    StringRef place = line->split('\t').second.split('\t').first.rtrim("\r");
    llvm::SmallString<256> target(
        path::is_absolute(place) ? "" : path::parent_path(file));
    path::append(target, place);
    addTarget(target);
  }
}

/// A folder under version control is one project: its files name each other.
void Folders::addInput(StringRef input) {
  addTarget(input);
  for (std::string folder = found.back(); !folder.empty();
       folder = path::parent_path(folder).str())
    if (fs::exists(folder + "/.git"))
      return add(folder);
}

std::vector<std::string> toscac::readableFolders(const DriverOptions &options) {
  const ImportOptions &imports = options.imports;
  Folders folders;
  for (const std::string &input : options.inputs)
    folders.addInput(input == "-" ? options.stdinName : input);
  if (std::string project = findProjectFile(options); !project.empty())
    folders.addAround(project);
  for (const auto *given : {&imports.searchPaths, &imports.readable})
    for (const std::string &folder : *given)
      folders.add(folder);
  for (StringRef profile : imports.profiles)
    folders.addTarget(profile.split('=').second);
  for (const auto *tables : {&imports.profileMaps, &imports.remoteMaps})
    for (const std::string &table : *tables)
      folders.addTable(table);
  if (!imports.lifecycle.empty())
    folders.addAround(imports.lifecycle);
  for (const auto *files :
       {&options.heat.environments, &options.inputValues.files})
    for (const std::string &file : *files)
      folders.addAround(file);
  for (const std::string &folder : bundledProfiles())
    folders.add(folder);
  return folders.take();
}
