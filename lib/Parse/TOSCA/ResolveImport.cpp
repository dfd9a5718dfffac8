//===- ResolveImport.cpp - From import definition to file -----------------===//

#include "ResolveImport.h"

#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Node;
namespace path = llvm::sys::path;

std::string tosca::shownName(const Volume &volume, StringRef file) {
  return volume.shownPrefix + file.str();
}

namespace {

bool hasScheme(StringRef url) {
  StringRef scheme = url.split(':').first;
  return scheme.size() > 1 && scheme.size() < url.size() &&
         llvm::isAlpha(scheme.front()) &&
         llvm::all_of(
             scheme,
             [](char c) {
               return llvm::isAlnum(c) || c == '+' || c == '-' || c == '.';
             });
}

/// The path of a `file:` URL, which may be relative, or the URL itself.
StringRef withoutFileScheme(StringRef url) {
  if (!url.consume_front("file:"))
    return url;
  if (url.consume_front("//"))
    url = url.drop_until([](char c) { return c == '/'; });
  return url;
}

std::string joined(StringRef folder, StringRef file) {
  llvm::SmallString<256> result(folder);
  path::append(result, file);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return result.str().str();
}

/// \p url without the `..` that lead out of every folder.
std::string clamped(StringRef url) {
  llvm::SmallVector<StringRef, 8> parts;
  for (StringRef part : llvm::split(url, '/')) {
    if (part == ".." && !parts.empty())
      parts.pop_back();
    else if (part != ".." && part != "." && !part.empty())
      parts.push_back(part);
  }
  return llvm::join(parts, "/");
}

/// Where \p url, a path, leads from \p from. A leading slash means the root of
/// the volume.
std::string localPath(StringRef url, const File &from) {
  return url.starts_with("/") ? joined(from.volume->root, url.ltrim('/'))
                              : joined(path::parent_path(from.path), url);
}

class Resolver {
public:
  Resolver(const Entity &import, const File &from, Catalog &catalog,
           DiagnosticEngine &diags)
      : import(import), from(from), catalog(catalog), diags(diags) {}

  std::optional<FileLocation> resolve() {
    if (const Node *profile = import.value(Key::Profile))
      return findProfile(*profile);
    const Node &url = *import.value(Key::Url);
    if (const Node *repository = import.value(Key::Repository))
      return findInRepository(url, *repository);
    if (from.dialect)
      if (auto found = findNamed(url.text()))
        return found;
    if (StringRef file = withoutFileScheme(url.text()); !hasScheme(file))
      return findLocal(file, url);
    return findRemote(url.text(), url);
  }

private:
  std::optional<FileLocation> findProfile(const Node &name) {
    if (auto file = findInArchive(name.text()))
      return FileLocation{from.volume, *file};
    if (auto file = catalog.findProfile(name.text()))
      return FileLocation{catalog.folderOf(*file, catalog.isBundled(*file)),
                          *file};
    std::string hint = didYouMean(name.text(), catalog.profileNames());
    if (hint.empty())
      hint = "; name its file with --profile or a folder with -I";
    diags.report(name.range(), diag::UnknownProfile, name.text(), hint);
    return std::nullopt;
  }

  /// Tools of TOSCA 1.x import by name, too: `archive:version` is what
  /// somebody published (Alien4Cloud), and `<file>` what the tool brings along
  /// (Yorc). Both lie somewhere in a folder of -I, or are bundled.
  std::optional<FileLocation> findNamed(StringRef url) {
    auto [name, version] = url.split(':');
    std::optional<std::string> file;
    if (url.consume_front("<") && url.consume_back(">")) {
      file = catalog.findInSearchPaths(url);
      name = path::stem(url);
    } else if (version.empty() || version.contains('/')) {
      return std::nullopt;
    }
    if (!file)
      file = catalog.findProfile(name);
    if (!file)
      file = catalog.findArchive(name, version);
    if (!file)
      return std::nullopt;
    return FileLocation{catalog.folderOf(*file, catalog.isBundled(*file)),
                        *file};
  }

  /// A file of the archive that calls itself \p profile (TOSCA 2.0 §6.7): an
  /// archive may bring along what it needs.
  std::optional<std::string> findInArchive(StringRef profile) {
    if (from.volume->shownPrefix.empty())
      return std::nullopt;
    std::error_code error;
    llvm::vfs::recursive_directory_iterator file(*from.volume->files, "/",
                                                 error);
    for (; !error && file != llvm::vfs::recursive_directory_iterator();
         file.increment(error))
      if (file->type() == llvm::sys::fs::file_type::regular_file &&
          callsItself(profile, file->path()))
        return file->path().str();
    return std::nullopt;
  }

  /// Whether a line of \p file is `profile: NAME`. The file may be anything, so
  /// it is only looked at; loading it says whether it is TOSCA.
  bool callsItself(StringRef profile, StringRef file) {
    auto buffer = from.volume->files->getBufferForFile(file);
    if (!buffer)
      return false;
    for (StringRef line : llvm::split((*buffer)->getBuffer(), '\n'))
      if (line.consume_front("profile:") &&
          line.split(" #").first.trim(" \t\r\"'") == profile)
        return true;
    return false;
  }

  std::optional<FileLocation> findRemote(StringRef url, const Node &place) {
    if (auto file = catalog.findRemote(url))
      return existing(catalog.folderOf(*file), *file, place);
    bool isArchive = from.dialect && !url.contains("/");
    if (from.dialect && from.importedAt.isValid())
      diags.report(place.range(), diag::MissingNestedImport, url, "");
    else if (isArchive)
      diags.report(place.range(), diag::UnknownArchive, url);
    else
      diags.report(place.range(), diag::UnmappedURL, url);
    return std::nullopt;
  }

