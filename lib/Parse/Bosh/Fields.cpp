//===- Fields.cpp - Values of a certain form ------------------------------===//

#include "Fields.h"

#include "toscac/Basic/DiagnosticsBosh.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Node;
using syntax::ScalarType;

Fields::Fields(const Node &node, StringRef what, DiagnosticEngine &diags)
    : node(node), what(what), diags(diags), isMap(node.isMapping()) {
  if (!isMap)
    diags.report(node.range(), diag::ManifestShape, what, "a map");
}

const Node *Fields::find(StringRef key) const {
  const Node *value = isMap ? node.find(key) : nullptr;
  return value && !value->isNull() ? value : nullptr;
}

void Fields::reportShape(StringRef key, const Node &value,
                         StringRef form) const {
  diags.report(value.range(), diag::ManifestShape,
               ("'" + key + "' of " + what).str(), form);
}

const Node *Fields::findMap(StringRef key) const {
  const Node *value = find(key);
  if (!value || value->isMapping())
    return value;
  reportShape(key, *value, "a map");
  return nullptr;
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

llvm::ArrayRef<syntax::Entry> Fields::entries(StringRef key) const {
  const Node *value = findMap(key);
  return value ? value->entries() : llvm::ArrayRef<syntax::Entry>();
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
  if (!isMap)
    return {};
  if (!find(key))
    diags.report(node.range().begin, diag::ManifestKeyMissing, what, key);
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
  if (value->isScalar() && value->scalarType() == ScalarType::Boolean)
    return value->text().starts_with_insensitive("t");
  reportShape(key, *value, "true or false");
  return std::nullopt;
}

std::optional<uint32_t> Fields::number(StringRef key) const {
  const Node *value = find(key);
  uint32_t number;
  if (!value)
    return std::nullopt;
  if (value->isScalar() && !value->text().getAsInteger(10, number))
    return number;
  reportShape(key, *value, "an integer from 0 on");
  return std::nullopt;
}
