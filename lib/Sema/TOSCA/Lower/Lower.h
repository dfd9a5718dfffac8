//===- Lower.h - From checked templates to the checked service --*- C++ -*-===//
///
/// \file
/// Makes a CheckedProgram of a Program in which no error was found. Each kind
/// of template has a file of its own; this is what they share.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_LOWER_H
#define TOSCAC_LIB_SEMA_TOSCA_LOWER_H

#include "TOSCA/Machines/TypedPlaces.h"
#include "toscac/Sema/Models.h"
#include <map>

namespace toscac::sema {

struct Lowering {
  Program &program;
  CheckedProgram &result;
  llvm::DenseMap<const TypeDecl *, ir::TypeId> typeIds;
  llvm::DenseMap<const Entity *, ir::ArtifactId> artifactIds;
  /// Files of folders that operations depend on.
  llvm::DenseMap<const Entity *, std::vector<ir::ArtifactId>> folderArtifacts;
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

  /// Operations that somebody, not a bundled profile, gave something to run;
  /// and the interface type, if nothing at all drives it.
  struct Implemented {
    Name interface;
    Name operation;
    Name idleType;
    SourceRange range;
  };
  std::vector<Implemented> implemented;

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
/// The same of something that is needed besides: of a folder, all files in it.
void lowerDependency(Lowering &lowering, const Scope &scope,
                     const Entity &definition,
                     llvm::SmallVectorImpl<ir::ArtifactId> &into);

/// The entries of \p entity's metadata that are plain values.
llvm::ArrayRef<ir::Mark> lowerMetadata(Lowering &lowering,
                                       const Entity &entity);

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
/// A template of \p type without any assignment; as a model, with what it
/// requires.
NodeTemplate lowerNodeType(Lowering &lowering, const ServiceScope &service,
                           TypeDecl &type, bool isModel = false);
std::vector<Requirement> lowerRequirements(Lowering &lowering,
                                           const ServiceScope &service,
                                           const Template &node);
/// A requirement of \p node that nobody assigns any more, with relationships
/// of the type \p relationship.
Requirement lowerObsoleteRequirement(Lowering &lowering,
                                     const ServiceScope &service,
                                     const Template &node,
                                     const Flat &definition,
                                     TypeDecl *relationship);
/// The same, as ObsoleteModels has it.
std::optional<Requirement> lowerObsoleteRequirement(Lowering &lowering,
                                                    const ServiceScope &service,
                                                    const NodeTemplate &source,
                                                    const RecordedPart &part);
std::optional<NodeTemplate> lowerObsoleteNode(Lowering &lowering,
                                              const ServiceScope &service,
                                              const RecordedPart &part);
bool concernsService(Lowering &lowering, uint32_t service,
                     const RecordedPart &part);
Group lowerGroupModel(Lowering &lowering, const ServiceScope &service,
                      TypeDecl &type);
/// An assignment, without a target, of each requirement of \p node's type.
std::vector<Requirement> lowerModelRequirements(Lowering &lowering,
                                                const ServiceScope &service,
                                                const Template &node);
Group lowerGroup(Lowering &lowering, const ServiceScope &service,
                 const Template &group);
std::vector<ir::Workflow> lowerWorkflows(Lowering &lowering,
                                         const ServiceScope &service);
std::vector<ir::PolicyTrigger> lowerPolicy(Lowering &lowering,
                                           const ServiceScope &service,
                                           const Template &policy);
/// The machine of those triggers that somebody sends something to, if there
/// are any; \p triggers are all, lowered.
std::vector<ir::MachineId>
lowerPolicyMachine(Lowering &lowering, const ServiceScope &service,
                   llvm::ArrayRef<ir::PolicyTrigger> triggers);
std::optional<Substitution> lowerSubstitution(Lowering &lowering,
                                              const ServiceScope &service);
/// Adds the requirements that the substitution mappings of \p result lead to
/// and that no template assigns.
void addMappedRequirements(Lowering &lowering, const ServiceScope &service,
                           Service &result);

/// Warns of implemented operations to which no event can ever be sent.
void checkUncalled(Lowering &lowering);

/// Makes the result of all of \p services, in their order.
void lower(Lowering &lowering, const std::deque<ServiceScope> &services);
/// Enters the types that nodes of other deployments may be of.
void lowerTypesOfOthers(Lowering &lowering,
                        const std::deque<ServiceScope> &services);

/// Warns of machines that no workflow and no event can move.
void checkUnmoved(const CheckedProgram &program, DiagnosticEngine &diags);

} // namespace toscac::sema

#endif
