//===- CheckVersion.cpp - Whether a file is TOSCA, and which --------------===//

#include "CheckVersion.h"

#include "toscac/Basic/DiagnosticsParse.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Node;

StringRef tosca::versionOf(const Node &root) {
  const Node *version = root.isMapping()
                            ? root.find(word(Key::ToscaDefinitionsVersion))
                            : nullptr;
  return version && version->isScalar() ? version->text() : StringRef();
}

bool tosca::checkIsTosca(const Node &root, SourceRange importedAt,
                         const EarlierVersion *importer,
                         DiagnosticEngine &diags) {
  auto report = [&](SourceRange place, StringRef problem) {
    auto builder = diags.report(place, diag::NotTosca, problem);
    if (importedAt.isValid())
      builder.note(importedAt, diag::ImportedHere);
    return false;
  };
  if (root.isNull())
    return report(root.range(), "the file is empty");
  StringRef keyname = word(Key::ToscaDefinitionsVersion);
  // Tools of TOSCA 1.x took an imported file for what the importing one is.
  if (importer && root.isMapping() && !root.find(keyname))
    return true;
  if (!root.isMapping() || !root.find(keyname)) {
    SourceRange place = root.range();
    if (root.isMapping() && !root.entries().empty())
      place = root.entries().front().key.range();
    // The keys that tell languages, of which one may be misspelt.
    if (root.isMapping() && !importedAt.isValid())
      for (const syntax::Entry &entry : root.entries())
        if (StringRef key = entry.key.isScalar() ? entry.key.text() : "";
            auto meant =
                nearestName(key, {"instance_groups", "heat_template_version"}))
          return report(entry.key.range(),
                        ("no keyname tells the language; '" + key +
                         "' may be meant to be '" + *meant +
                         (*meant == "instance_groups" ? "' of a BOSH manifest"
                                                      : "' of a Heat template"))
                            .str());
    return report(place, "'tosca_definitions_version' is missing");
  }
  const Node &first = root.entries().front().key;
  if (!findEarlierVersion(nearestVersion(versionOf(root))) &&
      (!first.isScalar() || first.text() != keyname))
    diags.report(first.range(), diag::VersionNotFirst);
  return true;
}
