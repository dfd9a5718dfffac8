//===- toscac/Basic/DiagnosticsHeat.h - Heat templates ----------*- C++ -*-===//

#ifndef TOSCAC_BASIC_DIAGNOSTICSHEAT_H
#define TOSCAC_BASIC_DIAGNOSTICSHEAT_H

#include "toscac/Basic/Diagnostics.h"

#define DIAG_STAGE Heat
#define DIAG_TABLE "toscac/Basic/DiagnosticsHeat.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
