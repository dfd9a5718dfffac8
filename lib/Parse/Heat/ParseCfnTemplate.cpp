//===- ParseCfnTemplate.cpp - Templates in the form of CloudFormation -----===//
///
/// \file
/// `AWSTemplateFormatVersion` has conditions; `HeatTemplateFormatVersion`,
/// which is older, has none.
///
//===----------------------------------------------------------------------===//

#include "Shapes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;
using syntax::Node;

static constexpr StringRef versionKeys[] = {"AWSTemplateFormatVersion",
                                            "HeatTemplateFormatVersion"};

bool heat::isCfnTemplate(const Node &root) {
  return root.isMapping() && llvm::any_of(versionKeys, [&](StringRef key) {
           return root.find(key) != nullptr;
         });
}

namespace {

class CfnParser {
public:
  CfnParser(const Node &root, DiagnosticEngine &diags)
      : root(root), diags(diags) {}

  Template parse();

private:
  void parseVersion();
  void parseParameter(Word name, const Node &node);
  void parseConstraints(Parameter &parameter, const Node &node);
  void parseResource(Word name, const Node &node);
  void parseOutput(Word name, const Node &node);
  StringRef textOf(const Node &map, StringRef key, StringRef what);

  const Node &root;
  DiagnosticEngine &diags;
  Template result;
};

} // namespace

void CfnParser::parseVersion() {
  static constexpr StringRef dates[] = {"2010-09-09", "2012-12-12"};
  for (auto [key, date] : llvm::zip(versionKeys, dates)) {
    const Node *node = root.find(key);
    if (node && (!node->isScalar() || node->text() != date))
      diags.report(node->range(), diag::HeatShape, ("'" + key + "'").str(),
                   ("the date '" + date + "'").str(), describe(*node));
  }
}

/// The text at \p key, or none.
StringRef CfnParser::textOf(const Node &map, StringRef key, StringRef what) {
  const Node *found = map.find(key);
  if (!found || found->isNull())
    return "";
  return expectText(*found, ("'" + key + "' of " + what).str(), diags)
      .value_or("");
}

/// Bounds stand beside each other in the parameter itself.
void CfnParser::parseConstraints(Parameter &parameter, const Node &node) {
  StringRef description = textOf(node, "ConstraintDescription", "a parameter");
  auto add = [&](ConstraintKind kind, StringRef key, const Node *value) {
    if (const Node *found = node.find(key))
      parameter.constraints.push_back(
          {kind, value ? value : found, description, found->range()});
    return node.find(key) != nullptr;
  };
  add(ConstraintKind::Length, "MinLength", &node) ||
      add(ConstraintKind::Length, "MaxLength", &node);
  add(ConstraintKind::Range, "MinValue", &node) ||
      add(ConstraintKind::Range, "MaxValue", &node);
  add(ConstraintKind::AllowedValues, "AllowedValues", nullptr);
  add(ConstraintKind::AllowedPattern, "AllowedPattern", nullptr);
}

void CfnParser::parseParameter(Word name, const Node &node) {
  std::string what = ("parameter '" + name.text + "'").str();
  if (!expectMap(node, what, diags))
    return;
  checkKeys(node, what,
            {{"Type"},
             {"Default"},
             {"NoEcho"},
             {"AllowedValues"},
             {"AllowedPattern"},
             {"MaxLength"},
             {"MinLength"},
             {"MaxValue"},
             {"MinValue"},
             {"Description"},
             {"ConstraintDescription"},
             {"Label"}},
            nullptr, diags);
  Parameter &parameter = result.parameters.emplace_back();
  parameter.name = name;
  const Node *type = node.find("Type");
  if (!type)
    diags.report(name.range, diag::HeatMissingKey, what, "Type");
  auto known = llvm::StringSwitch<std::optional<ParameterType>>(
                   type && type->isScalar() ? type->text() : "")
                   .Case("String", ParameterType::String)
                   .Case("Number", ParameterType::Number)
                   .Case("Json", ParameterType::Json)
                   .Case("CommaDelimitedList", ParameterType::List)
                   .Case("Boolean", ParameterType::Boolean)
                   // Those of Amazon's own are names of things.
                   .StartsWith("AWS::", ParameterType::String)
                   .StartsWith("List<", ParameterType::List)
                   .Default(std::nullopt);
  if (known)
    parameter.type = *known;
  else if (type)
    diags.report(type->range(), diag::HeatShape, ("the type of " + what),
                 "String, Number, Json, CommaDelimitedList or Boolean",
                 describe(*type));
  parameter.label = textOf(node, "Label", what);
  parameter.description = textOf(node, "Description", what);
  const Node *value = node.find("Default");
  parameter.defaultValue = value && !value->isNull() ? value : nullptr;
  if (const Node *hidden = node.find("NoEcho"))
    parameter.hidden =
        expectBoolean(*hidden, "'NoEcho' of " + what, diags).value_or(false);
  parseConstraints(parameter, node);
}

