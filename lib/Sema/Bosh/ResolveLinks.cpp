//===- ResolveLinks.cpp - Which provider a link comes from ----------------===//
///
/// \file
/// An implicit link takes the only provider of its type in the deployment; one
/// that the manifest mentions takes the only provider of its type and name. All
/// problems are reported; what has one is left out.
///
//===----------------------------------------------------------------------===//

#include "LinkRecord.h"
#include "ProviderIndex.h"
#include "Resolution.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

namespace {

/// A link and who consumes it.
struct Demand {
  StringRef link;
  StringRef type;
  bool optional = false;
  /// The group, where the provider must be in it.
  StringRef colocatedIn;
  /// For messages.
  std::string consumer;
};

class Resolver {
public:
  explicit Resolver(Resolution &resolution)
      : resolution(resolution), links(resolution.links),
        diags(resolution.diags), index(links) {}

  void resolve();

private:
  void resolveLink(uint32_t group, uint32_t job, const LinkSpec &spec);
  void resolveVariable(const Variable &variable);
  const Provider *choose(const Demand &demand, const Wish &wish);
  const Provider *chooseAmong(ProviderIndex::Candidates candidates,
                              const Demand &demand, const Wish &wish);
  bool checkNetwork(const Demand &demand, const Wish &wish,
                    const Provider &provider);
  bool checkAddresses(const Demand &demand, const Wish &wish,
                      const Provider &provider);
  void fill(Link &link, const Wish &wish, const Provider &provider);
  Value contentOf(const Provider &provider, const ContentOptions &options,
                  bool &lacksNames);
  const Wish &wishFor(const Job &job, const LinkSpec &spec);

  Resolution &resolution;
  Links &links;
  DiagnosticEngine &diags;
  ProviderIndex index;
  /// An addon's job is on many groups; its entries are read once.
  llvm::DenseMap<std::pair<const Job *, const LinkSpec *>, Wish> wishes;
  /// Consumers that ask for the same get the same.
  std::map<std::tuple<const Provider *, StringRef, int>, Value> contents;
};

} // namespace

bool Resolution::isDeployment(StringRef name) const {
  return name == links.deployment || findOther(name);
}

const OtherDeployment *Resolution::findOther(StringRef name) const {
  const auto *found = llvm::find_if(
      others, [&](const OtherDeployment &other) { return other.name == name; });
  return found == others.end() ? nullptr : found;
}

const Network *Resolution::findNetwork(StringRef name) const {
  auto found =
      llvm::find_if(deployment.cloud.networks, [&](const Network &network) {
        return network.name.text == name;
      });
  return found == deployment.cloud.networks.end() ? nullptr : &*found;
}

const Wish &Resolver::wishFor(const Job &job, const LinkSpec &spec) {
  auto [at, isNew] = wishes.try_emplace({&job, &spec});
  if (isNew) {
    auto entry = llvm::find_if(job.consumes, [&](const LinkEntry &entry) {
      return entry.link.text == spec.name.text;
    });
    at->second = readWish(resolution, spec, job,
                          entry == job.consumes.end() ? nullptr : &*entry);
  }
  return at->second;
}

/// The one candidate there must be; null after a report, or where there is
/// none and need not be one.
const Provider *Resolver::chooseAmong(ProviderIndex::Candidates candidates,
                                      const Demand &demand, const Wish &wish) {
  if (candidates.size() == 1)
    return candidates.front();
  if (!candidates.empty()) {
    listCandidates(resolution, candidates,
                   diags.report(wish.range, diag::LinkAmbiguous,
                                candidates.size(), demand.link, demand.type,
                                demand.consumer));
    return nullptr;
  }
  bool mayBeMissing = demand.optional && wish.kind != Wish::Kind::Explicit;
  // What has been reported may be all there is to it.
  bool isConsequence =
      resolution.hasUnknownJobs || resolution.lostAliases.contains(wish.name);
  if (mayBeMissing || isConsequence)
    return nullptr;
  explainMissing(resolution, index, wish, demand.type,
                 diags.report(wish.range, diag::LinkNotFound, demand.link,
                              demand.type, demand.consumer));
  return nullptr;
}

