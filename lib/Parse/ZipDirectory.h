//===- ZipDirectory.h - The table of contents of a zip file -----*- C++ -*-===//
///
/// \file
/// A zip file names each entry twice, before its data and in the table at its
/// end, and readers differ in which they believe. This check makes sure that
/// there is only one answer, and that the table is no larger than allowed
/// before libarchive loads it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_ZIPDIRECTORY_H
#define TOSCAC_LIB_PARSE_ZIPDIRECTORY_H

#include "llvm/Support/MemoryBufferRef.h"

namespace toscac {
class DiagnosticEngine;

/// Reports what is wrong with the table of contents of \p archive; returns
/// false if anything is.
bool checkZipDirectory(llvm::MemoryBufferRef archive, DiagnosticEngine &diags);

} // namespace toscac

#endif
