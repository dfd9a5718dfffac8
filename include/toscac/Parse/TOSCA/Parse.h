//===- toscac/Parse/TOSCA/Parse.h - Syntax tree to AST ----------*- C++ -*-===//
///
/// \file
/// Reads the syntax tree of one file by the tables of Grammar.def.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_TOSCA_PARSE_H
#define TOSCAC_PARSE_TOSCA_PARSE_H

#include "toscac/Parse/TOSCA/AST.h"
#include <string>

namespace toscac {
class DiagnosticEngine;
namespace tosca {

/// The AST of the file with the valid syntax tree \p tree. Reports every
/// keyname and value that does not fit the grammar and carries on: the result
/// always has what could be read. The AST lies in the tree's arena. A file that
/// is no TOSCA file is reported with \p importedAt, if that is valid. Where the
/// importing file is of TOSCA 1.x, its version \p importer is that of a file
/// which says none. \p extensions are keynames that the grammar lacks, as
/// `entity.keyname`, besides those of Extensions.def.
Entity parseFile(const syntax::Tree &tree, SourceRange importedAt,
                 const EarlierVersion *importer, NameTable &names,
                 DiagnosticEngine &diags,
                 llvm::ArrayRef<std::string> extensions = {});

/// Whether \p node is a call: a map of one key that starts with a single `$`,
/// an old function name without it, or a string that starts with `$`.
bool isCall(const syntax::Node &node);

/// Whether \p node is a word of old drafts for `$node_index`.
bool isOldIndex(const syntax::Node &node);

} // namespace tosca
} // namespace toscac

#endif
