//===- MakeInstances.cpp - Ids, zones and addresses -----------------------===//
///
/// \file
/// Facts come first. What they do not say is made up from names alone, by
/// hashing, so that a group keeps its ids and addresses whatever is added
/// beside it; only where two addresses collide, the next free one is taken.
///
//===----------------------------------------------------------------------===//

#include "Resolution.h"

#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Parse/Bosh/Load.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA1.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Node;

namespace {

/// IPv4 addresses from `first` to `last`.
struct AddressRange {
  uint32_t first;
  uint32_t last;
  uint64_t size() const { return uint64_t(last) - first + 1; }
};

/// The addresses of a network.
struct AddressPool {
  AddressRange range;
  llvm::DenseSet<uint64_t> used;
  /// Where the range was written.
  Word text;
};

class InstanceMaker {
public:
  explicit InstanceMaker(Resolution &resolution) : resolution(resolution) {}
  void make();

private:
  void checkNetworks(PlacedGroup &placed);
  void checkZones(const InstanceGroup &group);
  void checkStemcell(const InstanceGroup &group);
  std::vector<StringRef> networkNames() const;
  void checkDefaults(PlacedGroup &placed);
  std::vector<InstanceFacts> takeFacts(const InstanceGroup &group);
  void makeGroup(PlacedGroup &placed);
  void takeStatic(PlacedGroup &placed, const NetworkUse &use);
  void makeAddresses(PlacedGroup &placed);
  AddressPool &poolOf(StringRef network);
  StringRef take(AddressPool &pool, StringRef network, StringRef owner);

  Resolution &resolution;
  llvm::DenseMap<StringRef, std::unique_ptr<AddressPool>> pools;
  /// What no group has taken yet.
  llvm::DenseMap<StringRef, const GroupFacts *> facts;
};

} // namespace

static std::array<uint8_t, 20> hashOf(const llvm::Twine &text) {
  llvm::SmallString<128> buffer;
  StringRef data = text.toStringRef(buffer);
  return llvm::SHA1::hash(
      {reinterpret_cast<const uint8_t *>(data.data()), data.size()});
}

/// An id that looks like those of a director, from names alone.
static std::string makeId(const llvm::Twine &text) {
  std::array<uint8_t, 20> hash = hashOf(text);
  hash[6] = (hash[6] & 0x0f) | 0x50;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  std::string hex =
      llvm::toHex(llvm::ArrayRef(hash).take_front(16), /*LowerCase=*/true);
  for (size_t dash : {20, 16, 12, 8})
    hex.insert(dash, 1, '-');
  return hex;
}

static std::optional<uint32_t> parseAddress(StringRef text) {
  llvm::SmallVector<StringRef, 4> parts;
  text.trim().split(parts, '.');
  uint32_t address = 0;
  for (StringRef part : parts) {
    uint8_t byte;
    if (part.getAsInteger(10, byte))
      return std::nullopt;
    address = address << 8 | byte;
  }
  return parts.size() == 4 ? std::optional(address) : std::nullopt;
}

static std::string formatAddress(uint32_t address) {
  return llvm::formatv("{0}.{1}.{2}.{3}", address >> 24, address >> 16 & 255,
                       address >> 8 & 255, address & 255);
}

/// The addresses of `10.0.0.0/24` that instances can have: not the first two,
/// which are the network's and its gateway's, nor the last.
static std::optional<AddressRange> parseSubnet(StringRef text) {
  auto [base, bits] = text.split('/');
  std::optional<uint32_t> address = parseAddress(base);
  unsigned prefix;
  if (!address || bits.getAsInteger(10, prefix) || prefix < 8 || prefix > 29)
    return std::nullopt;
  uint32_t mask = ~0u << (32 - prefix);
  return AddressRange{(*address & mask) + 2, (*address | ~mask) - 1};
}

/// `10.0.0.4`, or `10.0.0.4 - 10.0.0.9`.
static std::optional<AddressRange> parseAddresses(StringRef text) {
  auto [first, last] = text.split('-');
  std::optional<uint32_t> from = parseAddress(first);
  std::optional<uint32_t> to = last.empty() ? from : parseAddress(last);
  if (!from || !to || *to < *from)
    return std::nullopt;
  return AddressRange{*from, *to};
}

AddressPool &InstanceMaker::poolOf(StringRef network) {
  std::unique_ptr<AddressPool> &pool = pools[network];
  if (pool)
    return *pool;
  pool = std::make_unique<AddressPool>(
      AddressPool{*parseSubnet("10.0.0.0/8"), {}, {}});
  const Network *definition = resolution.findNetwork(network);
  if (!definition || definition->range.isEmpty())
    return *pool;
  pool->text = definition->range;
  if (auto range = parseSubnet(definition->range.text))
    pool->range = *range;
  else
    resolution.diags.report(definition->range.range, diag::ManifestShape,
                            ("the range of network '" + network + "'").str(),
                            "one of IPv4, like 10.0.0.0/24");
  return *pool;
}

