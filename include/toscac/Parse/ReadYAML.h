//===- toscac/Parse/ReadYAML.h - Bytes to syntax tree -----------*- C++ -*-===//
///
/// \file
/// The only door to YAML: bytes in, syntax tree out. What reads them is known
/// to this module alone.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_READYAML_H
#define TOSCAC_PARSE_READYAML_H

#include "toscac/Parse/SyntaxTree.h"

namespace toscac {
class DiagnosticEngine;

/// Reads \p file, which must hold one YAML 1.2 document in UTF-8.
///
/// Time and memory are bounded by the size of the file: nesting deeper than 500
/// levels and aliases that multiply are errors.
syntax::Tree readYAML(const SourceManager &sources, FileId file,
                      DiagnosticEngine &diags);
} // namespace toscac

#endif
