//===- Lower.cpp - Manifests as services ----------------------------------===//
///
/// \file
/// The order of updates becomes relationships, which the profile gives a
/// meaning. Groups are updated one after another in phases; a phase is one
/// group, or several in a row that are not serial. Each phase ends in a gate:
/// many wait for many with as many relationships as there are instances. Within
/// a group, instance i waits for instance i - n where n may be in flight, so
/// that there are never more, and those after the canaries wait for them.
///
//===----------------------------------------------------------------------===//

#include "toscac/Sema/Bosh/Lower.h"

#include "Definitions.h"
#include "Resolution.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using sema::NodeTemplate;
using sema::Requirement;
using syntax::Node;

/// The node types that a manifest becomes.
static constexpr StringRef nodeTypes[] = {"Instance", "Errand", "Gate", "Job"};

namespace {

class ManifestLowering {
public:
  ManifestLowering(const Deployment &deployment, const Links &links,
                   sema::Profile &profile, NameTable &names,
                   DiagnosticEngine &diags, ValueArena &arena)
      : manifest(deployment.manifest), links(links), names(names), diags(diags),
        arena(arena), definitions(findDefinitions(deployment, links)) {
    for (StringRef type : nodeTypes)
      models[type] = profile.node(type);
  }

  sema::Service lower();

private:
  Requirement requirementOf(StringRef type, StringRef name);
  NodeTemplate copyNode(StringRef kind, std::string name, SourceRange range);
  Name uniqueName(std::string name);
  const Expr *literal(Value value, SourceRange range = {});
  sema::Assignment assign(StringRef name, Value value);
  sema::Assignment assignEach(StringRef name, const PlacedGroup &placed,
                              llvm::function_ref<Value(const Instance &)> of);
  const Expr *shifted(uint32_t by);
  const Expr *fromOn(uint32_t first, uint32_t size);
  uint32_t amount(const Node *node, uint32_t size, uint32_t unsaid);

  void lowerGroup(const PlacedGroup &placed);
  void setProperties(const PlacedGroup &placed, NodeTemplate &node);
  void limitUpdates(const PlacedGroup &placed, uint32_t node);
  uint32_t addGate(const std::string &name, SourceRange range);
  void endPhase(const PlacedGroup &last, llvm::ArrayRef<uint32_t> members);
  void addMembers(uint32_t gate, uint32_t group, uint32_t count);
  void waitFor(uint32_t node, StringRef requirement, uint32_t gate);
  bool isSerial(const PlacedGroup &placed) const;
  void addJobs();
  void addLink(const Link &link);
  Value providesOf(const PlacedGroup &placed, const PlacedJob &job);

  const Manifest &manifest;
  const Links &links;
  NameTable &names;
  DiagnosticEngine &diags;
  ValueArena &arena;
  /// By node type.
  llvm::StringMap<NodeTemplate> models;
  /// By group and instance.
  std::vector<std::vector<std::string>> definitions;
  sema::Service result;
  llvm::DenseSet<StringRef> taken;
  /// Groups by their nodes.
  llvm::DenseMap<uint32_t, uint32_t> groupOf;
  /// What gates wait for, by their nodes.
  llvm::MapVector<uint32_t, std::vector<std::string>> gates;
  /// The gate of the last phase.
  std::optional<uint32_t> lastGate;
  /// Groups of the phase at hand.
  std::vector<uint32_t> phase;
  /// Nodes by group and job.
  llvm::DenseMap<std::pair<StringRef, StringRef>, uint32_t> jobNodes;
  /// Providers of each job, for `provides`.
  llvm::DenseMap<std::pair<StringRef, StringRef>, std::vector<const Provider *>>
      providers;
};

} // namespace

//===----------------------------------------------------------------------===//
// Models of the profile
//===----------------------------------------------------------------------===//

Requirement ManifestLowering::requirementOf(StringRef type, StringRef name) {
  if (const Requirement *found = findRequirement(models[type], name))
    return *found;
  diags.report({}, diag::UnknownName, "requirement", name,
               ("; node type '" + type + "' of the profile has none").str());
  return {};
}

Name ManifestLowering::uniqueName(std::string name) {
  while (!taken.insert(names.intern(name).str()).second)
    name += '_';
  return names.intern(name);
}

