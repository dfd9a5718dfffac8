//===- ResolveImport.h - From import definition to file ---------*- C++ -*-===//
///
/// \file
/// The rules of TOSCA 2.0 §6.8.2.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_TOSCA_RESOLVEIMPORT_H
#define TOSCAC_LIB_PARSE_TOSCA_RESOLVEIMPORT_H

#include "Catalog.h"

namespace toscac::tosca {

/// The file that \p import, a definition in \p from, names. Reports what is
/// wrong with it and gives nothing then.
std::optional<FileLocation> resolveImport(const Entity &import,
                                          const File &from, Catalog &catalog,
                                          DiagnosticEngine &diags);

/// The file that \p url, a path or a `file:` URL in \p from, names; nothing
/// where it leads to no file or out of the disk.
std::optional<FileLocation> findLocalFile(llvm::StringRef url,
                                          const File &from);

/// How \p file is shown to the user.
std::string shownName(const Volume &volume, llvm::StringRef file);

} // namespace toscac::tosca

#endif
