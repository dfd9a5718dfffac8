//===- Load.cpp - A file and all it imports -------------------------------===//
///
/// \file
/// Reads in waves: the files of a wave are parsed in parallel, then their
/// imports make the next wave. Files are numbered between waves, in the order
/// of their imports, so that nothing depends on which thread was faster.
///
//===----------------------------------------------------------------------===//

#include "toscac/Parse/TOSCA/Load.h"

#include "CheckChecksums.h"
#include "CheckImportCycles.h"
#include "CheckVersion.h"
#include "ResolveImport.h"
#include "TypeFolders.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Parse/ReadYAML.h"
#include "toscac/Parse/TOSCA/Parse.h"
#include "toscac/Parse/TOSCA/Tolerate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;

static constexpr Key eventKeys[] = {Key::Precondition, Key::OnEntry,
                                    Key::OnSuccess, Key::OnFailure,
                                    Key::SetState};

bool tosca::hasEvents(const Entity &operation) {
  return llvm::any_of(eventKeys, [&](Key key) { return operation.find(key); });
}

bool tosca::refinesMachine(const Entity &interface) {
  for (const Field &field : interface.fields) {
    if (field.key == Key::Attributes || field.key == Key::Triggers)
      return true;
    if (field.key == Key::Operations || field.key == Key::Notifications)
      if (llvm::any_of(field.entities, hasEvents))
        return true;
  }
  return false;
}

/// Whether a service may have operations that nothing calls: there is one, and
/// an interface type with operations and no more.
static bool lacksMachines(const Package &package) {
  bool hasService = false, hasBareType = false;
  for (const auto &file : package.files) {
    hasService |= !file->root.entities(Key::ServiceTemplate).empty();
    hasBareType |= llvm::any_of(
        file->root.entities(Key::InterfaceTypes), [](const Entity &type) {
          return !type.entities(Key::Operations).empty() &&
                 !refinesMachine(type);
        });
  }
  return hasService && hasBareType;
}

namespace {

class Loader {
public:
  Loader(const LoadOptions &options, SourceManager &sources, NameTable &names,
         DiagnosticEngine &diags)
      : options(options), sources(sources), names(names), diags(diags),
        catalog(options, diags) {}

  Package run(llvm::ArrayRef<EntryFile> entries);
  Package run(StringRef profile);

private:
  std::optional<uint32_t> open(const FileLocation &target, SourceRange place);
  uint32_t addFile(const FileLocation &target, FileId source);
  void readAll(std::vector<uint32_t> wave);
  void openBindings(llvm::ArrayRef<std::string> paths, bool isBundled);
  void parse(llvm::ArrayRef<uint32_t> wave);
  void follow(File &file, std::vector<uint32_t> &wave);
  void followImports(File &file, std::vector<uint32_t> &wave);
  void spreadIncomplete();
  void findProfiles();
  void importStandardTypes(File &file, std::vector<uint32_t> &wave);
  void importNamedTypes(File &file, std::vector<uint32_t> &wave);

  const LoadOptions &options;
  SourceManager &sources;
  NameTable &names;
  DiagnosticEngine &diags;
  Catalog catalog;
  TypeFolders typeFolders;
  Package package;
  /// By the identity that the file system gives: a file is read once, however
  /// it is named.
  std::map<std::pair<const void *, llvm::sys::fs::UniqueID>, uint32_t> known;
};

} // namespace

Package Loader::run(llvm::ArrayRef<EntryFile> entries) {
  std::vector<uint32_t> wave;
  for (const EntryFile &entry : entries) {
    uint32_t index = addFile({entry.volume, entry.path}, entry.source);
    package.entries.push_back(index);
    wave.push_back(index);
  }
  readAll(std::move(wave));
  spreadIncomplete();
  findProfiles();
  openBindings(options.bindings, /*isBundled=*/false);
  if (!options.bundledBindings.empty() && lacksMachines(package))
    openBindings(options.bundledBindings, /*isBundled=*/true);
  return std::move(package);
}

