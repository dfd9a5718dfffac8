//===- Catalog.cpp - Where profiles and remote files are ------------------===//

#include "Catalog.h"

#include "toscac/Basic/DiagnosticsParse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
namespace path = llvm::sys::path;

Catalog::Catalog(const LoadOptions &options, DiagnosticEngine &diags)
    : disk(options.files ? llvm::IntrusiveRefCntPtr(options.files)
                         : llvm::vfs::getRealFileSystem()),
      searchPaths(options.searchPaths),
      bundledProfiles(options.bundledProfiles) {
  for (StringRef map : options.profileMaps)
    readMap(map, profiles, diags);
  for (StringRef map : options.remoteMaps)
    readMap(map, remotes, diags);
  for (StringRef definition : options.profiles) {
    auto [name, file] = definition.split('=');
    profiles[name.str()] = file.str();
  }
}

std::shared_ptr<const Volume> Catalog::folderOf(StringRef file,
                                                bool isBundled) const {
  return std::make_shared<Volume>(
      Volume{disk, path::parent_path(file).str(), "", isBundled});
}

void Catalog::readMap(StringRef file, std::map<std::string, std::string> &into,
                      DiagnosticEngine &diags) {
  auto buffer = disk->getBufferForFile(file);
  if (!buffer) {
    diags.report({}, diag::CannotReadMap, file, buffer.getError().message());
    return;
  }
  for (llvm::line_iterator line(**buffer, /*SkipBlanks=*/true, '#');
       !line.is_at_end(); ++line) {
    auto [name, rest] = line->split('\t');
    StringRef target = rest.split('\t').first.rtrim("\r");
    llvm::SmallString<256> resolved(path::parent_path(file));
    path::append(resolved, target);
    into[name.str()] =
        path::is_absolute(target) ? target.str() : resolved.str().str();
  }
}

/// The places in a search folder where the profile `org.example.base:1.0` may
/// lie, most specific first.
static std::vector<std::string> conventionalPaths(StringRef profile) {
  auto [name, version] = profile.rsplit(':');
  std::string folders = name.str();
  std::replace(folders.begin(), folders.end(), '.', '/');
  std::vector<std::string> result;
  for (const std::string &base : {name.str(), folders}) {
    if (!version.empty()) {
      result.push_back(base + "/" + version.str() + "/profile.yaml");
      result.push_back(base + "/" + version.str() + ".yaml");
    }
    result.push_back(base + "/profile.yaml");
    result.push_back(base + ".yaml");
  }
  return result;
}

std::optional<std::string> Catalog::findProfile(StringRef name) const {
  if (auto found = profiles.find(name.str()); found != profiles.end())
    return found->second;
  // A name is not a path: `../x` must not leave the search folder.
  if (name.contains("..") || name.contains('/') || name.contains('\0'))
    return std::nullopt;
  for (StringRef folder :
       llvm::concat<const std::string>(searchPaths, bundledProfiles))
    for (const std::string &place : conventionalPaths(name)) {
      llvm::SmallString<256> file(folder);
      path::append(file, place);
      if (disk->exists(file))
        return file.str().str();
    }
  return std::nullopt;
}

bool Catalog::isBundled(StringRef file) const {
  return llvm::any_of(bundledProfiles, [&](StringRef folder) {
    return file.starts_with(folder);
  });
}

std::optional<std::string> Catalog::findInSearchPaths(StringRef file) const {
  if (path::is_absolute(file))
    return std::nullopt;
  for (StringRef folder : searchPaths) {
    llvm::SmallString<256> candidate(folder);
    path::append(candidate, file);
    if (disk->exists(candidate))
      return candidate.str().str();
  }
  return std::nullopt;
}

/// The value of \p keyname in \p text, a file of TOSCA 1.x: at its root or in
/// its metadata, as tools write it. The file is only looked at; loading it says
/// whether it is good.
static StringRef headerValue(StringRef text, StringRef keyname) {
  for (StringRef line : llvm::split(text, '\n')) {
    StringRef rest = line.ltrim();
    size_t indent = line.size() - rest.size();
    if (indent <= 2 && rest.consume_front(keyname) && rest.consume_front(":"))
      return rest.split(" #").first.trim(" \t\r\"'");
    if (line.starts_with("topology_template:") ||
        line.starts_with("node_types:"))
      break;
  }
  return "";
}

/// Folders of archives are read once, when the first one is looked for.
void Catalog::findArchives() {
  constexpr size_t enough = 100000;
  size_t seen = 0;
  knowsArchives = true;
  for (const std::string &folder : searchPaths) {
    std::error_code error;
    llvm::vfs::recursive_directory_iterator entry(*disk, folder, error), end;
    std::vector<std::string> files;
    for (; !error && entry != end && seen < enough; entry.increment(error)) {
      StringRef extension = path::extension(entry->path());
      if (++seen && (extension == ".yml" || extension == ".yaml"))
        files.push_back(entry->path().str());
    }
    // The order of a folder's entries is the file system's.
    llvm::sort(files);
    for (const std::string &file : files) {
      auto buffer = disk->getBufferForFile(file);
      if (!buffer)
        continue;
      StringRef text = (*buffer)->getBuffer();
      if (StringRef name = headerValue(text, "template_name"); !name.empty())
        archives[name.str()].push_back(
            {headerValue(text, "template_version").str(), file});
    }
  }
}

std::optional<std::string> Catalog::findArchive(StringRef name,
                                                StringRef version) {
  if (!knowsArchives)
    findArchives();
  auto found = archives.find(name.str());
  if (found == archives.end())
    return std::nullopt;
  const ArchiveFile *best = nullptr;
  for (const ArchiveFile &file : found->second) {
    if (file.version == version)
      return file.path;
    if (!best || StringRef(best->version).compare_numeric(file.version) < 0)
      best = &file;
  }
  return best->path;
}

std::optional<std::string> Catalog::findRemote(StringRef url) const {
  const std::pair<const std::string, std::string> *best = nullptr;
  for (const auto &entry : remotes)
    if (url.starts_with(entry.first) &&
        (!best || entry.first.size() > best->first.size()))
      best = &entry;
  if (!best)
    return std::nullopt;
  llvm::SmallString<256> file(best->second);
  path::append(file, url.drop_front(best->first.size()));
  return file.str().str();
}

std::optional<std::string> Catalog::findNearestFile(const Volume &volume,
                                                    StringRef file) {
  constexpr size_t enough = 1000;
  if (searchesLeft == 0)
    return std::nullopt;
  --searchesLeft;
  StringRef folder = path::parent_path(file);
  std::vector<std::string> siblings;
  std::error_code error;
  auto entry = volume.files->dir_begin(folder.empty() ? "." : folder, error);
  for (; !error && entry != llvm::vfs::directory_iterator() &&
         siblings.size() < enough;
       entry.increment(error))
    siblings.push_back(path::filename(entry->path()).str());
  llvm::SmallVector<StringRef> names(siblings.begin(), siblings.end());
  auto nearest = nearestName(path::filename(file), names);
  return nearest ? std::optional(nearest->str()) : std::nullopt;
}

std::vector<StringRef> Catalog::profileNames() const {
  std::vector<StringRef> names;
  for (const auto &[name, file] : profiles)
    names.emplace_back(name);
  return names;
}