/// A node of the type \p kind that requires nothing yet.
NodeTemplate ManifestLowering::copyNode(StringRef kind, std::string name,
                                        SourceRange range) {
  NodeTemplate node = models[kind];
  node.name = uniqueName(std::move(name));
  node.range = range;
  node.requirements.clear();
  return node;
}

const Expr *ManifestLowering::literal(Value value, SourceRange range) {
  return arena.make(Expr::literal(value, range));
}

sema::Assignment ManifestLowering::assign(StringRef name, Value value) {
  sema::Assignment result{names.intern(name), &builtinType(TypeKind::Any)};
  result.value = literal(value);
  return result;
}

sema::Assignment
ManifestLowering::assignEach(StringRef name, const PlacedGroup &placed,
                             llvm::function_ref<Value(const Instance &)> of) {
  sema::Assignment result{names.intern(name), &builtinType(TypeKind::Any)};
  llvm::SmallVector<const Expr *> each;
  for (const Instance &instance : placed.instances)
    each.push_back(literal(of(instance)));
  result.each = arena.save(llvm::ArrayRef<const Expr *>(each));
  return result;
}

/// The own index less \p by.
const Expr *ManifestLowering::shifted(uint32_t by) {
  Expr arguments[] = {Expr::call(Function::NodeIndex, {}),
                      Expr::literal(Value::integer(by))};
  return arena.make(Expr::call(Function::Difference,
                               arena.save(llvm::ArrayRef<Expr>(arguments))));
}

