//===- ArchiveLibrary.h - libarchive, loaded when needed --------*- C++ -*-===//
///
/// \file
/// libarchive pulls in a dozen libraries (compression, XML, cryptography) that
/// would cost every start of toscac, so it is not linked but loaded when the
/// first archive is read. Members have the names and types of its functions.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_ARCHIVELIBRARY_H
#define TOSCAC_LIB_PARSE_ARCHIVELIBRARY_H

#include <archive.h>
#include <archive_entry.h>
#include <memory>

#define TOSCAC_ARCHIVE_FUNCTIONS(FUNCTION)                                     \
  FUNCTION(archive_read_new)                                                   \
  FUNCTION(archive_read_free)                                                  \
  FUNCTION(archive_read_support_filter_bzip2)                                  \
  FUNCTION(archive_read_support_filter_xz)                                     \
  FUNCTION(archive_read_support_filter_zstd)                                   \
  FUNCTION(archive_read_support_format_raw)                                    \
  FUNCTION(archive_read_support_format_tar)                                    \
  FUNCTION(archive_read_support_format_zip_seekable)                           \
  FUNCTION(archive_read_open_memory)                                           \
  FUNCTION(archive_read_next_header)                                           \
  FUNCTION(archive_read_data)                                                  \
  FUNCTION(archive_error_string)                                               \
  FUNCTION(archive_entry_pathname)                                             \
  FUNCTION(archive_entry_filetype)                                             \
  FUNCTION(archive_entry_hardlink)                                             \
  FUNCTION(archive_entry_is_encrypted)                                         \
  FUNCTION(archive_entry_size)                                                 \
  FUNCTION(archive_entry_size_is_set)

namespace toscac {

struct ArchiveLibrary {
#define FUNCTION(NAME) decltype(&::NAME) NAME = nullptr;
  TOSCAC_ARCHIVE_FUNCTIONS(FUNCTION)
#undef FUNCTION

  struct Free {
    const ArchiveLibrary *library;
    void operator()(::archive *handle) const {
      library->archive_read_free(handle);
    }
  };
  using Handle = std::unique_ptr<::archive, Free>;
  Handle newReader() const { return Handle(archive_read_new(), Free{this}); }
};

/// The library, loaded on the first call; null where it is not installed.
const ArchiveLibrary *archiveLibrary();

} // namespace toscac

#endif
