//===- RunHistory.h - When a run did what -----------------------*- C++ -*-===//
///
/// \file
/// The calls of a run with their times, as its journal tells: of a run that is
/// over, or, read again and again, of one that goes on.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_RUNHISTORY_H
#define TOSCAC_LIB_RUN_RUNHISTORY_H

#include "toscac/State/Store.h"

namespace toscac::run {

/// From one start of a call to its end, or to where it had to be tried again.
struct Attempt {
  double begin = 0;
  double end = 0;
  /// Why it was tried again.
  std::string reason;
};

enum class CallOutcome : uint8_t {
  Running,
  /// It waits to be tried again.
  Waiting,
  Done,
  Failed,
  /// The run ended before it did.
  Stopped
};
/// `done`, `running`
llvm::StringRef spelling(CallOutcome outcome);

/// Times are seconds since the run began.
struct CallHistory {
  std::string name;
  /// Its number in the plan.
  uint32_t step = 0;
  CallOutcome outcome = CallOutcome::Running;
  /// All but the one at hand.
  std::vector<Attempt> earlier;
  double begin = 0;
  /// When the attempt at hand began, and ended.
  double lastBegin = 0;
  double end = 0;
  std::string reason;

  bool isOver() const { return outcome >= CallOutcome::Done; }
};

/// Another value than was known of a cell.
struct Finding {
  std::string name;
  std::string interface;
  std::string cell;
  /// As JSON: what was known, and what is.
  std::string known;
  std::string value;
};

class RunHistory {
public:
  explicit RunHistory(int64_t run) : run(run) {}

  /// Reads what the journal has more than it had; \p record is the run's row.
  llvm::Error read(state::Store &store, const state::RunRecord &record);

  int64_t id() const { return run; }
  const state::RunRecord &record() const { return row; }
  /// How long it took, or has taken until \p now, in seconds since 1970.
  double seconds(double now) const;
  llvm::ArrayRef<CallHistory> calls() const { return all; }
  /// The number of a step's call; -1: it has not begun.
  int64_t callOf(uint32_t step) const;
  llvm::ArrayRef<Finding> findings() const { return found; }
  uint64_t numSkipped() const { return skipped; }

private:
  struct Event;
  bool readMember(llvm::StringRef key, JSONField &value, Event &event);
  void apply(Event &event, double time);
  llvm::Error readRow(double time, llvm::StringRef lines, JSONReader &json);

  int64_t run;
  state::RunRecord row;
  int64_t lastRow = 0;
  std::vector<CallHistory> all;
  llvm::DenseMap<uint32_t, uint32_t> numbers;
  std::vector<Finding> found;
  uint64_t skipped = 0;
};

} // namespace toscac::run

#endif
