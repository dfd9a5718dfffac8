//===- Shapes.cpp - What entries of blueprints must look like -------------===//

#include "Shapes.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

Fields::Fields(const Node &node, std::string what, DiagnosticEngine &diags)
    : what(std::move(what)), node(node), diags(diags) {
  if (!node.isMapping() && !node.isNull())
    diags.report(node.range(), diag::BlueprintShape, this->what, "a map");
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
      if (auto nearest = nearestName(key, names))
        report.note({}, diag::DidYouMean, *nearest)
            .fixIt(entry.key.range(), nearest->str());
    } else if (row->since > version) {
      diags.report(entry.key.range(), diag::BlueprintKeyTooNew, key, row->since,
                   version);
    }
  }
}

const Node *Fields::find(StringRef key) const {
  const Node *value = node.isMapping() ? node.find(key) : nullptr;
  return value && !value->isNull() ? value : nullptr;
}

void Fields::reportShape(StringRef key, const Node &value,
                         StringRef form) const {
  diags.report(value.range(), diag::BlueprintShape,
               ("'" + key + "' of " + what).str(), form);
}

void Fields::reportMissing(StringRef key) const {
  if (node.isMapping() || node.isNull())
    diags.report(node.range(), diag::BlueprintKeyMissing, what, key);
}

llvm::ArrayRef<Node> Fields::list(StringRef key) const {
  const Node *value = find(key);
  if (!value)
    return {};
  if (value->isSequence())
    return value->items();
  reportShape(key, *value, "a list");
  return {};
}

llvm::ArrayRef<Entry> Fields::entries(StringRef key) const {
  const Node *value = find(key);
  if (!value)
    return {};
  if (value->isMapping())
    return value->entries();
  reportShape(key, *value, "a map");
  return {};
}

std::vector<NamedValue> Fields::values(StringRef key) const {
  std::vector<NamedValue> result;
  for (const Entry &entry : entries(key))
    if (auto name = nameOf(entry.key, what, diags))
      result.push_back({*name, &entry.value});
  return result;
}

Word Fields::word(StringRef key) const {
  const Node *value = find(key);
  if (!value)
    return {};
  if (value->isScalar())
    return {value->text(), value->range()};
  reportShape(key, *value, "a string");
  return {};
}

Word Fields::requiredWord(StringRef key) const {
  if (!find(key))
    reportMissing(key);
  return word(key);
}

std::vector<Word> Fields::words(StringRef key) const {
  std::vector<Word> result;
  for (const Node &item : list(key))
    if (item.isScalar())
      result.push_back({item.text(), item.range()});
    else
      reportShape(key, item, "a list of strings");
  return result;
}

std::optional<bool> Fields::boolean(StringRef key) const {
  const Node *value = find(key);
  if (!value)
    return std::nullopt;
  if (value->scalarType() == syntax::ScalarType::Boolean && value->isScalar())
    return value->text().starts_with_insensitive("t");
  reportShape(key, *value, "true or false");
  return std::nullopt;
}

std::optional<uint32_t> Fields::number(StringRef key) const {
  const Node *value = find(key);
  if (!value)
    return std::nullopt;
  uint32_t number;
  if (value->isScalar() && !value->text().getAsInteger(10, number))
    return number;
  // -1 stands for no limit.
  if (!value->isScalar() || value->text() != "-1")
    reportShape(key, *value, "a whole number");
  return std::nullopt;
}

std::optional<Word> cloudify::nameOf(const Node &key, StringRef what,
                                     DiagnosticEngine &diags) {
  if (key.isScalar())
    return Word{key.text(), key.range()};
  diags.report(key.range(), diag::BlueprintShape, ("a key of " + what).str(),
               "a string");
  return std::nullopt;
}
