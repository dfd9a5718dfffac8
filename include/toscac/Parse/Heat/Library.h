//===- toscac/Parse/Heat/Library.h - Templates, each read once --*- C++ -*-===//
///
/// \file
/// The files of a stack. A template that many resources use is read and parsed
/// once; of a candidate that is not chosen, only the capabilities are looked
/// at.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_HEAT_LIBRARY_H
#define TOSCAC_PARSE_HEAT_LIBRARY_H

#include "toscac/Parse/Heat/Environment.h"
#include "llvm/ADT/StringMap.h"

namespace llvm::vfs {
class FileSystem;
}

namespace toscac::heat {

struct File {
  /// As shown to the user, without `./` and `..` where that can be.
  std::string path;
  FileId source;
  syntax::Tree tree;
  /// Not set where they are wrong, which has been reported.
  std::optional<std::vector<Capability>> capabilities;
  /// Made by Library::parse().
  std::optional<Template> parsed;
  /// What parse() found wrong has been reported.
  bool isBroken = false;
};

/// \p name as seen from \p folder, in the form of File::path.
std::string joinPath(llvm::StringRef folder, llvm::StringRef name);

class Library {
public:
  /// Files are in \p fileSystem; null: on the disk.
  Library(SourceManager &sources, DiagnosticEngine &diags,
          llvm::vfs::FileSystem *fileSystem = nullptr)
      : sources(sources), diags(diags), fileSystem(fileSystem) {}

  /// The template \p path, which is named at \p place. Null where there is
  /// none; that has been reported.
  File *open(llvm::StringRef path, SourceRange place);
  /// The same for text that has been read already.
  File *add(const std::string &path, FileId source);
  /// Its sections.
  const Template &parse(File &file);

  /// Reads the environment file \p path, which the user names, on top of
  /// \p environment; false if it cannot be read.
  bool readEnvironment(llvm::StringRef path, Environment &environment);
  /// The same for a file that has nothing but values of parameters, perhaps
  /// below a key `parameters`.
  bool readParameters(llvm::StringRef path, Environment &environment);
  /// The content of a file that `get_file` names at \p place; nothing after a
  /// report.
  std::optional<llvm::StringRef> readText(llvm::StringRef path,
                                          SourceRange place);

  /// A copy of \p text that lives as long as the library.
  llvm::StringRef save(llvm::StringRef text) { return text.copy(allocator); }

  size_t numFiles() const { return sources.numFiles(); }
  /// The keys of capabilities of all templates, sorted.
  std::vector<llvm::StringRef> declaredKeys() const;

private:
  const syntax::Tree *readNamed(llvm::StringRef path);
  FileId load(llvm::StringRef path, SourceRange place);
  /// The YAML of \p source; its errors are one error here.
  syntax::Tree readTree(FileId source, llvm::StringRef path);

  SourceManager &sources;
  DiagnosticEngine &diags;
  llvm::vfs::FileSystem *fileSystem;
  /// By path; null for one that cannot be used.
  llvm::StringMap<std::unique_ptr<File>> files;
  llvm::StringMap<FileId> texts;
  llvm::BumpPtrAllocator allocator;
  std::vector<std::unique_ptr<syntax::Tree>> trees;
};

} // namespace toscac::heat

#endif
