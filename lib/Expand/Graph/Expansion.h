//===- Expansion.h - A graph that grows -------------------------*- C++ -*-===//
///
/// \file
/// What the passes of expansion share. A subgraph is expanded in this order:
///
///   addSubgraph             classes, counts and instances
///   fulfilRequirements   relationships
///   substituteNodes      further subgraphs, behind all that are there
///
/// and when no subgraph is left, values are filled in. Those that are needed
/// earlier (a count, what a filter reads) are evaluated when they are asked
/// for; each is evaluated once.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EXPAND_EXPANSION_H
#define TOSCAC_LIB_EXPAND_EXPANSION_H

#include "Assign/Assign.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Expand/Expand.h"
#include "toscac/Sema/Service.h"
#include <map>

namespace toscac::expanding {

/// An entity of the graph that an expression may be evaluated for. Other than
/// ids of entities it stays valid while the graph grows, and a relationship can
/// be one that is only considered.
struct Place {
  ir::EntityKind kind = ir::EntityKind::Service;
  ir::SubgraphId subgraph;
  /// The node, or the source of the relationship.
  ir::NodeId node{none};

  // Of a relationship.
  uint32_t relationshipClass = none;
  /// `none` while it is not known.
  ir::NodeId target{none};
  uint32_t capability = none;
  uint32_t index = 0;
  /// In the columns of its class; `none`: it is only considered.
  uint32_t row = none;
};

/// Relationships of one class that are known but not yet in the graph.
struct Links {
  bool known = false;
  /// The graph has them.
  bool placed = false;
  std::vector<ir::NodeId> targets;
  std::vector<uint16_t> capabilities;
  /// Where they do not count on from 0.
  std::vector<uint32_t> indices;
  /// Every source gets these targets, each with a capability, and no others.
  std::vector<std::pair<ir::NodeId, uint16_t>> fixed;
};

struct SubgraphState {
  const sema::Service *service;
  /// Parallel to the service's inputs. Null: the default holds.
  std::vector<const Expr *> inputs;
};

/// Whether \p input stays open until the plan runs. \p value is what is known
/// of it; one that is optional and not given does not exist.
inline bool isSecret(ir::SubgraphId subgraph,
                     const sema::InputDefinition &input, const Expr *value) {
  return subgraph.index == 0 && input.sensitive && (value || input.required);
}

/// A value that is being evaluated.
struct Pending {
  const ir::Column *column;
  /// `none`: all of them.
  uint32_t row;
  Place place;
  const sema::Assignment *assignment;
};

class ExistingInstances;
class ExistingRelationships;
class InstanceTree;

struct Expansion {
  const sema::CheckedProgram &program;
  const ExpandOptions &options;
  NameTable &names;
  DiagnosticEngine &diags;
  ir::Graph &graph;

  Expansion(const sema::CheckedProgram &program, const ExpandOptions &options,
            NameTable &names, DiagnosticEngine &diags, ir::Graph &graph)
      : program(program), options(options), names(names), diags(diags),
        graph(graph) {}

  /// Parallel to the graph's subgraphs.
  std::vector<SubgraphState> subgraphs;
  /// Parallel to the graph's node classes.
  std::vector<const sema::NodeTemplate *> templates;
  /// Other nodes stand for the template.
  std::vector<bool> isMapped;
  /// Its nodes are those of other deployments.
  std::vector<bool> isSelected;
  /// Classes of nodes of other deployments that requirements may lead to, and
  /// what the state has of their nodes, row by row.
  std::map<uint32_t, std::vector<const state::Entity *>> external;
  /// Names of those that are looked at; null: all.
  const llvm::StringSet<> *chosenExternal = nullptr;
  bool isExternal(uint32_t nodeClass) const {
    return external.find(nodeClass) != external.end();
  }
  /// Parallel to the graph's relationship classes.
  std::vector<const sema::Requirement *> requirements;
  std::vector<Links> links;
  /// Set where a deployment is there already.
  ExistingInstances *existing = nullptr;
  ExistingRelationships *existingRelationships = nullptr;
  /// Set where counts are per container; its entries are the first classes.
  InstanceTree *instanceTree = nullptr;
  /// Parallel to the groups of the first service, where counts are per
  /// container.
  std::vector<uint32_t> groupCounts;

