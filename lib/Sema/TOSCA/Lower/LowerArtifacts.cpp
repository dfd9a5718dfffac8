//===- LowerArtifacts.cpp - The files that operations run -----------------===//
///
/// \file
/// Plans name files by the way from the entry file's folder. Those of profiles,
/// which lie elsewhere on every machine, are named by the profile.
///
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <filesystem>

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using tosca::File;
namespace path = llvm::sys::path;

/// A file that says `profile:` belongs to that profile, and so does all that it
/// imports by path. What is compiled belongs to none.
void Lowering::findProfiles() {
  const tosca::Package &package = program.package;
  llvm::SmallVector<const File *> pending;
  for (uint32_t entry : llvm::reverse(package.entries)) {
    const File *file = package.files[entry].get();
    pending.push_back(file);
    // What has no service is looked at for the sake of its types.
    bool isProfile = file->root.entities(Key::ServiceTemplate).empty();
    profiles[file] = isProfile ? Profile{file->root.text(Key::Profile),
                                         path::parent_path(file->path)}
                               : Profile();
  }
  while (!pending.empty()) {
    const File *file = pending.pop_back_val();
    Profile inherited = profiles.lookup(file);
    for (const tosca::Import &import : file->imports) {
      const File *imported = package.files[import.target].get();
      StringRef name = imported->root.text(Key::Profile);
      Profile own{name, path::parent_path(imported->path)};
      if (profiles.try_emplace(imported, name.empty() ? inherited : own).second)
        pending.push_back(imported);
    }
  }
}

/// \p file as seen from \p folder, both of one volume.
static std::string wayFrom(StringRef folder, StringRef file) {
  auto asPath = [](StringRef text, bool absolute) {
    llvm::SmallString<256> buffer(text);
    if (absolute)
      llvm::sys::fs::make_absolute(buffer);
    return std::filesystem::path(buffer.str().str()).lexically_normal();
  };
  bool mixed = path::is_absolute(folder) != path::is_absolute(file);
  std::filesystem::path base = asPath(folder.empty() ? "." : folder, mixed);
  return asPath(file, mixed).lexically_relative(base).generic_string();
}

static std::string nameInPlans(Lowering &lowering, const File &from,
                               const tosca::FileLocation &location) {
  const tosca::Package &package = lowering.program.package;
  const File &entry = *package.files[package.entries.front()];
  bool isReachable = location.volume->files == entry.volume->files;
  std::string way = isReachable
                        ? wayFrom(path::parent_path(entry.path), location.path)
                        : location.path;
  bool isInside = isReachable && !StringRef(way).starts_with("..") &&
                  lowering.profiles.lookup(&entry).name.empty();
  Lowering::Profile profile = lowering.profiles.lookup(&from);
  if (isInside || profile.name.empty())
    return way;
  return ("profile:" + profile.name + "/").str() +
         wayFrom(profile.folder, location.path);
}

/// What stands in a repository is named by the repository's URL.
static std::string urlOf(const Scope &scope, const Entity &definition) {
  StringRef file = definition.text(Key::File);
  const TypeDecl *repository =
      scope.find(EntityKind::Repository, definition.text(Key::Repository));
  if (!repository)
    return file.str();
  StringRef url = repository->entity->text(Key::Url);
  return (url + (url.ends_with("/") ? "" : "/") + file).str();
}

/// The type that \p definition names, or else the first one in scope whose
/// files end like this one; null if there is none.
static const TypeDecl *typeOfArtifact(const Scope &scope,
                                      const Entity &definition) {
  if (const Field *type = definition.find(Key::Type))
    return scope.find(EntityKind::ArtifactType, type->value->text());
  StringRef ending = path::extension(definition.text(Key::File));
  if (!ending.consume_front("."))
    return nullptr;
  for (const std::string &name : scope.names(EntityKind::ArtifactType)) {
    const TypeDecl *type = scope.find(EntityKind::ArtifactType, name);
    Flat::Found endings = type->flat->find(Key::FileExt);
    if (endings && llvm::any_of(endings.field->value->items(),
                                [&](const syntax::Node &item) {
                                  return item.text().ltrim('.') == ending;
                                }))
      return type;
  }
  return nullptr;
}

/// All files in \p folder, as its names; nothing where it is none.
static std::vector<std::string> filesIn(llvm::vfs::FileSystem &files,
                                        StringRef folder) {
  std::vector<std::string> result;
  llvm::ErrorOr<llvm::vfs::Status> status = files.status(folder);
  if (!status || !status->isDirectory())
    return result;
  std::error_code error;
  for (llvm::vfs::recursive_directory_iterator at(files, folder, error), end;
       !error && at != end; at.increment(error))
    if (llvm::ErrorOr<llvm::vfs::Status> found = files.status(at->path());
        found && found->isRegularFile())
      result.push_back(at->path().str());
  llvm::sort(result);
  return result;
}

void sema::lowerDependency(Lowering &lowering, const Scope &scope,
                           const Entity &definition,
                           llvm::SmallVectorImpl<ir::ArtifactId> &into) {
  auto location = tosca::locate(urlOf(scope, definition), *scope.file);
  std::vector<std::string> files;
  if (location)
    files = filesIn(*location->volume->files, location->path);
  if (files.empty()) {
    into.push_back(lowerArtifact(lowering, scope, definition));
    return;
  }
  ValueArena &arena = lowering.program.arena;
  StringRef folder = StringRef(location->path).rtrim('/');
  auto [known, isNew] = lowering.folderArtifacts.try_emplace(&definition);
  if (isNew)
    for (const std::string &file : files) {
      ir::Artifact artifact;
      artifact.range = definition.range();
      tosca::FileLocation own{location->volume, file};
      artifact.file =
          arena.save(StringRef(nameInPlans(lowering, *scope.file, own)));
      artifact.location = arena.save(StringRef(file));
      if (!own.volume->shownPrefix.empty())
        artifact.archive = own.volume->files.get();
      artifact.placeBeside = arena.save(
          (path::filename(folder) + StringRef(file).drop_front(folder.size()))
              .str());
      known->second.push_back(
          {static_cast<uint32_t>(lowering.result.artifacts.size())});
      lowering.result.artifacts.push_back(artifact);
    }
  llvm::append_range(into, known->second);
}

ir::ArtifactId sema::lowerArtifact(Lowering &lowering, const Scope &scope,
                                   const Entity &definition) {
  auto [known, isNew] = lowering.artifactIds.try_emplace(&definition);
  if (!isNew)
    return known->second;
  std::vector<ir::Artifact> &artifacts = lowering.result.artifacts;
  known->second = {static_cast<uint32_t>(artifacts.size())};
  ValueArena &arena = lowering.program.arena;
  ir::Artifact artifact;
  artifact.range = definition.range();
  if (const TypeDecl *type = typeOfArtifact(scope, definition))
    artifact.type = type->name;
  std::string url = urlOf(scope, definition);
  artifact.file = arena.save(StringRef(url));
  if (auto location = tosca::locate(url, *scope.file)) {
    artifact.file =
        arena.save(StringRef(nameInPlans(lowering, *scope.file, *location)));
    artifact.location = arena.save(StringRef(location->path));
    if (!location->volume->shownPrefix.empty())
      artifact.archive = location->volume->files.get();
  }
  artifacts.push_back(artifact);
  return known->second;
}
