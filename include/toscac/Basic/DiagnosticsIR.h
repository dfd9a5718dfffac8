//===- toscac/Basic/DiagnosticsIR.h - The graph IR --------------*- C++ -*-===//

#ifndef TOSCAC_BASIC_DIAGNOSTICSIR_H
#define TOSCAC_BASIC_DIAGNOSTICSIR_H

#include "toscac/Basic/Diagnostics.h"

#define DIAG_STAGE IR
#define DIAG_TABLE "toscac/Basic/DiagnosticsIR.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
