//===- Model.h - A blueprint with its names bound ---------------*- C++ -*-===//
///
/// \file
/// What analysis of a blueprint finds out before anything is lowered: types
/// with all that they inherit, templates with their types, relationships with
/// their targets, groups as a tree.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_CLOUDIFY_MODEL_H
#define TOSCAC_LIB_SEMA_CLOUDIFY_MODEL_H

#include "toscac/Basic/DiagnosticsCloudify.h"
#include "toscac/Parse/Cloudify/AST.h"
#include "llvm/ADT/StringMap.h"

namespace toscac::cloudify {

/// What relationship types are derived from.
enum class RelationshipKind : uint8_t {
  Unknown,
  DependsOn,
  ConnectedTo,
  ContainedIn
};

/// A type with all that it inherits.
struct FlatType {
  Word name;
  /// Null: none.
  const FlatType *parent = nullptr;
  std::vector<Parameter> properties;
  /// Of nodes; of the source of relationships.
  std::vector<Interface> interfaces;
  std::vector<Interface> targetInterfaces;
  bool isCompute = false;
  RelationshipKind kind = RelationshipKind::Unknown;
};

struct BoundRelationship {
  const Relationship *written;
  const FlatType *type;
  /// Index into Model::nodes.
  uint32_t target;
  std::vector<NamedValue> properties;
  std::vector<Interface> sourceInterfaces;
  std::vector<Interface> targetInterfaces;
  bool isAllToOne = false;
  /// The operation of the target that the source waits for; empty: all.
  llvm::StringRef awaits;
};

struct BoundNode {
  const NodeTemplate *written;
  /// Null after a report.
  const FlatType *type = nullptr;
  std::vector<NamedValue> properties;
  std::vector<Interface> interfaces;
  std::vector<BoundRelationship> relationships;
  /// Index into Model::nodes.
  std::optional<uint32_t> container;
  /// The scaling group it is a direct member of; index into Model::groups.
  std::optional<uint32_t> group;
};

struct BoundGroup {
  const Group *written;
  /// Set where a policy scales it.
  const Policy *policy = nullptr;
  /// Members, without those that are inside of other members.
  std::vector<uint32_t> nodes;
  std::vector<uint32_t> groups;
  /// The scaling group it is a member of.
  std::optional<uint32_t> group;
};

struct Model {
  const Blueprint &blueprint;
  llvm::StringMap<std::unique_ptr<FlatType>> nodeTypes;
  llvm::StringMap<std::unique_ptr<FlatType>> relationshipTypes;
  llvm::StringMap<std::unique_ptr<FlatType>> dataTypes;
  std::vector<BoundNode> nodes;
  llvm::StringMap<uint32_t> nodesByName;
  std::vector<BoundGroup> groups;
  llvm::StringMap<uint32_t> groupsByName;

  explicit Model(const Blueprint &blueprint) : blueprint(blueprint) {}

  std::optional<uint32_t> findNode(llvm::StringRef name) const;
  /// Null where it is a built-in type.
  const FlatType *findDataType(llvm::StringRef name) const;
};

/// Types with all that they inherit.
void flattenTypes(Model &model, DiagnosticEngine &diags);
/// Templates and their relationships.
void bindNodes(Model &model, DiagnosticEngine &diags);
/// Groups, and which of them are scaled.
void bindGroups(Model &model, DiagnosticEngine &diags);

/// \p own over \p inherited: an operation that says nothing new about what it
/// runs keeps the inputs that it does not give itself.
std::vector<Interface> mergeInterfaces(llvm::ArrayRef<Interface> inherited,
                                       llvm::ArrayRef<Interface> own,
                                       bool isTemplate);

/// Reports that there is no \p kind of this name, with the nearest there is.
void reportUnknown(llvm::StringRef kind, const Word &name,
                   llvm::ArrayRef<llvm::StringRef> known,
                   DiagnosticEngine &diags);

/// Compares what is written with the type that \p defined names; calls of
/// functions are for later.
void checkValue(const Model &model, const std::string &what,
                const Parameter &defined, const syntax::Node &value,
                DiagnosticEngine &diags);
/// The same where nothing is written at all.
void checkEmpty(const Model &model, const std::string &what,
                const FlatType &type, SourceRange place,
                DiagnosticEngine &diags);
/// Reports that \p what has no property \p name, with the nearest there is.
void reportProperty(const std::string &what, const Word &name,
                    llvm::ArrayRef<llvm::StringRef> known,
                    DiagnosticEngine &diags);

/// Checks literal numbers of instances; calls of functions are for later.
void checkScaling(const Scaling &scaling, llvm::StringRef what,
                  DiagnosticEngine &diags);

} // namespace toscac::cloudify

#endif
