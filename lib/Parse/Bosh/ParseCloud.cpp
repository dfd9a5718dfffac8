//===- ParseCloud.cpp - What a director knows -----------------------------===//

#include "Fields.h"
#include "ParseFiles.h"
#include "toscac/Basic/DiagnosticsBosh.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Node;

static Network parseNetworkDefinition(const Node &node,
                                      DiagnosticEngine &diags) {
  Fields fields(node, "a network", diags);
  Network network;
  network.name = fields.requiredWord("name");
  network.isDynamic = fields.word("type").text == "dynamic";
  for (const Node &subnet : fields.list("subnets"))
    if (network.range.isEmpty())
      network.range = Fields(subnet, "a subnet", diags).word("range");
  return network;
}

static InstanceFacts parseFacts(const Node &node, DiagnosticEngine &diags) {
  Fields fields(node, "an instance", diags);
  InstanceFacts facts;
  facts.id = fields.word("id").text;
  facts.index = fields.number("index");
  facts.zone = fields.word("az").text;
  facts.bootstrap = fields.boolean("bootstrap");
  for (const syntax::Entry &entry : fields.entries("ips"))
    if (entry.key.isScalar() && entry.value.isScalar())
      facts.addresses.emplace_back(entry.key.text(), entry.value.text());
  return facts;
}

/// Zones are names, or maps with one as in a cloud config.
static std::vector<Word> parseZones(const Fields &cloud,
                                    DiagnosticEngine &diags) {
  std::vector<Word> zones;
  for (const Node &zone : cloud.list("azs"))
    zones.push_back(zone.isScalar()
                        ? Word{zone.text(), zone.range()}
                        : Fields(zone, "a zone", diags).requiredWord("name"));
  return zones;
}

Cloud bosh::parseCloud(const Node &root, DiagnosticEngine &diags) {
  Fields fields(root, "a cloud file", diags);
  Cloud cloud;
  if (const Node *director = fields.findMap("director")) {
    Fields flags(*director, "'director'", diags);
    cloud.hasLocalDns = flags.boolean("local_dns_enabled").value_or(false);
    cloud.useDnsAddresses = flags.boolean("use_dns_addresses").value_or(false);
    if (Word domain = flags.word("root_domain"); !domain.isEmpty())
      cloud.rootDomain = domain.text;
  }
  cloud.zones = parseZones(fields, diags);
  cloud.namesNetworks = fields.find("networks");
  for (const Node &network : fields.list("networks"))
    cloud.networks.push_back(parseNetworkDefinition(network, diags));
  for (const syntax::Entry &entry : fields.entries("facts")) {
    if (!entry.key.isScalar())
      continue;
    GroupFacts facts{{entry.key.text(), entry.key.range()}, {}};
    if (!entry.value.isSequence())
      diags.report(entry.value.range(), diag::ManifestShape,
                   ("the facts of '" + entry.key.text() + "'").str(), "a list");
    else
      for (const Node &instance : entry.value.items())
        facts.instances.push_back(parseFacts(instance, diags));
    cloud.facts.push_back(std::move(facts));
  }
  return cloud;
}
