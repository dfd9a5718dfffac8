//===- ZipDirectory.cpp - The table of contents of a zip file -------------===//
///
/// \file
/// The layout is that of ISO/IEC 21320-1 (PKWARE's APPNOTE): local headers with
/// data, then the central directory, then its end record. Files with Zip64
/// records have another record that the end record's own fields defer to.
///
//===----------------------------------------------------------------------===//

#include "ZipDirectory.h"

#include "EntryName.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Parse/Archive.h"
#include "llvm/Support/Endian.h"
#include <sys/stat.h>

using namespace toscac;
using namespace toscac::archive_limits;
using namespace llvm::support::endian;
using llvm::StringRef;

namespace {

/// Stands in a 32-bit field whose value is in a Zip64 record.
constexpr uint32_t deferred = UINT32_MAX;

constexpr size_t endRecordSize = 22;
constexpr size_t zip64LocatorSize = 20;
constexpr size_t zip64EndRecordSize = 56;
constexpr size_t directoryEntrySize = 46;
constexpr size_t localHeaderSize = 30;

/// Where the central directory lies.
struct DirectoryExtent {
  uint64_t offset;
  uint64_t size;
};

class DirectoryCheck {
public:
  DirectoryCheck(llvm::MemoryBufferRef archive, DiagnosticEngine &diags)
      : bytes(archive.getBuffer()), name(archive.getBufferIdentifier()),
        diags(diags) {}

  bool run();

private:
  std::optional<DirectoryExtent> findDirectory() const;
  std::optional<DirectoryExtent> findZip64Directory(size_t endRecord) const;
  /// Checks the entry that \p rest begins with and drops it.
  bool checkEntry(StringRef &rest);
  bool checkKind(const char *entry, StringRef entryName);
  bool checkName(StringRef entryName, uint32_t localHeader);
  bool damaged(StringRef why) {
    diags.report({}, diag::ArchiveDamaged, name, why);
    return false;
  }

  StringRef bytes;
  StringRef name;
  DiagnosticEngine &diags;
  uint64_t totalSize = 0;
};

} // namespace

std::optional<DirectoryExtent>
DirectoryCheck::findZip64Directory(size_t endRecord) const {
  if (endRecord < zip64LocatorSize)
    return std::nullopt;
  StringRef locator = bytes.substr(endRecord - zip64LocatorSize);
  if (!locator.starts_with("PK\x06\x07"))
    return std::nullopt;
  uint64_t at = read64le(locator.data() + 8);
  if (at > bytes.size() || bytes.size() - at < zip64EndRecordSize ||
      !bytes.substr(at).starts_with("PK\x06\x06"))
    return std::nullopt;
  const char *record = bytes.data() + at;
  return DirectoryExtent{read64le(record + 48), read64le(record + 40)};
}

std::optional<DirectoryExtent> DirectoryCheck::findDirectory() const {
  size_t at = bytes.rfind("PK\x05\x06");
  if (at == StringRef::npos || bytes.size() - at < endRecordSize)
    return std::nullopt;
  const char *record = bytes.data() + at;
  DirectoryExtent extent = {read32le(record + 16), read32le(record + 12)};
  if (extent.offset == deferred || extent.size == deferred) {
    std::optional<DirectoryExtent> zip64 = findZip64Directory(at);
    if (!zip64)
      return std::nullopt;
    extent = *zip64;
  }
  if (extent.offset > at || extent.size > at - extent.offset)
    return std::nullopt;
  return extent;
}

bool DirectoryCheck::run() {
  std::optional<DirectoryExtent> extent = findDirectory();
  if (!extent)
    return damaged("its table of contents is missing");
  StringRef rest = bytes.substr(extent->offset, extent->size);
  for (uint64_t count = 0; !rest.empty(); ++count) {
    if (count == maxEntries) {
      diags.report({}, diag::ArchiveTooManyEntries, name, maxEntries);
      return false;
    }
    if (rest.size() < directoryEntrySize || !rest.starts_with("PK\x01\x02"))
      return damaged("its table of contents is not readable");
    if (!checkEntry(rest))
      return false;
  }
  if (totalSize > maxTotalSize) {
    diags.report({}, diag::ArchiveTooLarge, name, maxTotalSize);
    return false;
  }
  return true;
}

bool DirectoryCheck::checkEntry(StringRef &rest) {
  const char *entry = rest.data();
  uint32_t size = read32le(entry + 24);
  size_t nameSize = read16le(entry + 28);
  size_t extraSize = read16le(entry + 30);
  size_t commentSize = read16le(entry + 32);
  uint32_t localHeader = read32le(entry + 42);
  StringRef entryName = rest.substr(directoryEntrySize, nameSize);
  rest = rest.drop_front(std::min(rest.size(), directoryEntrySize + nameSize +
                                                   extraSize + commentSize));
  if (entryName.size() != nameSize)
    return damaged("its table of contents is cut off");
  if (size != deferred)
    totalSize += size;
  return checkName(entryName, localHeader) && checkKind(entry, entryName);
}

/// libarchive takes special files for empty ones, and a backslash for a slash.
bool DirectoryCheck::checkKind(const char *entry, StringRef entryName) {
  if (entryName.contains('\\')) {
    diags.report({}, diag::ArchiveNameNotPortable, name,
                 printableName(entryName));
    return false;
  }
  constexpr uint8_t madeOnUnix = 3;
  unsigned type = (read32le(entry + 38) >> 16) & S_IFMT;
  if (entry[5] != madeOnUnix || type == 0 || type == S_IFREG ||
      type == S_IFDIR || type == S_IFLNK)
    return true;
  diags.report({}, diag::ArchiveHoldsDevice, name, printableName(entryName));
  return false;
}

bool DirectoryCheck::checkName(StringRef entryName, uint32_t localHeader) {
  if (entryName.contains('\0')) {
    diags.report({}, diag::ArchiveNameWithNul, name, printableName(entryName));
    return false;
  }
  if (localHeader == deferred)
    return true;
  StringRef header = bytes.substr(localHeader);
  if (header.size() < localHeaderSize || !header.starts_with("PK\x03\x04"))
    return damaged("its table of contents points at no entry");
  if (header.substr(localHeaderSize, read16le(header.data() + 26)) != entryName)
    return damaged("an entry has two different names");
  return true;
}

bool toscac::checkZipDirectory(llvm::MemoryBufferRef archive,
                               DiagnosticEngine &diags) {
  return DirectoryCheck(archive, diags).run();
}
