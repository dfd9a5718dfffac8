//===- Archive.cpp - Zip files and tarballs -------------------------------===//

#include "toscac/Parse/Archive.h"

#include "ArchiveLibrary.h"
#include "Decompress.h"
#include "EntryName.h"
#include "ZipDirectory.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <clocale>
#include <locale.h>

using namespace toscac;
using namespace toscac::archive_limits;
using llvm::StringRef;

namespace {

/// libarchive converts names to the character set of the thread's locale.
/// While one of these lives, that is UTF-8.
class UTF8Locale {
public:
  UTF8Locale() : locale(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale)
      previous = uselocale(locale);
  }
  ~UTF8Locale() {
    if (!locale)
      return;
    uselocale(previous);
    freelocale(locale);
  }
  UTF8Locale(const UTF8Locale &) = delete;
  UTF8Locale &operator=(const UTF8Locale &) = delete;

private:
  locale_t locale;
  locale_t previous = nullptr;
};

class EntryReader {
public:
  EntryReader(const ArchiveLibrary &library, llvm::MemoryBufferRef archive,
              DiagnosticEngine &diags)
      : library(library), handle(library.newReader()), diags(diags),
        archiveName(archive.getBufferIdentifier()), budget(archive, diags) {
    result.files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    result.files->setCurrentWorkingDirectory("/");
  }

  /// Reads all entries of \p bytes: the archive, or what it decompresses to.
  /// Stops where going on could cost too much.
  void run(StringRef bytes, bool isZip);

  Archive finish() {
    llvm::sort(result.names);
    return std::move(result);
  }

private:
  void damaged() {
    const char *why = library.archive_error_string(handle.get());
    diags.report({}, diag::ArchiveDamaged, archiveName,
                 why ? why : "it is cut off");
  }
  bool readEntry(archive_entry *entry, bool nameIsLossy);
  bool hasRefusedKind(archive_entry *entry, StringRef name);
  bool countEntry();
  /// Records \p name and the folders above it. Sets \p isNew to false where
  /// \p name cannot be a new file. Returns false to stop.
  bool addFolders(StringRef name, bool &isNew);
  bool addFile(archive_entry *entry, const std::string &name);
  std::optional<Bytes> readData(archive_entry *entry, StringRef name);

  const ArchiveLibrary &library;
  ArchiveLibrary::Handle handle;
  DiagnosticEngine &diags;
  StringRef archiveName;
  UnpackBudget budget;
  Archive result;
  llvm::StringSet<> files;
  llvm::StringSet<> folders;
  uint64_t numEntries = 0;
};

} // namespace

void EntryReader::run(StringRef bytes, bool isZip) {
  // Only what the magic bytes promised: some of libarchive's other formats and
  // filters start programs.
  if (isZip)
    library.archive_read_support_format_zip_seekable(handle.get());
  else
    library.archive_read_support_format_tar(handle.get());
  if (library.archive_read_open_memory(handle.get(), bytes.data(),
                                       bytes.size()) != ARCHIVE_OK)
    return damaged();
  archive_entry *entry = nullptr;
  while (true) {
    int status = library.archive_read_next_header(handle.get(), &entry);
    if (status == ARCHIVE_EOF)
      return;
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN)
      return damaged();
    if (!readEntry(entry, /*nameIsLossy=*/status == ARCHIVE_WARN))
      return;
  }
}

bool EntryReader::readEntry(archive_entry *entry, bool nameIsLossy) {
  const char *rawName = library.archive_entry_pathname(entry);
  StringRef shown = rawName ? rawName : "";
  // U+FFFD stands for what libarchive could not convert.
  if (!rawName || (nameIsLossy && shown.contains("\xEF\xBF\xBD"))) {
    diags.report({}, diag::ArchiveNameNotText, archiveName,
                 printableName(shown));
    return countEntry();
  }
  std::optional<std::string> name = checkEntryName(archiveName, shown, diags);
  if (!name || hasRefusedKind(entry, *name))
    return countEntry();
  bool isNew = true;
  if (library.archive_entry_filetype(entry) == AE_IFDIR)
    return name->empty() || addFolders(*name + "/", isNew);
  if (name->empty()) {
    diags.report({}, diag::ArchiveDamaged, archiveName,
                 "a file in it has no name");
    return countEntry();
  }
  return addFolders(*name, isNew) && (!isNew || addFile(entry, *name));
}

