//===- toscac/Sema/Bosh/Links.h - Resolved links ----------------*- C++ -*-===//
///
/// \file
/// A deployment with every job bound to its spec, every instance made, and
/// every consumed link resolved. What a link holds is known before anything
/// runs, because ids, zones and addresses are.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_BOSH_LINKS_H
#define TOSCAC_SEMA_BOSH_LINKS_H

#include "toscac/Parse/Bosh/AST.h"
#include "toscac/Value/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace toscac {
class DiagnosticEngine;
} // namespace toscac

namespace toscac::bosh {

struct Instance {
  llvm::StringRef id;
  uint32_t index = 0;
  llvm::StringRef zone;
  bool bootstrap = false;
  /// Address by network; not those of dynamic networks.
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> addresses;
};

/// A job on a group, its own or from an addon.
struct PlacedJob {
  const Job *job;
  /// Null after a report.
  const JobSpec *spec;
  llvm::StringRef release;
};

struct PlacedGroup {
  const InstanceGroup *group;
  std::vector<PlacedJob> jobs;
  std::vector<Instance> instances;
  /// Where links take addresses from unless they say otherwise; empty: no
  /// network.
  llvm::StringRef defaultNetwork;
};

/// Something that links can be taken from.
struct Provider {
  /// As the release calls it.
  llvm::StringRef name;
  /// As consumers call it: the name, or what `as` says.
  llvm::StringRef alias;
  llvm::StringRef type;
  llvm::StringRef deployment;
  llvm::StringRef group;
  /// Empty for a disk.
  llvm::StringRef job;
  bool shared = false;
  /// The manifest says `nil`.
  bool blocked = false;
  /// What is known of it, whoever consumes it: what a link holds, with the
  /// addresses in every network. Other deployments find it in the state.
  Value record;
  /// Invalid for one of another deployment.
  SourceRange range;
};

/// A link that a job consumes.
struct Link {
  /// Index into Links::groups, and into the jobs of that group.
  uint32_t group;
  uint32_t job;
  const LinkSpec *spec;
  /// Why it is what it is.
  enum class Choice : uint8_t {
    /// The only provider of its type.
    ByType,
    /// The manifest names the provider.
    ByName,
    /// The manifest has the content.
    Written,
    /// Optional, and nobody provides it.
    Nobody,
    /// Optional, and the manifest says `nil`.
    Blocked
  };
  Choice choice = Choice::ByType;
  /// Null for Written, Nobody and Blocked.
  const Provider *provider = nullptr;
  /// The network of its addresses; empty where there is none.
  llvm::StringRef network;
  /// Whether the consumer asked for that network.
  bool asksForNetwork = false;
  /// What templates see; nil where there is no link or one per instance.
  Value content;
  /// Of a colocated link: what each instance sees.
  std::vector<Value> byInstance;
};

/// A name that a certificate takes from a link.
struct VariableLink {
  llvm::StringRef variable;
  /// `alternative_name`, `common_name`
  llvm::StringRef name;
  llvm::StringRef type;
  const Provider *provider;
  llvm::StringRef network;
  bool asksForNetwork = false;
};

struct Links {
  Links() : arena(std::make_unique<ValueArena>()) {}

  llvm::StringRef deployment;
  Dialect dialect = Dialect::Present;
  std::vector<PlacedGroup> groups;
  /// Of this deployment and, after them, of others.
  std::deque<Provider> providers;
  /// By group, job and the order of the spec.
  std::vector<Link> links;
  std::vector<VariableLink> variables;
  /// Owns values and the texts that were made.
  std::unique_ptr<ValueArena> arena;
};

/// What one deployment may take from another.
struct SharedLink {
  llvm::StringRef name;
  llvm::StringRef type;
  /// `group/job`
  llvm::StringRef provider;
  Value record;
};

/// Another deployment, as its director knows it: to a manifest, it is what an
/// import is to other files.
struct OtherDeployment {
  llvm::StringRef name;
  std::vector<SharedLink> shared;
  /// Its jobs with what they provide, shared or not: lists of maps.
  std::vector<std::pair<llvm::StringRef, Value>> jobs;
};

/// Resolves all links of \p deployment, which is called \p name. They may lead
/// to \p others, whose texts and values have to outlive the result. Reports
/// every problem it finds.
Links resolveLinks(const Deployment &deployment, llvm::StringRef name,
                   llvm::ArrayRef<OtherDeployment> others,
                   DiagnosticEngine &diags);

/// Prints what each job gets, as JSON: group, job, link, content; links of one
/// instance as group, index, job, link, content; what variables consume as
/// `variables`, variable, name. The order is that of names.
void writeLinks(const Links &links, llvm::raw_ostream &os);

/// What other deployments may consume, by name and type. Instances, by names
/// like `db[0]`, for which \p stays is false are left out.
std::vector<SharedLink>
sharedLinks(const Links &links,
            llvm::function_ref<bool(llvm::StringRef)> stays);

/// `link.address`: the name under which DNS has all instances, or what the
/// manifest says; nil where there is none.
Value addressOf(const Link &link, ValueArena &arena);
/// The same of a provider in \p network.
Value addressOf(const Provider &provider, llvm::StringRef network,
                ValueArena &arena);

/// Says in words why link \p path, `group/job/link` or
/// `variables/variable/name`, is what it is. False where there is no such link.
bool explainLink(const Links &links, llvm::StringRef path,
                 llvm::raw_ostream &os);

} // namespace toscac::bosh

#endif
