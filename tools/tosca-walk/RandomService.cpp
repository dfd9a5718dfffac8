//===- RandomService.cpp - Templates at random ----------------------------===//

#include "RandomService.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <vector>

using namespace toscac;
using llvm::formatv;

/// Every operation runs something, so that it takes time and can fail.
static const char *const types = R"(tosca_definitions_version: tosca_2_0
imports: [ profile: simple ]
capability_types:
  Room:
    derived_from: Container
    properties: { slots: { type: integer, default: 9 } }
relationship_types:
  Link:
    derived_from: DependsOn
    interfaces: &configured
      configure:
        operations:
          pre_configure_source: { implementation: run.sh }
          pre_configure_target: { implementation: run.sh }
          post_configure_source: { implementation: run.sh }
          post_configure_target: { implementation: run.sh }
          add_source: { implementation: run.sh }
          add_target: { implementation: run.sh }
          remove_source: { implementation: run.sh }
          remove_target: { implementation: run.sh }
  In:
    derived_from: HostedOn
    interfaces: *configured
node_types:
  Box:
    derived_from: Root
    properties: { size: { type: integer, default: 1 } }
    capabilities: { room: Room }
    requirements:
    - host: { capability: Room, node: Root, relationship: In, count_range: [ 0, 1 ] }
    - link: &link { capability: Room, node: Root, relationship: Link, count_range: [ 0, UNBOUNDED ] }
    - also: *link
    interfaces:
      standard:
        operations:
          create: { implementation: run.sh }
          configure: { implementation: run.sh }
          start: { implementation: run.sh }
          stop: { implementation: run.sh }
          delete: { implementation: run.sh }
  Soft:
    derived_from: Box
    interfaces: { standard: { operations: { modify: { implementation: run.sh } } } }
  Machine:
    derived_from: Box
    metadata: { compute: true }
)";

namespace {

/// A line that makes sense only while all of these templates are there.
struct Line {
  std::string text;
  unsigned needed;
};

struct Template {
  std::string name;
  unsigned number;
  unsigned count;
  unsigned slots;
};

class Writer {
public:
  explicit Writer(std::mt19937 &random) : random(random) {}

  walk::RandomService write();

private:
  unsigned pick(unsigned count) { return random() % count; }
  void addHost(Template &own);
  void addLinks(const Template &own);
  void addTemplate();
  void addGroup();
  const Template &earlier() { return templates[pick(templates.size())]; }
  void require(const Template &own, const Template &target, std::string line) {
    nodes.push_back({std::move(line), 1u << own.number | 1u << target.number});
  }

  std::mt19937 &random;
  std::vector<Template> templates;
  std::string inputs;
  std::vector<Line> nodes, groups;
};

} // namespace

/// In one of an earlier template: with room for so many, of the same number, or
/// just in the first one.
void Writer::addHost(Template &own) {
  const Template &host = earlier();
  switch (pick(4)) {
  case 0:
    require(own, host,
            formatv("      - host: [ {0}, $node_index ]\n", host.name));
    own.count = host.count;
    break;
  case 1:
    require(own, host, formatv("      - host: {0}\n", host.name));
    break;
  default:
    require(own, host,
            formatv("      - host: {{ node: {0}, allocation: {{ slots: 1 } }\n",
                    host.name));
    own.count = host.count * host.slots;
  }
}

/// To the first one, to all, to the one of the same number, or to two that have
/// a place.
void Writer::addLinks(const Template &own) {
  static const char *const targets[] = {
      "{{ node: {0}, optional: true }",
      "{{ node: {0}, count: 99, optional: true }",
      "{{ node: [ {0}, $node_index ], optional: true }",
      "{{ node: {0}, count: 2, optional: true, allocation: {{ slots: 1 } }"};
  for (const char *name : {"link", "also"})
    if (pick(2)) {
      const char *how = targets[pick(4)];
      const Template &target = earlier();
      require(own, target,
              formatv("      - {0}: {1}\n", name, formatv(how, target.name)));
    }
}

void Writer::addTemplate() {
  static const char *const kinds[] = {"Box", "Box", "Soft", "Machine"};
  unsigned number = templates.size();
  Template own{std::string(1, char('a' + number)), number, pick(4),
               1 + pick(3)};
  Line &head = nodes.emplace_back();
  size_t place = nodes.size() - 1;
  head.needed = 1u << number;
  std::string kind = kinds[pick(4)];
  std::string interfaces =
      pick(3) ? ""
              : "      interfaces: { standard: { operations: { delete: { "
                "implementation: own.sh } } } }\n";
  nodes.push_back({"      requirements:\n", 1u << number});
  if (!templates.empty()) {
    if (pick(3))
      addHost(own);
    addLinks(own);
  }
  inputs += formatv("    {0}: {{ type: integer, default: {1} }\n"
                    "    {0}-size: {{ type: integer, default: 1 }\n",
                    own.name, own.count);
  nodes[place].text = formatv(
      "    {0}:\n      type: {1}\n      count: {{ $get_input: {0} }\n"
      "      properties: {{ size: {{ $get_input: {0}-size } }\n"
      "      capabilities: {{ room: {{ properties: {{ slots: {2} } } }\n{3}",
      own.name, kind, own.slots, interfaces);
  if (nodes.size() == place + 2)
    nodes.pop_back();
  templates.push_back(own);
}

/// Of one or two templates, divided as their counts allow.
void Writer::addGroup() {
  const Template &first = earlier(), &second = earlier();
  unsigned count = 1;
  for (unsigned each = 2; each != 4; ++each)
    if (first.count % each == 0 && second.count % each == 0)
      count = each;
  std::string members = first.name;
  if (second.name != first.name)
    members += ", " + second.name;
  inputs += formatv("    pod: {{ type: integer, default: {0} }\n", count);
  groups.push_back(
      {formatv("  groups:\n    pod:\n      type: ScalingGroup\n"
               "      members: [ {0} ]\n"
               "      properties: {{ instances: {{ $get_input: pod } }\n",
               members),
       1u << first.number | 1u << second.number});
}

walk::RandomService Writer::write() {
  for (unsigned left = 2 + pick(4); left; --left)
    addTemplate();
  if (pick(3) == 0)
    addGroup();
  auto text = [head = std::string(types) + "service_template:\n  inputs:\n" +
                      inputs + "  node_templates:\n",
               nodes = nodes, groups = groups](unsigned omitted) {
    std::string result = head;
    for (const std::vector<Line> *lines : {&nodes, &groups})
      for (auto [i, line] : llvm::enumerate(*lines)) {
        // A list of requirements must not be empty.
        bool isList = line.text == "      requirements:\n";
        bool hasItems = false;
        for (size_t next = i + 1;
             isList && next != lines->size() &&
             llvm::StringRef((*lines)[next].text).starts_with("      - ");
             ++next)
          hasItems |= !((*lines)[next].needed & omitted);
        if (!(line.needed & omitted) && (!isList || hasItems))
          result += line.text;
      }
    return result;
  };
  return {text, unsigned(templates.size())};
}

walk::RandomService walk::randomService(std::mt19937 &random) {
  return Writer(random).write();
}
