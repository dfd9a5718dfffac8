//===- WriteFile.cpp - Writing outputs ------------------------------------===//
///
/// \file
/// Writes beside the target and renames: a reader sees the old file or the new
/// one, and a full disk leaves the old one.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/Files.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

using Write = llvm::function_ref<void(llvm::raw_ostream &)>;

/// Prints to \p os and returns what went wrong; a raw_fd_ostream with an
/// unread error would abort.
static std::error_code writeAll(llvm::raw_fd_ostream &os, Write write) {
  static constexpr size_t bufferSize = 1 << 18;
  os.SetBufferSize(bufferSize);
  write(os);
  os.flush();
  std::error_code error = os.error();
  os.clear_error();
  return error;
}

static llvm::Error writeInPlace(StringRef path, Write write) {
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error)
    error = writeAll(os, write);
  return llvm::errorCodeToError(error);
}

static llvm::Error writeAndRename(StringRef path, Write write,
                                  const DiagnosticEngine &diags) {
  // The file that a link leads to is replaced, not the link.
  llvm::SmallString<128> target;
  if (fs::real_path(path, target))
    target = path;
  auto temporary = fs::TempFile::create(target + ".%%%%%%");
  if (!temporary)
    return temporary.takeError();
  llvm::raw_fd_ostream os(temporary->FD, /*shouldClose=*/false);
  size_t errors = diags.numErrors();
  if (std::error_code error = writeAll(os, write))
    return llvm::joinErrors(llvm::errorCodeToError(error),
                            temporary->discard());
  // What could not be said as a whole is not worth keeping.
  if (diags.numErrors() > errors)
    return temporary->discard();
  // A file that is replaced keeps its permissions.
  if (auto permissions = fs::getPermissions(target))
    fs::setPermissions(temporary->FD, *permissions);
  return temporary->keep(target);
}

void toscac::writeFile(StringRef path, Write write, DiagnosticEngine &diags) {
  fs::file_status status;
  bool exists = !fs::status(path, status);
  // A device or a pipe is written to; it must not be replaced by a file.
  bool inPlace = exists && !fs::is_regular_file(status);
  llvm::Error error =
      inPlace ? writeInPlace(path, write) : writeAndRename(path, write, diags);
  if (error)
    diags.report({}, diag::CannotWriteFile, path,
                 llvm::toString(std::move(error)));
}
