//===- Load.cpp - A manifest and its releases -----------------------------===//

#include "toscac/Parse/Bosh/Load.h"

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
  bool readReleases(const std::string &folder);

private:
  Release readRelease(const std::string &folder);

  SourceManager &sources;
  DiagnosticEngine &diags;
  Deployment &result;
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
  syntax::Tree &tree =
      result.trees.emplace_back(readYAML(sources, file, diags));
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

bool bosh::load(FileId manifest, const LoadOptions &options,
                SourceManager &sources, DiagnosticEngine &diags,
                Deployment &deployment) {
  Loader loader(sources, diags, deployment);
  if (const Node *root = loader.read(manifest))
    deployment.manifest = parseManifest(*root, diags);
  deployment.releaseFolder = options.releases;
  bool good = options.releases.empty() || loader.readReleases(options.releases);
  if (options.cloud.empty())
    return good;
  if (!fs::exists(options.cloud))
    good = false;
  if (const Node *root = loader.read(options.cloud))
    deployment.cloud = parseCloud(*root, diags);
  return good;
}
