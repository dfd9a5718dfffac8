//===- Lower.h - From checked templates to the checked service --*- C++ -*-===//
///
/// \file
/// Makes a CheckedProgram of a Program in which no error was found. Each kind
/// of template has a file of its own; this is what they share.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_LOWER_H
#define TOSCAC_LIB_SEMA_TOSCA_LOWER_H

#include "CheckExpression.h"
#include "ServiceScope.h"
#include "toscac/Sema/Service.h"
#include "toscac/State/State.h"
#include <map>

namespace toscac::sema {

class PlaceFinder;

struct Lowering {
  Program &program;
  CheckedProgram &result;
  llvm::DenseMap<const TypeDecl *, ir::TypeId> typeIds;
  llvm::DenseMap<const Entity *, ir::ArtifactId> artifactIds;
  /// The profile that a file belongs to, if it was imported as part of one.
  struct Profile {
    llvm::StringRef name;
    llvm::StringRef folder;
  };
  llvm::DenseMap<const tosca::File *, Profile> profiles;
  /// Values of definitions that do not depend on who has them.
  llvm::DenseMap<std::pair<const Flat *, const Field *>, const Expr *> literals;
  /// Relationship definitions with a type that an assignment names.
  llvm::DenseMap<std::pair<const Flat *, const TypeDecl *>, const Flat *>
      narrowed;
  /// Machines of types to which no template adds anything; in one service, if
  /// they send events to it.
  llvm::DenseMap<std::pair<const Flat *, const ServiceScope *>,
                 std::vector<ir::MachineId>>
      sharedMachines;

  /// Where paths lead in each service; without one: in types.
  std::map<const ServiceScope *, std::unique_ptr<PlaceFinder>> places;

  Lowering(Program &program, CheckedProgram &result);
  ~Lowering();

  Name intern(llvm::StringRef text) { return program.names.intern(text); }
  /// Copies \p items into the arena of the result.
  template <typename T>
  llvm::ArrayRef<T> save(const llvm::SmallVectorImpl<T> &items) {
    return program.arena.save(llvm::ArrayRef<T>(items));
  }

private:
  void findProfiles();
};

/// What an expression belongs to: where its paths start.
enum class Origin : uint8_t { Node, Relationship, Service };

/// Where an expression stands.
struct Site {
  ExprContext context;
  Origin origin;
};

/// The value \p node of type \p type, checked, with its paths spelt out as
/// Service.h says. Null after a report.
const Expr *lowerValue(Lowering &lowering, const Site &site,
                       const syntax::Node &node, const Type &type);
const Expr *lowerCondition(Lowering &lowering, const Site &site,
                           const syntax::Node &node);

/// The number of \p type, which is entered with its ancestors when it is met
/// first; no type for null.
ir::TypeId lowerType(Lowering &lowering, const TypeDecl *type);

/// The types that the list \p key of \p definition, or else of its type,
/// names.
std::vector<ir::TypeId> lowerTypeList(Lowering &lowering,
                                      const Flat &definition, Key key,
                                      EntityKind kind);

/// The artifact that \p definition, in the file of \p scope, describes.
ir::ArtifactId lowerArtifact(Lowering &lowering, const Scope &scope,
                             const Entity &definition);

/// The entries of \p entity's metadata that are plain values.
llvm::ArrayRef<ir::Mark> lowerMetadata(Lowering &lowering,
                                       const Entity &entity);

/// Whether the metadata of a property, attribute or parameter say `key: true`.
bool isMarked(const Flat &definition, llvm::StringRef key);
inline bool isSensitive(const Flat &definition) {
  return isMarked(definition, "sensitive");
}

/// The assignments to \p definitions, which belong to \p self: fixed values,
/// then those in the map \p values (null: none), then defaults. Values from
/// the map stand at \p site, the others in their types.
std::vector<Assignment> lowerAssignments(Lowering &lowering, const Site &site,
                                         const Flat::Members &definitions,
                                         const syntax::Node *values);

/// Where expressions of a service template stand that belong to a node or
/// relationship of type \p self, or to \p origin in general if that is null.
Site siteOf(const ServiceScope &service, Origin origin,
            const Flat *self = nullptr);

/// The parts of lower(), each for one kind of template.
NodeTemplate lowerNodeTemplate(Lowering &lowering, const ServiceScope &service,
                               const Template &node);
/// A template of \p type without any assignment.
NodeTemplate lowerNodeType(Lowering &lowering, const ServiceScope &service,
                           TypeDecl &type);
std::vector<Requirement> lowerRequirements(Lowering &lowering,
                                           const ServiceScope &service,
                                           const Template &node);
/// A requirement of \p node that nobody assigns any more, with relationships
/// of the type \p relationship.
Requirement lowerFormerRequirement(Lowering &lowering,
                                   const ServiceScope &service,
                                   const Template &node, const Flat &definition,
                                   TypeDecl *relationship);
/// Adds what \p recorded has and the services do not have any more.
void lowerFormer(Lowering &lowering, const std::deque<ServiceScope> &services,
                 const state::Deployment &recorded);
Group lowerGroup(Lowering &lowering, const ServiceScope &service,
                 const Template &group);
std::vector<ir::Workflow> lowerWorkflows(Lowering &lowering,
                                         const ServiceScope &service);
std::vector<ir::PolicyTrigger> lowerPolicy(Lowering &lowering,
                                           const ServiceScope &service,
                                           const Template &policy);
std::optional<Substitution> lowerSubstitution(Lowering &lowering,
                                              const ServiceScope &service);
/// Adds the requirements that the substitution mappings of \p result lead to
/// and that no template assigns.
void addMappedRequirements(Lowering &lowering, const ServiceScope &service,
                           Service &result);

/// All of \p services, which belong to \p program, in their order, with what
/// \p recorded, if it is not null, has of them from before.
CheckedProgram lower(Program &program, std::unique_ptr<ValueArena> arena,
                     const std::deque<ServiceScope> &services,
                     const state::Deployment *recorded);

} // namespace toscac::sema

#endif
