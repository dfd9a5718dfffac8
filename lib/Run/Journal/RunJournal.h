//===- RunJournal.h - Durable events of a run -------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_RUNJOURNAL_H
#define TOSCAC_LIB_RUN_RUNJOURNAL_H

#include "toscac/Plan/ReadPlan.h"
#include "toscac/State/Store.h"
#include <cmath>

namespace toscac::run {

/// Where events are made durable.
class EventSink {
public:
  virtual ~EventSink();

  /// Adds events, one a line; they are durable on return.
  virtual llvm::Error add(llvm::StringRef lines) = 0;
  /// Whether what was added is lost: it was deleted or replaced.
  virtual bool isGone() const { return false; }
  /// To be called within as many seconds as the last call gave; infinite: need
  /// not be called.
  virtual double keepAlive() { return HUGE_VAL; }
};

/// The journal of a run in the store.
class StoredEvents : public EventSink {
public:
  StoredEvents(state::Store &store, const state::RunRecord &run)
      : store(store), run(run) {}

  llvm::Error add(llvm::StringRef lines) override;
  bool isGone() const override { return store.isGone(); }
  double keepAlive() override { return store.keepLocks(); }

private:
  state::Store &store;
  const state::RunRecord &run;
};

/// Collects events, so that one row, and one transaction, holds many. What
/// could not be stored is kept, for another try.
class RunJournal {
public:
  explicit RunJournal(EventSink &sink) : sink(sink) {}

  /// \p cells is what entry writes; nil where there is nothing.
  void started(const planfile::Step &step, const Value &cells,
               const Value &failure);
  void done(const planfile::Step &step, const Value &cells,
            llvm::ArrayRef<state::AttributeWrite> attributes);
  void skipped(uint32_t step);
  void failed(const planfile::Step &step, llvm::StringRef reason,
              const Value &cells);
  /// A step failed and is tried again in \p delay seconds.
  void retrying(uint32_t step, llvm::StringRef reason, double delay);
  /// One that was to be tried again is about to start.
  void again(uint32_t step);
  /// A step has found that \p cell is \p value, not \p known.
  void found(const planfile::Step &step, llvm::StringRef entity,
             llvm::StringRef cell, const Value &known, const Value &value);
  /// A step that takes no time; \p cells is JSON, or empty. Both texts live as
  /// long as the journal.
  void set(uint32_t step, uint32_t entity, llvm::StringRef interface,
           llvm::StringRef cells);
  /// Done by an earlier run of the same plan.
  void assumed(uint32_t step);
  /// Events of a step that ran elsewhere, one a line.
  void append(llvm::StringRef lines);

  /// Whether so much has come together that it should be stored.
  bool isFull() const { return text.size() + sets.size() > (1 << 18); }
  /// Makes all events durable.
  llvm::Error commit();
  /// Whether what was committed is lost.
  bool isGone() const { return sink.isGone(); }
  double keepAlive() { return sink.keepAlive(); }

private:
  template <typename Content>
  void write(llvm::StringRef kind, uint32_t step, Content content);
  /// Ends a group of steps that took no time.
  void closeGroup();

  EventSink &sink;
  std::string text;
  /// Steps in a row that took no time share an event: their numbers, and the
  /// texts that these mean.
  std::string sets;
  std::vector<llvm::StringRef> interfaces;
  std::vector<llvm::StringRef> writes;
};

} // namespace toscac::run

#endif
