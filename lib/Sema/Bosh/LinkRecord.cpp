//===- LinkRecord.cpp - What links hold -----------------------------------===//

#include "LinkRecord.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA1.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

namespace {

/// Collects the entries of a map.
class MapBuilder {
public:
  explicit MapBuilder(ValueArena &arena) : arena(arena) {}

  /// \p key is a literal of the program.
  void add(StringRef key, Value value) {
    entries.push_back({Value::string(key), value});
  }
  void add(StringRef key, StringRef text) { add(key, arena.string(text)); }
  /// What \p from has under \p key, if it has.
  void copy(StringRef key, const Value &from) {
    if (const Value *value = from.find(key))
      add(key, *value);
  }
  Value take() { return arena.map(entries); }

private:
  ValueArena &arena;
  llvm::SmallVector<MapEntry, 12> entries;
};

} // namespace

std::string bosh::dnsLabel(StringRef name) {
  std::string label;
  for (char c : name)
    if (llvm::isAlnum(c) || c == '-')
      label += llvm::toLower(c);
    else if (c == '_')
      label += '-';
  return label;
}

/// Short names have numbers; a director counts, we hash, so that no number
/// depends on what else there is.
static uint32_t numberOf(const llvm::Twine &name) {
  llvm::SmallString<128> buffer;
  StringRef text = name.toStringRef(buffer);
  auto hash = llvm::SHA1::hash(
      {reinterpret_cast<const uint8_t *>(text.data()), text.size()});
  return (uint32_t(hash[0]) << 16 | hash[1] << 8 | hash[2]) + 1;
}

StringRef bosh::textOf(const Value &record, StringRef key) {
  const Value *value = record.isMap() ? record.find(key) : nullptr;
  return value && value->isString() ? value->asString() : StringRef();
}

std::vector<StringRef> bosh::networksOf(const Value &record) {
  std::vector<StringRef> result;
  const Value *networks = record.isMap() ? record.find("networks") : nullptr;
  if (networks && networks->isList())
    for (const Value &network : networks->items())
      if (network.isString())
        result.push_back(network.asString());
  return result;
}

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

/// A flag of the manifest's features; null where only others are given.
static Value featureValue(const Features &features, std::optional<bool> flag) {
  if (flag)
    return Value::boolean(*flag);
  return features.given ? Value() : Value::boolean(false);
}

namespace {

class RecordBuilder {
public:
  RecordBuilder(const Resolution &resolution, const PlacedGroup &placed,
                const Provider &provider)
      : cloud(resolution.deployment.cloud),
        features(resolution.deployment.manifest.features),
        resolution(resolution), placed(placed), provider(provider),
        arena(resolution.arena()),
        usesLinkNames(features.useLinkDnsNames.value_or(false)),
        usesShortNames(usesLinkNames ||
                       features.useShortDnsAddresses.value_or(false)) {}

  Value build(Value properties);

private:
  std::string nameOf(const Instance &instance, StringRef network) const;
  Value addressesOf(const Instance &instance, bool asNames) const;
  Value instancesOf() const;

  const Cloud &cloud;
  const Features &features;
  const Resolution &resolution;
  const PlacedGroup &placed;
  const Provider &provider;
  ValueArena &arena;
  bool usesLinkNames;
  bool usesShortNames;
};

} // namespace

static std::string groupNameOf(const Provider &provider) {
  return (provider.alias + "-" + provider.type).str();
}

static uint32_t groupNumber(StringRef deployment, StringRef group) {
  return numberOf("group " + deployment + "/" + group);
}

/// The DNS name of \p instance in \p network.
std::string RecordBuilder::nameOf(const Instance &instance,
                                  StringRef network) const {
  StringRef group = placed.group->name.text;
  if (!usesShortNames)
    return llvm::formatv("{0}.{1}.{2}.{3}.{4}", instance.id, dnsLabel(group),
                         dnsLabel(network), dnsLabel(provider.deployment),
                         cloud.rootDomain);
  std::string named = usesLinkNames ? groupNameOf(provider) : group.str();
  return llvm::formatv("q-m{0}n{1}s0.q-g{2}.{3}", numberOf(instance.id),
                       numberOf("network " + network),
                       groupNumber(provider.deployment, named),
                       cloud.rootDomain);
}

