//===- Shapes.cpp - What sections and entries must look like --------------===//

#include "Shapes.h"
#include "toscac/Basic/Suggest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;
using syntax::Node;
using syntax::NodeKind;

std::string heat::describe(const Node &node) {
  switch (node.kind()) {
  case NodeKind::Null:
    return "nothing";
  case NodeKind::Scalar:
    return "'" + node.text().take_front(40).str() + "'";
  case NodeKind::Sequence:
    return "a list";
  case NodeKind::Mapping:
    return "a map";
  }
  llvm_unreachable("all kinds are covered");
}

static void reportShape(const Node &node, StringRef what, StringRef wanted,
                        DiagnosticEngine &diags) {
  diags.report(node.range(), diag::HeatShape, what, wanted, describe(node));
}

bool heat::expectMap(const Node &node, StringRef what,
                     DiagnosticEngine &diags) {
  if (!node.isMapping())
    reportShape(node, what, "a map", diags);
  return node.isMapping();
}

bool heat::expectList(const Node &node, StringRef what,
                      DiagnosticEngine &diags) {
  if (!node.isSequence())
    reportShape(node, what, "a list", diags);
  return node.isSequence();
}

std::optional<StringRef> heat::expectText(const Node &node, StringRef what,
                                          DiagnosticEngine &diags) {
  if (node.isScalar())
    return node.text();
  reportShape(node, what, "a text", diags);
  return std::nullopt;
}

std::optional<bool> heat::expectBoolean(const Node &node, StringRef what,
                                        DiagnosticEngine &diags) {
  std::optional<bool> result;
  if (node.isScalar())
    result = llvm::StringSwitch<std::optional<bool>>(node.text())
                 .CasesLower("true", "t", "yes", "y", "on", true)
                 .CasesLower("false", "f", "no", "n", "off", false)
                 .Case("1", true)
                 .Case("0", false)
                 .Default(std::nullopt);
  if (!result)
    reportShape(node, what, "true or false", diags);
  return result;
}

void heat::checkKeys(const Node &map, StringRef what,
                     llvm::ArrayRef<KeyRow> rows, const Version *version,
                     DiagnosticEngine &diags) {
  for (const syntax::Entry &entry : map.entries()) {
    StringRef key = entry.key.isScalar() ? entry.key.text() : "";
    auto row = llvm::find_if(
        rows, [&](const KeyRow &known) { return known.name == key; });
    if (row == rows.end()) {
      auto report = diags.report(entry.key.range(), diag::HeatUnknownKey, what,
                                 key.empty() ? describe(entry.key) : key);
      std::vector<StringRef> names;
      for (const KeyRow &known : rows)
        names.push_back(known.name);
      Suggestion meant(key, names);
      meant.noteOn(report);
      meant.fixIn(report, entry.key.range());
    } else if (version && !version->isAtLeast(row->since)) {
      diags.report(entry.key.range(), diag::HeatTooNew, ("'" + key + "'").str(),
                   row->since, version->date);
    }
  }
}

void heat::parseSection(const Node &root, StringRef key,
                        DiagnosticEngine &diags,
                        llvm::function_ref<void(Word, const Node &)> parse) {
  const Node *section = root.find(key);
  if (!section || section->isNull() ||
      !expectMap(*section, ("'" + key + "'").str(), diags))
    return;
  for (const syntax::Entry &entry : section->entries()) {
    auto name = expectText(entry.key, ("a name in '" + key + "'").str(), diags);
    if (name)
      parse({*name, entry.key.range()}, entry.value);
  }
}

void heat::parseNames(const Node &node, StringRef what,
                      std::vector<Word> &names, DiagnosticEngine &diags) {
  auto add = [&](const Node &item) {
    if (auto text = expectText(item, what, diags))
      names.push_back({*text, item.range()});
  };
  if (node.isSequence())
    for (const Node &item : node.items())
      add(item);
  else if (!node.isNull())
    add(node);
}
