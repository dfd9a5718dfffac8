//===- ParseTemplate.cpp - The sections of a HOT file ---------------------===//

#include "Shapes.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

llvm::ArrayRef<Version> heat::allVersions() {
  static constexpr Version versions[] = {
      {"2013-05-23", ""},       {"2014-10-16", ""},
      {"2015-04-30", ""},       {"2015-10-15", ""},
      {"2016-04-08", ""},       {"2016-10-14", "newton"},
      {"2017-02-24", "ocata"},  {"2017-09-01", "pike"},
      {"2018-03-02", "queens"}, {"2018-08-31", "rocky"},
      {"2021-04-16", "wallaby"}};
  return versions;
}

StringRef heat::word(ParameterType type) {
  static constexpr StringRef words[] = {"string", "number", "json",
                                        "comma_delimited_list", "boolean"};
  return words[static_cast<size_t>(type)];
}

template <typename Entries>
static auto findByName(const Entries &entries, StringRef name) {
  auto found = llvm::find_if(
      entries, [&](const auto &entry) { return entry.name.text == name; });
  return found == entries.end() ? nullptr : &*found;
}

const Parameter *Template::findParameter(StringRef name) const {
  return findByName(parameters, name);
}
const Resource *Template::findResource(StringRef name) const {
  return findByName(resources, name);
}
const Output *Template::findOutput(StringRef name) const {
  return findByName(outputs, name);
}

namespace {

class TemplateParser {
public:
  TemplateParser(const Node &root, DiagnosticEngine &diags)
      : root(root), diags(diags) {}

  Template parse();

private:
  void parseVersion();
  void checkGroups();
  void parseParameter(Word name, const Node &node);
  void parseType(Parameter &parameter, const Node &node, StringRef what);
  void parseConstraints(Parameter &parameter, const Node &node, StringRef what);
  void parseResource(Word name, const Node &node);
  void parseOutput(Word name, const Node &node);

  void check(const Node &map, StringRef what, llvm::ArrayRef<KeyRow> rows) {
    checkKeys(map, what, rows, &result.version, diags);
  }

  const Node &root;
  DiagnosticEngine &diags;
  Template result;
};

} // namespace

static std::string quoted(StringRef kind, StringRef name) {
  return (kind + " '" + name + "'").str();
}

void TemplateParser::parseVersion() {
  const Node &node = *root.find("heat_template_version");
  llvm::ArrayRef<Version> versions = allVersions();
  result.version = versions.back();
  StringRef text = node.isScalar() ? node.text() : "";
  auto found = llvm::find_if(versions, [&](const Version &version) {
    return text == version.date || (!text.empty() && text == version.codename);
  });
  if (found != versions.end()) {
    result.version = *found;
    return;
  }
  std::vector<StringRef> known;
  for (const Version &version : versions)
    for (StringRef name : {version.date, version.codename})
      if (!name.empty())
        known.push_back(name);
  auto report = diags.report(node.range(), diag::HeatUnknownVersion, text,
                             versions.back().date, versions.back().codename);
  Suggestion meant(text, known);
  meant.noteOn(report);
  meant.fixIn(report, node.range());
}

void TemplateParser::checkGroups() {
  const Node *groups = root.find("parameter_groups");
  if (!groups || !expectList(*groups, "'parameter_groups'", diags))
    return;
  for (const Node &group : groups->items()) {
    if (!expectMap(group, "a parameter group", diags))
      continue;
    check(group, "a parameter group",
          {{"label"}, {"description"}, {"parameters"}});
    const Node *names = group.find("parameters");
    if (!names) {
      diags.report(group.range(), diag::HeatMissingKey, "a parameter group",
                   "parameters");
      continue;
    }
    if (!expectList(*names, "'parameters' of a parameter group", diags))
      continue;
    for (const Node &name : names->items()) {
      auto text = expectText(name, "a parameter of a group", diags);
      if (text && !result.findParameter(*text))
        diags.report(name.range(), diag::HeatUndefined, "parameter", *text);
    }
  }
}

void TemplateParser::parseType(Parameter &parameter, const Node &node,
                               StringRef what) {
  std::optional<ParameterType> type;
  if (node.isScalar())
    type = llvm::StringSwitch<std::optional<ParameterType>>(node.text())
               .Case("string", ParameterType::String)
               .Case("number", ParameterType::Number)
               .Case("json", ParameterType::Json)
               .Case("comma_delimited_list", ParameterType::List)
               .Case("boolean", ParameterType::Boolean)
               .Default(std::nullopt);
  if (type)
    parameter.type = *type;
  else
    diags.report(node.range(), diag::HeatShape, ("the type of " + what).str(),
                 "string, number, json, comma_delimited_list or boolean",
                 describe(node));
}

