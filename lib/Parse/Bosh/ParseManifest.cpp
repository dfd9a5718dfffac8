//===- ParseManifest.cpp - Deployment manifests ---------------------------===//
///
/// \file
/// Both dialects give the same AST. They differ in the words for groups and
/// jobs, which also tell them apart. Keys that have nothing to do with links or
/// order (stemcells, vm types) are passed over.
///
//===----------------------------------------------------------------------===//

#include "Fields.h"
#include "ParseFiles.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "llvm/ADT/DenseMap.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Node;

namespace {

/// A dialect's words.
struct Vocabulary {
  StringRef groups;
  StringRef jobs;
  /// The other dialect's words.
  StringRef foreignGroups;
  StringRef foreignJobs;
};

class ManifestParser {
public:
  explicit ManifestParser(DiagnosticEngine &diags) : diags(diags) {}
  Manifest parse(const Node &root);

private:
  Dialect chooseDialect(const Fields &fields);
  InstanceGroup parseGroup(const Node &node);
  Job parseJob(const Node &node, StringRef group);
  NetworkUse parseNetwork(const Node &node, StringRef group);
  UpdateRules parseUpdate(const Fields &owner, StringRef what);
  Addon parseAddon(const Node &node);
  Placement parsePlacement(const Node &node);
  Variable parseVariable(const Node &node);
  Features parseFeatures(const Fields &manifest);
  std::vector<LinkEntry> parseLinks(const Fields &owner, StringRef key);
  void reportMixed(const Fields &fields, StringRef foreign);
  void checkNames(const Manifest &manifest);

  DiagnosticEngine &diags;
  Dialect dialect = Dialect::Present;
  uint64_t numInstances = 0;
};

} // namespace

/// What a run can hold; a larger number is a mistake.
static constexpr uint64_t maxInstances = 2000000;

static const Vocabulary &vocabularyOf(Dialect dialect) {
  static constexpr Vocabulary words[] = {
      {"jobs", "templates", "instance_groups", "jobs"},
      {"instance_groups", "jobs", "jobs", "templates"},
  };
  return words[static_cast<size_t>(dialect)];
}

/// Of a group: what is read here, and what only a director reads.
static constexpr StringRef groupKeys[] = {
    "name",          "instances",     "azs",          "jobs",
    "networks",      "vm_type",       "vm_resources", "vm_extensions",
    "stemcell",      "update",        "lifecycle",    "persistent_disk",
    "properties",    "env",           "tags",         "persistent_disk_type",
    "migrated_from", "resource_pool", "templates",    "persistent_disk_pool",
    "release",       "strategy",      "description",  "persistent_disks"};
static constexpr StringRef jobKeys[] = {
    "name",     "release",    "consumes",
    "provides", "properties", "custom_provider_definitions"};
static constexpr StringRef consumedKeys[] = {
    "from",       "deployment", "network",   "ip_addresses", "instances",
    "properties", "address",    "addresses", "nodes",        "link_type"};

static StringRef describe(Dialect dialect) {
  return dialect == Dialect::Seed ? "'jobs' and 'templates'"
                                  : "'instance_groups' and 'jobs'";
}

/// Reports the other dialect's word \p foreign, where the entry has it.
void ManifestParser::reportMixed(const Fields &fields, StringRef foreign) {
  const Node *found = fields.find(foreign);
  if (!found)
    return;
  Dialect other = dialect == Dialect::Seed ? Dialect::Present : Dialect::Seed;
  diags.report(found->range().begin, diag::MixedDialects, foreign,
               describe(other), describe(dialect));
}

Dialect ManifestParser::chooseDialect(const Fields &fields) {
  return fields.find("jobs") && !fields.find("instance_groups")
             ? Dialect::Seed
             : Dialect::Present;
}

std::vector<LinkEntry> ManifestParser::parseLinks(const Fields &owner,
                                                  StringRef key) {
  std::vector<LinkEntry> result;
  for (const syntax::Entry &entry : owner.entries(key))
    if (entry.key.isScalar())
      result.push_back({{entry.key.text(), entry.key.range()}, &entry.value});
  return result;
}

Job ManifestParser::parseJob(const Node &node, StringRef group) {
  Fields fields(node, ("a job of '" + group + "'").str(), diags);
  fields.checkKeys(jobKeys);
  for (const syntax::Entry &link : fields.entries("consumes"))
    if (link.value.isMapping())
      Fields(link.value, "the entry of a consumed link", diags)
          .checkKeys(consumedKeys);
  Job job;
  job.name = fields.requiredWord("name");
  job.release = fields.word("release");
  job.consumes = parseLinks(fields, "consumes");
  job.provides = parseLinks(fields, "provides");
  job.customProviders = fields.list("custom_provider_definitions");
  job.properties = fields.findMap("properties");
  return job;
}

NetworkUse ManifestParser::parseNetwork(const Node &node, StringRef group) {
  Fields fields(node, ("a network of '" + group + "'").str(), diags);
  NetworkUse network;
  network.name = fields.requiredWord("name");
  network.defaults = fields.words("default");
  network.staticAddresses = fields.find("static_ips");
  return network;
}

UpdateRules ManifestParser::parseUpdate(const Fields &owner, StringRef what) {
  const Node *node = owner.findMap("update");
  if (!node)
    return {};
  Fields fields(*node, ("'update' of " + what).str(), diags);
  return {fields.boolean("serial"), fields.find("canaries"),
          fields.find("max_in_flight")};
}

