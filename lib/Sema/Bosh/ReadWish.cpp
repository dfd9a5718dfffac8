//===- ReadWish.cpp - Entries for consumed links --------------------------===//

#include "Resolution.h"

#include "Values.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Node;

namespace {

class WishReader {
public:
  WishReader(Resolution &resolution, StringRef link, StringRef owner,
             const LinkEntry &entry)
      : resolution(resolution), diags(resolution.diags), link(link),
        owner(owner), entry(*entry.value), key(entry.link) {
    wish.range = key.range;
    wish.entry = entry.value;
  }

  Wish read();
  Wish readExplicit();

private:
  const Node *find(StringRef name) const {
    const Node *value = entry.find(name);
    return value && !value->isNull() ? value : nullptr;
  }
  bool isWritten() const;
  void checkKeys();
  void readSource();
  void splitDeployment(const Node &from);
  void readOptions();
  Word textAt(StringRef name);

  Resolution &resolution;
  DiagnosticEngine &diags;
  StringRef link;
  StringRef owner;
  const Node &entry;
  Word key;
  Wish wish;
};

} // namespace

/// What makes a link one whose content the manifest has.
static constexpr StringRef instanceKeys[] = {"instances", "nodes", "addresses"};

static const Node *findInstances(const Node &entry) {
  for (StringRef key : instanceKeys)
    if (const Node *found = entry.find(key))
      return found;
  return nullptr;
}

bool WishReader::isWritten() const {
  return findInstances(entry) || entry.find("properties") ||
         entry.find("address");
}

Word WishReader::textAt(StringRef name) {
  const Node *value = find(name);
  if (!value)
    return {};
  if (value->isScalar())
    return {value->text(), value->range()};
  diags.report(value->range(), diag::LinkValueType, ("'" + name + "'").str(),
               link, owner, "a string");
  return {};
}

void WishReader::checkKeys() {
  auto conflict = [&](const Node &at, StringRef word, StringRef why) {
    diags.report(at.range(), diag::LinkKeysConflict, link, owner, word, why);
  };
  const Node *from = entry.find("from");
  const Node *instances = findInstances(entry);
  const Node *properties = entry.find("properties");
  if (from && instances)
    conflict(*instances,
             resolution.links.dialect == Dialect::Seed ? "nodes" : "instances",
             "beside 'from'");
  if (from && properties)
    conflict(*properties, "properties", "beside 'from'");
  if (properties && !instances)
    conflict(*properties, "properties", "without 'instances'");
  for (StringRef name : {"name", "type"})
    if (const Node *found = entry.find(name)) {
      diags.report(found->range(), diag::LinkKeyNotAllowed, name,
                   "names and types of links are given by the release");
      break;
    }
}

/// `from: deployment.name` where that deployment is known; in the seed's words
/// it has to be. BOSH drops the first part.
void WishReader::splitDeployment(const Node &from) {
  auto [before, name] = wish.name.rsplit('.');
  if (name.empty())
    return;
  if (resolution.isDeployment(before)) {
    wish.deployment = before;
  } else if (resolution.links.dialect == Dialect::Seed) {
    diags.report(from.range(), diag::LinkDeploymentUnknown, link, before);
  } else {
    diags.report(from.range(), diag::LinkPrefixIgnored, before, name);
  }
  wish.name = name;
}

void WishReader::readSource() {
  wish.name = link;
  wish.deployment = resolution.links.deployment;
  if (Word from = textAt("from"); !from.isEmpty()) {
    wish.name = from.text;
    splitDeployment(*find("from"));
  }
  Word deployment = textAt("deployment");
  if (deployment.isEmpty())
    return;
  wish.deployment = deployment.text;
  if (!resolution.isDeployment(deployment.text))
    diags.report(deployment.range, diag::LinkDeploymentUnknown, link,
                 deployment.text);
}

void WishReader::readOptions() {
  wish.network = textAt("network");
  const Node *flag = entry.find("ip_addresses");
  if (!flag)
    return;
  if (flag->isScalar() && flag->scalarType() == syntax::ScalarType::Boolean)
    wish.ipAddresses = flag->text().starts_with_insensitive("t");
  else
    diags.report(flag->isNull() ? key.range : flag->range(),
                 diag::LinkValueType, "'ip_addresses'", link, owner,
                 "true or false");
}

/// Reads an entry that can only name a provider.
Wish WishReader::readExplicit() {
  size_t errors = diags.numErrors();
  wish.kind = Wish::Kind::Explicit;
  if (!entry.isMapping())
    diags.report(entry.isNull() ? key.range : entry.range(),
                 diag::LinkValueType, "the entry", link, owner, "a map");
  else
    readSource();
  if (entry.isMapping())
    readOptions();
  if (diags.numErrors() != errors)
    wish.kind = Wish::Kind::Wrong;
  return wish;
}

