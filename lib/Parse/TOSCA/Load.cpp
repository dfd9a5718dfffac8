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
#include "ResolveImport.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Parse/ReadYAML.h"
#include "toscac/Parse/TOSCA/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;

namespace {

class Loader {
public:
  Loader(const LoadOptions &options, SourceManager &sources, NameTable &names,
         DiagnosticEngine &diags)
      : options(options), sources(sources), names(names), diags(diags),
        catalog(options, *llvm::vfs::getRealFileSystem(), diags) {}

  Package run(llvm::ArrayRef<EntryFile> entries);

private:
  std::optional<uint32_t> open(const FileLocation &target, SourceRange place);
  uint32_t addFile(const FileLocation &target, FileId source);
  void parse(llvm::ArrayRef<uint32_t> wave);
  void follow(File &file, std::vector<uint32_t> &wave);

  const LoadOptions &options;
  SourceManager &sources;
  NameTable &names;
  DiagnosticEngine &diags;
  Catalog catalog;
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
  while (!wave.empty()) {
    parse(wave);
    std::vector<uint32_t> next;
    for (uint32_t index : wave)
      follow(*package.files[index], next);
    wave = std::move(next);
  }
  return std::move(package);
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
      file.root = parseFile(file.tree, file.importedAt, names, engines[i]);
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

void Loader::follow(File &file, std::vector<uint32_t> &wave) {
  for (const Entity &import : file.root.entities(Key::Imports)) {
    auto target = resolveImport(import, file, catalog, diags);
    if (!target)
      continue;
    size_t before = package.files.size();
    auto index = open(*target, import.range());
    if (!index)
      continue;
    if (*index == before)
      wave.push_back(*index);
    StringRef prefix = import.text(Key::Namespace);
    file.imports.push_back(
        {&import, *index, prefix.empty() ? Name() : names.intern(prefix)});
  }
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
  return package;
}
