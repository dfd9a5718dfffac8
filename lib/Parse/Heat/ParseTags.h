//===- ParseTags.h - Keys with one value or several -------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PARSE_HEAT_PARSETAGS_H
#define TOSCAC_LIB_PARSE_HEAT_PARSETAGS_H

#include "Shapes.h"
#include "llvm/ADT/STLExtras.h"

namespace toscac::heat {

/// An entry of `capabilities` or `requires`; nothing after a report.
std::optional<Capability> parseTag(const syntax::Entry &entry,
                                   DiagnosticEngine &diags);

} // namespace toscac::heat

#endif
