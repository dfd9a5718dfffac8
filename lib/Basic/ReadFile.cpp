//===- ReadFile.cpp - Reading inputs --------------------------------------===//
///
/// \file
/// Files are looked at before they are opened: opening a pipe waits for its
/// other end, and reading a device may have effects.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/Files.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// Why a file of this type is not read; empty if it is.
static StringRef refusal(fs::file_type type) {
  switch (type) {
  case fs::file_type::directory_file:
    return "it is a directory";
  case fs::file_type::fifo_file:
    return "it is a pipe";
  case fs::file_type::block_file:
  case fs::file_type::character_file:
    return "it is a device";
  case fs::file_type::socket_file:
    return "it is a socket";
  default:
    return "";
  }
}

std::unique_ptr<llvm::MemoryBuffer>
toscac::readFile(StringRef path, DiagnosticEngine &diags,
                 llvm::vfs::FileSystem *files) {
  auto fail = [&](StringRef reason) {
    diags.report({}, diag::CannotReadFile, path, reason);
    return nullptr;
  };
  auto disk = llvm::vfs::getRealFileSystem();
  if (!files)
    files = disk.get();
  llvm::ErrorOr<llvm::vfs::Status> status = files->status(path);
  if (!status)
    return fail(status.getError().message());
  if (StringRef reason = refusal(status->getType()); !reason.empty())
    return fail(reason);
  if (status->getSize() > SourceManager::maxFileSize) {
    diags.report({}, diag::FileTooLarge, path, status->getSize(),
                 SourceManager::maxFileSize);
    return nullptr;
  }
  // Volatile: a mapped file that shrinks while it is read kills the reader.
  auto buffer = files->getBufferForFile(path, /*FileSize=*/-1,
                                        /*RequiresNullTerminator=*/false,
                                        /*IsVolatile=*/true);
  if (!buffer)
    return fail(buffer.getError().message());
  return std::move(*buffer);
}

std::unique_ptr<llvm::MemoryBuffer> toscac::readStdin(DiagnosticEngine &diags) {
  constexpr StringRef name = "<stdin>";
  constexpr size_t chunk = 1 << 16;
  llvm::SmallVector<char, 0> text;
  while (true) {
    size_t size = text.size();
    text.resize_for_overwrite(size + chunk);
    llvm::Expected<size_t> count = fs::readNativeFile(
        fs::getStdinHandle(), llvm::MutableArrayRef(text).drop_front(size));
    if (!count) {
      diags.report({}, diag::CannotReadFile, name,
                   llvm::toString(count.takeError()));
      return nullptr;
    }
    text.truncate(size + *count);
    if (text.size() > SourceManager::maxFileSize) {
      diags.report({}, diag::FileTooLarge, name, text.size(),
                   SourceManager::maxFileSize);
      return nullptr;
    }
    if (*count == 0)
      return std::make_unique<llvm::SmallVectorMemoryBuffer>(
          std::move(text), name, /*RequiresNullTerminator=*/false);
  }
}
