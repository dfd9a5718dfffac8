//===- toscac/IR/StateSpace.h - All states of a machine ---------*- C++ -*-===//
///
/// \file
/// The states that a machine can be in, and the operations that lead from one
/// to the next, as far as the machine itself tells: conditions over neighbours
/// may hold or not.
///
/// A state is what the cells hold between operations. Cells with infinitely
/// many values are not part of it. Cells that no operation sets are for others
/// to set (`desired_state`), at any time; so is `outdated`.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_STATESPACE_H
#define TOSCAC_IR_STATESPACE_H

#include "toscac/IR/Machine.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

namespace toscac::ir {

/// Whether a condition holds: a neighbour may decide.
enum class Truth : uint8_t { False, Maybe, True };

struct StateSpace {
  static constexpr size_t maxStates = 4096;

  /// The cells that make up a state: indices into Machine::cells.
  llvm::SmallVector<uint32_t, 4> cells;
  /// Parallel to `cells`: others set it.
  llvm::SmallVector<bool, 4> isFree;

  /// Parallel to `cells`: indices into the domain of each.
  using State = llvm::SmallVector<uint16_t, 4>;
  std::vector<State> states;
  /// Parallel to `states`: some way leads there on which nothing fails.
  std::vector<bool> isNormal;

  struct Transition {
    uint32_t from;
    uint32_t to;
    /// Index into Machine::operations.
    uint32_t operation;
    bool fails;
  };
  std::vector<Transition> transitions;

  /// For each of `cells` and each value of its domain: whether it is ever
  /// reached, if only while an operation runs.
  std::vector<llvm::SmallVector<bool, 8>> reached;
  /// For each operation: whether some state accepts it.
  std::vector<bool> accepted;
  /// What is set in some state although the cell cannot hold it; nothing
  /// follows from there.
  struct Outside {
    const Set *set;
    Value value;
  };
  std::vector<Outside> outside;
  /// False if there are more states than anybody can look at.
  bool isComplete = true;

  /// The value of `cells[position]` in \p state.
  const Value &value(const Machine &machine, const State &state,
                     size_t position) const {
    return machine.cells[cells[position]].domain[state[position]];
  }
};

StateSpace explore(const Machine &machine, ValueArena &arena);

/// Whether conditions hold in the states of a machine. States that differ only
/// in cells which a condition does not read share the answer.
class OwnConditions {
public:
  OwnConditions(const Machine &machine, const StateSpace &space,
                ValueArena &arena)
      : machine(machine), space(space), arena(arena) {}

  /// Whether \p condition (null: always) holds in \p state.
  Truth operator()(const StateSpace::State &state, const Expr *condition);

private:
  struct Answers {
    /// Positions of the cells that are read.
    llvm::SmallVector<uint32_t, 4> reads;
    /// By the values of these.
    std::vector<std::optional<Truth>> truths;
  };
  Answers makeAnswers(const Expr &condition) const;
  /// False if \p expr may read any cell.
  bool addReads(const Expr &expr, Answers &answers) const;
  Truth evaluateIn(const StateSpace::State &state, const Expr &condition);

  const Machine &machine;
  const StateSpace &space;
  ValueArena &arena;
  llvm::DenseMap<const Expr *, Answers> known;
};

} // namespace toscac::ir

#endif
