//===- toscac/Parse/FormatSource.h - Indentation of YAML --------*- C++ -*-===//
///
/// \file
/// One form for the same file: two blanks a level, lists at the column of their
/// key, no blanks at the end of lines, at most one empty line. Comments, flow
/// collections and the text of scalars stay as they are.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_FORMATSOURCE_H
#define TOSCAC_PARSE_FORMATSOURCE_H

#include "toscac/Parse/ReadYAML.h"
#include <optional>
#include <string>

namespace toscac {

/// The text of the file with the valid tree \p tree in its one form. Nothing
/// where that would change what it says, as no file is known to do.
std::optional<std::string> formatSource(const syntax::Tree &tree,
                                        const SourceManager &sources,
                                        YAMLDialect dialect);

/// Whether \p a and \p b say the same, whatever the form.
bool isSameContent(const syntax::Node &a, const syntax::Node &b);

namespace tosca {
struct Entity;
struct EarlierVersion;

/// \p text, from which \p root was read, with the keynames of every entity in
/// the order of the grammar's tables. What stands above a keyname as a comment
/// goes with it.
std::string orderKeynames(llvm::StringRef text, const Entity &root,
                          const EarlierVersion *dialect,
                          const SourceManager &sources);
} // namespace tosca
} // namespace toscac

#endif
