//===- toscac/Basic/DiagnosticsValue.h - Values and expressions -*- C++ -*-===//

#ifndef TOSCAC_BASIC_DIAGNOSTICSVALUE_H
#define TOSCAC_BASIC_DIAGNOSTICSVALUE_H

#include "toscac/Basic/Diagnostics.h"

#define DIAG_STAGE Value
#define DIAG_TABLE "toscac/Basic/DiagnosticsValue.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
