//===- PlanInputs.cpp - The files that a plan was made from ---------------===//

#include "PlanInputs.h"

#include "BundledProfiles.h"
#include "Compilation.h"
#include "Paths.h"
#include "toscac/Basic/Digest.h"
#include "toscac/IR/Graph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using llvm::StringRef;
namespace path = llvm::sys::path;

void FileNamer::addProfiles(const tosca::Package &package) {
  for (const auto &file : package.files)
    if (StringRef name = file->root.text(tosca::Key::Profile); !name.empty())
      profiles.push_back({absolutePath(path::parent_path(file->path)), name});
}

FileNamer::FileNamer(const Compilation &compilation, StringRef root)
    : root(root) {
  addProfiles(compilation.package);
  std::vector<std::string> bundled = bundledProfiles();
  llvm::erase_if(profiles, [&](const auto &profile) {
    return llvm::none_of(bundled, [&](const std::string &folder) {
      return StringRef(profile.first).starts_with(absolutePath(folder) + "/");
    });
  });
}

std::string FileNamer::nameOf(StringRef file) const {
  std::string full = absolutePath(file);
  for (const auto &[folder, name] : profiles) {
    StringRef inside = full;
    if (inside.consume_front(folder) && inside.consume_front("/"))
      return ("profile:" + name + "/" + inside).str();
  }
  return relativePath(full, root);
}

/// The files of TOSCA that no service of the graph needs.
static llvm::DenseSet<uint32_t> unusedFiles(const Compilation &compilation) {
  const tosca::Package &package = compilation.package;
  llvm::DenseSet<uint32_t> unused;
  bool isAlone = package.entries.size() < 2 || !compilation.graph;
  if (isAlone && package.bindings.empty())
    return unused;
  llvm::DenseSet<StringRef> services;
  if (compilation.graph)
    for (const ir::Subgraph &subgraph : compilation.graph->subgraphs)
      services.insert(subgraph.service.str());
  llvm::DenseSet<uint32_t> sources = {
      package.files[package.entries.front()]->source.index};
  for (const sema::Service &service : compilation.checked.services)
    if (services.contains(service.name.str()) && service.range.isValid())
      sources.insert(compilation.sources.fileOf(service.range.begin).index);
  llvm::SmallVector<uint32_t> pending;
  llvm::DenseSet<uint32_t> reached;
  for (uint32_t entry : package.entries)
    if (isAlone || sources.contains(package.files[entry]->source.index))
      pending.push_back(entry);
  for (uint32_t file : package.bindings)
    if (llvm::is_contained(compilation.checked.bindings,
                           package.files[file]->source))
      pending.push_back(file);
  while (!pending.empty()) {
    uint32_t file = pending.pop_back_val();
    if (reached.insert(file).second)
      for (const tosca::Import &import : package.files[file]->imports)
        pending.push_back(import.target);
  }
  for (uint32_t file = 0; file != package.files.size(); ++file)
    if (!reached.contains(file))
      unused.insert(package.files[file]->source.index);
  return unused;
}

std::vector<std::pair<std::string, std::string>>
toscac::inputsOfPlan(const Compilation &compilation, StringRef root) {
  const SourceManager &sources = compilation.sources;
  FileNamer namer(compilation, root);
  llvm::DenseSet<uint32_t> unused = unusedFiles(compilation);
  std::vector<std::pair<std::string, std::string>> inputs;
  // Some languages read a file once for each prefix that its names get.
  llvm::StringSet<> seen;
  for (uint32_t i = 0; i != sources.numFiles(); ++i) {
    FileId file{i};
    // Text that was not in a file: `<stdin>`.
    if (sources.name(file).starts_with("<") || unused.contains(i))
      continue;
    if (std::string name = namer.nameOf(sources.name(file));
        seen.insert(name).second)
      inputs.push_back(
          {name, "sha256:" + *hexDigest("sha256", sources.text(file))});
  }
  return inputs;
}
