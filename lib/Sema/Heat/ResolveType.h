//===- ResolveType.h - What a type name stands for --------------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_HEAT_RESOLVETYPE_H
#define TOSCAC_LIB_SEMA_HEAT_RESOLVETYPE_H

#include "toscac/Sema/Choose.h"
#include "toscac/Sema/Heat/Compose.h"

namespace toscac::heat {

/// Whether Heat itself has the resource type \p name.
bool isBuiltinType(llvm::StringRef name);

/// What the candidates of a choice declare.
std::vector<sema::Tagged> taggedCandidates(const Choice &choice);

/// What the type of a resource stands for.
///
/// What the registry says of the resource itself comes first; then the entry
/// of the type's own name, then patterns, the longest first. Entries may lead
/// to other entries; patterns do not apply to a type of Heat's own that an
/// entry led to. A template named as a type is that template, whatever the
/// registry says.
class TypeResolver {
public:
  TypeResolver(const Environment &environment, Library &library,
               DiagnosticEngine &diags)
      : environment(environment), library(library), diags(diags) {}

  /// Sets implementation and choice of \p resource; false after a report.
  bool resolve(StackResource &resource);

private:
  struct Found {
    const RegistryEntry *entry = nullptr;
    /// What `*` in the entry's key stands for.
    llvm::StringRef rest;
  };
  using Followed = llvm::SmallVectorImpl<llvm::StringRef>;

  Found find(llvm::StringRef type, const StackResource &resource,
             bool takesPatterns) const;
  bool follow(llvm::StringRef type, StackResource &resource,
              Followed &followed);
  bool followTarget(llvm::StringRef target, const RegistryEntry &entry,
                    SourceRange place, StackResource &resource,
                    Followed &followed);
  bool choose(const RegistryEntry &entry, StackResource &resource,
              Followed &followed);
  bool openCandidates(const RegistryEntry &entry, Choice &choice);
  void reportChoice(const StackResource &resource,
                    llvm::ArrayRef<sema::Tag> required);
  bool openTemplate(std::string path, SourceRange place,
                    StackResource &resource);
  bool reportUnknown(llvm::StringRef type, const StackResource &resource,
                     llvm::ArrayRef<llvm::StringRef> followed);

  const Environment &environment;
  Library &library;
  DiagnosticEngine &diags;
};

} // namespace toscac::heat

#endif