StringRef InstanceMaker::take(AddressPool &pool, StringRef network,
                              StringRef owner) {
  uint64_t size = pool.range.size();
  if (pool.used.size() >= size) {
    // Said once: a pool that is empty stays so.
    if (pool.used.size() == size)
      resolution.diags.report(pool.text.range, diag::ManifestShape,
                              ("the range of network '" + network + "'").str(),
                              "large enough for all instances");
    pool.used.insert(uint64_t(1) << 32);
    return {};
  }
  std::array<uint8_t, 20> hash = hashOf(owner + "/" + network);
  uint64_t number = 0;
  for (uint8_t byte : llvm::ArrayRef(hash).take_front(7))
    number = number << 8 | byte;
  uint64_t at = number % size;
  while (!pool.used.insert(pool.range.first + at).second)
    at = (at + 1) % size;
  return resolution.arena().save(formatAddress(pool.range.first + at));
}

/// Which of several networks serves what: each purpose has one.
void InstanceMaker::checkDefaults(PlacedGroup &placed) {
  const InstanceGroup &group = *placed.group;
  llvm::SmallVector<StringRef, 2> wrong;
  for (StringRef purpose : {"dns", "gateway", "addressable"}) {
    unsigned count = 0;
    for (const NetworkUse &use : group.networks)
      for (const Word &word : use.defaults)
        if (word.text == purpose) {
          ++count;
          if (purpose != "dns")
            placed.defaultNetwork = use.name.text;
        }
    bool mayBeMissing = purpose == "addressable";
    if (count > 1 || (count == 0 && !mayBeMissing))
      wrong.push_back(purpose);
  }
  if (!wrong.empty())
    resolution.diags.report(group.name.range, diag::NetworkDefaultMissing,
                            group.name.text, llvm::join(wrong, " and "));
}

std::vector<StringRef> InstanceMaker::networkNames() const {
  std::vector<StringRef> names;
  for (const Network &network : resolution.deployment.cloud.networks)
    names.push_back(network.name.text);
  return names;
}

/// Without a cloud file, any zone will do.
void InstanceMaker::checkZones(const InstanceGroup &group) {
  std::vector<StringRef> known;
  for (const Word &zone : resolution.deployment.cloud.zones)
    known.push_back(zone.text);
  if (known.empty())
    return;
  for (const Word &zone : group.zones)
    if (!zone.isEmpty() && !llvm::is_contained(known, zone.text)) {
      std::string meant = didYouMean(zone.text, known);
      if (meant.empty())
        meant = "; it has " + llvm::join(known, ", ");
      resolution.diags.report(zone.range, diag::CloudPartUnknown,
                              group.name.text, "availability zone", zone.text,
                              "the cloud file", meant);
    }
}

/// A group names a stemcell by the alias that the manifest gives it.
void InstanceMaker::checkStemcell(const InstanceGroup &group) {
  const Node &root = resolution.deployment.document;
  const Node *groups =
      root.isMapping() ? root.find("instance_groups") : nullptr;
  const Node *stemcells = root.isMapping() ? root.find("stemcells") : nullptr;
  if (!groups || !groups->isSequence() || !stemcells ||
      !stemcells->isSequence())
    return;
  auto textOf = [](const Node &map, StringRef key) {
    const Node *value = map.isMapping() ? map.find(key) : nullptr;
    return value && value->isScalar() ? value : nullptr;
  };
  std::vector<StringRef> known;
  for (const Node &stemcell : stemcells->items())
    if (const Node *alias = textOf(stemcell, "alias"))
      known.push_back(alias->text());
  for (const Node &item : groups->items()) {
    const Node *named =
        item.range() == group.range ? textOf(item, "stemcell") : nullptr;
    if (named && !llvm::is_contained(known, named->text()))
      resolution.diags.report(named->range(), diag::CloudPartUnknown,
                              group.name.text, "stemcell", named->text(),
                              "the manifest", didYouMean(named->text(), known));
  }
}

void InstanceMaker::checkNetworks(PlacedGroup &placed) {
  const InstanceGroup &group = *placed.group;
  if (resolution.deployment.cloud.namesNetworks)
    for (const NetworkUse &use : group.networks)
      if (!use.name.isEmpty() && !resolution.findNetwork(use.name.text))
        Suggestion(use.name.text, networkNames())
            .noteOn(resolution.diags.report(use.name.range,
                                            diag::NetworkUnknown,
                                            group.name.text, use.name.text));
  checkZones(group);
  checkStemcell(group);
  if (group.networks.size() == 1)
    placed.defaultNetwork = group.networks.front().name.text;
  else if (!group.networks.empty())
    checkDefaults(placed);
}

