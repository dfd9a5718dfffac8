//===- Resolution.h - The parts of resolveLinks -----------------*- C++ -*-===//
///
/// \file
/// Each function does one part and is in a file of its own:
/// jobs are placed on groups, instances are made, providers collected, entries
/// of the manifest read, and then each link finds its provider.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_BOSH_RESOLUTION_H
#define TOSCAC_LIB_SEMA_BOSH_RESOLUTION_H

#include "toscac/Sema/Bosh/Links.h"
#include "llvm/ADT/StringSet.h"

namespace toscac::bosh {

/// What all parts share.
struct Resolution {
  const Deployment &deployment;
  llvm::ArrayRef<OtherDeployment> others;
  DiagnosticEngine &diags;
  Links &links;
  /// A job has no spec: nobody knows what it provides.
  bool hasUnknownJobs = false;
  /// Names that are given to links with misspelt names.
  llvm::StringSet<> lostAliases = {};

  ValueArena &arena() const { return *links.arena; }
  /// Whether \p name is this deployment or one of the others.
  bool isDeployment(llvm::StringRef name) const;
  /// Null: there is none of that name.
  const OtherDeployment *findOther(llvm::StringRef name) const;
  const Network *findNetwork(llvm::StringRef name) const;
};

/// Binds jobs to specs, with those that addons bring.
void placeJobs(Resolution &resolution);

/// Checks the networks of groups and gives every instance an id, a zone and
/// addresses, from the facts where there are any.
void makeInstances(Resolution &resolution);

/// The providers of this deployment, then those that others share.
void collectProviders(Resolution &resolution);

/// What the manifest wants of a consumed link.
struct Wish {
  enum class Kind : uint8_t { Implicit, Explicit, Written, Blocked, Wrong };
  Kind kind = Kind::Implicit;
  /// Of Explicit: the provider's name and deployment.
  llvm::StringRef name;
  llvm::StringRef deployment;
  Word network;
  std::optional<bool> ipAddresses;
  /// The entry; null for Implicit.
  const syntax::Node *entry = nullptr;
  SourceRange range;
};

/// Reads the entry for \p link of \p job; null: there is none.
Wish readWish(Resolution &resolution, const LinkSpec &link, const Job &job,
              const LinkEntry *entry);
/// Reads the entry of a variable.
Wish readVariableWish(Resolution &resolution, const Variable &variable,
                      const LinkEntry &entry);
/// Reports entries for links that jobs do not have.
void checkUndeclared(Resolution &resolution);

/// What a link holds that the manifest writes out.
Value writtenContent(Resolution &resolution, const LinkSpec &link,
                     const syntax::Node &entry);

/// `job 'node' in group 'db'`
std::string describe(const Provider &provider, llvm::StringRef own);

} // namespace toscac::bosh

#endif
