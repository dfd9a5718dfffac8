//===- toscac/Basic/DiagnosticsExpand.h - Instances, targets ----*- C++ -*-===//

#ifndef TOSCAC_BASIC_DIAGNOSTICSEXPAND_H
#define TOSCAC_BASIC_DIAGNOSTICSEXPAND_H

#include "toscac/Basic/Diagnostics.h"

#define DIAG_STAGE Expand
#define DIAG_TABLE "toscac/Basic/DiagnosticsExpand.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
