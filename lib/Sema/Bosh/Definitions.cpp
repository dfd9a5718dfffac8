//===- Definitions.cpp - What instances have to know ----------------------===//

#include "Definitions.h"

#include "Values.h"
#include "toscac/Basic/Digest.h"
#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

static std::string digestOf(StringRef text) {
  return hexDigest("sha256", text)->substr(0, 16);
}

namespace {

/// Collects what a group has to know.
class DefinitionText {
public:
  explicit DefinitionText(ValueArena &arena) : arena(arena), os(text) {}

  void add(StringRef word) { os << word << '\n'; }
  void add(const Value &value) {
    JSONWriter json(os);
    writeJSON(json, value);
    os << '\n';
  }
  void add(const syntax::Node *node) {
    add(node ? toValue(*node, arena) : Value());
  }
  void add(const JobSpec &spec) {
    std::map<StringRef, const syntax::Node *> defaults;
    for (const auto &property : spec.properties)
      defaults[property.first()] = property.second;
    for (const auto &[path, fallback] : defaults) {
      add(path);
      add(fallback);
    }
  }
  std::string digest() const { return digestOf(text); }

private:
  ValueArena &arena;
  std::string text;
  llvm::raw_string_ostream os;
};

class Definer {
public:
  Definer(const Deployment &deployment, const Links &links)
      : links(links), consumed(links.groups.size()) {
    DefinitionText common(arena);
    common.add(deployment.manifest.properties);
    commonProperties = common.digest();
    for (const Link &link : links.links)
      consumed[link.group].push_back(&link);
  }

  std::vector<std::string> define(uint32_t group);

private:
  std::string ofGroup(uint32_t group);

  const Links &links;
  ValueArena arena;
  /// Links by the group that consumes them.
  std::vector<std::vector<const Link *>> consumed;
  std::string commonProperties;
};

} // namespace

/// What all instances of the group have to know.
std::string Definer::ofGroup(uint32_t group) {
  const PlacedGroup &placed = links.groups[group];
  DefinitionText text(arena);
  for (const PlacedJob &job : placed.jobs) {
    text.add(job.job->name.text);
    text.add(job.release);
    if (job.spec)
      text.add(*job.spec);
    text.add(job.job->properties);
    if (job.job->properties)
      continue;
    text.add(placed.group->properties);
    text.add(commonProperties);
  }
  for (const Link *link : consumed[group]) {
    text.add(link->spec->name.text);
    text.add(link->content);
  }
  return text.digest();
}

std::vector<std::string> Definer::define(uint32_t group) {
  const PlacedGroup &placed = links.groups[group];
  std::string common = ofGroup(group);
  std::vector<std::string> definitions;
  for (auto [i, instance] : llvm::enumerate(placed.instances)) {
    DefinitionText text(arena);
    text.add(common);
    text.add(instance.id);
    text.add(instance.zone);
    text.add(instance.bootstrap ? "bootstrap" : "");
    for (const auto &[network, address] : instance.addresses) {
      text.add(network);
      text.add(address);
    }
    for (const Link *link : consumed[group])
      if (i < link->byInstance.size())
        text.add(link->byInstance[i]);
    definitions.push_back(text.digest());
  }
  return definitions;
}

std::vector<std::vector<std::string>>
bosh::findDefinitions(const Deployment &deployment, const Links &links) {
  Definer definer(deployment, links);
  std::vector<std::vector<std::string>> definitions;
  for (uint32_t group = 0; group != links.groups.size(); ++group)
    definitions.push_back(definer.define(group));
  return definitions;
}

std::string bosh::joinDefinitions(llvm::ArrayRef<std::string> definitions) {
  return digestOf(llvm::join(definitions, " "));
}
