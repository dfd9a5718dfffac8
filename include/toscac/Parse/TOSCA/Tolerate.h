//===- toscac/Parse/TOSCA/Tolerate.h - Mistakes of others ------*- C++ -*-===//
///
/// \file
/// Types of TOSCA 1.x are shared between tools that check little. Whoever
/// imports such types cannot correct them, so that most rules that they break
/// are warnings there; where a template uses the broken part, that is an error
/// in the template. Rules that came with a later version are warnings in files
/// of an earlier one, whoever owns them.
///
/// In TOSCA 2.0, what is clear without doubt is a warning, and so are some
/// mistakes of profiles on which nothing depends; --pedantic makes errors of
/// these warnings.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_TOSCA_TOLERATE_H
#define TOSCAC_PARSE_TOSCA_TOLERATE_H

#include "toscac/Parse/TOSCA/Load.h"

namespace toscac::tosca {

/// Makes warnings of the errors in \p diags that imported files of TOSCA 1.x
/// may have, and files of versions without the rule that was broken.
void tolerateMistakes(const Package &package, DiagnosticEngine &diags);

/// Does that where the meaning of a file of TOSCA 2.0 is clear, and no more:
/// for values that are looked at again.
void tolerateClearMistakes(const Package &package, DiagnosticEngine &diags);

} // namespace toscac::tosca

#endif
