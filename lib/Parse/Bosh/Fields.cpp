//===- Fields.cpp - Values in manifests -----------------------------------===//

#include "Fields.h"

#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Parse/Bosh/Load.h"

using namespace toscac;
using llvm::StringRef;

static void reportShape(const syntax::Node &node, StringRef what,
                        StringRef form, DiagnosticEngine &diags) {
  auto open = node.isScalar() ? bosh::variableIn(node.text()) : std::nullopt;
  if (open)
    diags.report(node.range(), diag::VariableOpen, what, form, *open);
  else
    diags.report(node.range(), diag::ManifestShape, what, form);
}

static void reportMissingKey(const syntax::Node &node, StringRef what,
                             StringRef key, DiagnosticEngine &diags) {
  diags.report(node.range().begin, diag::ManifestKeyMissing, what, key);
}

bosh::Fields::Fields(const syntax::Node &node, StringRef what,
                     DiagnosticEngine &diags)
    : MapFields(node, what.str(), reportShape, reportMissingKey, diags) {
  if (!node.isMapping())
    reportShape(node, what, "a map", diags);
}
