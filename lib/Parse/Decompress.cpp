//===- Decompress.cpp - Decompression within limits -----------------------===//
///
/// \file
/// A compressed tarball is decompressed whole before its entries are read: the
/// reader of tarballs stops at the end mark and would never see that the stream
/// behind it is cut off or fails its checksum. libarchive does not look at the
/// checksum of gzip at all, so that gzip is left to zlib.
///
//===----------------------------------------------------------------------===//

#include "Decompress.h"

#include "ArchiveLibrary.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Parse/Archive.h"
#include "llvm/ADT/ScopeExit.h"
#include <algorithm>
#include <zlib.h>

using namespace toscac;
using namespace toscac::archive_limits;
using llvm::StringRef;

static constexpr size_t chunkSize = 256 << 10;

bool UnpackBudget::take(uint64_t bytes) {
  taken += bytes;
  StringRef name = archive.getBufferIdentifier();
  if (taken > freeSize && taken > maxRatio * archive.getBufferSize()) {
    diags.report({}, diag::ArchiveBomb, name, maxRatio);
    return false;
  }
  if (taken > maxTotalSize) {
    diags.report({}, diag::ArchiveTooLarge, name, maxTotalSize);
    return false;
  }
  return true;
}

Compression toscac::compressionOf(StringRef bytes) {
  if (bytes.starts_with("\x1F\x8B\x08"))
    return Compression::Gzip;
  // "BZh", the block size, then the mark of a block or of the stream's end;
  // the mark keeps text that begins with "BZh" apart.
  StringRef mark = bytes.substr(4, 6);
  if (bytes.starts_with("BZh") &&
      (mark == "1AY&SY" || mark == "\x17\x72\x45\x38\x50\x90"))
    return Compression::Bzip2;
  if (bytes.starts_with(StringRef("\xFD"
                                  "7zXZ\0",
                                  6)))
    return Compression::Xz;
  if (bytes.starts_with("\x28\xB5\x2F\xFD"))
    return Compression::Zstd;
  return Compression::None;
}

namespace {

/// Output of a decompressor: grows by chunks, charges the budget.
class Output {
public:
  explicit Output(UnpackBudget &budget) : budget(budget) {}

  /// Room for the next chunk.
  char *room() {
    bytes.resize_for_overwrite(used + chunkSize);
    return bytes.data() + used;
  }
  bool wrote(size_t count) {
    used += count;
    return budget.take(count);
  }
  Bytes finish() {
    bytes.truncate(used);
    return std::move(bytes);
  }

private:
  UnpackBudget &budget;
  Bytes bytes;
  size_t used = 0;
};

} // namespace

/// Inflates one member of a gzip file, which \p stream's input begins with.
/// Returns zlib's status: Z_STREAM_END if it is complete.
static int inflateMember(z_stream &stream, Output &output, bool &withinBudget) {
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef *>(output.room());
    stream.avail_out = chunkSize;
    status = inflate(&stream, Z_NO_FLUSH);
    withinBudget = output.wrote(chunkSize - stream.avail_out);
    if (!withinBudget)
      return Z_BUF_ERROR;
  }
  return status;
}

static std::optional<Bytes> gunzip(llvm::MemoryBufferRef archive,
                                   DiagnosticEngine &diags) {
  UnpackBudget budget(archive, diags);
  Output output(budget);
  StringRef input = archive.getBuffer();
  z_stream stream = {};
  // 16 asks for the gzip format, whose checksum is then verified.
  [[maybe_unused]] int ready = inflateInit2(&stream, 16 + MAX_WBITS);
  assert(ready == Z_OK && "zlib is out of memory or of another version");
  auto end = llvm::make_scope_exit([&] { inflateEnd(&stream); });
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(input.begin()));
  stream.avail_in = static_cast<uInt>(input.size());
  bool withinBudget = true;
  while (inflateMember(stream, output, withinBudget) == Z_STREAM_END) {
    StringRef rest = input.take_back(stream.avail_in);
    // Tapes and some tools pad with zeros.
    if (rest.find_first_not_of('\0') == StringRef::npos)
      return output.finish();
    inflateReset(&stream);
  }
  if (withinBudget)
    diags.report({}, diag::ArchiveDamaged, archive.getBufferIdentifier(),
                 stream.msg ? stream.msg : "the gzip stream is cut off");
  return std::nullopt;
}

/// Decompresses with a filter of libarchive, as a single file of "raw" format.
static std::optional<Bytes> decompressRaw(llvm::MemoryBufferRef archive,
                                          Compression compression,
                                          DiagnosticEngine &diags) {
  StringRef name = archive.getBufferIdentifier();
  const ArchiveLibrary *library = archiveLibrary();
  if (!library) {
    diags.report({}, diag::ArchiveLibraryMissing, name);
    return std::nullopt;
  }
  ArchiveLibrary::Handle reader = library->newReader();
  if (compression == Compression::Bzip2)
    library->archive_read_support_filter_bzip2(reader.get());
  else if (compression == Compression::Xz)
    library->archive_read_support_filter_xz(reader.get());
  else
    library->archive_read_support_filter_zstd(reader.get());
  library->archive_read_support_format_raw(reader.get());
  UnpackBudget budget(archive, diags);
  Output output(budget);
  archive_entry *entry = nullptr;
  la_ssize_t status = library->archive_read_open_memory(
      reader.get(), archive.getBufferStart(), archive.getBufferSize());
  if (status == ARCHIVE_OK)
    status = library->archive_read_next_header(reader.get(), &entry);
  if (status == ARCHIVE_OK)
    while ((status = library->archive_read_data(reader.get(), output.room(),
                                                chunkSize)) > 0)
      if (!output.wrote(static_cast<size_t>(status)))
        return std::nullopt;
  // A stream of nothing has no entry of the raw format: ARCHIVE_EOF.
  if (status == 0 || status == ARCHIVE_EOF)
    return output.finish();
  const char *why = library->archive_error_string(reader.get());
  diags.report({}, diag::ArchiveDamaged, name,
               why ? why : "the compressed stream is cut off");
  return std::nullopt;
}

std::optional<Bytes> toscac::decompress(llvm::MemoryBufferRef archive,
                                        Compression compression,
                                        DiagnosticEngine &diags) {
  if (compression == Compression::Gzip)
    return gunzip(archive, diags);
  return decompressRaw(archive, compression, diags);
}
