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

/// How the program reads YAML for which files of a language are written.
enum class YAMLDialect : uint8_t {
  /// YAML 1.2 with its core schema; keys of a map differ. TOSCA 2.0.
  Strict,
  /// PyYAML: Heat, Cloudify, processors of TOSCA 1.
  PyYAML,
  /// go-yaml v2: BOSH.
  GoYAML
};

/// Reads \p file, which must hold one YAML document in UTF-8.
///
/// In the dialects of older loaders, scalars are those of YAML 1.1 (spelt in
/// the tree as in 1.2: `yes` is `true`, `0644` is `420`), the last of equal
/// keys wins, with a warning, a map may have several merge keys, and in
/// brackets `key:[a]` has a key.
///
/// Time and memory are bounded by the size of the file: nesting deeper than 500
/// levels and aliases that multiply are errors.
syntax::Tree readYAML(const SourceManager &sources, FileId file,
                      DiagnosticEngine &diags,
                      YAMLDialect dialect = YAMLDialect::Strict);
} // namespace toscac

#endif
