//===- Fields.cpp - Values in manifests -----------------------------------===//

#include "Fields.h"

#include "toscac/Basic/DiagnosticsBosh.h"

using namespace toscac;
using llvm::StringRef;

static void reportShape(SourceRange place, StringRef what, StringRef form,
                        DiagnosticEngine &diags) {
  diags.report(place, diag::ManifestShape, what, form);
}

static void reportMissingKey(SourceRange place, StringRef what, StringRef key,
                             DiagnosticEngine &diags) {
  diags.report(place.begin, diag::ManifestKeyMissing, what, key);
}

bosh::Fields::Fields(const syntax::Node &node, StringRef what,
                     DiagnosticEngine &diags)
    : MapFields(node, what.str(), reportShape, reportMissingKey, diags) {
  if (!node.isMapping())
    reportShape(node.range(), what, "a map", diags);
}
