//===- toscac/Sema/Models.h - Templates that nobody wrote -------*- C++ -*-===//
///
/// \file
/// What can still be asked of files that were checked. A front end whose nodes
/// follow types of a profile asks for the model of a type, and expansion asks
/// what a part of a deployment is like that the files do not speak of any more.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_MODELS_H
#define TOSCAC_SEMA_MODELS_H

#include "toscac/Sema/Service.h"

namespace toscac::sema {

/// The types of a profile that was checked.
class Profile {
public:
  virtual ~Profile() = default;

  /// A template of the node type \p type: with the values that the type gives,
  /// and an assignment without a target for each of its requirements. A type
  /// that is not there is reported.
  virtual NodeTemplate node(llvm::StringRef type) = 0;
  /// A group of the type \p type without members.
  virtual Group group(llvm::StringRef type) = 0;
};

/// The requirement \p name of \p model; null: it has none.
const Requirement *findRequirement(const NodeTemplate &model,
                                   llvm::StringRef name);

/// A node or relationship that a deployment has.
struct RecordedPart {
  /// `db[0]/vm[1]`, `site[0].vpn[1]`.
  llvm::StringRef name;
  /// The node template, or the requirement.
  llvm::StringRef origin;
  llvm::StringRef type;
  /// The type of the node that it, or its source, is inside of; empty: none.
  llvm::StringRef outerType;
  /// Others are inside of it.
  bool isOuter = false;
  /// The node itself, or the relationship's source.
  llvm::StringRef node;
  /// Maps, or nil.
  Value properties;
  Value attributes;
  /// What its template ran of its own (RecordedOperations.h); null: nothing.
  const Value *operations = nullptr;
};

/// What parts of a deployment are like whose templates are gone. Of these there
/// is to be not one more.
class ObsoleteModels {
public:
  virtual ~ObsoleteModels() = default;

  /// Whether \p part belongs to service number \p service.
  virtual bool concerns(uint32_t service, const RecordedPart &) {
    return service == 0;
  }
  /// A node like \p part; nothing where there is no model for it.
  virtual std::optional<NodeTemplate> node(uint32_t service,
                                           const RecordedPart &part) = 0;
  /// A requirement of \p source like the relationship \p part.
  virtual std::optional<Requirement> requirement(uint32_t service,
                                                 const NodeTemplate &source,
                                                 const RecordedPart &part) = 0;
  /// To be called when all have been added.
  virtual void finish() {}
};

} // namespace toscac::sema

#endif
