//===- Shapes.cpp - What entries of blueprints must look like -------------===//

#include "Shapes.h"
#include "toscac/Basic/Suggest.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

static void reportShape(const Node &node, StringRef what, StringRef form,
                        DiagnosticEngine &diags) {
  diags.report(node.range(), diag::BlueprintShape, what, form);
}

static void reportMissingKey(const Node &node, StringRef what, StringRef key,
                             DiagnosticEngine &diags) {
  diags.report(node.range(), diag::BlueprintKeyMissing, what, key);
}

Fields::Fields(const Node &node, std::string what, DiagnosticEngine &diags)
    : MapFields(node, std::move(what), reportShape, reportMissingKey, diags) {
  if (!node.isMapping() && !node.isNull())
    reportShape(node, this->what, "a map", diags);
}

void Fields::check(llvm::ArrayRef<KeyRow> rows, unsigned version) const {
  if (!node.isMapping())
    return;
  for (const Entry &entry : node.entries()) {
    StringRef key = entry.key.isScalar() ? entry.key.text() : "";
    auto row = llvm::find_if(
        rows, [&](const KeyRow &known) { return known.name == key; });
    if (row == rows.end()) {
      auto report =
          diags.report(entry.key.range(), diag::BlueprintUnknownKey, what, key);
      std::vector<StringRef> names;
      for (const KeyRow &known : rows)
        names.push_back(known.name);
      Suggestion meant(key, names);
      meant.noteOn(report);
      meant.fixIn(report, entry.key.range());
    } else if (row->since > version) {
      diags.report(entry.key.range(), diag::BlueprintKeyTooNew, key, row->since,
                   version);
    }
  }
}

std::vector<NamedValue> Fields::values(StringRef key) const {
  std::vector<NamedValue> result;
  for (const Entry &entry : entries(key))
    if (auto name = nameOf(entry.key, what, diags))
      result.push_back({*name, &entry.value});
  return result;
}

std::optional<uint32_t> Fields::number(StringRef key) const {
  const Node *value = find(key);
  if (value && value->isScalar() && value->text() == "-1")
    return std::nullopt;
  return MapFields::number(key, "a whole number");
}

std::optional<Word> cloudify::nameOf(const Node &key, StringRef what,
                                     DiagnosticEngine &diags) {
  if (key.isScalar())
    return Word{key.text(), key.range()};
  diags.report(key.range(), diag::BlueprintShape, ("a key of " + what).str(),
               "a string");
  return std::nullopt;
}
