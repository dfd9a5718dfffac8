//===- CollectProviders.cpp - Who provides links --------------------------===//

#include "LinkRecord.h"
#include "Resolution.h"
#include "Values.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Node;

namespace {

/// The providers of one job on one group.
class JobProviders {
public:
  JobProviders(Resolution &resolution, const PlacedGroup &placed,
               const PlacedJob &job)
      : resolution(resolution), diags(resolution.diags), placed(placed),
        job(*job.job), spec(*job.spec) {}

  void collect();

private:
  void add(const LinkSpec &link);
  void addCustom(const Node &node);
  void readEntry(const LinkEntry &entry, Provider &provider);
  void readAlias(const Node &node, Provider &provider);
  void readShared(const Node &node, Provider &provider);
  void checkShared(const Provider &provider);
  Value exposedProperties(const LinkSpec &link);

  Resolution &resolution;
  DiagnosticEngine &diags;
  const PlacedGroup &placed;
  const Job &job;
  const JobSpec &spec;
  llvm::DenseSet<StringRef> customNames;
};

} // namespace

/// The job's own properties, if it has the key at all; else those of the
/// deployment and the group together. Each path that is listed is found there,
/// or has its default.
Value JobProviders::exposedProperties(const LinkSpec &link) {
  const Node *own = job.properties;
  const Node *outer = resolution.deployment.manifest.properties;
  llvm::SmallVector<const Node *, 2> maps =
      own ? llvm::SmallVector<const Node *, 2>{own}
          : llvm::SmallVector<const Node *, 2>{placed.group->properties, outer};
  NestedMap result;
  ValueArena &arena = resolution.arena();
  for (const Word &path : link.properties) {
    if (auto value = findPath(maps, path.text, arena)) {
      result.set(path.text, *value);
      continue;
    }
    auto declared = spec.properties.find(path.text);
    if (declared == spec.properties.end()) {
      diags.report(path.range, diag::LinkPropertyUndeclared, link.name.text,
                   spec.name, path.text);
      continue;
    }
    const Node *fallback = declared->second;
    result.set(path.text, fallback ? toValue(*fallback, arena) : Value());
  }
  return result.toValue(arena);
}

void JobProviders::readAlias(const Node &node, Provider &provider) {
  bool isStrict = resolution.links.dialect == Dialect::Seed;
  if (!node.isScalar()) {
    diags.report(node.range(), diag::LinkValueType, "'as'", provider.name,
                 job.name.text, "a string");
    return;
  }
  if (node.text().empty() && isStrict)
    diags.report(node.range(), diag::LinkAliasEmpty, provider.name,
                 job.name.text);
  provider.alias = node.text();
}

void JobProviders::readShared(const Node &node, Provider &provider) {
  if (node.isScalar() && node.scalarType() == syntax::ScalarType::Boolean)
    provider.shared = node.text().starts_with_insensitive("t");
  else if (resolution.links.dialect == Dialect::Seed)
    diags.report(node.range(), diag::LinkValueType, "'shared'", provider.name,
                 job.name.text, "true or false");
  else
    diags.report(node.range(), diag::LinkValueIgnored, "'shared'",
                 provider.name, job.name.text, "true or false");
}

void JobProviders::readEntry(const LinkEntry &entry, Provider &provider) {
  const Node &value = *entry.value;
  if (value.isScalar() && value.text() == "nil") {
    provider.blocked = true;
    return;
  }
  if (!value.isMapping()) {
    diags.report(value.isNull() ? entry.link.range : value.range(),
                 diag::LinkValueType, "the entry", provider.name, job.name.text,
                 "a map or the string 'nil'");
    return;
  }
  for (StringRef key : {"name", "type"})
    if (const Node *found = value.find(key)) {
      diags.report(found->range(), diag::LinkKeyNotAllowed, key,
                   "names and types of links are given by the release");
      break;
    }
  if (const Node *alias = value.find("as"); alias && !alias->isNull())
    readAlias(*alias, provider);
  if (const Node *shared = value.find("shared"); shared && !shared->isNull())
    readShared(*shared, provider);
}

void JobProviders::add(const LinkSpec &link) {
  Provider &provider = resolution.links.providers.emplace_back();
  provider.name = provider.alias = link.name.text;
  provider.type = link.type;
  provider.deployment = resolution.links.deployment;
  provider.group = placed.group->name.text;
  provider.job = job.name.text;
  provider.range = job.name.range;
  for (const LinkEntry &entry : job.provides)
    if (entry.link.text == link.name.text)
      readEntry(entry, provider);
  provider.record =
      makeRecord(resolution, placed, provider, exposedProperties(link));
  checkShared(provider);
}

