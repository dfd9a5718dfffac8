//===- CheckImportCycles.h - Namespaces without end -------------*- C++ -*-===//
///
/// \file
/// Files may import each other as long as all names land in one namespace. A
/// cycle with a prefix would need names without end: a:b:a:b:…
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_TOSCA_CHECKIMPORTCYCLES_H
#define TOSCAC_LIB_PARSE_TOSCA_CHECKIMPORTCYCLES_H

#include "toscac/Parse/TOSCA/Load.h"

namespace toscac::tosca {

/// Reports, for each set of files that all import each other, the first import
/// among them that has a prefix.
void checkImportCycles(const Package &package, const SourceManager &sources,
                       DiagnosticEngine &diags);

} // namespace toscac::tosca

#endif
