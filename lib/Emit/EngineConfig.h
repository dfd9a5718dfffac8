//===- EngineConfig.h - Settings of an engine -------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EMIT_ENGINECONFIG_H
#define TOSCAC_LIB_EMIT_ENGINECONFIG_H

#include "toscac/Emit/Emit.h"

namespace toscac::emit {

/// Shows \p visit the members of the JSON object in the file \p path, if that
/// is not empty. False after a report.
bool readEngineConfig(llvm::StringRef path, JSONField::Visit visit,
                      DiagnosticEngine &diags);

} // namespace toscac::emit

#endif