/// Consumers in other deployments may ask for any network.
void JobProviders::checkShared(const Provider &provider) {
  if (!provider.shared || provider.blocked)
    return;
  for (StringRef network : networksOf(provider.record))
    if (!hasAddresses(provider.record, network)) {
      diags
          .report(provider.range, diag::LinkErrandAddress, provider.alias,
                  describe(provider, resolution.links.deployment), network)
          .note(provider.range, diag::ErrandAddressNeeded);
      return;
    }
}

/// An item of `custom_provider_definitions`.
void JobProviders::addCustom(const Node &node) {
  LinkSpec link;
  auto textAt = [&](StringRef key) -> Word {
    const Node *value = node.isMapping() ? node.find(key) : nullptr;
    if (value && value->isString() && !value->text().empty())
      return {value->text(), value->range()};
    diags.report(value ? value->range() : node.range(), diag::LinkValueType,
                 ("'" + key + "'").str(), link.name.text, job.name.text,
                 "a string that is not empty");
    return {};
  };
  link.name = textAt("name");
  link.type = textAt("type").text;
  if (link.name.isEmpty() || link.type.empty())
    return;
  bool isDeclared = llvm::any_of(spec.provides, [&](const LinkSpec &other) {
    return other.name.text == link.name.text;
  });
  bool isRepeated = !customNames.insert(link.name.text).second;
  if (isDeclared || isRepeated) {
    diags.report(link.name.range, diag::LinkProviderDuplicate, job.name.text,
                 isDeclared ? "provides already" : "has two definitions of",
                 link.name.text);
    return;
  }
  if (const Node *properties = node.find("properties");
      properties && properties->isSequence())
    for (const Node &property : properties->items())
      if (property.isScalar())
        link.properties.push_back({property.text(), property.range()});
  add(link);
}

void JobProviders::collect() {
  for (const LinkSpec &link : spec.provides)
    add(link);
  for (const Node &node : job.customProviders)
    addCustom(node);
}

static void addDisks(Resolution &resolution, const PlacedGroup &placed) {
  for (const Word &disk : placed.group->disks) {
    Provider &provider = resolution.links.providers.emplace_back();
    provider.name = provider.alias = disk.text;
    provider.type = "disk";
    provider.deployment = resolution.links.deployment;
    provider.group = placed.group->name.text;
    provider.range = disk.range;
    provider.record = makeDiskRecord(resolution, provider);
  }
}

static void addShared(Resolution &resolution) {
  for (const OtherDeployment &other : resolution.others)
    for (const SharedLink &link : other.shared) {
      if (!link.record.isMap())
        continue;
      Provider &provider = resolution.links.providers.emplace_back();
      provider.alias = link.name;
      provider.name = textOf(link.record, "link");
      provider.type = link.type;
      provider.deployment = other.name;
      std::tie(provider.group, provider.job) = link.provider.split('/');
      provider.shared = true;
      provider.record = link.record;
    }
}

void bosh::collectProviders(Resolution &resolution) {
  for (const PlacedGroup &placed : resolution.links.groups) {
    for (const PlacedJob &job : placed.jobs)
      if (job.spec)
        JobProviders(resolution, placed, job).collect();
    addDisks(resolution, placed);
  }
  addShared(resolution);
}

std::vector<SharedLink>
bosh::sharedLinks(const Links &links,
                  llvm::function_ref<bool(StringRef)> stays) {
  std::vector<SharedLink> shared;
  for (const Provider &provider : links.providers) {
    bool isOurs = provider.deployment == links.deployment;
    if (!isOurs || !provider.shared || provider.blocked)
      continue;
    StringRef who =
        links.arena->save((provider.group + "/" + provider.job).str());
    auto staysAt = [&](size_t index) {
      return stays((provider.group + "[" + llvm::Twine(index) + "]").str());
    };
    shared.push_back({provider.alias, provider.type, who,
                      selectInstances(provider.record, staysAt, *links.arena)});
  }
  llvm::stable_sort(shared, [](const auto &a, const auto &b) {
    return std::tie(a.name, a.type, a.provider) <
           std::tie(b.name, b.type, b.provider);
  });
  return shared;
}

std::string bosh::describe(const Provider &provider, StringRef own) {
  std::string text =
      provider.job.empty()
          ? ("disk '" + provider.name + "' of group '" + provider.group + "'")
                .str()
          : ("job '" + provider.job + "' in group '" + provider.group + "'")
                .str();
  if (provider.deployment != own)
    text += (" of deployment '" + provider.deployment + "'").str();
  return text;
}
