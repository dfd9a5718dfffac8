//===- toscac/State/State.h - States of deployments -------------*- C++ -*-===//
///
/// \file
/// What is known of deployments: their instances and relationships with
/// properties, attributes and cells. Read from state.json or from the SQLite
/// store, which hold the same facts, and written as state.json.
///
/// A state is plain data. Properties, attributes and cells are values as they
/// stand in JSON; toExpr() gives the expression of one that is not known yet.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_STATE_STATE_H
#define TOSCAC_STATE_STATE_H

#include "toscac/Value/Value.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace toscac {
class DiagnosticEngine;
class JSONField;
class JSONWriter;
} // namespace toscac

namespace toscac::state {

enum class EntityKind : uint8_t { Node, Relationship, Service };
/// `node`, `relationship`, `service`.
llvm::StringRef spelling(EntityKind kind);
std::optional<EntityKind> parseEntityKind(llvm::StringRef text);

struct Entity {
  /// `site[0]`, `site[0].vpn[1]`, `db[0]/vm[1]`.
  llvm::StringRef name;
  EntityKind kind = EntityKind::Node;
  uint32_t index = 0;
  /// The node template, or the requirement of a relationship.
  llvm::StringRef origin;
  llvm::StringRef type;
  /// Scaling-group instances it belongs to, innermost first.
  llvm::ArrayRef<llvm::StringRef> groups;
  /// Of a relationship: names of the nodes, and the target's capability.
  llvm::StringRef source;
  llvm::StringRef target;
  llvm::StringRef capability;
  /// Maps, or nil where there is nothing.
  Value properties;
  Value attributes;
  /// Interface → cell → value.
  Value cells;
};

/// What other deployments may consume.
struct SharedLink {
  llvm::StringRef name;
  llvm::StringRef type;
  llvm::StringRef provider;
  Value content;
};

struct Deployment {
  llvm::StringRef name;
  llvm::StringRef service;
  /// `sha256:…` of the template.
  llvm::StringRef templateDigest;
  /// Maps, or nil where there is nothing.
  Value inputs;
  Value nextIndex;
  Value counts;
  /// What operations run where a template said so and not its type, by
  /// template: Sema/RecordedOperations.h.
  Value operations;
  /// Those that a plan found, in their order, then those it added, in its
  /// order.
  std::vector<Entity> entities;
  std::vector<SharedLink> shared;
  /// Templates that files call something else than what is recorded, with the
  /// name there; everything above has the new one. Not in state.json.
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> moved;
  /// Its digest, where that was found as it was read; to be cleared by whoever
  /// changes anything.
  llvm::StringRef knownDigest;
};

/// Owns everything that its deployments refer to.
struct State {
  State() : arena(std::make_shared<ValueArena>()) {}

  const Deployment *find(llvm::StringRef name) const;

  std::shared_ptr<ValueArena> arena;
  /// Names differ.
  std::vector<Deployment> deployments;
};

/// Reads the file \p path, state.json or a store; nothing after a report. What
/// a store has of runs that ended or died is applied: steps that were in flight
/// count as failed.
std::optional<State> readState(llvm::StringRef path, DiagnosticEngine &diags);

/// Prints \p state as state.json, one entity a line.
void writeState(const State &state, llvm::raw_ostream &os);

/// The object of \p deployment in state.json.
void writeDeployment(JSONWriter &json, const Deployment &deployment);
/// What other deployments may consume, as state.json has it.
void writeShared(JSONWriter &json, llvm::ArrayRef<SharedLink> links);
/// The line of \p entity in state.json.
void writeEntity(JSONWriter &json, const Entity &entity);

/// `sha256:…` of the deployment's object as printed.
std::string digest(const Deployment &deployment);

/// Reads the member \p key of an entity in a state or plan into \p entity.
/// False where its value has the wrong form; unknown keys are passed over.
bool readEntityField(llvm::StringRef key, JSONField &value, Entity &entity,
                     ValueArena &arena);

} // namespace toscac::state

#endif
