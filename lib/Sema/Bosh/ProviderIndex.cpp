//===- ProviderIndex.cpp - Providers by what consumers ask for ------------===//

#include "ProviderIndex.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

ProviderIndex::ProviderIndex(const Links &links) {
  for (const Provider &provider : links.providers) {
    bool isOwn = provider.deployment == links.deployment;
    byAnyName[{provider.deployment, provider.alias}].push_back(&provider);
    if (provider.name != provider.alias)
      byAnyName[{provider.deployment, provider.name}].push_back(&provider);
    if (provider.blocked || !isOwn)
      unreachable[provider.type].push_back(&provider);
    if (provider.blocked)
      continue;
    byName[{provider.deployment, provider.type, provider.alias}].push_back(
        &provider);
    if (!isOwn)
      continue;
    byType[provider.type].push_back(&provider);
    byGroup[{provider.group, provider.type}].push_back(&provider);
  }
}

template <typename Map, typename Key>
static ProviderIndex::Candidates findIn(const Map &map, const Key &key) {
  auto found = map.find(key);
  if (found == map.end())
    return {};
  return found->second;
}

ProviderIndex::Candidates ProviderIndex::ofType(StringRef type) const {
  return findIn(byType, type);
}

ProviderIndex::Candidates ProviderIndex::ofGroup(StringRef group,
                                                 StringRef type) const {
  return findIn(byGroup, Pair(group, type));
}

ProviderIndex::Candidates ProviderIndex::named(StringRef deployment,
                                               StringRef type,
                                               StringRef alias) const {
  return findIn(byName, Triple(deployment, type, alias));
}

ProviderIndex::Candidates ProviderIndex::near(StringRef deployment,
                                              StringRef word) const {
  return findIn(byAnyName, Pair(deployment, word));
}

ProviderIndex::Candidates ProviderIndex::outOfReach(StringRef type) const {
  return findIn(unreachable, type);
}

//===----------------------------------------------------------------------===//
// Notes
//===----------------------------------------------------------------------===//

/// More than anybody reads, and than many thousands of messages could hold.
static constexpr size_t maxListed = 100;

void bosh::listCandidates(const Resolution &resolution,
                          ProviderIndex::Candidates candidates,
                          DiagnosticEngine::Builder report) {
  for (const Provider *provider : candidates.take_front(maxListed))
    report.note(provider->range, diag::CandidateProvider,
                describe(*provider, resolution.links.deployment),
                provider->alias);
  if (candidates.size() > maxListed)
    report.note({}, diag::MoreCandidates, candidates.size() - maxListed);
}

/// Those that have the name, but something else is different.
static bool explainNear(const Resolution &resolution,
                        ProviderIndex::Candidates near, const Wish &wish,
                        StringRef type, DiagnosticEngine::Builder report) {
  bool found = false;
  for (const Provider *provider : near.take_front(maxListed)) {
    std::string who = describe(*provider, resolution.links.deployment);
    bool hasType = provider->type == type;
    if (provider->blocked && hasType)
      report.note(provider->range, diag::BlockedProvider, who);
    else if (provider->alias == wish.name && !hasType)
      report.note(provider->range, diag::OtherTypeProvider, who, wish.name,
                  provider->type);
    else if (provider->alias != wish.name && hasType)
      report.note(provider->range, diag::RenamedProvider, who, provider->alias);
    else
      continue;
    found = true;
  }
  return found;
}

/// Whether link \p name is one of \p provided, a list of maps.
static bool providesLink(const Value &provided, StringRef name,
                         StringRef type) {
  return llvm::any_of(provided.items(), [&](const Value &link) {
    auto says = [&](StringRef key, StringRef text) {
      const Value *value = link.isMap() ? link.find(key) : nullptr;
      return value && value->isString() && value->asString() == text;
    };
    return says("name", name) && says("type", type);
  });
}

/// What another deployment keeps to itself.
static void explainNotShared(const Resolution &resolution, const Wish &wish,
                             StringRef type, DiagnosticEngine::Builder report) {
  const OtherDeployment *other = resolution.findOther(wish.deployment);
  if (!other)
    return;
  for (const auto &[job, provided] : other->jobs)
    if (providesLink(provided, wish.name, type)) {
      report.note({}, diag::NotSharedProvider,
                  ("'" + job + "' of deployment '" + other->name + "'").str());
      return;
    }
}

/// A job or group of that name, of which the author may think that it is a
/// provider.
static void explainNoProvider(const Resolution &resolution, const Wish &wish,
                              DiagnosticEngine::Builder report) {
  for (const PlacedGroup &placed : resolution.links.groups)
    for (const PlacedJob &job : placed.jobs) {
      bool isMeant = job.job->name.text == wish.name ||
                     placed.group->name.text == wish.name;
      if (isMeant && job.spec && job.spec->provides.empty()) {
        report.note(job.job->name.range, diag::ProvidesNothing,
                    job.job->name.text, placed.group->name.text);
        return;
      }
    }
}

void bosh::explainMissing(const Resolution &resolution,
                          const ProviderIndex &index, const Wish &wish,
                          StringRef type, DiagnosticEngine::Builder report) {
  StringRef own = resolution.links.deployment;
  if (wish.kind == Wish::Kind::Blocked) {
    report.note({}, diag::BlockedConsumer);
    return;
  }
  if (wish.kind == Wish::Kind::Implicit) {
    for (const Provider *provider :
         index.outOfReach(type).take_front(maxListed))
      if (provider->blocked)
        report.note(provider->range, diag::BlockedProvider,
                    describe(*provider, own));
      else
        report.note({}, diag::ElsewhereProvider, describe(*provider, own),
                    provider->deployment);
    return;
  }
  auto near = index.near(wish.deployment, wish.name);
  if (explainNear(resolution, near, wish, type, report))
    return;
  if (wish.deployment != own)
    return explainNotShared(resolution, wish, type, report);
  explainNoProvider(resolution, wish, report);
  listCandidates(resolution, index.ofType(type), report);
}