void CfnParser::parseResource(Word name, const Node &node) {
  std::string what = ("resource '" + name.text + "'").str();
  if (!expectMap(node, what, diags))
    return;
  checkKeys(node, what,
            {{"Type"},
             {"Description"},
             {"Properties"},
             {"Metadata"},
             {"DependsOn"},
             {"UpdatePolicy"},
             {"DeletionPolicy"},
             {"Condition"}},
            nullptr, diags);
  const Node *type = node.find("Type");
  if (!type) {
    diags.report(name.range, diag::HeatMissingKey, what, "Type");
    return;
  }
  auto text = expectText(*type, "the type of " + what, diags);
  if (!text)
    return;
  Resource &resource = result.resources.emplace_back();
  resource.name = name;
  resource.type = {*text, type->range()};
  resource.properties = node.find("Properties");
  if (resource.properties && !resource.properties->isNull())
    expectMap(*resource.properties, "'Properties' of " + what, diags);
  resource.metadata = node.find("Metadata");
  resource.updatePolicy = node.find("UpdatePolicy");
  resource.deletionPolicy = node.find("DeletionPolicy");
  resource.condition = node.find("Condition");
  if (const Node *dependsOn = node.find("DependsOn"))
    parseNames(*dependsOn, "'DependsOn' of " + what, resource.dependsOn, diags);
}

void CfnParser::parseOutput(Word name, const Node &node) {
  std::string what = ("output '" + name.text + "'").str();
  if (!expectMap(node, what, diags))
    return;
  checkKeys(node, what, {{"Description"}, {"Value"}, {"Condition"}}, nullptr,
            diags);
  Output &output = result.outputs.emplace_back();
  output.name = name;
  output.condition = node.find("Condition");
  output.value = node.find("Value");
  if (!output.value)
    diags.report(name.range, diag::HeatMissingKey, what, "Value");
  output.description = textOf(node, "Description", what);
}

Template CfnParser::parse() {
  result.isCfn = true;
  result.version = allVersions().front();
  parseVersion();
  std::vector<KeyRow> keys = {
      {versionKeys[0]}, {versionKeys[1]}, {"Description"},
      {"Mappings"},     {"Parameters"},   {"ParameterGroups"},
      {"Resources"},    {"Outputs"},      {"Metadata"}};
  if (root.find(versionKeys[0]))
    keys.push_back({"Conditions"});
  checkKeys(root, "a template", keys, nullptr, diags);
  result.description = textOf(root, "Description", "the template");
  if (const Node *mappings = root.find("Mappings");
      mappings && !mappings->isNull() &&
      expectMap(*mappings, "'Mappings'", diags))
    result.mappings = mappings;
  parseSection(root, "Parameters", diags, [&](Word name, const Node &node) {
    parseParameter(name, node);
  });
  parseSection(root, "Conditions", diags, [&](Word name, const Node &node) {
    result.conditions.push_back({name, &node});
  });
  parseSection(root, "Resources", diags,
               [&](Word name, const Node &node) { parseResource(name, node); });
  parseSection(root, "Outputs", diags,
               [&](Word name, const Node &node) { parseOutput(name, node); });
  return std::move(result);
}

Template heat::parseCfnTemplate(const Node &root, DiagnosticEngine &diags) {
  return CfnParser(root, diags).parse();
}
