//===- toscac/Run/Run.h - Replaying a plan ----------------------*- C++ -*-===//
///
/// \file
/// Runs the steps of a plan, in parallel and in an order that the plan allows,
/// and keeps the state store true while doing so.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_RUN_RUN_H
#define TOSCAC_RUN_RUN_H

#include "toscac/State/Store.h"

namespace llvm {
class raw_fd_ostream;
}

namespace toscac::run {

enum class OnFailure : uint8_t {
  /// Let what runs end, and start nothing else.
  Stop,
  /// Run what does not wait for the failed step.
  Continue,
  /// Stop; then plan and run the way back.
  Rollback
};

enum class ProgressKind : uint8_t {
  /// Lines, or a bar where the output is a terminal.
  People,
  Lines,
  JSON
};

struct RunOptions {
  std::string plan;
  /// Empty: toscac.db beside the plan.
  std::string store;
  /// Empty: that of the plan.
  std::string deployment;
  /// Steps at once; 0: no limit.
  unsigned jobs = 1;
  OnFailure onFailure = OnFailure::Stop;
  /// Somebody has said so; else a resumed run does what it was begun with.
  bool isOnFailureGiven = false;
  state::Durability durability = state::Durability::Process;
  bool resume = false;
  bool dryRun = false;
  /// Run this step and no other.
  std::string only;
  /// Run this step and what waits for it.
  std::string from;
  /// `TYPE=command`
  std::vector<std::string> runners;
  /// `NAME=value`: inputs that the plan leaves open. `env:NAME` and `fd:N` say
  /// where the value is.
  std::vector<std::string> inputs;
  /// JSON files with such inputs.
  std::vector<std::string> inputFiles;
  /// What sensitive values are sealed with; empty: TOSCA_SECRET_KEY, or the
  /// file `STORE.key`.
  std::string secretKeyFile;
  /// The public key of whoever must have signed the plan; empty: anybody may
  /// have made it.
  std::string requiredKey;
  /// Artifacts may lie outside of the plan's root.
  bool allowsOutside = false;
  /// `NAME=folder`: where files of a profile lie.
  std::vector<std::string> profiles;
  /// Where to keep logs and scratch folders; empty: beside the store.
  std::string workFolder;
  ProgressKind progress = ProgressKind::People;
  /// Empty: no trace.
  std::string trace;
  /// The page to make when the run is over; empty: none.
  std::string report;
  /// Where to serve the page of the run meanwhile; unset: nowhere.
  std::optional<std::string> serve;
  /// Seconds between TERM and KILL.
  double grace = 10;
  /// Seconds before the first retry; doubled for each further one.
  double retryDelay = 1;
  /// How often a step may ask to be tried again later.
  unsigned maxLater = 20;
  /// The compiler that plans the way back; empty: the one beside this program.
  std::string compiler;
  /// How machines are reached whose properties do not say it; empty: as ssh
  /// does.
  std::string sshUser;
  std::string sshKey;
  std::string sshConfig;
  /// Seconds until a machine must let us in.
  unsigned sshWait = 60;
  /// Where another engine's steps leave their results, which are collected; no
  /// step is run. Empty: steps are run here.
  std::string results;
  /// No more results will come.
  bool isLastCollection = false;
  /// Write a script for each step beside the results, for an engine that needs
  /// no more.
  bool writesScripts = false;
};

/// Runs a plan. Progress goes to \p out, or \p err where a bar is shown there;
/// what is wrong to \p diags. Returns the exit code.
int runPlan(const RunOptions &options, llvm::raw_fd_ostream &out,
            llvm::raw_fd_ostream &err, DiagnosticEngine &diags);

/// An event that somebody sends to a service.
struct Notification {
  /// What the service, or a policy, calls it.
  std::string name;
  /// `NAME=value`
  std::vector<std::string> parameters;
  /// The template; empty: that of the last run.
  std::string source;
};

/// Has the compiler plan what follows from \p event, and runs that. Returns the
/// exit code.
int notify(RunOptions options, const Notification &event,
           llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err,
           DiagnosticEngine &diags);

/// Runs the one step \p name of the plan in \p folder, which another engine
/// drives, and leaves its result there. What the plan wants to be done before
/// must be; what has a result is not run again. Returns the exit code.
int runStep(const RunOptions &options, llvm::StringRef folder,
            llvm::StringRef name, llvm::raw_fd_ostream &out,
            DiagnosticEngine &diags);

/// A part of a plan that another engine has given room to.
struct PackOptions {
  std::string folder;
  /// Numbers of steps, as in `3-7,9`; empty: all.
  std::string steps;
  /// What starts a step, whose number `{step}` stands for; empty:
  /// `tosca-run step`.
  std::string each;
};

/// Runs those steps of \p pack that have no result, each by a process of its
/// own, as many at once as \p options say. Returns the exit code.
int runPack(const RunOptions &options, const PackOptions &pack,
            llvm::raw_fd_ostream &out, DiagnosticEngine &diags);

/// Takes the results of steps in \p folder into the store: begins the run if
/// there is none, and ends it if all is done.
int collectResults(RunOptions options, llvm::StringRef folder,
                   llvm::raw_fd_ostream &out, llvm::raw_fd_ostream &err,
                   DiagnosticEngine &diags);

} // namespace toscac::run

#endif