  std::optional<FileLocation> findInRepository(const Node &url,
                                               const Node &name) {
    if (hasScheme(url.text())) {
      diags.report(url.range(), diag::RepositoryWithURL, url.text(),
                   name.text());
      return std::nullopt;
    }
    llvm::SmallVector<StringRef> known;
    for (const Entity &repository : from.root.entities(Key::Repositories)) {
      known.push_back(repository.name.str());
      if (known.back() != name.text())
        continue;
      StringRef base = repository.text(Key::Url);
      if (!hasScheme(base) || base.starts_with("file:"))
        return findLocal(joined(withoutFileScheme(base), url.text()), url);
      std::string full =
          (base + (base.ends_with("/") ? "" : "/") + url.text()).str();
      return findRemote(full, url);
    }
    diags.report(name.range(), diag::UnknownRepository, name.text(),
                 didYouMean(name.text(), known));
    return std::nullopt;
  }

  std::optional<FileLocation> findLocal(StringRef url, const Node &place) {
    if (auto found = findLocalFile(url, from))
      return found;
    if (auto file = catalog.findInSearchPaths(url))
      return FileLocation{catalog.folderOf(*file), *file};
    if (auto found = findAbove(url))
      return found;
    if (auto found = findMoved(url, place))
      return found;
    const Volume &volume = *from.volume;
    std::string inside = joined(volume.root, clamped(url));
    if (url.contains("..") && volume.files->exists(inside)) {
      diags.report(place.range(), diag::ImportLeavesRoot, url,
                   shownName(volume, inside));
      return FileLocation{from.volume, inside};
    }
    return existing(from.volume, localPath(url, from), place);
  }

  /// Tools of TOSCA 1.x are started in the folder of the project, and find
  /// files from there: the nearest folder above in which there is such a file.
  std::optional<FileLocation> findAbove(StringRef url) {
    if (!from.dialect || url.starts_with("/"))
      return std::nullopt;
    for (StringRef folder = path::parent_path(from.path); !folder.empty();
         folder = path::parent_path(folder))
      if (std::string file = joined(folder, url);
          from.volume->files->exists(file))
        return FileLocation{from.volume, file};
    return std::nullopt;
  }

  /// Somebody took a folder out of a project whose files name each other from
  /// its root: `data/types/a.yaml` in a folder `types` is `a.yaml`.
  std::optional<FileLocation> findMoved(StringRef url, const Node &place) {
    if (!from.dialect || url.starts_with("/"))
      return std::nullopt;
    for (StringRef folder = path::parent_path(from.path);
         path::has_parent_path(folder); folder = path::parent_path(folder)) {
      auto [before, rest] = url.split((path::filename(folder) + "/").str());
      bool isFolder = before.empty() || before.ends_with("/");
      std::string file = joined(folder, rest);
      if (rest.empty() || !isFolder || !from.volume->files->exists(file))
        continue;
      diags.report(place.range(), diag::MovedImport, url,
                   shownName(*from.volume, file));
      return FileLocation{from.volume, file};
    }
    return std::nullopt;
  }

  /// The file, or a report with the nearest name in its folder.
  std::optional<FileLocation> existing(std::shared_ptr<const Volume> volume,
                                       std::string file, const Node &place) {
    if (volume->files->exists(file))
      return FileLocation{std::move(volume), std::move(file)};
    std::string hint;
    if (auto nearest = catalog.findNearestFile(*volume, file))
      hint = Suggestion(*nearest).clause();
    if (from.dialect && from.importedAt.isValid())
      diags.report(place.range(), diag::MissingNestedImport,
                   shownName(*volume, file), hint);
    else
      diags.report(place.range(), diag::ImportNotFound,
                   shownName(*volume, file), hint);
    return std::nullopt;
  }

  const Entity &import;
  const File &from;
  Catalog &catalog;
  DiagnosticEngine &diags;
};

} // namespace

std::optional<FileLocation> tosca::findLocalFile(StringRef url,
                                                 const File &from) {
  url = withoutFileScheme(url);
  if (hasScheme(url))
    return std::nullopt;
  llvm::vfs::FileSystem &files = *from.volume->files;
  if (std::string file = localPath(url, from); files.exists(file))
    return FileLocation{from.volume, std::move(file)};
  // On disk, a leading slash may also mean the root of the disk.
  if (url.starts_with("/") && files.exists(url))
    return FileLocation{
        std::make_shared<Volume>(
            Volume{from.volume->files, path::parent_path(url).str(), ""}),
        url.str()};
  return std::nullopt;
}

std::optional<FileLocation> tosca::locate(StringRef url, const File &from) {
  if (auto found = findLocalFile(url, from))
    return found;
  url = withoutFileScheme(url);
  if (hasScheme(url))
    return std::nullopt;
  return FileLocation{from.volume, localPath(url, from)};
}

std::optional<FileLocation> tosca::resolveImport(const Entity &import,
                                                 const File &from,
                                                 Catalog &catalog,
                                                 DiagnosticEngine &diags) {
  // Imports that break the grammar have been reported.
  bool byURL = import.find(Key::Url);
  bool byProfile = import.find(Key::Profile);
  bool readable =
      byURL != byProfile && (byURL || !import.find(Key::Repository)) &&
      llvm::all_of(import.fields, [](const Field &f) { return f.valid; });
  if (!readable)
    return std::nullopt;
  return Resolver(import, from, catalog, diags).resolve();
}
