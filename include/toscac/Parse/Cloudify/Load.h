//===- toscac/Parse/Cloudify/Load.h - A blueprint to check ------*- C++ -*-===//
///
/// \file
/// Reads a Cloudify blueprint and all that it imports: the input of Sema.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_CLOUDIFY_LOAD_H
#define TOSCAC_PARSE_CLOUDIFY_LOAD_H

#include "toscac/Parse/Cloudify/AST.h"

namespace llvm::vfs {
class FileSystem;
}

namespace toscac {
class DiagnosticEngine;

namespace cloudify {

struct LoadOptions {
  /// Folders with `cloudify/types.yaml`, what `cloudify/types/types.yaml`
  /// means; the first that has it.
  std::vector<std::string> bundled;
  /// Where else imports are looked for: `plugin:NAME` is `NAME/plugin.yaml` or
  /// `NAME.yaml` there.
  std::vector<std::string> searchPaths;
  /// Tables that say where what has a URL lies: prefix, tab, path.
  std::vector<std::string> remoteMaps;
  /// Where files are; null: on the disk.
  llvm::vfs::FileSystem *files = nullptr;
};

/// Reads \p file, which is at \p path, with its imports. What is wrong is in
/// \p diags.
Blueprint load(FileId file, llvm::StringRef path, const LoadOptions &options,
               SourceManager &sources, DiagnosticEngine &diags);

} // namespace cloudify
} // namespace toscac

#endif
