//===- History.h - Who wrote what, and when ---------------------*- C++ -*-===//
///
/// \file
/// All writes to cells in the order in which the symbolic run makes them. The
/// number of writes made so far is a moment: any later question can be put as
/// of then.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_HISTORY_H
#define TOSCAC_LIB_PLAN_HISTORY_H

#include "Layout.h"
#include "toscac/Plan/StepGraph.h"
#include "llvm/ADT/SmallVector.h"

namespace toscac::plan {

/// A value that some cell can have; equal values have equal ids.
struct ValueId {
  uint32_t index = ~0u;
  explicit operator bool() const { return index != ~0u; }
  friend bool operator==(ValueId, ValueId) = default;
};

/// What a cell has that an output of an operation was written to: nobody knows
/// before the plan runs.
inline constexpr ValueId atRunTime{~2u};

class ValueTable {
public:
  ValueId intern(const Value &value);
  const Value &operator[](ValueId id) const {
    return id == atRunTime ? late : values[id.index];
  }
  size_t size() const { return values.size(); }

private:
  std::vector<Value> values;
  /// Stands for all that are known at run time, in messages.
  Value late = Value::string("known only when the plan runs");
  llvm::DenseMap<uint64_t, llvm::SmallVector<ValueId, 1>> byHash;
};

/// How many writes have been made.
struct Moment {
  uint32_t writes;
  friend auto operator<=>(Moment, Moment) = default;
};
inline constexpr Moment never{~0u};

/// Index into History::writes.
struct WriteId {
  uint32_t index = ~0u;
  explicit operator bool() const { return index != ~0u; }
  friend bool operator==(WriteId, WriteId) = default;
};

/// What a cell will have when the step ends that wrote it on entry.
inline constexpr ValueId settled{};
inline constexpr ValueId notKnown{~1u};

/// A step that writes a cell on entry writes it again when it ends, be it the
/// same value: from then on the value counts.
struct Write {
  CellId cell;
  ValueId value;
  /// The step that writes; none: the workflow itself.
  StepId step;
  /// The write before this one to the same cell.
  WriteId previous;
  /// Of a write on entry: what the step's end writes; else `settled`.
  ValueId ending;

  bool isOnEntry() const { return ending != settled; }
};

/// A cell as conditions see it.
struct CellState {
  ValueId value;
  /// Of a cell that a step wrote on entry, until the step ends: what it will
  /// have then, and what it had before.
  ValueId ending = settled;
  ValueId earlier = settled;

  bool isInFlight() const { return ending != settled; }
};

class History {
public:
  History(const Layout &layout, ValueTable &values);
  /// One that begins with what \p before has at \p moment.
  History(const History &before, Moment moment);

  std::vector<Write> writes;

  Moment now() const { return {uint32_t(writes.size())}; }
  void add(CellId cell, ValueId value, StepId step, ValueId ending = settled) {
    WriteId id{uint32_t(writes.size())};
    writes.push_back({cell, value, step, last[cell.index], ending});
    last[cell.index] = id;
  }

  ValueId initial(CellId cell) const { return initials[cell.index]; }
  /// The last write to \p cell before \p moment.
  WriteId lastWrite(CellId cell, Moment moment) const {
    WriteId write = last[cell.index];
    while (write && write.index >= moment.writes)
      write = writes[write.index].previous;
    return write;
  }
  WriteId lastWrite(CellId cell) const { return last[cell.index]; }
  /// What the cell has after \p write; without one, what it had at first.
  ValueId valueAfter(CellId cell, WriteId write) const {
    return write ? writes[write.index].value : initial(cell);
  }
  ValueId value(CellId cell) const {
    return valueAfter(cell, last[cell.index]);
  }
  CellState stateAfter(CellId cell, WriteId write) const {
    if (!write)
      return {initial(cell)};
    const Write &entry = writes[write.index];
    if (!entry.isOnEntry())
      return {entry.value};
    return {entry.value, entry.ending, valueAfter(cell, entry.previous)};
  }

  /// All writes to \p cell, the first one first.
  llvm::SmallVector<WriteId, 8> writesTo(CellId cell) const;

  /// Drops everything.
  void forget() {
    writes = {};
    initials = {};
    last = {};
  }

private:
  std::vector<ValueId> initials;
  std::vector<WriteId> last;
};

} // namespace toscac::plan

#endif