void TemplateParser::parseConstraints(Parameter &parameter, const Node &node,
                                      StringRef what) {
  static constexpr KeyRow keys[] = {
      {"length"},         {"range"},           {"modulo", "2017-02-24"},
      {"allowed_values"}, {"allowed_pattern"}, {"custom_constraint"},
      {"description"}};
  if (!expectList(node, ("'constraints' of " + what).str(), diags))
    return;
  for (const Node &item : node.items()) {
    std::string subject = ("a constraint of " + what).str();
    if (!expectMap(item, subject, diags))
      continue;
    check(item, subject, keys);
    StringRef description;
    if (const Node *text = item.find("description"); text && !text->isNull())
      description = expectText(*text, "a description", diags).value_or("");
    for (size_t kind = 0; kind != std::size(keys) - 1; ++kind)
      if (const Node *value = item.find(keys[kind].name))
        parameter.constraints.push_back({static_cast<ConstraintKind>(kind),
                                         value, description, item.range()});
  }
}

void TemplateParser::parseParameter(Word name, const Node &node) {
  std::string what = quoted("parameter", name.text);
  if (!expectMap(node, what, diags))
    return;
  check(node, what,
        {{"type"},
         {"label"},
         {"description"},
         {"default"},
         {"hidden"},
         {"constraints"},
         {"immutable"},
         {"tags"}});
  Parameter &parameter = result.parameters.emplace_back();
  parameter.name = name;
  if (const Node *type = node.find("type"))
    parseType(parameter, *type, what);
  else
    diags.report(name.range, diag::HeatMissingKey, what, "type");
  auto text = [&](StringRef key) -> StringRef {
    const Node *found = node.find(key);
    if (!found || found->isNull())
      return "";
    return expectText(*found, ("'" + key + "' of " + what).str(), diags)
        .value_or("");
  };
  parameter.label = text("label");
  parameter.description = text("description");
  const Node *value = node.find("default");
  parameter.defaultValue = value && !value->isNull() ? value : nullptr;
  if (const Node *hidden = node.find("hidden"))
    parameter.hidden =
        expectBoolean(*hidden, "'hidden' of " + what, diags).value_or(false);
  if (parameter.hidden && value)
    diags.hide(value->range());
  if (const Node *immutable = node.find("immutable"))
    expectBoolean(*immutable, "'immutable' of " + what, diags);
  if (const Node *constraints = node.find("constraints"))
    parseConstraints(parameter, *constraints, what);
}

void TemplateParser::parseResource(Word name, const Node &node) {
  std::string what = quoted("resource", name.text);
  if (!expectMap(node, what, diags))
    return;
  check(node, what,
        {{"type"},
         {"description"},
         {"properties"},
         {"metadata"},
         {"depends_on"},
         {"update_policy"},
         {"deletion_policy"},
         {"external_id", "2016-10-14"},
         {"condition", "2016-10-14"}});
  const Node *type = node.find("type");
  if (!type) {
    diags.report(name.range, diag::HeatMissingKey, what, "type");
    return;
  }
  auto typeText = expectText(*type, "the type of " + what, diags);
  if (!typeText)
    return;
  Resource &resource = result.resources.emplace_back();
  resource.name = name;
  resource.type = {*typeText, type->range()};
  resource.properties = node.find("properties");
  if (resource.properties && !resource.properties->isNull())
    expectMap(*resource.properties, "'properties' of " + what, diags);
  resource.metadata = node.find("metadata");
  resource.updatePolicy = node.find("update_policy");
  resource.deletionPolicy = node.find("deletion_policy");
  resource.externalId = node.find("external_id");
  resource.condition = node.find("condition");
  if (const Node *dependsOn = node.find("depends_on"))
    parseNames(*dependsOn, "'depends_on' of " + what, resource.dependsOn,
               diags);
}

void TemplateParser::parseOutput(Word name, const Node &node) {
  std::string what = quoted("output", name.text);
  if (!expectMap(node, what, diags))
    return;
  check(node, what, {{"description"}, {"value"}, {"condition", "2016-10-14"}});
  Output &output = result.outputs.emplace_back();
  output.name = name;
  output.condition = node.find("condition");
  output.value = node.find("value");
  if (!output.value)
    diags.report(name.range, diag::HeatMissingKey, what, "value");
  if (const Node *text = node.find("description"))
    output.description =
        expectText(*text, "'description' of " + what, diags).value_or("");
}

Template TemplateParser::parse() {
  parseVersion();
  check(root, "a Heat template",
        {{"heat_template_version"},
         {"description"},
         {"capabilities"},
         {"parameter_groups"},
         {"parameters"},
         {"conditions", "2016-10-14"},
         {"resources"},
         {"outputs"}});
  if (const Node *text = root.find("description"))
    result.description = expectText(*text, "'description'", diags).value_or("");
  parseSection(root, "parameters", diags, [&](Word name, const Node &node) {
    parseParameter(name, node);
  });
  checkGroups();
  parseSection(root, "conditions", diags, [&](Word name, const Node &node) {
    result.conditions.push_back({name, &node});
  });
  parseSection(root, "resources", diags,
               [&](Word name, const Node &node) { parseResource(name, node); });
  parseSection(root, "outputs", diags,
               [&](Word name, const Node &node) { parseOutput(name, node); });
  return std::move(result);
}

bool heat::isTemplate(const Node &root) {
  return root.isMapping() &&
         (root.find("heat_template_version") || isCfnTemplate(root));
}

Template heat::parseTemplate(const Node &root, DiagnosticEngine &diags) {
  return isCfnTemplate(root) ? parseCfnTemplate(root, diags)
                             : TemplateParser(root, diags).parse();
}
