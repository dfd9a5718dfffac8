//===- toscac/Basic/DiagnosticsCloudify.h - Cloudify blueprints -*- C++ -*-===//

#ifndef TOSCAC_BASIC_DIAGNOSTICSCLOUDIFY_H
#define TOSCAC_BASIC_DIAGNOSTICSCLOUDIFY_H

#include "toscac/Basic/Diagnostics.h"

#define DIAG_STAGE Cloudify
#define DIAG_TABLE "toscac/Basic/DiagnosticsCloudify.def"
#include "toscac/Basic/DeclareDiagnostics.h"

#endif