/// By network: what stands for an address; names where there are any.
Value RecordBuilder::addressesOf(const Instance &instance, bool asNames) const {
  llvm::SmallVector<MapEntry, 2> entries;
  for (const NetworkUse &use : placed.group->networks) {
    StringRef network = use.name.text;
    const Network *definition = resolution.findNetwork(network);
    bool isDynamic = definition && definition->isDynamic;
    StringRef address;
    for (const auto &[name, known] : instance.addresses)
      if (name == network)
        address = known;
    // Nobody knows an address in a dynamic network beforehand.
    bool isNamed = isDynamic || (asNames && cloud.hasLocalDns);
    if (isNamed)
      address = arena.save(nameOf(instance, network));
    if (!address.empty() && (!asNames || isNamed))
      entries.push_back({arena.string(network), Value::string(address)});
  }
  return arena.map(entries);
}

Value RecordBuilder::instancesOf() const {
  std::vector<Value> instances;
  for (const Instance &instance : placed.instances) {
    MapBuilder map(arena);
    map.add("name", Value::string(placed.group->name.text));
    map.add("id", Value::string(instance.id));
    map.add("index", Value::integer(instance.index));
    map.add("bootstrap", Value::boolean(instance.bootstrap));
    map.add("az",
            instance.zone.empty() ? Value() : Value::string(instance.zone));
    map.add("addresses", addressesOf(instance, /*asNames=*/false));
    map.add("dns_addresses", addressesOf(instance, /*asNames=*/true));
    instances.push_back(map.take());
  }
  return arena.list(instances);
}

Value RecordBuilder::build(Value properties) {
  llvm::SmallVector<Value, 2> networks;
  for (const NetworkUse &use : placed.group->networks)
    networks.push_back(Value::string(use.name.text));
  MapBuilder map(arena);
  map.add("link", Value::string(provider.name));
  map.add("deployment_name", Value::string(provider.deployment));
  map.add("domain", Value::string(cloud.rootDomain));
  map.add("default_network", Value::string(placed.defaultNetwork));
  map.add("networks", arena.list(networks));
  map.add("instance_group", Value::string(placed.group->name.text));
  map.add("properties", properties);
  map.add("use_dns_addresses", Value::boolean(features.useDnsAddresses.value_or(
                                   cloud.useDnsAddresses)));
  map.add("use_short_dns_addresses", Value::boolean(usesShortNames));
  map.add("use_link_dns_names",
          featureValue(features, features.useLinkDnsNames));
  map.add("instances", instancesOf());
  map.add("group_name", StringRef(groupNameOf(provider)));
  return map.take();
}

Value bosh::makeRecord(const Resolution &resolution, const PlacedGroup &group,
                       const Provider &provider, Value properties) {
  return RecordBuilder(resolution, group, provider).build(properties);
}

Value bosh::makeDiskRecord(const Resolution &resolution,
                           const Provider &provider) {
  ValueArena &arena = resolution.arena();
  MapBuilder properties(arena);
  properties.add("name", Value::string(provider.name));
  MapBuilder map(arena);
  map.add("link", Value::string(provider.name));
  map.add("deployment_name", Value::string(provider.deployment));
  map.add("properties", properties.take());
  map.add("instances", arena.list({}));
  map.add("group_name", StringRef(groupNameOf(provider)));
  return map.take();
}

static const Value *findIn(const Value &map, StringRef outer, StringRef inner) {
  const Value *found = map.isMap() ? map.find(outer) : nullptr;
  return found && found->isMap() ? found->find(inner) : nullptr;
}

static llvm::ArrayRef<Value> instancesIn(const Value &record) {
  const Value *instances = record.find("instances");
  return instances && instances->isList() ? instances->items()
                                          : llvm::ArrayRef<Value>();
}

Value bosh::selectInstances(const Value &record,
                            llvm::function_ref<bool(size_t)> isWanted,
                            ValueArena &arena) {
  std::vector<Value> wanted;
  for (auto [index, instance] : llvm::enumerate(instancesIn(record)))
    if (isWanted(index))
      wanted.push_back(instance);
  if (wanted.size() == instancesIn(record).size())
    return record;
  std::vector<MapEntry> entries(record.entries());
  for (MapEntry &entry : entries)
    if (entry.key == Value::string("instances"))
      entry.value = arena.list(wanted);
  return arena.map(entries);
}