  /// Innermost last.
  std::vector<Pending> evaluating;
  /// The class of relationships that the last evaluation would have had to
  /// know; its result counts for nothing then.
  std::optional<uint32_t> blockedOn;
  /// The sensitive input that the last evaluation would have had to know.
  std::optional<Name> secret;
  /// The same of values that wait for one.
  llvm::DenseMap<const Expr *, Name> secrets;
  llvm::DenseMap<const sema::Assignment *, bool> variesMemo;

  ValueArena &arena() { return graph.arena; }
  /// \p value waits for what the last evaluation had to know.
  void rememberSecret(const Expr *value) {
    if (secret)
      secrets.try_emplace(value, *secret);
  }
  /// \p value, which is not known, was asked for.
  void recallSecret(const Expr *value) {
    if (auto found = secrets.find(value); found != secrets.end())
      secret = found->second;
  }
  Place placeOf(ir::NodeId node) const;
  Place placeOf(ir::SubgraphId subgraph) const;
  /// Relationship \p number of those of class \p relationshipClass that leave
  /// \p source; \p index is its index.
  Place placeOf(uint32_t relationshipClass, ir::NodeId source, uint32_t number,
                uint32_t index) const;
  /// `site[2]`, `site[2].vpn[0]`
  std::string nameOf(const Place &place) const;

  /// Targets of all relationships of a class that is known.
  llvm::ArrayRef<ir::NodeId> targetsOf(uint32_t relationshipClass) const;
  /// How many of them leave \p source, and the first.
  std::pair<uint32_t, uint32_t> outgoing(uint32_t relationshipClass,
                                         ir::NodeId source) const;
};

/// Nodes that stand for a template, which gets no instances then.
struct SelectedNodes {
  /// Index into Service::nodes.
  uint32_t node;
  std::vector<ir::NodeId> nodes;
};

/// What a subgraph is made from.
struct SubgraphParts {
  const sema::Service &service;
  std::optional<ir::NodeId> substitutes;
  /// Parallel to the service's inputs. Null: the default holds.
  std::vector<const Expr *> inputs;
  std::vector<SelectedNodes> selected;
};

/// Counts instances of the first subgraph, where counts are per container, and
/// says which instances go. False after a report.
bool countPerContainer(Expansion &expansion);

/// Finds targets for requirements of \p subgraph that do not choose. False
/// after a report.
bool pairInstances(Expansion &expansion, ir::SubgraphId subgraph);

/// Adds a subgraph: classes with their instances. False after a report.
bool addSubgraph(Expansion &expansion, SubgraphParts parts);

/// Adds a class without instances to \p subgraph, the last one.
void addClass(Expansion &expansion, ir::SubgraphId subgraph,
              const sema::NodeTemplate &written);

/// Looks for nodes of other deployments that stand for templates of \p
/// subgraph. False after a report.
bool selectNodes(Expansion &expansion, ir::SubgraphId subgraph);

/// Adds subgraphs for the nodes of \p subgraph that are to be substituted.
/// False after a report.
bool substituteNodes(Expansion &expansion, ir::SubgraphId subgraph);

/// Finds targets for all requirements of \p subgraph. False after a report.
bool fulfilRequirements(Expansion &expansion, ir::SubgraphId subgraph);

/// Where a deployment is there already: which of the instances that the
/// template wants \p node is.
uint32_t positionOf(Expansion &expansion, ir::NodeId node);
/// Whether \p node is recorded and goes: it keeps the values it was recorded
/// with, whatever the inputs are now.
bool isLeaving(const Expansion &expansion, ir::NodeId node);

/// Whether instances are only added or removed; all else stays as recorded.
bool isScaled(const Expansion &expansion);
/// What has to be said so that an update gives \p nodeClass \p count
/// instances.
std::string countToSay(const Expansion &expansion, uint32_t nodeClass,
                       uint32_t count);

/// Evaluates what has not been evaluated.
void fillValues(Expansion &expansion);

/// Says of \p range that a sensitive input decides \p what, if the last
/// evaluation was stopped by one.
bool reportSecret(Expansion &expansion, SourceRange range,
                  llvm::StringRef what);

/// A number of nodes or relationships that \p count gives at \p place; nothing
/// after a report, or if evaluation was blocked. \p owner is what it counts.
std::optional<uint32_t> evaluateCount(Expansion &expansion, const Expr &count,
                                      const Place &place, uint32_t limit,
                                      llvm::StringRef owner);

} // namespace toscac::expanding

#endif
