//===- toscac/Basic/DiagnosticsState.h - States of deployments --*- C++ -*-===//

#ifndef TOSCAC_BASIC_DIAGNOSTICSSTATE_H
#define TOSCAC_BASIC_DIAGNOSTICSSTATE_H

#include "toscac/Basic/Diagnostics.h"

#define DIAG_STAGE State
#define DIAG_TABLE "toscac/Basic/DiagnosticsState.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
