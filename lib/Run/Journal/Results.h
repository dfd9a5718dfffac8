//===- Results.h - What steps left that ran elsewhere -----------*- C++ -*-===//
///
/// \file
/// Where another engine runs the steps of a plan, each is a process of its own
/// (`tosca-run step`), perhaps on another machine. What became of it is a file
/// that later steps, and `tosca-run collect`, read: `results/ID.json`, with the
/// events of the step as a journal has them. It appears when the step is over.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_RESULTS_H
#define TOSCAC_LIB_RUN_RESULTS_H

#include "RunJournal.h"
#include "toscac/State/Journal.h"

namespace toscac::run {

/// The results of a plan that another engine runs.
class Results {
public:
  /// They are in \p folder; \p digest is that of the plan.
  Results(llvm::StringRef folder, llvm::StringRef digest)
      : folder(folder.str()), digest(digest.str()) {}

  /// The events of \p step, one a line; nothing if it is not over.
  llvm::Expected<std::optional<std::string>> read(uint32_t step) const;
  /// What became of \p step; nothing if it is not over.
  llvm::Expected<std::optional<state::Outcome>>
  outcome(uint32_t step, JSONReader &reader, ValueArena &arena) const;
  /// Makes \p events the result of \p step.
  llvm::Error write(uint32_t step, llvm::StringRef events) const;
  /// Notes that \p step is about to start.
  llvm::Error begin(uint32_t step, llvm::StringRef events) const;
  /// Notes that \p step is about to start, if \p mayBegin says so. What others
  /// begin in this way is begun before or after: nobody overlooks a step that
  /// begins at the same moment. Says whether it is noted.
  llvm::Expected<bool> beginIf(uint32_t step,
                               llvm::function_ref<bool()> mayBegin) const;
  /// Whether the script of \p step, which leaves no events, has ended well.
  bool isStamped(uint32_t step) const;
  /// Whether such a script was begun and has not.
  bool isStampBegun(uint32_t step) const;
  /// What a process has noted that began \p step; nothing where none has.
  llvm::Expected<std::optional<std::string>> readBegun(uint32_t step) const;
  /// Whether \p step was begun, by a process that may be no more, and is not
  /// over.
  bool isBegun(uint32_t step) const;

private:
  std::string path(uint32_t step, llvm::StringRef extension) const;
  std::string stamp(uint32_t step) const;
  llvm::Expected<std::optional<std::string>>
  readEvents(const std::string &file) const;
  llvm::Error put(const std::string &path, llvm::StringRef events) const;

  std::string folder;
  std::string digest;
};

/// The events of one step, and of its failure steps.
class ResultEvents : public EventSink {
public:
  ResultEvents(const Results &results, uint32_t step)
      : results(results), step(step) {}

  llvm::Error add(llvm::StringRef lines) override {
    events += lines;
    return results.begin(step, events);
  }
  /// The step is over.
  llvm::Error finish() { return results.write(step, events); }

private:
  const Results &results;
  uint32_t step;
  std::string events;
};

} // namespace toscac::run

#endif
