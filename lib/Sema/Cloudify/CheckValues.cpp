//===- CheckValues.cpp - Values against the types of blueprints -----------===//

#include "Model.h"
#include "Values.h"
#include "toscac/Basic/Suggest.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;
using syntax::ScalarType;

void cloudify::reportProperty(const std::string &what, const Word &name,
                              llvm::ArrayRef<StringRef> known,
                              DiagnosticEngine &diags) {
  auto report =
      diags.report(name.range, diag::BlueprintPropertyUnknown, what, name.text);
  Suggestion meant(name.text, known);
  meant.noteOn(report);
  meant.fixIn(report, name.range);
}

static StringRef describeNode(const Node &node) {
  if (node.isSequence())
    return "a list";
  if (node.isMapping())
    return "a map";
  switch (node.scalarType()) {
  case ScalarType::Null:
    return "nothing";
  case ScalarType::Boolean:
    return "a boolean";
  case ScalarType::Integer:
    return "an integer";
  case ScalarType::Float:
    return "a float";
  case ScalarType::String:
    return "a string";
  }
  llvm_unreachable("all types are covered");
}

/// What \p value should be, as \p type is built in; empty where it is so.
static StringRef wantedBy(StringRef type, const Node &value) {
  StringRef is = describeNode(value);
  if (type == "integer" && is != "an integer")
    return "an integer";
  if (type == "float" && is != "a float" && is != "an integer")
    return "a float";
  if (type == "boolean" && is != "a boolean")
    return "a boolean";
  if (type == "list" && !value.isSequence())
    return "a list";
  if (type == "dict" && !value.isMapping())
    return "a map";
  return {};
}

/// What one of the properties of a data type is called.
static std::string within(StringRef name, const std::string &what) {
  return ("'" + name + "' in " + what).str();
}

void cloudify::checkEmpty(const Model &model, const std::string &what,
                          const FlatType &type, SourceRange place,
                          DiagnosticEngine &diags) {
  for (const Parameter &property : type.properties)
    if (property.required && !property.defaultValue &&
        !model.findDataType(property.type.text))
      diags.report(place, diag::BlueprintPropertyMissing, what,
                   property.name.text);
}

/// A map with the properties of \p type.
static void checkRecord(const Model &model, const std::string &what,
                        const FlatType &type, const Node &value,
                        DiagnosticEngine &diags) {
  std::vector<StringRef> known;
  for (const Parameter &property : type.properties) {
    known.push_back(property.name.text);
    if (const Node *given = value.find(property.name.text))
      checkValue(model, within(property.name.text, what), property, *given,
                 diags);
    else if (property.required && !property.defaultValue &&
             !model.findDataType(property.type.text))
      diags.report(value.range(), diag::BlueprintPropertyMissing, what,
                   property.name.text);
  }
  for (const Entry &entry : value.entries()) {
    StringRef key = entry.key.isScalar() ? entry.key.text() : "";
    if (!llvm::is_contained(known, key))
      reportProperty(what, {key, entry.key.range()}, known, diags);
  }
}

void cloudify::checkValue(const Model &model, const std::string &what,
                          const Parameter &defined, const Node &value,
                          DiagnosticEngine &diags) {
  if (value.isNull() || isCall(value))
    return;
  if (const FlatType *data = model.findDataType(defined.type.text)) {
    if (value.isMapping())
      return checkRecord(model, what, *data, value, diags);
    diags.report(value.range(), diag::BlueprintValueType, what, "a map",
                 describeNode(value));
    return;
  }
  StringRef wanted = wantedBy(defined.type.text, value);
  if (!wanted.empty())
    diags.report(value.range(), diag::BlueprintValueType, what, wanted,
                 describeNode(value));
  if (defined.itemType.isEmpty() || !value.isSequence())
    return;
  Parameter item;
  item.type = defined.itemType;
  for (const Node &each : value.items())
    checkValue(model, "an item of " + what, item, each, diags);
}