bool bosh::hasAddresses(const Value &record, StringRef network) {
  return llvm::all_of(instancesIn(record), [&](const Value &instance) {
    return findIn(instance, "addresses", network);
  });
}

//===----------------------------------------------------------------------===//
// Contents
//===----------------------------------------------------------------------===//

namespace {

/// Sees a record as one consumer does.
class RecordView {
public:
  RecordView(const Value &record, const ContentOptions &options,
             ValueArena &arena, bool &lacksNames)
      : record(record), options(options), arena(arena), lacksNames(lacksNames),
        network(options.network.empty() ? textOf(record, "default_network")
                                        : options.network) {
    const Value *prefersNames = record.find("use_dns_addresses");
    wantsNames = options.ipAddresses ? !*options.ipAddresses
                                     : prefersNames && prefersNames->isTrue();
  }

  Value instance(const Value &known);
  Value content(StringRef key, Value instances);

private:
  Value addressOf(const Value &known);

  const Value &record;
  const ContentOptions &options;
  ValueArena &arena;
  bool &lacksNames;
  StringRef network;
  bool wantsNames;
};

} // namespace

Value RecordView::addressOf(const Value &known) {
  if (wantsNames) {
    if (const Value *name = findIn(known, "dns_addresses", network))
      return *name;
    lacksNames = true;
  }
  const Value *address = findIn(known, "addresses", network);
  return address ? *address : Value();
}

Value RecordView::instance(const Value &known) {
  MapBuilder map(arena);
  if (known.isMap()) {
    map.copy("name", known);
    map.copy("id", known);
    map.copy("index", known);
    if (options.dialect == Dialect::Present)
      map.copy("bootstrap", known);
    map.copy("az", known);
  }
  map.add("address", addressOf(known));
  return map.take();
}

/// The content with \p instances under \p key.
Value RecordView::content(StringRef key, Value instances) {
  MapBuilder map(arena);
  if (options.dialect == Dialect::Seed) {
    map.add(key, instances);
    map.copy("properties", record);
    return map.take();
  }
  map.copy("deployment_name", record);
  map.copy("domain", record);
  if (!network.empty())
    map.add("default_network", Value::string(network));
  map.copy("instance_group", record);
  map.copy("properties", record);
  map.copy("use_short_dns_addresses", record);
  map.copy("use_link_dns_names", record);
  map.add(key, instances);
  map.copy("group_name", record);
  return map.take();
}

Value bosh::makeContent(const Value &record, const ContentOptions &options,
                        ValueArena &arena, bool &lacksNames) {
  RecordView view(record, options, arena, lacksNames);
  std::vector<Value> instances;
  for (const Value &known : instancesIn(record))
    instances.push_back(view.instance(known));
  return view.content(options.dialect == Dialect::Seed ? "nodes" : "instances",
                      arena.list(instances));
}

Value bosh::makeContentAt(const Value &record, size_t instance,
                          const ContentOptions &options, ValueArena &arena,
                          bool &lacksNames) {
  RecordView view(record, options, arena, lacksNames);
  return view.content(options.dialect == Dialect::Seed ? "node" : "instance",
                      view.instance(instancesIn(record)[instance]));
}

Value bosh::addressOf(const Link &link, ValueArena &arena) {
  if (!link.provider) {
    const Value *address =
        link.content.isMap() ? link.content.find("address") : nullptr;
    return address ? *address : Value();
  }
  return addressOf(*link.provider, link.network, arena);
}

Value bosh::addressOf(const Provider &provider, StringRef network,
                      ValueArena &arena) {
  const Value &record = provider.record;
  StringRef domain = textOf(record, "domain");
  StringRef deployment = textOf(record, "deployment_name");
  StringRef group = textOf(record, "instance_group");
  if (network.empty() || domain.empty())
    return Value();
  auto says = [&](StringRef key) {
    const Value *flag = record.find(key);
    return flag && flag->isTrue();
  };
  if (!says("use_short_dns_addresses"))
    return arena.string(llvm::formatv("q-s0.{0}.{1}.{2}.{3}", dnsLabel(group),
                                      dnsLabel(network), dnsLabel(deployment),
                                      domain)
                            .str());
  StringRef named =
      says("use_link_dns_names") ? textOf(record, "group_name") : group;
  return arena.string(llvm::formatv("q-n{0}s0.q-g{1}.{2}",
                                    numberOf("network " + network),
                                    groupNumber(deployment, named), domain)
                          .str());
}
