//===- ToscaMeta.h - The syntax of TOSCA.meta -------------------*- C++ -*-===//
///
/// \file
/// Blocks of `keyname: value` lines, separated by empty lines (TOSCA 2.0
/// §17.2). What the keynames mean is not known here.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_TOSCAMETA_H
#define TOSCAC_LIB_PARSE_TOSCAMETA_H

#include "toscac/Basic/SourceManager.h"
#include <optional>

namespace toscac {
class DiagnosticEngine;

struct MetaPair {
  llvm::StringRef keyname;
  SourceRange keynameRange;
  /// With each line break, and the blanks around it, as one blank.
  std::string value;
  /// From the value's first to its last byte, over all its lines.
  SourceRange valueRange;
};

struct MetaBlock {
  std::vector<MetaPair> pairs;

  const MetaPair *find(llvm::StringRef keyname) const;
};

/// A blank-separated item of a value.
struct MetaItem {
  std::string text;
  SourceRange range;
};

/// Parses \p file. There is always a first block, be it empty; keynames of a
/// block are unique. Lines in error are reported and left out.
std::vector<MetaBlock> parseToscaMeta(const SourceManager &sources, FileId file,
                                      DiagnosticEngine &diags);

/// The file names in \p pair's value: separated by blanks, in double quotes
/// where they contain blanks.
std::vector<MetaItem> splitFileNames(const MetaPair &pair,
                                     const SourceManager &sources,
                                     DiagnosticEngine &diags);

} // namespace toscac

#endif
