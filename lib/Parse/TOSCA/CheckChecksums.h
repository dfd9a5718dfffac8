//===- CheckChecksums.h - Checksums of artifacts ----------------*- C++ -*-===//
///
/// \file
/// Compares files with what artifact definitions say of them (TOSCA 2.0 §12.2).
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_TOSCA_CHECKCHECKSUMS_H
#define TOSCAC_LIB_PARSE_TOSCA_CHECKCHECKSUMS_H

#include "toscac/Parse/TOSCA/Load.h"

namespace toscac::tosca {

/// Verifies the checksum of every artifact of \p package whose file is there:
/// beside the TOSCA file, or in the same archive. Files elsewhere are left to
/// the one who fetches them.
void checkChecksums(const Package &package, const SourceManager &sources,
                    DiagnosticEngine &diags);

} // namespace toscac::tosca

#endif
