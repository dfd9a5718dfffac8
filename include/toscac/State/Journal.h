//===- toscac/State/Journal.h - What a run has done -------------*- C++ -*-===//
///
/// \file
/// The journal of a run, as events. It says all that the run did to the state,
/// without the plan: the state after a run is the one before, with its journal
/// applied. docs/Running.md has the form of the events.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_STATE_JOURNAL_H
#define TOSCAC_STATE_JOURNAL_H

#include "toscac/State/State.h"
#include "toscac/Value/ReadJSON.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"

namespace toscac::state {

/// How a step ended.
enum class Outcome : uint8_t { Done, Skipped, Failed };

/// Cells of one interface of one entity, as a map.
struct CellWrite {
  uint32_t entity;
  llvm::StringRef interface;
  Value cells;
};

struct AttributeWrite {
  uint32_t entity;
  /// Names and indices that lead into the attributes.
  llvm::ArrayRef<Value> path;
  Value value;
};

/// A step that began and has not ended.
struct StartedStep {
  llvm::StringRef name;
  /// What its failure writes.
  CellWrite failure;
  bool hasFailure = false;
};

/// The events of a run, in the order they happened. Entities and steps are
/// named by their numbers in the plan.
struct Journal {
  llvm::DenseMap<uint32_t, Outcome> ended;
  llvm::MapVector<uint32_t, StartedStep> inFlight;
  std::vector<CellWrite> cells;
  std::vector<AttributeWrite> attributes;
  /// Entities that a step has begun to work on.
  llvm::BitVector touched;

  /// Adds the events \p lines, one a line.
  llvm::Error add(llvm::StringRef lines, JSONReader &json, ValueArena &arena);
};

/// \p base, a map or nil, with \p value where \p path leads; maps on the way
/// are made. Nothing if the path leads into something that has no such part.
std::optional<Value> withPart(const Value &base, llvm::ArrayRef<Value> path,
                              const Value &value, ValueArena &arena);

/// \p base with the entries of \p changes, both maps or nil.
Value merge(const Value &base, const Value &changes, ValueArena &arena);

} // namespace toscac::state

#endif