Package Loader::run(StringRef profile) {
  std::optional<std::string> path = catalog.findProfile(profile);
  if (!path) {
    diags.report({}, diag::UnknownProfile, profile,
                 didYouMean(profile, catalog.profileNames()));
    return {};
  }
  bool isBundled = catalog.isBundled(*path);
  auto index = open({catalog.folderOf(*path, isBundled), *path}, SourceRange());
  if (!index)
    return {};
  package.entries.push_back(*index);
  readAll({*index});
  return std::move(package);
}

/// The files of \p wave, which are open, and all that they import.
void Loader::readAll(std::vector<uint32_t> wave) {
  while (!wave.empty()) {
    parse(wave);
    std::vector<uint32_t> next;
    for (uint32_t index : wave)
      follow(*package.files[index], next);
    wave = std::move(next);
  }
}

void Loader::openBindings(llvm::ArrayRef<std::string> paths, bool isBundled) {
  for (const std::string &path : paths) {
    size_t before = package.files.size();
    auto index = open({catalog.folderOf(path, isBundled), path}, SourceRange());
    if (!index)
      continue;
    package.bindings.push_back(*index);
    if (*index == before)
      readAll({*index});
  }
}

uint32_t Loader::addFile(const FileLocation &target, FileId source) {
  auto index = static_cast<uint32_t>(package.files.size());
  auto file = std::make_unique<File>();
  file->source = source;
  file->path = target.path;
  file->volume = target.volume;
  package.files.push_back(std::move(file));
  if (auto status = target.volume->files->status(target.path))
    known.try_emplace({target.volume->files.get(), status->getUniqueID()},
                      index);
  return index;
}

void Loader::parse(llvm::ArrayRef<uint32_t> wave) {
  std::vector<DiagnosticEngine> engines(wave.size());
  auto parseOne = [&](size_t i) {
    File &file = *package.files[wave[i]];
    file.tree = readYAML(sources, file.source, engines[i]);
    file.root.node = &file.tree.root;
    file.root.valid = file.tree.valid;
    if (file.tree.valid)
      file.root = parseFile(file.tree, file.importedAt, file.dialect, names,
                            engines[i], options.extensions);
    StringRef version = file.tree.valid ? versionOf(file.tree.root) : "";
    if (!version.empty())
      file.dialect = findEarlierVersion(nearestVersion(version));
  };
  if (wave.size() == 1 || options.jobs == 1) {
    for (size_t i = 0; i < wave.size(); ++i)
      parseOne(i);
  } else {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(options.jobs));
    for (size_t i = 0; i < wave.size(); ++i)
      pool.async(parseOne, i);
    pool.wait();
  }
  for (DiagnosticEngine &engine : engines)
    diags.take(std::move(engine));
}

/// Files of earlier versions see the types of the standard without an import.
void Loader::importStandardTypes(File &file, std::vector<uint32_t> &wave) {
  auto profile = catalog.findProfile(file.dialect->profile);
  if (!profile)
    return;
  SourceRange place = file.root.range();
  size_t before = package.files.size();
  auto index =
      open({catalog.folderOf(*profile, /*isBundled=*/true), *profile}, place);
  if (!index)
    return;
  if (*index == before)
    wave.push_back(*index);
  file.imports.push_back({&file.root, *index, Name()});
}

/// In some repositories files see types by their names alone.
void Loader::importNamedTypes(File &file, std::vector<uint32_t> &wave) {
  SourceRange place = file.root.range();
  for (const std::string &path : typeFolders.filesFor(file)) {
    size_t before = package.files.size();
    auto index = open({file.volume, path}, place);
    if (!index || package.files[*index].get() == &file)
      continue;
    if (*index == before) {
      wave.push_back(*index);
      package.files[*index]->dialect = file.dialect;
    }
    file.imports.push_back({&file.root, *index, Name()});
  }
}

void Loader::follow(File &file, std::vector<uint32_t> &wave) {
  size_t before = diags.numErrors();
  const Field *imports = file.root.find(Key::Imports);
  // In a file of somebody else, a wrong form is tolerated later.
  bool isForeign = file.dialect && file.importedAt.isValid();
  file.isIncomplete |=
      !file.root.valid || (imports && !imports->valid && !isForeign);
  followImports(file, wave);
  file.isIncomplete |= diags.numErrors() > before;
}