InstanceGroup ManifestParser::parseGroup(const Node &node) {
  const Vocabulary &words = vocabularyOf(dialect);
  Fields fields(node, "an instance group", diags);
  if (dialect == Dialect::Present)
    fields.checkKeys(groupKeys);
  InstanceGroup group;
  group.range = node.range();
  group.name = fields.requiredWord("name");
  group.instances = fields.number("instances").value_or(1);
  numInstances += group.instances;
  if (numInstances > maxInstances) {
    diags.report(fields.find("instances")->range(), diag::ManifestShape,
                 "the number of all instances", "2000000 at most");
    numInstances -= group.instances;
    group.instances = 0;
  }
  group.zones = fields.words("azs");
  for (const Node &network : fields.list("networks"))
    group.networks.push_back(parseNetwork(network, group.name.text));
  reportMixed(fields, words.foreignJobs);
  for (const Node &job : fields.list(words.jobs))
    group.jobs.push_back(parseJob(job, group.name.text));
  for (const Node &disk : fields.list("persistent_disks"))
    if (Word name = Fields(disk, "a persistent disk", diags).word("name");
        !name.isEmpty())
      group.disks.push_back(name);
  for (const Node &former : fields.list("migrated_from"))
    group.formerNames.push_back(
        Fields(former, "an entry of 'migrated_from'", diags)
            .requiredWord("name"));
  group.properties = fields.findMap("properties");
  group.update = parseUpdate(fields, "an instance group");
  group.isErrand = fields.word("lifecycle").text == "errand";
  return group;
}

Placement ManifestParser::parsePlacement(const Node &node) {
  Fields fields(node, "the placement of an addon", diags);
  auto texts =
      [&](StringRef key) -> std::optional<std::vector<llvm::StringRef>> {
    if (!fields.find(key))
      return std::nullopt;
    std::vector<StringRef> result;
    for (const Word &word : fields.words(key))
      result.push_back(word.text);
    return result;
  };
  Placement result;
  result.deployments = texts("deployments");
  result.groups = texts("instance_groups");
  result.zones = texts("azs");
  result.networks = texts("networks");
  if (fields.find("jobs")) {
    result.jobs.emplace();
    for (const Node &job : fields.list("jobs")) {
      Fields pair(job, "a job of a placement", diags);
      StringRef name = pair.requiredWord("name").text;
      result.jobs->emplace_back(name, pair.word("release").text);
    }
  }
  if (Word lifecycle = fields.word("lifecycle"); !lifecycle.isEmpty())
    result.isErrand = lifecycle.text == "errand";
  return result;
}

Addon ManifestParser::parseAddon(const Node &node) {
  Fields fields(node, "an addon", diags);
  Addon addon;
  StringRef name = fields.word("name").text;
  for (const Node &job : fields.list("jobs"))
    addon.jobs.push_back(parseJob(job, name));
  if (const Node *include = fields.findMap("include"))
    addon.include = parsePlacement(*include);
  if (const Node *exclude = fields.findMap("exclude"))
    addon.exclude = parsePlacement(*exclude);
  return addon;
}

Variable ManifestParser::parseVariable(const Node &node) {
  Fields fields(node, "a variable", diags);
  return {fields.requiredWord("name"), fields.requiredWord("type"),
          parseLinks(fields, "consumes")};
}

Features ManifestParser::parseFeatures(const Fields &manifest) {
  const Node *node = manifest.findMap("features");
  if (!node)
    return {};
  Fields fields(*node, "'features'", diags);
  return {true, fields.boolean("use_dns_addresses"),
          fields.boolean("use_short_dns_addresses"),
          fields.boolean("use_link_dns_names"), node->range()};
}

/// Reports the later one of two \p words that are alike.
static void checkDistinct(llvm::ArrayRef<Word> words, StringRef what,
                          DiagnosticEngine &diags) {
  llvm::DenseMap<StringRef, SourceRange> seen;
  for (const Word &word : words)
    if (!word.isEmpty() && !seen.try_emplace(word.text, word.range).second)
      diags.report(word.range, diag::ManifestNameRepeated, what, word.text);
}

void ManifestParser::checkNames(const Manifest &manifest) {
  auto namesOf = [](const auto &entries) {
    std::vector<Word> names;
    for (const auto &entry : entries)
      names.push_back(entry.name);
    return names;
  };
  checkDistinct(namesOf(manifest.groups), "instance groups", diags);
  for (const InstanceGroup &group : manifest.groups) {
    checkDistinct(namesOf(group.jobs), "jobs of a group", diags);
    checkDistinct(namesOf(group.networks), "networks of a group", diags);
  }
}

Manifest ManifestParser::parse(const Node &root) {
  Fields fields(root, "a manifest", diags);
  Manifest manifest;
  manifest.dialect = dialect = chooseDialect(fields);
  manifest.range = root.range();
  manifest.name = fields.requiredWord("name");
  const Vocabulary &words = vocabularyOf(dialect);
  reportMixed(fields, words.foreignGroups);
  for (const Node &group : fields.list(words.groups))
    manifest.groups.push_back(parseGroup(group));
  for (const Node &addon : fields.list("addons"))
    manifest.addons.push_back(parseAddon(addon));
  for (const Node &variable : fields.list("variables"))
    manifest.variables.push_back(parseVariable(variable));
  manifest.features = parseFeatures(fields);
  manifest.properties = fields.findMap("properties");
  manifest.update = parseUpdate(fields, "the manifest");
  checkNames(manifest);
  return manifest;
}

Manifest bosh::parseManifest(const Node &root, DiagnosticEngine &diags) {
  return ManifestParser(diags).parse(root);
}