/// 0 from index \p first on, less before it; \p size indices are there.
const Expr *ManifestLowering::fromOn(uint32_t first, uint32_t size) {
  Expr quotient[] = {*shifted(first), Expr::literal(Value::integer(size))};
  Expr argument = Expr::call(Function::Quotient,
                             arena.save(llvm::ArrayRef<Expr>(quotient)));
  return arena.make(
      Expr::call(Function::Floor, arena.save(llvm::ArrayRef(argument))));
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

void ManifestLowering::setProperties(const PlacedGroup &placed,
                                     NodeTemplate &node) {
  std::vector<Value> jobs;
  for (const PlacedJob &job : placed.jobs)
    jobs.push_back(Value::string(job.job->name.text));
  auto addresses = [&](const Instance &instance) {
    std::vector<MapEntry> entries;
    for (const auto &[network, address] : instance.addresses)
      entries.push_back({Value::string(network), Value::string(address)});
    return arena.map(entries);
  };
  using Of = const Instance &;
  node.properties = {
      assign("group", Value::string(placed.group->name.text)),
      assignEach("id", placed, [](Of i) { return Value::string(i.id); }),
      assignEach("index", placed, [](Of i) { return Value::integer(i.index); }),
      assignEach("az", placed,
                 [](Of i) {
                   return i.zone.empty() ? Value() : Value::string(i.zone);
                 }),
      assignEach("bootstrap", placed,
                 [](Of i) { return Value::boolean(i.bootstrap); }),
      assignEach("addresses", placed, addresses),
      assign("jobs", arena.list(jobs)),
  };
  const auto &own = definitions[&placed - links.groups.data()];
  node.properties.push_back(
      assignEach("definition", placed, [&](const Instance &instance) {
        return arena.string(own[&instance - placed.instances.data()]);
      }));
}

/// A number, or a percentage of \p size; at least 1 of one.
uint32_t ManifestLowering::amount(const Node *node, uint32_t size,
                                  uint32_t unsaid) {
  if (!node)
    return unsaid;
  StringRef text = node->isScalar() ? node->text() : StringRef();
  bool isShare = text.consume_back("%");
  uint32_t number;
  if (text.getAsInteger(10, number)) {
    diags.report(node->range(), diag::ManifestShape,
                 "a number of instances to update",
                 "an integer or a percentage");
    return unsaid;
  }
  return isShare ? std::max<uint64_t>(uint64_t(number) * size / 100, 1)
                 : number;
}

/// Canaries first, and never more in flight than allowed.
void ManifestLowering::limitUpdates(const PlacedGroup &placed, uint32_t node) {
  const UpdateRules &own = placed.group->update, &outer = manifest.update;
  uint32_t size = placed.instances.size();
  uint32_t inFlight =
      amount(own.maxInFlight ? own.maxInFlight : outer.maxInFlight, size, size);
  uint32_t canaries =
      amount(own.canaries ? own.canaries : outer.canaries, size, 0);
  inFlight = std::max<uint32_t>(inFlight, 1);
  if (inFlight < size) {
    Requirement previous = requirementOf("Instance", "previous");
    previous.node = node;
    previous.nodeIndex = shifted(inFlight);
    previous.optional = true;
    result.nodes[node].requirements.push_back(previous);
  }
  if (canaries == 0 || canaries >= size)
    return;
  uint32_t gate = addGate((placed.group->name.text + ".canaries").str(),
                          placed.group->range);
  addMembers(gate, node, canaries);
  Requirement wait = requirementOf("Instance", "canaries");
  wait.node = gate;
  wait.nodeIndex = fromOn(canaries, size);
  wait.optional = true;
  result.nodes[node].requirements.push_back(wait);
}

uint32_t ManifestLowering::addGate(const std::string &name, SourceRange range) {
  result.nodes.push_back(copyNode("Gate", name, range));
  return result.nodes.size() - 1;
}

void ManifestLowering::addMembers(uint32_t gate, uint32_t group,
                                  uint32_t count) {
  const std::vector<std::string> &own = definitions[groupOf.lookup(group)];
  std::vector<std::string> &awaited = gates[gate];
  awaited.insert(awaited.end(), own.begin(), own.begin() + count);
  if (count == 0)
    return;
  Requirement members = requirementOf("Gate", "members");
  members.node = group;
  members.count = literal(Value::integer(count));
  result.nodes[gate].requirements.push_back(members);
}

void ManifestLowering::waitFor(uint32_t node, StringRef name, uint32_t gate) {
  Requirement wait =
      requirementOf(name == "before" ? "Gate" : "Instance", name);
  wait.node = gate;
  result.nodes[node].requirements.push_back(wait);
}

void ManifestLowering::lowerGroup(const PlacedGroup &placed) {
  const InstanceGroup &group = *placed.group;
  uint32_t node = result.nodes.size();
  groupOf[node] = &placed - links.groups.data();
  NodeTemplate added = copyNode(group.isErrand ? "Errand" : "Instance",
                                group.name.text.str(), group.range);
  added.count = literal(Value::integer(placed.instances.size()));
  setProperties(placed, added);
  result.nodes.push_back(std::move(added));
  if (group.isErrand)
    return;
  phase.push_back(node);
  limitUpdates(placed, node);
  if (lastGate)
    waitFor(node, "turn", *lastGate);
}

bool ManifestLowering::isSerial(const PlacedGroup &placed) const {
  return placed.group->update.serial.value_or(
      manifest.update.serial.value_or(true));
}

/// Closes the phase, whose last group is \p last, with a gate.
void ManifestLowering::endPhase(const PlacedGroup &last,
                                llvm::ArrayRef<uint32_t> members) {
  uint32_t gate =
      addGate((last.group->name.text + ".updated").str(), last.group->range);
  for (uint32_t node : members)
    addMembers(gate, node, result.nodes[node].count->value().asInteger());
  if (lastGate)
    waitFor(gate, "before", *lastGate);
  lastGate = gate;
}

//===----------------------------------------------------------------------===//
// Jobs and links
//===----------------------------------------------------------------------===//

/// What the job provides, for those who look at the state.
Value ManifestLowering::providesOf(const PlacedGroup &placed,
                                   const PlacedJob &job) {
  std::vector<Value> items;
  for (const Provider *provider :
       providers.lookup({placed.group->name.text, job.job->name.text}))
    items.push_back(
        arena.map({{Value::string("name"), Value::string(provider->alias)},
                   {Value::string("type"), Value::string(provider->type)}}));
  return arena.list(items);
}

void ManifestLowering::addJobs() {
  for (const Provider &provider : links.providers)
    if (provider.deployment == links.deployment && !provider.blocked)
      providers[{provider.group, provider.job}].push_back(&provider);
  for (const PlacedGroup &placed : links.groups)
    for (const PlacedJob &job : placed.jobs) {
      StringRef group = placed.group->name.text, name = job.job->name.text;
      NodeTemplate node =
          copyNode("Job", (group + "." + name).str(), job.job->name.range);
      node.properties = {
          assign("group", Value::string(group)),
          assign("job", Value::string(name)),
          assign("release", arena.string(job.release)),
          assign("provides", providesOf(placed, job)),
      };
      jobNodes[{group, name}] = result.nodes.size();
      result.nodes.push_back(std::move(node));
    }
}

/// What the consumer sees; by instance where each sees something else.
static Value contentOf(const Link &link, const PlacedGroup &placed,
                       ValueArena &arena) {
  if (link.byInstance.empty())
    return link.content;
  std::vector<MapEntry> entries;
  for (auto [instance, content] : llvm::zip(placed.instances, link.byInstance))
    entries.push_back({arena.string(std::to_string(instance.index)), content});
  return arena.map(entries);
}

void ManifestLowering::addLink(const Link &link) {
  const PlacedGroup &placed = links.groups[link.group];
  Value content = contentOf(link, placed, arena);
  if (content.isNil())
    return;
  StringRef job = placed.jobs[link.job].job->name.text;
  uint32_t consumer = jobNodes.lookup({placed.group->name.text, job});
  const Provider *provider = link.provider;
  auto target = jobNodes.end();
  if (provider && provider->deployment == links.deployment)
    target = jobNodes.find({provider->group, provider->job});
  if (target == jobNodes.end()) {
    // Nothing in this deployment that a relationship could lead to.
    result.nodes[consumer].properties.push_back(
        assign(("link." + link.spec->name.text).str(), content));
    return;
  }
  Requirement requirement = requirementOf("Job", "link");
  requirement.name = names.intern(link.spec->name.text);
  requirement.node = target->second;
  requirement.range = placed.jobs[link.job].job->name.range;
  requirement.relationship.properties = {
      assign("type", Value::string(link.spec->type)),
      assign("network", Value::string(link.network)),
      assign("content", content),
  };
  result.nodes[consumer].requirements.push_back(requirement);
}

sema::Service ManifestLowering::lower() {
  result.name = names.intern(links.deployment);
  result.range = manifest.range;
  const PlacedGroup *last = nullptr;
  for (const PlacedGroup &placed : links.groups) {
    bool startsPhase = last && (isSerial(placed) || isSerial(*last));
    if (startsPhase && !placed.group->isErrand) {
      endPhase(*last, phase);
      phase.clear();
    }
    lowerGroup(placed);
    if (!placed.group->isErrand)
      last = &placed;
  }
  if (last)
    endPhase(*last, phase);
  for (uint32_t node = 0; node != result.nodes.size(); ++node)
    if (result.nodes[node].type == models["Instance"].type)
      waitFor(node, "everybody", *lastGate);
  for (const auto &[gate, awaited] : gates)
    result.nodes[gate].properties = {
        assign("definition", arena.string(joinDefinitions(awaited)))};
  addJobs();
  for (const Link &link : links.links)
    addLink(link);
  return std::move(result);
}

namespace {

/// What a deployment has from earlier manifests is like its type.
class ObsoleteParts : public sema::ObsoleteModels {
public:
  explicit ObsoleteParts(sema::Profile &profile) : profile(profile) {}

  std::optional<NodeTemplate> node(uint32_t,
                                   const sema::RecordedPart &part) override {
    if (!llvm::is_contained(nodeTypes, part.type))
      return std::nullopt;
    return profile.node(part.type);
  }
  /// Requirements of jobs are called like their links.
  std::optional<Requirement>
  requirement(uint32_t, const NodeTemplate &source,
              const sema::RecordedPart &part) override {
    for (StringRef type : nodeTypes) {
      NodeTemplate model = profile.node(type);
      if (model.type != source.type)
        continue;
      const Requirement *found =
          findRequirement(model, type == "Job" ? "link" : part.origin);
      return found ? std::optional(*found) : std::nullopt;
    }
    return std::nullopt;
  }

private:
  sema::Profile &profile;
};

} // namespace

std::unique_ptr<sema::ObsoleteModels>
bosh::lowerDeployment(const Deployment &deployment, const Links &links,
                      sema::Profile &profile, NameTable &names,
                      DiagnosticEngine &diags, sema::CheckedProgram &program) {
  ManifestLowering lowering(deployment, links, profile, names, diags,
                            *program.arena);
  if (diags.hasErrors())
    return nullptr;
  program.services.push_back(lowering.lower());
  program.hasEntry = true;
  return std::make_unique<ObsoleteParts>(profile);
}
