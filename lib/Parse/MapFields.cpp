//===- MapFields.cpp - Values of a certain form ---------------------------===//

#include "MapFields.h"

using namespace toscac;
using namespace toscac::syntax;
using llvm::StringRef;

const Node *MapFields::find(StringRef key) const {
  const Node *value = node.isMapping() ? node.find(key) : nullptr;
  return value && !value->isNull() ? value : nullptr;
}

void MapFields::reportForm(StringRef key, const Node &value,
                           StringRef form) const {
  wrongForm(value, ("'" + key + "' of " + what).str(), form, diags);
}

/// Not where something else stands in place of the map, which was reported.
void MapFields::reportMissing(StringRef key) const {
  if (node.isMapping() || node.isNull())
    missingKey(node, what, key, diags);
}

const Node *MapFields::findMap(StringRef key) const {
  const Node *value = find(key);
  if (!value || value->isMapping())
    return value;
  reportForm(key, *value, "a map");
  return nullptr;
}

llvm::ArrayRef<Node> MapFields::list(StringRef key) const {
  const Node *value = find(key);
  if (!value)
    return {};
  if (value->isSequence())
    return value->items();
  reportForm(key, *value, "a list");
  return {};
}

llvm::ArrayRef<Entry> MapFields::entries(StringRef key) const {
  const Node *value = findMap(key);
  return value ? value->entries() : llvm::ArrayRef<Entry>();
}

Word MapFields::word(StringRef key) const {
  const Node *value = find(key);
  if (!value)
    return {};
  if (value->isScalar())
    return {value->text(), value->range()};
  reportForm(key, *value, "a string");
  return {};
}

Word MapFields::requiredWord(StringRef key) const {
  const Node *value = find(key);
  if (!value)
    reportMissing(key);
  else if (value->isScalar() && value->text().empty())
    reportForm(key, *value, "a string that is not empty");
  return word(key);
}

std::vector<Word> MapFields::words(StringRef key) const {
  std::vector<Word> result;
  for (const Node &item : list(key))
    if (item.isScalar())
      result.push_back({item.text(), item.range()});
    else
      reportForm(key, item, "a list of strings");
  return result;
}

std::optional<bool> MapFields::boolean(StringRef key) const {
  const Node *value = find(key);
  if (!value)
    return std::nullopt;
  if (value->isScalar() && value->scalarType() == ScalarType::Boolean)
    return value->text().starts_with_insensitive("t");
  reportForm(key, *value, "true or false");
  return std::nullopt;
}

std::optional<uint32_t> MapFields::number(StringRef key, StringRef form) const {
  const Node *value = find(key);
  if (!value)
    return std::nullopt;
  uint32_t number;
  if (value->isScalar() && !value->text().getAsInteger(10, number))
    return number;
  reportForm(key, *value, form);
  return std::nullopt;
}
