//===- Load.cpp - A manifest and its releases -----------------------------===//

#include "toscac/Parse/Bosh/Load.h"

#include "ApplyOps.h"
#include "Interpolate.h"
#include "ParseFiles.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/Files.h"
#include "toscac/Parse/ReadYAML.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Node;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

class Loader {
public:
  Loader(SourceManager &sources, DiagnosticEngine &diags, Deployment &result)
      : sources(sources), diags(diags), result(result) {}

  /// The root of \p file; null after a report.
  const Node *read(FileId file);
  const Node *read(const std::string &name);
  bool readManifest(FileId manifest, const ManifestChanges &changes);
  bool readReleases(const std::string &folder);

private:
  const Node *readNamed(const std::string &name);
  FileId addText(const std::string &name, StringRef text);
  void readVariables(const ManifestChanges &changes, VariableValues &values);
  void setVariable(StringRef assignment, VariableValues &values);
  void setVariables(const Node &map, VariableValues &values);
  Release readRelease(const std::string &folder);

  SourceManager &sources;
  DiagnosticEngine &diags;
  Deployment &result;
  /// Whether all files are there that the command line names.
  bool areThere = true;
};

} // namespace

static std::string pathIn(StringRef folder, const llvm::Twine &name) {
  llvm::SmallString<128> result(folder);
  path::append(result, name);
  return result.str().str();
}

/// The names of folders in \p folder, sorted.
static std::vector<std::string> foldersIn(const std::string &folder,
                                          std::error_code &error) {
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error))
    if (fs::is_directory(at->path()))
      names.push_back(path::filename(at->path()).str());
  llvm::sort(names);
  return names;
}

const Node *Loader::read(FileId file) {
  syntax::Tree &tree = result.trees.emplace_back(
      readYAML(sources, file, diags, YAMLDialect::GoYAML));
  return tree.valid ? &tree.root : nullptr;
}

const Node *Loader::read(const std::string &name) {
  auto text = readFile(name, diags);
  if (!text)
    return nullptr;
  FileId file = sources.add(name, std::move(text));
  if (file.isValid())
    return read(file);
  diags.report({}, diag::TooMuchSource, name);
  return nullptr;
}

Release Loader::readRelease(const std::string &folder) {
  Release release;
  release.name = path::filename(folder).str();
  std::string jobs = pathIn(folder, "jobs");
  std::error_code error;
  for (const std::string &name : foldersIn(jobs, error)) {
    std::string spec = pathIn(jobs, name + "/spec");
    if (!fs::exists(spec))
      continue;
    if (const Node *root = read(spec))
      release.jobs.push_back(parseJobSpec(*root, pathIn(jobs, name), diags));
  }
  llvm::stable_sort(release.jobs, [](const JobSpec &a, const JobSpec &b) {
    return a.name < b.name;
  });
  return release;
}

bool Loader::readReleases(const std::string &folder) {
  std::error_code error;
  for (const std::string &name : foldersIn(folder, error))
    result.releases.push_back(readRelease(pathIn(folder, name)));
  if (!error)
    return true;
  diags.report({}, diag::CannotReadFile, folder, error.message());
  return false;
}

/// The tree of a file that the command line names; null after a report. Notes
/// whether the file is there at all.
const Node *Loader::readNamed(const std::string &name) {
  areThere &= fs::exists(name);
  return read(name);
}

FileId Loader::addText(const std::string &name, StringRef text) {
  return sources.add(name, llvm::MemoryBuffer::getMemBufferCopy(text));
}

/// The value in `NAME=VALUE`: YAML, but a string is taken as it is written.
void Loader::setVariable(StringRef assignment, VariableValues &values) {
  auto [name, text] = assignment.split('=');
  FileId file = addText(("<variable " + name + ">").str(), text);
  const Node *value = read(file);
  if (!value)
    return;
  Node result = *value;
  if (value->isString())
    result = Node::scalar(value->range(), sources.text(file),
                          syntax::ScalarStyle::DoubleQuoted);
  values.set(name, result);
}

void Loader::setVariables(const Node &map, VariableValues &values) {
  if (map.isNull())
    return;
  if (!map.isMapping()) {
    diags.report(map.range(), diag::ManifestShape, "a file of variables",
                 "a map");
    return;
  }
  for (const syntax::Entry &entry : map.entries())
    if (entry.key.isScalar())
      values.set(entry.key.text(), entry.value);
}

void Loader::readVariables(const ManifestChanges &changes,
                           VariableValues &values) {
  for (const std::string &name : changes.variableMaps)
    if (const Node *map = readNamed(name))
      setVariables(*map, values);
  for (StringRef assignment : changes.variableFiles) {
    auto [name, path] = assignment.split('=');
    auto text = readFile(path, diags);
    areThere &= text != nullptr;
    if (!text)
      continue;
    FileId file = sources.add(path.str(), std::move(text));
    if (file.isValid())
      values.set(name, Node::scalar(sources.begin(file), sources.text(file),
                                    syntax::ScalarStyle::DoubleQuoted));
  }
  for (StringRef assignment : changes.variables)
    setVariable(assignment, values);
  if (!changes.variableStore.empty() && fs::exists(changes.variableStore))
    if (const Node *map = readNamed(changes.variableStore);
        map && map->isMapping())
      values.addWeak(*map);
}

bool Loader::readManifest(FileId manifest, const ManifestChanges &changes) {
  const Node *root = read(manifest);
  if (!root)
    return true;
  llvm::BumpPtrAllocator &arena = *result.trees.front().arena;
  result.document = *root;
  size_t errors = diags.numErrors();
  for (const std::string &name : changes.opsFiles)
    if (const Node *ops = readNamed(name))
      applyOps(*ops, result.document, arena, diags);
  VariableValues values(arena);
  readVariables(changes, values);
  result.document = interpolate(result.document, values, arena, diags);
  // What is half changed would only confuse.
  if (diags.numErrors() == errors)
    result.manifest = parseManifest(result.document, diags);
  return areThere;
}

bool bosh::load(FileId manifest, const LoadOptions &options,
                SourceManager &sources, DiagnosticEngine &diags,
                Deployment &deployment) {
  Loader loader(sources, diags, deployment);
  bool good = loader.readManifest(manifest, options.changes);
  deployment.releaseFolder = options.releases;
  if (!options.releases.empty())
    good &= loader.readReleases(options.releases);
  if (options.cloud.empty())
    return good;
  if (!fs::exists(options.cloud))
    good = false;
  if (const Node *root = loader.read(options.cloud))
    deployment.cloud = parseCloud(*root, diags);
  return good;
}