const Provider *Resolver::choose(const Demand &demand, const Wish &wish) {
  bool isExplicit = wish.kind == Wish::Kind::Explicit;
  ProviderIndex::Candidates anywhere =
      isExplicit ? index.named(wish.deployment, demand.type, wish.name)
                 : index.ofType(demand.type);
  if (demand.colocatedIn.empty())
    return chooseAmong(anywhere, demand, wish);
  llvm::SmallVector<const Provider *, 2> here;
  bool isOwn = wish.deployment == links.deployment;
  if (isOwn)
    for (const Provider *provider :
         index.ofGroup(demand.colocatedIn, demand.type))
      if (!isExplicit || provider->alias == wish.name)
        here.push_back(provider);
  bool mayBeMissing = demand.optional && !isExplicit;
  if (!here.empty() || anywhere.empty() || mayBeMissing)
    return chooseAmong(here, demand, wish);
  listCandidates(resolution, anywhere,
                 diags.report(wish.range, diag::LinkNotColocated, demand.link,
                              demand.type, demand.consumer));
  return nullptr;
}

bool Resolver::checkNetwork(const Demand &demand, const Wish &wish,
                            const Provider &provider) {
  if (wish.network.isEmpty())
    return true;
  std::vector<StringRef> networks = networksOf(provider.record);
  if (llvm::is_contained(networks, wish.network.text))
    return true;
  auto report =
      diags.report(wish.network.range, diag::LinkNetworkUnknown, demand.link,
                   wish.network.text, describe(provider, links.deployment),
                   networks.empty() ? "has no networks" : "is not on it");
  if (!networks.empty())
    report.note(provider.range, diag::ProviderNetworks,
                llvm::join(networks, ", "));
  return false;
}

/// Nobody can reach the machines of an errand before it runs.
bool Resolver::checkAddresses(const Demand &demand, const Wish &wish,
                              const Provider &provider) {
  StringRef network = wish.network.isEmpty()
                          ? textOf(provider.record, "default_network")
                          : wish.network.text;
  if (network.empty() || hasAddresses(provider.record, network))
    return true;
  diags
      .report(wish.range, diag::LinkErrandAddress, demand.link,
              describe(provider, links.deployment), network)
      .note(provider.range, diag::ErrandAddressNeeded);
  return false;
}

Value Resolver::contentOf(const Provider &provider,
                          const ContentOptions &options, bool &lacksNames) {
  int form = options.ipAddresses ? 1 + *options.ipAddresses : 0;
  auto [at, isNew] = contents.try_emplace({&provider, options.network, form});
  bool lacks = false;
  if (isNew)
    at->second =
        makeContent(provider.record, options, resolution.arena(), lacks);
  lacksNames |= lacks;
  return at->second;
}

void Resolver::fill(Link &link, const Wish &wish, const Provider &provider) {
  link.provider = &provider;
  link.asksForNetwork = !wish.network.isEmpty();
  link.network = link.asksForNetwork
                     ? wish.network.text
                     : textOf(provider.record, "default_network");
  ContentOptions options{links.dialect, wish.network.text, wish.ipAddresses};
  bool lacksNames = false;
  if (link.spec->colocated)
    for (size_t i = 0; i != links.groups[link.group].instances.size(); ++i)
      link.byInstance.push_back(makeContentAt(provider.record, i, options,
                                              resolution.arena(), lacksNames));
  else
    link.content = contentOf(provider, options, lacksNames);
  if (lacksNames && wish.ipAddresses)
    diags.report(wish.range, diag::DnsNotAvailable, link.spec->name.text,
                 describe(provider, links.deployment));
}