/// What is known of the group's instances; a group that was renamed has those
/// of the groups that it was.
std::vector<InstanceFacts>
InstanceMaker::takeFacts(const InstanceGroup &group) {
  std::vector<InstanceFacts> known;
  auto take = [&](StringRef name) {
    auto found = facts.find(name);
    if (found == facts.end())
      return;
    llvm::append_range(known, found->second->instances);
    facts.erase(found);
  };
  take(group.name.text);
  if (known.empty())
    for (const Word &former : group.formerNames)
      take(former.text);
  return known;
}

void InstanceMaker::makeGroup(PlacedGroup &placed) {
  const InstanceGroup &group = *placed.group;
  std::vector<InstanceFacts> facts = takeFacts(group);
  ValueArena &arena = resolution.arena();
  StringRef deployment = resolution.links.deployment;
  for (uint32_t i = 0; i != group.instances; ++i) {
    InstanceFacts known;
    if (i < facts.size())
      known = facts[i];
    Instance &instance = placed.instances.emplace_back();
    instance.index = known.index.value_or(i);
    instance.bootstrap = known.bootstrap.value_or(i == 0);
    instance.addresses = known.addresses;
    instance.id = known.id;
    if (instance.id.empty())
      instance.id = arena.save(
          makeId(deployment + "/" + group.name.text + "/" + llvm::Twine(i)));
    instance.zone = known.zone;
    if (instance.zone.empty() && !group.zones.empty())
      instance.zone = group.zones[i % group.zones.size()].text;
  }
}

static bool hasAddress(const Instance &instance, StringRef network) {
  return llvm::any_of(instance.addresses, [&](const auto &address) {
    return address.first == network;
  });
}

/// Gives the instances of a group the addresses that the manifest lists.
void InstanceMaker::takeStatic(PlacedGroup &placed, const NetworkUse &use) {
  const Node *list = use.staticAddresses;
  if (!list)
    return;
  DiagnosticEngine &diags = resolution.diags;
  uint64_t count = 0;
  for (const Node &item :
       list->isSequence() ? list->items() : llvm::ArrayRef(*list)) {
    auto range = item.isScalar() ? parseAddresses(item.text()) : std::nullopt;
    if (!range) {
      constexpr StringRef form = "a list of IPv4 addresses, or of ranges like "
                                 "10.0.0.4 - 10.0.0.9";
      auto open = item.isScalar() ? variableIn(item.text()) : std::nullopt;
      if (open)
        diags.report(item.range(), diag::VariableOpen, "'static_ips'", form,
                     *open);
      else
        diags.report(item.range(), diag::ManifestShape, "'static_ips'", form);
      return;
    }
    for (uint64_t i = 0; i != range->size(); ++i, ++count) {
      if (count >= placed.instances.size())
        return;
      Instance &instance = placed.instances[count];
      uint32_t address = range->first + i;
      poolOf(use.name.text).used.insert(address);
      if (!hasAddress(instance, use.name.text))
        instance.addresses.emplace_back(
            use.name.text, resolution.arena().save(formatAddress(address)));
    }
  }
  if (count < placed.instances.size())
    diags.report(list->range(), diag::StaticAddressShortage,
                 placed.group->name.text, placed.instances.size(), count,
                 use.name.text);
}

void InstanceMaker::makeAddresses(PlacedGroup &placed) {
  // Machines of an errand get theirs when it runs.
  if (placed.group->isErrand)
    return;
  for (const NetworkUse &use : placed.group->networks) {
    StringRef network = use.name.text;
    const Network *definition = resolution.findNetwork(network);
    if (definition && definition->isDynamic)
      continue;
    for (Instance &instance : placed.instances)
      if (!hasAddress(instance, network))
        instance.addresses.emplace_back(
            network, take(poolOf(network), network, instance.id));
  }
}

void InstanceMaker::make() {
  const Cloud &cloud = resolution.deployment.cloud;
  for (const GroupFacts &group : cloud.facts)
    facts[group.group.text] = &group;
  std::vector<PlacedGroup *> byName;
  for (PlacedGroup &placed : resolution.links.groups) {
    checkNetworks(placed);
    makeGroup(placed);
    for (const Instance &instance : placed.instances)
      for (const auto &[network, address] : instance.addresses)
        if (auto number = parseAddress(address))
          poolOf(network).used.insert(*number);
    for (const NetworkUse &use : placed.group->networks)
      takeStatic(placed, use);
    byName.push_back(&placed);
  }
  for (const GroupFacts &group : cloud.facts)
    if (facts.count(group.group.text))
      resolution.diags.report(group.group.range, diag::CloudFactUnknown,
                              group.group.text);
  // Who gets an address that two want must not depend on the manifest's order.
  llvm::stable_sort(byName, [](const PlacedGroup *a, const PlacedGroup *b) {
    return a->group->name.text < b->group->name.text;
  });
  for (PlacedGroup *placed : byName)
    makeAddresses(*placed);
}

void bosh::makeInstances(Resolution &resolution) {
  InstanceMaker(resolution).make();
}
