//===- ParseJobSpec.cpp - Specs of release jobs ---------------------------===//

#include "Fields.h"
#include "ParseFiles.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "llvm/ADT/DenseSet.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Node;

namespace {

class JobSpecParser {
public:
  JobSpecParser(JobSpec &spec, DiagnosticEngine &diags)
      : spec(spec), diags(diags) {}

  std::vector<LinkSpec> parseLinks(const Fields &fields, StringRef key);
  void parseProperties(const Fields &fields);
  void parseTemplates(const Fields &fields);

private:
  std::optional<LinkSpec> parseLink(const Node &node, StringRef key);

  JobSpec &spec;
  DiagnosticEngine &diags;
};

} // namespace

static Word stringAt(const Node &map, StringRef key) {
  const Node *value = map.find(key);
  if (!value || !value->isScalar())
    return {};
  return {value->text(), value->range()};
}

static bool isTrue(const Node *node) {
  return node && node->isScalar() &&
         node->scalarType() == syntax::ScalarType::Boolean &&
         node->text().starts_with_insensitive("t");
}

std::optional<LinkSpec> JobSpecParser::parseLink(const Node &node,
                                                 StringRef key) {
  auto refuse = [&](SourceRange range, StringRef form) {
    diags.report(range, diag::LinkSpecInvalid, key, spec.name, form);
    return std::nullopt;
  };
  constexpr StringRef form = "a list of maps with 'name' and 'type'";
  if (!node.isMapping())
    return refuse(node.range(), form);
  LinkSpec link;
  link.name = stringAt(node, "name");
  Word type = stringAt(node, "type");
  link.type = type.text;
  if (link.name.isEmpty() || type.isEmpty())
    return refuse(node.range(), form);
  const Node *optional = node.find("optional");
  if (optional && key == "provides")
    return refuse(optional->range(), "a list of links without 'optional', "
                                     "which only consumed links have");
  link.optional = isTrue(optional);
  link.colocated = isTrue(node.find("colocated"));
  if (const Node *properties = node.find("properties");
      properties && key == "provides" && properties->isSequence())
    for (const Node &property : properties->items())
      if (property.isScalar())
        link.properties.push_back({property.text(), property.range()});
  return link;
}

std::vector<LinkSpec> JobSpecParser::parseLinks(const Fields &fields,
                                                StringRef key) {
  const Node *node = fields.find(key);
  if (!node)
    return {};
  if (!node->isSequence()) {
    diags.report(node->range(), diag::LinkSpecInvalid, key, spec.name,
                 "a list of maps with 'name' and 'type'");
    return {};
  }
  std::vector<LinkSpec> links;
  llvm::DenseSet<StringRef> names;
  for (const Node &item : node->items()) {
    std::optional<LinkSpec> link = parseLink(item, key);
    if (!link)
      continue;
    if (names.insert(link->name.text).second)
      links.push_back(std::move(*link));
    else
      diags.report(link->name.range, diag::LinkNameDuplicate, spec.name, key,
                   link->name.text);
  }
  return links;
}

void JobSpecParser::parseProperties(const Fields &fields) {
  for (const syntax::Entry &entry : fields.entries("properties"))
    if (entry.key.isScalar())
      spec.properties[entry.key.text()] =
          entry.value.isMapping() ? entry.value.find("default") : nullptr;
}

void JobSpecParser::parseTemplates(const Fields &fields) {
  for (const syntax::Entry &entry : fields.entries("templates"))
    if (entry.key.isScalar() && entry.value.isScalar())
      spec.templates.push_back({{entry.key.text(), entry.key.range()},
                                {entry.value.text(), entry.value.range()}});
}

JobSpec bosh::parseJobSpec(const Node &root, std::string folder,
                           DiagnosticEngine &diags) {
  JobSpec spec;
  Fields fields(root, "a job spec", diags);
  spec.range = root.range();
  spec.folder = std::move(folder);
  spec.name = fields.requiredWord("name").text;
  JobSpecParser parser(spec, diags);
  spec.consumes = parser.parseLinks(fields, "consumes");
  spec.provides = parser.parseLinks(fields, "provides");
  parser.parseProperties(fields);
  parser.parseTemplates(fields);
  return spec;
}