bool EntryReader::hasRefusedKind(archive_entry *entry, StringRef name) {
  std::string shown = printableName(name);
  auto type = library.archive_entry_filetype(entry);
  if (type == AE_IFLNK || library.archive_entry_hardlink(entry)) {
    diags.report({}, diag::ArchiveHoldsLink, archiveName, shown);
    return true;
  }
  if (type != AE_IFREG && type != AE_IFDIR) {
    diags.report({}, diag::ArchiveHoldsDevice, archiveName, shown);
    return true;
  }
  if (library.archive_entry_is_encrypted(entry)) {
    diags.report({}, diag::ArchiveEncrypted, archiveName, shown);
    return true;
  }
  return false;
}

bool EntryReader::countEntry() {
  if (++numEntries <= maxEntries)
    return true;
  diags.report({}, diag::ArchiveTooManyEntries, archiveName, maxEntries);
  return false;
}

bool EntryReader::addFolders(StringRef name, bool &isNew) {
  for (size_t slash = name.find('/'); slash != StringRef::npos;
       slash = name.find('/', slash + 1)) {
    StringRef folder = name.take_front(slash);
    isNew &= !files.contains(folder);
    if (folders.insert(folder).second && !countEntry())
      return false;
  }
  if (!name.ends_with("/")) {
    isNew &= !folders.contains(name) && files.insert(name).second;
    if (!countEntry())
      return false;
  }
  if (!isNew)
    diags.report({}, diag::ArchiveEntryTwice, archiveName, printableName(name));
  return true;
}

bool EntryReader::addFile(archive_entry *entry, const std::string &name) {
  std::optional<Bytes> bytes = readData(entry, name);
  if (!bytes)
    return false;
  result.files->addFile(
      "/" + name, /*ModificationTime=*/0,
      std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(*bytes), name));
  result.names.push_back(name);
  return true;
}

std::optional<Bytes> EntryReader::readData(archive_entry *entry,
                                           StringRef name) {
  auto tooLarge = [&] {
    diags.report({}, diag::ArchiveFileTooLarge, archiveName,
                 printableName(name), maxFileSize);
    return std::nullopt;
  };
  // A size that is stated is a reason to refuse, never to trust.
  if (library.archive_entry_size_is_set(entry) &&
      uint64_t(library.archive_entry_size(entry)) > maxFileSize)
    return tooLarge();
  char chunk[64 << 10];
  Bytes bytes;
  while (true) {
    la_ssize_t count =
        library.archive_read_data(handle.get(), chunk, sizeof chunk);
    if (count < 0) {
      damaged();
      return std::nullopt;
    }
    if (count == 0)
      break;
    bytes.append(chunk, chunk + count);
    if (bytes.size() > maxFileSize)
      return tooLarge();
    if (!budget.take(static_cast<uint64_t>(count)))
      return std::nullopt;
  }
  return bytes;
}

/// A zip file without entries begins with its end record.
static bool isEmptyZip(StringRef bytes) {
  return bytes.starts_with("PK\x05\x06");
}

static bool looksLikeZip(StringRef bytes) {
  return bytes.starts_with("PK\x03\x04") || isEmptyZip(bytes);
}

/// POSIX writes "ustar" and a NUL, GNU two blanks and a NUL: neither is text.
static bool looksLikeTar(StringRef bytes) {
  StringRef magic = bytes.substr(257, 8);
  return magic.starts_with(StringRef("ustar\0", 6)) ||
         magic == StringRef("ustar  \0", 8);
}

bool toscac::looksLikeArchive(StringRef bytes) {
  return looksLikeZip(bytes) || looksLikeTar(bytes) ||
         compressionOf(bytes) != Compression::None;
}

std::optional<Archive> toscac::readArchive(llvm::MemoryBufferRef archive,
                                           DiagnosticEngine &diags) {
  size_t errorsBefore = diags.numErrors();
  const ArchiveLibrary *library = archiveLibrary();
  if (!library) {
    diags.report({}, diag::ArchiveLibraryMissing,
                 archive.getBufferIdentifier());
    return std::nullopt;
  }
  StringRef bytes = archive.getBuffer();
  bool isZip = looksLikeZip(bytes);
  if (isZip && !checkZipDirectory(archive, diags))
    return std::nullopt;
  std::optional<Bytes> tarball;
  if (Compression kind = compressionOf(bytes); kind != Compression::None) {
    tarball = decompress(archive, kind, diags);
    if (!tarball)
      return std::nullopt;
    bytes = StringRef(tarball->data(), tarball->size());
  }
  UTF8Locale locale;
  EntryReader reader(*library, archive, diags);
  if (!isEmptyZip(bytes))
    reader.run(bytes, isZip);
  if (diags.numErrors() != errorsBefore)
    return std::nullopt;
  return reader.finish();
}
