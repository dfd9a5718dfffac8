//===- TemplateExprParser.h - Expressions in templates ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_PARSE_BOSH_TEMPLATEEXPRPARSER_H
#define TOSCAC_LIB_PARSE_BOSH_TEMPLATEEXPRPARSER_H

#include "toscac/Parse/Bosh/Template.h"

namespace toscac::bosh {

/// Parses \p code, which begins at \p start; false after a report.
bool parseTemplateExpr(llvm::StringRef code, SourceLoc start,
                       DiagnosticEngine &diags, TemplateExpr &result);

} // namespace toscac::bosh

#endif
