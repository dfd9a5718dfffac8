//===- toscac/Basic/DiagnosticsRun.h - Running a plan -----------*- C++ -*-===//

#ifndef TOSCAC_BASIC_DIAGNOSTICSRUN_H
#define TOSCAC_BASIC_DIAGNOSTICSRUN_H

#include "toscac/Basic/Diagnostics.h"

#define DIAG_STAGE Run
#define DIAG_TABLE "toscac/Basic/DiagnosticsRun.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