void Resolver::resolveLink(uint32_t group, uint32_t job, const LinkSpec &spec) {
  const PlacedGroup &placed = links.groups[group];
  const Job &consumer = *placed.jobs[job].job;
  const Wish &wish = wishFor(consumer, spec);
  if (wish.kind == Wish::Kind::Wrong)
    return;
  Link link{group, job, &spec};
  if (wish.kind == Wish::Kind::Written) {
    link.choice = Link::Choice::Written;
    link.content = writtenContent(resolution, spec, *wish.entry);
    links.links.push_back(std::move(link));
    return;
  }
  StringRef groupName = placed.group->name.text;
  Demand demand{
      spec.name.text, spec.type, spec.optional, spec.colocated ? groupName : "",
      ("job '" + consumer.name.text + "' in group '" + groupName + "'").str()};
  bool isBlocked = wish.kind == Wish::Kind::Blocked;
  const Provider *provider =
      isBlocked ? chooseAmong({}, demand, wish) : choose(demand, wish);
  link.choice = isBlocked                           ? Link::Choice::Blocked
                : wish.kind == Wish::Kind::Explicit ? Link::Choice::ByName
                                                    : Link::Choice::ByType;
  if (!provider && !isBlocked)
    link.choice = Link::Choice::Nobody;
  if (provider && (!checkNetwork(demand, wish, *provider) ||
                   !checkAddresses(demand, wish, *provider)))
    return;
  if (provider)
    fill(link, wish, *provider);
  links.links.push_back(std::move(link));
}

/// Certificates may take their names from links.
void Resolver::resolveVariable(const Variable &variable) {
  for (const LinkEntry &entry : variable.consumes) {
    if (variable.type.text != "certificate") {
      diags.report(entry.link.range, diag::LinkKeyNotAllowed, "consumes",
                   ("variable '" + variable.name.text + "' is of type '" +
                    variable.type.text + "'; only certificates consume links")
                       .str());
      return;
    }
    StringRef name = entry.link.text;
    if (name != "alternative_name" && name != "common_name") {
      diags.report(entry.link.range, diag::LinkKeyNotAllowed, name,
                   "variables consume 'alternative_name' and 'common_name'");
      continue;
    }
    Wish wish = readVariableWish(resolution, variable, entry);
    if (wish.kind == Wish::Kind::Wrong)
      continue;
    const syntax::Node *type = entry.value->find("link_type");
    Demand demand{name, type && type->isScalar() ? type->text() : "address",
                  /*optional=*/false, "",
                  ("variable '" + variable.name.text + "'").str()};
    const Provider *provider = choose(demand, wish);
    if (!provider || !checkNetwork(demand, wish, *provider))
      continue;
    bool asks = !wish.network.isEmpty();
    links.variables.push_back(
        {variable.name.text, name, demand.type, provider,
         asks ? wish.network.text : textOf(provider->record, "default_network"),
         asks});
  }
}

void Resolver::resolve() {
  for (uint32_t group = 0; group != links.groups.size(); ++group) {
    const PlacedGroup &placed = links.groups[group];
    for (uint32_t job = 0; job != placed.jobs.size(); ++job)
      if (const JobSpec *spec = placed.jobs[job].spec)
        for (const LinkSpec &link : spec->consumes)
          resolveLink(group, job, link);
  }
  for (const Variable &variable : resolution.deployment.manifest.variables)
    resolveVariable(variable);
}

static void checkFeatures(const Features &features, DiagnosticEngine &diags) {
  if (!features.useLinkDnsNames.value_or(false))
    return;
  if (!features.useDnsAddresses.value_or(true))
    diags.report(features.range, diag::FeatureConflict, "use_dns_addresses");
  if (!features.useShortDnsAddresses.value_or(true))
    diags.report(features.range, diag::FeatureConflict,
                 "use_short_dns_addresses");
}

Links bosh::resolveLinks(const Deployment &deployment, StringRef name,
                         llvm::ArrayRef<OtherDeployment> others,
                         DiagnosticEngine &diags) {
  Links links;
  links.deployment = links.arena->save(name);
  links.dialect = deployment.manifest.dialect;
  Resolution resolution{deployment, others, diags, links};
  checkFeatures(deployment.manifest.features, diags);
  placeJobs(resolution);
  makeInstances(resolution);
  collectProviders(resolution);
  checkUndeclared(resolution);
  Resolver(resolution).resolve();
  return links;
}
