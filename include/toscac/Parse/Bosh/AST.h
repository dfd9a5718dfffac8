//===- toscac/Parse/Bosh/AST.h - Manifests and job specs --------*- C++ -*-===//
///
/// \file
/// A BOSH deployment as it is written: the manifest, the specs of release jobs
/// and the cloud file. Only shapes are checked here; which job a name means and
/// where links lead is Sema's business. Values that only Sema understands are
/// nodes of the syntax tree.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PARSE_BOSH_AST_H
#define TOSCAC_PARSE_BOSH_AST_H

#include "toscac/Parse/SyntaxTree.h"
#include "toscac/Parse/Word.h"
#include "llvm/ADT/StringMap.h"
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace toscac::bosh {

using syntax::Word;

//===----------------------------------------------------------------------===//
// Releases
//===----------------------------------------------------------------------===//

/// A link that a job consumes or provides.
struct LinkSpec {
  Word name;
  llvm::StringRef type;
  /// Of a consumed link.
  bool optional = false;
  /// Of a consumed link: provided on the same instance.
  bool colocated = false;
  /// Of a provided link: properties that consumers see.
  std::vector<Word> properties;
};

/// A file of the job that is rendered.
struct TemplateFile {
  /// Below the `templates` folder of the job.
  Word source;
  /// Where the job wants it: `config/db.yml`.
  Word target;
};

struct JobSpec {
  llvm::StringRef name;
  /// The folder that the spec is in.
  std::string folder;
  std::vector<LinkSpec> consumes;
  std::vector<LinkSpec> provides;
  /// Default values by dotted path; null: declared without one.
  llvm::StringMap<const syntax::Node *> properties;
  std::vector<TemplateFile> templates;
  SourceRange range;
};

struct Release {
  std::string name;
  /// In the order of their names.
  std::vector<JobSpec> jobs;
};

//===----------------------------------------------------------------------===//
// The manifest
//===----------------------------------------------------------------------===//

/// The words of seed 003 (`jobs`, `templates`, `nodes`) or those of today
/// (`instance_groups`, `jobs`, `instances`).
enum class Dialect : uint8_t { Seed, Present };

/// What the manifest says of one link of a job.
struct LinkEntry {
  Word link;
  const syntax::Node *value;
};

struct Job {
  Word name;
  /// Empty where the manifest does not say.
  Word release;
  std::vector<LinkEntry> consumes;
  std::vector<LinkEntry> provides;
  /// Items of `custom_provider_definitions`.
  llvm::ArrayRef<syntax::Node> customProviders;
  /// Null where the key is not there.
  const syntax::Node *properties = nullptr;
};

/// A network that a group is on.
struct NetworkUse {
  Word name;
  /// `dns`, `gateway`, `addressable`.
  std::vector<Word> defaults;
  const syntax::Node *staticAddresses = nullptr;
};

/// How instances are updated. What is not said comes from the deployment.
struct UpdateRules {
  std::optional<bool> serial;
  /// Numbers or percentages.
  const syntax::Node *canaries = nullptr;
  const syntax::Node *maxInFlight = nullptr;
};

struct InstanceGroup {
  Word name;
  uint32_t instances = 1;
  std::vector<Word> zones;
  std::vector<NetworkUse> networks;
  std::vector<Job> jobs;
  /// Names of `persistent_disks`.
  std::vector<Word> disks;
  /// Names that it, or parts of it, had before.
  std::vector<Word> formerNames;
  const syntax::Node *properties = nullptr;
  UpdateRules update;
  /// Runs on demand and is no part of a deployment.
  bool isErrand = false;
  SourceRange range;
};

/// Which groups an addon lands on. Every list that is given must name the
/// group; `jobs` are pairs of job and release.
struct Placement {
  std::optional<std::vector<llvm::StringRef>> deployments;
  std::optional<std::vector<llvm::StringRef>> groups;
  std::optional<std::vector<llvm::StringRef>> zones;
  std::optional<std::vector<llvm::StringRef>> networks;
  std::optional<std::vector<std::pair<llvm::StringRef, llvm::StringRef>>> jobs;
  std::optional<bool> isErrand;
};

struct Addon {
  std::vector<Job> jobs;
  std::optional<Placement> include;
  std::optional<Placement> exclude;
};

struct Variable {
  Word name;
  Word type;
  std::vector<LinkEntry> consumes;
};

struct Features {
  /// Whether there is a block `features` at all.
  bool given = false;
  std::optional<bool> useDnsAddresses;
  std::optional<bool> useShortDnsAddresses;
  std::optional<bool> useLinkDnsNames;
  SourceRange range;
};

struct Manifest {
  Dialect dialect = Dialect::Present;
  Word name;
  std::vector<InstanceGroup> groups;
  std::vector<Addon> addons;
  std::vector<Variable> variables;
  Features features;
  const syntax::Node *properties = nullptr;
  UpdateRules update;
  SourceRange range;
};

//===----------------------------------------------------------------------===//
// The cloud
//===----------------------------------------------------------------------===//

struct Network {
  Word name;
  /// Addresses are not known before a machine runs.
  bool isDynamic = false;
  /// `10.0.0.0/24`; empty where there is none.
  Word range;
};

/// What is known of an instance.
struct InstanceFacts {
  llvm::StringRef id;
  std::optional<uint32_t> index;
  llvm::StringRef zone;
  std::optional<bool> bootstrap;
  /// Address by network.
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> addresses;
};

struct GroupFacts {
  Word group;
  std::vector<InstanceFacts> instances;
};

struct Cloud {
  bool hasLocalDns = false;
  bool useDnsAddresses = false;
  llvm::StringRef rootDomain = "bosh";
  std::vector<Word> zones;
  /// False where there was no cloud file: any network will do.
  bool namesNetworks = false;
  std::vector<Network> networks;
  std::vector<GroupFacts> facts;
};

/// A manifest with all that belongs to it.
struct Deployment {
  /// The manifest's file after operations, with the values of variables.
  syntax::Node document;
  Manifest manifest;
  /// In the order of their names.
  std::vector<Release> releases;
  /// As given with --releases.
  std::string releaseFolder;
  Cloud cloud;
  /// What the above refers to.
  std::deque<syntax::Tree> trees;
};

} // namespace toscac::bosh

#endif
