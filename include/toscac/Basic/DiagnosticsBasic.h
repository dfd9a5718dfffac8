//===- toscac/Basic/DiagnosticsBasic.h - Files, options, formats *- C++ -*-===//

#ifndef TOSCAC_BASIC_DIAGNOSTICSBASIC_H
#define TOSCAC_BASIC_DIAGNOSTICSBASIC_H

#include "toscac/Basic/Diagnostics.h"

#define DIAG_STAGE Basic
#define DIAG_TABLE "toscac/Basic/DiagnosticsBasic.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
