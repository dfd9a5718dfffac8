//===- Unpack.cpp - Artifacts in a CSAR -----------------------------------===//
///
/// \file
/// libarchive reads the archive in this process, where no program of the
/// current folder can take its place; what is written is up to us. Links,
/// devices and pipes are not made, nor are files that run as somebody else. It
/// is loaded when it is needed: most plans have no archive.
///
//===----------------------------------------------------------------------===//

#include "Unpack.h"

#include "toscac/Basic/Digest.h"
#include "toscac/Basic/PrivateFile.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <archive.h>
#include <archive_entry.h>
#include <cerrno>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

#define TOSCAC_UNPACK_FUNCTIONS(FUNCTION)                                      \
  FUNCTION(archive_read_new)                                                   \
  FUNCTION(archive_read_free)                                                  \
  FUNCTION(archive_read_support_filter_all)                                    \
  FUNCTION(archive_read_support_format_tar)                                    \
  FUNCTION(archive_read_support_format_zip)                                    \
  FUNCTION(archive_read_open_memory)                                           \
  FUNCTION(archive_read_next_header)                                           \
  FUNCTION(archive_read_data)                                                  \
  FUNCTION(archive_error_string)                                               \
  FUNCTION(archive_entry_pathname)                                             \
  FUNCTION(archive_entry_filetype)                                             \
  FUNCTION(archive_entry_hardlink)                                             \
  FUNCTION(archive_entry_perm)

namespace {

class Unpacker {
public:
  Unpacker(StringRef target, llvm::function_ref<StringRef(StringRef)> digestOf)
      : target(target.str()), digestOf(digestOf) {}

  std::string run(StringRef archive);

private:
  // The functions keep their names. NOLINTBEGIN(readability-identifier-naming)
#define FUNCTION(NAME) decltype(&::NAME) NAME = nullptr;
  TOSCAC_UNPACK_FUNCTIONS(FUNCTION)
#undef FUNCTION
  // NOLINTEND(readability-identifier-naming)

  bool load();
  std::string readEntries(::archive *handle);
  std::string readEntry(::archive *handle, ::archive_entry *entry);
  std::string read(::archive *handle, std::string &text);
  std::string write(StringRef name, StringRef text, bool isExecutable);
  std::string said(::archive *handle) const {
    const char *text = archive_error_string(handle);
    return text ? text : "it is damaged";
  }

  std::string target;
  llvm::function_ref<StringRef(StringRef)> digestOf;
  size_t total = 0;
};

} // namespace

/// Bytes of all files, and files, that an archive may have.
static constexpr size_t mostBytes = size_t(4) << 30;
static constexpr size_t mostEntries = 100000;

bool Unpacker::load() {
  // The 13 is libarchive's ABI, the same since version 3.0.
  void *library = dlopen("libarchive.so.13", RTLD_LAZY | RTLD_LOCAL);
  bool isComplete = library;
#define FUNCTION(NAME)                                                         \
  if (isComplete) {                                                            \
    NAME = reinterpret_cast<decltype(NAME)>(dlsym(library, #NAME));            \
    isComplete = NAME;                                                         \
  }
  TOSCAC_UNPACK_FUNCTIONS(FUNCTION)
#undef FUNCTION
  return isComplete;
}

std::string Unpacker::read(::archive *handle, std::string &text) {
  char buffer[1 << 16];
  ssize_t size;
  while ((size = archive_read_data(handle, buffer, sizeof(buffer))) > 0) {
    text.append(buffer, size);
    total += size;
    if (total > mostBytes)
      return "its files have more than 4 GiB";
  }
  return size < 0 ? said(handle) : "";
}

std::string Unpacker::write(StringRef name, StringRef text, bool isExecutable) {
  std::string path = target + "/" + name.str();
  if (llvm::Error error = makePrivateFolder(llvm::sys::path::parent_path(path)))
    return llvm::toString(std::move(error));
  int file = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC,
                  isExecutable ? 0700 : 0600);
  if (file < 0)
    return "'" + name.str() + "': " + std::generic_category().message(errno);
  auto closer = llvm::make_scope_exit([&] { close(file); });
  while (!text.empty()) {
    ssize_t size = ::write(file, text.data(), text.size());
    if (size < 0)
      return "'" + name.str() + "': " + std::generic_category().message(errno);
    text = text.drop_front(size);
  }
  return "";
}

std::string Unpacker::readEntry(::archive *handle, ::archive_entry *entry) {
  const char *written = archive_entry_pathname(entry);
  llvm::SmallString<128> name(written ? written : "");
  llvm::sys::path::remove_dots(name);
  StringRef first = name.str().split('/').first;
  if (name.empty() || llvm::sys::path::is_absolute(name) || first == "..")
    return archive_entry_filetype(entry) == AE_IFDIR && name.empty()
               ? ""
               : "it has an entry that would lie elsewhere";
  for (StringRef rest = name; !rest.empty(); rest = rest.split('/').second)
    if (rest.split('/').first == "..")
      return "it has an entry that would lie elsewhere";
  // Folders are made with what is in them.
  if (archive_entry_filetype(entry) != AE_IFREG ||
      archive_entry_hardlink(entry))
    return "";
  std::string text;
  if (std::string problem = read(handle, text); !problem.empty())
    return problem;
  StringRef wanted = digestOf(name);
  if (!wanted.empty() && hexDigest("sha256", text) != wanted)
    return "'" + name.str().str() +
           "' is not the one that the plan was made for";
  return write(name, text, archive_entry_perm(entry) & 0100);
}

std::string Unpacker::readEntries(::archive *handle) {
  for (size_t count = 0;; ++count) {
    ::archive_entry *entry = nullptr;
    int code = archive_read_next_header(handle, &entry);
    if (code == ARCHIVE_EOF)
      return "";
    if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
      return said(handle);
    if (count == mostEntries)
      return "it has more than 100000 entries";
    if (std::string problem = readEntry(handle, entry); !problem.empty())
      return problem;
  }
}

std::string Unpacker::run(StringRef archive) {
  if (!load())
    return "libarchive must be installed to unpack it";
  auto content = llvm::MemoryBuffer::getFile(archive);
  if (!content)
    return content.getError().message();
  if (llvm::Error error = makePrivateFolder(target))
    return llvm::toString(std::move(error));
  ::archive *handle = archive_read_new();
  auto closer = llvm::make_scope_exit([&] { archive_read_free(handle); });
  archive_read_support_filter_all(handle);
  archive_read_support_format_tar(handle);
  archive_read_support_format_zip(handle);
  StringRef bytes = (*content)->getBuffer();
  if (archive_read_open_memory(handle, bytes.data(), bytes.size()) !=
      ARCHIVE_OK)
    return said(handle);
  return readEntries(handle);
}

std::string
run::unpackArchive(StringRef archive, StringRef target,
                   llvm::function_ref<StringRef(StringRef)> digestOf) {
  return Unpacker(target, digestOf).run(archive);
}