Wish WishReader::read() {
  if (entry.isScalar() && entry.text() == "nil") {
    wish.kind = Wish::Kind::Blocked;
    return wish;
  }
  size_t errors = diags.numErrors();
  if (!entry.isMapping()) {
    diags.report(entry.isNull() ? key.range : entry.range(),
                 diag::LinkValueType, "the entry", link, owner,
                 "a map or the string 'nil'");
  } else {
    checkKeys();
    readOptions();
    wish.kind = isWritten() ? Wish::Kind::Written : Wish::Kind::Explicit;
    bool hasSource = entry.find("from");
    bool mustSay = resolution.links.dialect == Dialect::Seed && !hasSource;
    if (wish.kind == Wish::Kind::Explicit && mustSay &&
        diags.numErrors() == errors)
      diags.report(key.range, diag::LinkFromMissing, link, owner);
    if (wish.kind == Wish::Kind::Explicit)
      readSource();
  }
  if (diags.numErrors() != errors)
    wish.kind = Wish::Kind::Wrong;
  return wish;
}

Wish bosh::readWish(Resolution &resolution, const LinkSpec &link,
                    const Job &job, const LinkEntry *entry) {
  if (entry)
    return WishReader(resolution, link.name.text, job.name.text, *entry).read();
  Wish wish;
  wish.range = job.name.range;
  wish.deployment = resolution.links.deployment;
  return wish;
}

Wish bosh::readVariableWish(Resolution &resolution, const Variable &variable,
                            const LinkEntry &entry) {
  return WishReader(resolution, entry.link.text, variable.name.text, entry)
      .readExplicit();
}

//===----------------------------------------------------------------------===//
// Contents that the manifest has
//===----------------------------------------------------------------------===//

/// Instances as written; `addresses` is a short form.
static Value writtenInstances(const Node &entry, ValueArena &arena) {
  const Node *addresses = entry.find("addresses");
  if (!addresses || !addresses->isSequence()) {
    const Node *instances = findInstances(entry);
    return instances ? toValue(*instances, arena) : Value();
  }
  std::vector<Value> instances;
  for (const Node &address : addresses->items())
    instances.push_back(
        arena.map({{Value::string("address"), toValue(address, arena)}}));
  return arena.list(instances);
}

Value bosh::writtenContent(Resolution &resolution, const LinkSpec &link,
                           const Node &entry) {
  ValueArena &arena = resolution.arena();
  auto valueAt = [&](StringRef key) {
    const Node *value = entry.find(key);
    return value ? toValue(*value, arena) : Value();
  };
  bool isSeed = resolution.links.dialect == Dialect::Seed;
  std::vector<MapEntry> entries = {
      {Value::string(isSeed ? "nodes" : "instances"),
       writtenInstances(entry, arena)},
      {Value::string("properties"), valueAt("properties")},
      {Value::string("address"), valueAt("address")}};
  if (isSeed && entries.back().value.isNil())
    entries.pop_back();
  if (!isSeed) {
    entries.push_back({Value::string("deployment_name"),
                       Value::string(resolution.links.deployment)});
    entries.push_back({Value::string("group_name"),
                       arena.string((link.name.text + "-" + link.type).str())});
  }
  return arena.map(entries);
}

//===----------------------------------------------------------------------===//
// Entries for nothing
//===----------------------------------------------------------------------===//

static void checkEntries(Resolution &resolution, const PlacedJob &job,
                         llvm::ArrayRef<LinkEntry> entries,
                         llvm::ArrayRef<LinkSpec> links, StringRef verb) {
  for (const LinkEntry &entry : entries) {
    auto hasName = [&](const LinkSpec &link) {
      return link.name.text == entry.link.text;
    };
    auto definesIt = [&](const Node &custom) {
      const Node *name = custom.isMapping() ? custom.find("name") : nullptr;
      return name && name->isScalar() && name->text() == entry.link.text;
    };
    if (llvm::any_of(links, hasName) ||
        (verb == "provides" &&
         llvm::any_of(job.job->customProviders, definesIt)))
      continue;
    StringRef name = job.job->name.text;
    std::vector<StringRef> known;
    for (const LinkSpec &link : links)
      known.push_back(link.name.text);
    Suggestion meant(entry.link.text, known);
    if (resolution.links.dialect == Dialect::Seed || meant.name) {
      auto report = resolution.diags.report(
          entry.link.range, diag::LinkUndeclared, name, verb, entry.link.text);
      meant.noteOn(report);
      meant.fixIn(report, entry.link.range);
      const Node *alias =
          entry.value->isMapping() ? entry.value->find("as") : nullptr;
      if (meant.name)
        resolution.lostAliases.insert(alias && alias->isScalar() ? alias->text()
                                                                 : *meant.name);
    } else
      resolution.diags.report(entry.link.range, diag::UnknownLinkEntry, name,
                              verb, entry.link.text);
  }
}

void bosh::checkUndeclared(Resolution &resolution) {
  llvm::DenseSet<const Job *> seen;
  for (const PlacedGroup &placed : resolution.links.groups)
    for (const PlacedJob &job : placed.jobs) {
      // An addon's job is on many groups.
      if (!job.spec || !seen.insert(job.job).second)
        continue;
      checkEntries(resolution, job, job.job->consumes, job.spec->consumes,
                   "consumes");
      checkEntries(resolution, job, job.job->provides, job.spec->provides,
                   "provides");
    }
}
