//===- Progress.h - What happens, for those who watch -----------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_PROGRESS_H
#define TOSCAC_LIB_RUN_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
class raw_fd_ostream;
} // namespace llvm

namespace toscac::run {

struct RunSummary {
  std::string plan;
  std::string deployment;
  std::string workflow;
  int64_t run = 0;
  size_t steps = 0;
  size_t calls = 0;
};

/// What a run has done.
struct RunCounts {
  size_t steps = 0;
  size_t calls = 0;
  /// Those that were to be made.
  size_t allCalls = 0;
};

/// Where the run is now, for a bar.
struct Snapshot {
  /// Calls: other steps take no time.
  size_t finished = 0;
  size_t total = 0;
  double elapsed = 0;
  /// Seconds that the longest chain of calls will still take; negative: who
  /// knows.
  double left = -1;
  std::vector<llvm::StringRef> running;
};

struct StepFailure {
  std::string name;
  std::string reason;
  /// The log, if there is one, and its last lines.
  std::string log;
  std::string tail;
};

/// Times are seconds since the run began.
class Progress {
public:
  virtual ~Progress();

  virtual void begin(const RunSummary &run) = 0;
  /// The run can be watched at \p url.
  virtual void serving(llvm::StringRef url) = 0;
  /// A step that had not ended when the run died; it runs again, unless a
  /// failure ends the run before.
  virtual void inFlight(llvm::StringRef name) = 0;
  virtual void started(double time, llvm::StringRef name) = 0;
  virtual void done(double time, llvm::StringRef name, double took) = 0;
  virtual void skipped(double time, llvm::StringRef name) = 0;
  virtual void set(double time, llvm::StringRef name) = 0;
  /// The service tells the outside of something.
  virtual void event(double time, llvm::StringRef name) = 0;
  virtual void failed(double time, const StepFailure &failure) = 0;
  virtual void retrying(double time, llvm::StringRef name,
                        llvm::StringRef reason, double delay) = 0;
  /// Somebody asked to stop; \p atOnce: what runs, too.
  virtual void stopping(double time, bool atOnce) = 0;
  virtual void show(const Snapshot &now) = 0;
  virtual void end(double time, llvm::StringRef status,
                   const RunCounts &done) = 0;

  /// Nothing will be said for a while.
  virtual void flush() {}
  /// Whether names of steps that take no time are wanted.
  virtual bool wantsSets() const { return false; }
  /// Seconds between snapshots; negative: none are wanted.
  virtual double period() const { return -1; }
};

/// Plain lines.
std::unique_ptr<Progress> makeLines(llvm::raw_ostream &os);
/// A bar below the lines, for a terminal.
std::unique_ptr<Progress> makeBar(llvm::raw_fd_ostream &terminal);
/// Nothing.
std::unique_ptr<Progress> makeSilence();
/// Events of the service alone.
std::unique_ptr<Progress> makeServiceEvents(llvm::raw_ostream &os);
/// One JSON object a line.
std::unique_ptr<Progress> makeJSONEvents(llvm::raw_ostream &os);

} // namespace toscac::run

#endif
