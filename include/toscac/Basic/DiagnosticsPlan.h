//===- toscac/Basic/DiagnosticsPlan.h - Events and plans --------*- C++ -*-===//

#ifndef TOSCAC_BASIC_DIAGNOSTICSPLAN_H
#define TOSCAC_BASIC_DIAGNOSTICSPLAN_H

#include "toscac/Basic/Diagnostics.h"

#define DIAG_STAGE Plan
#define DIAG_TABLE "toscac/Basic/DiagnosticsPlan.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
