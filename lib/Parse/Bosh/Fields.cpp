//===- Fields.cpp - Values in manifests -----------------------------------===//

#include "Fields.h"

#include "Interpolate.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "llvm/ADT/STLExtras.h"

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

void bosh::Fields::checkKeys(llvm::ArrayRef<StringRef> known) const {
  if (!node.isMapping())
    return;
  std::vector<StringRef> absent;
  for (StringRef key : known)
    if (!node.find(key))
      absent.push_back(key);
  for (const syntax::Entry &entry : node.entries()) {
    StringRef key = entry.key.isScalar() ? entry.key.text() : "";
    if (key.empty() || llvm::is_contained(known, key))
      continue;
    std::optional<StringRef> meant = nearestName(key, absent);
    if (!meant)
      continue;
    diags.report(entry.key.range(), diag::ManifestKeyUnknown, what, key, *meant)
        .fixIt(entry.key.range(), meant->str());
  }
}

bosh::Fields::Fields(const syntax::Node &node, StringRef what,
                     DiagnosticEngine &diags)
    : MapFields(node, what.str(), reportShape, reportMissingKey, diags) {
  if (!node.isMapping())
    reportShape(node, what, "a map", diags);
}