/// What a file lacks, those that import it lack, too.
void Loader::spreadIncomplete() {
  std::vector<std::vector<uint32_t>> importers(package.files.size());
  std::vector<uint32_t> waiting;
  for (auto [index, file] : llvm::enumerate(package.files)) {
    for (const Import &import : file->imports)
      importers[import.target].push_back(index);
    if (file->isIncomplete)
      waiting.push_back(index);
  }
  while (!waiting.empty()) {
    uint32_t index = waiting.back();
    waiting.pop_back();
    for (uint32_t importer : importers[index])
      if (!std::exchange(package.files[importer]->isIncomplete, true))
        waiting.push_back(importer);
  }
}

/// Marks files of profiles.
void Loader::findProfiles() {
  std::vector<uint32_t> waiting;
  auto mark = [&](uint32_t index) {
    if (!std::exchange(package.files[index]->isOfProfile, true))
      waiting.push_back(index);
  };
  for (auto [index, file] : llvm::enumerate(package.files))
    if (!file->root.text(Key::Profile).empty())
      mark(index);
  while (!waiting.empty()) {
    uint32_t index = waiting.back();
    waiting.pop_back();
    for (const Import &import : package.files[index]->imports)
      if (import.definition->text(Key::Profile).empty())
        mark(import.target);
  }
}

void Loader::followImports(File &file, std::vector<uint32_t> &wave) {
  for (const Entity &import : file.root.entities(Key::Imports)) {
    auto target = resolveImport(import, file, catalog, diags);
    if (!target)
      continue;
    size_t before = package.files.size();
    auto index = open(*target, import.range());
    if (!index)
      continue;
    if (*index == before) {
      wave.push_back(*index);
      package.files[*index]->dialect = file.dialect;
    }
    StringRef prefix = import.text(Key::Namespace);
    file.imports.push_back(
        {&import, *index, prefix.empty() ? Name() : names.intern(prefix)});
  }
  if (!file.dialect)
    return;
  importNamedTypes(file, wave);
  importStandardTypes(file, wave);
}

/// The index of the file \p target, which is read if it is new.
std::optional<uint32_t> Loader::open(const FileLocation &target,
                                     SourceRange place) {
  llvm::vfs::FileSystem &files = *target.volume->files;
  std::string shown = shownName(*target.volume, target.path);
  auto status = files.status(target.path);
  if (!status) {
    diags.report(place, diag::CannotReadImport, shown,
                 status.getError().message());
    return std::nullopt;
  }
  auto found = known.find({&files, status->getUniqueID()});
  if (found != known.end())
    return found->second;
  if (!status->isRegularFile()) {
    diags.report(place, diag::CannotReadImport, shown,
                 status->isDirectory() ? "it is a folder"
                                       : "it is not a regular file");
    return std::nullopt;
  }
  if (status->getSize() > SourceManager::maxFileSize) {
    diags.report(place, diag::FileTooLarge, shown, status->getSize(),
                 SourceManager::maxFileSize);
    return std::nullopt;
  }
  // Volatile: a file that shrinks while it is mapped would end the process.
  auto buffer = files.getBufferForFile(target.path, /*FileSize=*/-1,
                                       /*RequiresNullTerminator=*/false,
                                       /*IsVolatile=*/true);
  if (!buffer) {
    diags.report(place, diag::CannotReadImport, shown,
                 buffer.getError().message());
    return std::nullopt;
  }
  FileId source = sources.add(shown, std::move(*buffer));
  if (!source.isValid()) {
    diags.report(place, diag::TooMuchSource, shown);
    return std::nullopt;
  }
  uint32_t index = addFile(target, source);
  package.files[index]->importedAt = place;
  return index;
}

Package tosca::load(llvm::ArrayRef<EntryFile> entries,
                    const LoadOptions &options, SourceManager &sources,
                    NameTable &names, DiagnosticEngine &diags) {
  Package package = Loader(options, sources, names, diags).run(entries);
  checkImportCycles(package, sources, diags);
  checkChecksums(package, sources, diags);
  tolerateMistakes(package, diags);
  return package;
}

Package tosca::loadProfile(StringRef name, const LoadOptions &options,
                           SourceManager &sources, NameTable &names,
                           DiagnosticEngine &diags) {
  Package package = Loader(options, sources, names, diags).run(name);
  checkImportCycles(package, sources, diags);
  checkChecksums(package, sources, diags);
  return package;
}
