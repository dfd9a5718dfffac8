//===- ProviderIndex.h - Providers by what consumers ask for ----*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_BOSH_PROVIDERINDEX_H
#define TOSCAC_LIB_SEMA_BOSH_PROVIDERINDEX_H

#include "Resolution.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace toscac::bosh {

/// Finds candidates in constant time, so that resolution is linear in links.
class ProviderIndex {
public:
  using Candidates = llvm::ArrayRef<const Provider *>;

  explicit ProviderIndex(const Links &links);

  /// Those of this deployment that have \p type.
  Candidates ofType(llvm::StringRef type) const;
  /// The same, of one group.
  Candidates ofGroup(llvm::StringRef group, llvm::StringRef type) const;
  Candidates named(llvm::StringRef deployment, llvm::StringRef type,
                   llvm::StringRef alias) const;

  /// For messages: those that are called \p word or were before `as`, of any
  /// type, blocked ones too.
  Candidates near(llvm::StringRef deployment, llvm::StringRef word) const;
  /// Blocked ones of this deployment and all of others that have \p type.
  Candidates outOfReach(llvm::StringRef type) const;

private:
  using List = llvm::SmallVector<const Provider *, 1>;
  using Pair = std::pair<llvm::StringRef, llvm::StringRef>;
  using Triple = std::tuple<llvm::StringRef, llvm::StringRef, llvm::StringRef>;
  llvm::DenseMap<llvm::StringRef, List> byType;
  llvm::DenseMap<Pair, List> byGroup;
  llvm::DenseMap<Triple, List> byName;
  llvm::DenseMap<Pair, List> byAnyName;
  llvm::DenseMap<llvm::StringRef, List> unreachable;
};

/// Adds to \p report why nobody provides a link of \p type that is wished for.
void explainMissing(const Resolution &resolution, const ProviderIndex &index,
                    const Wish &wish, llvm::StringRef type,
                    DiagnosticEngine::Builder report);
/// Adds \p candidates to \p report.
void listCandidates(const Resolution &resolution,
                    ProviderIndex::Candidates candidates,
                    DiagnosticEngine::Builder report);

} // namespace toscac::bosh

#endif
