//===- toscac/State/Store.h - The state store -------------------*- C++ -*-===//
///
/// \file
/// The states of many deployments, their runs and the journals of these, in an
/// SQLite file or, for many people and machines, in PostgreSQL.
/// docs/Running.md has the schema.
///
/// A run only appends to its journal. Tables of entities change when a journal
/// is folded into them: at the end of the run or, if it died, before the next
/// one. Readers apply what is not folded yet, so that they always see the
/// truth.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_STATE_STORE_H
#define TOSCAC_STATE_STORE_H

#include "toscac/State/Journal.h"
#include "toscac/State/State.h"
#include "llvm/Support/Error.h"
#include <map>

namespace toscac::state {

/// What a step that was in flight when its run died counts as.
enum class InFlight : uint8_t {
  /// As it stands: what it wrote on entry is there.
  Running,
  /// Failed: what its failure writes is there, too.
  Failed
};

enum class Durability : uint8_t {
  /// Survives the end of the process.
  Process,
  /// Survives the end of the power.
  Power
};

/// Who has a lock.
struct Owner {
  std::string user;
  std::string host;
  int64_t process = 0;
  /// Seconds since 1970; last said to be alive at.
  double since = 0;
  double renewed = 0;

  /// This process, now.
  static Owner self();
  /// Whether its processes can be seen from here: it ran on this host, and in
  /// the same PID namespace.
  bool isNear() const;
};

/// A row of the table `runs`.
struct RunRecord {
  int64_t id = 0;
  std::string deployment;
  /// The plan's file, as an absolute path.
  std::string plan;
  std::string planDigest;
  std::string workflow;
  /// `running`, `done`, `failed`, `stopped`, `dead`.
  std::string status = "running";
  double started = 0;
  double ended = 0;
  /// JSON; empty until the run ends.
  std::string outputs;
  int64_t stepsDone = 0;
  /// What it does after a failure: `stop`, `continue`, `rollback`.
  std::string onFailure = "stop";
};

/// What a plan says of the deployment as a whole.
struct DeploymentHeader {
  std::string service;
  std::string templateDigest;
  /// JSON objects.
  std::string inputs;
  std::string nextIndex;
  std::string counts;
  std::string operations;
  /// A JSON array; empty: what was there stays.
  std::string shared;
};

/// Whether the open file \p file starts like an SQLite file.
bool isStore(int file);
/// Whether \p path is no file, but the URL of a database: `postgresql://…`.
bool isStoreUrl(llvm::StringRef path);
/// \p path as people may see it: a URL without the password in it.
std::string shownStore(llvm::StringRef path);

/// Whether there is a store at \p path, a file or the URL of a database.
bool isStoreAt(llvm::StringRef path);

class Database;
class Locks;
class Statement;

class Store {
public:
  enum class Access : uint8_t { Read, Write };

  /// Opens the store \p path, a file or URL; to write, it is made if it does
  /// not exist and brought to the present version of the schema if it is older.
  static llvm::Expected<std::unique_ptr<Store>>
  open(llvm::StringRef path, Access access,
       Durability durability = Durability::Process);
  Store(const Store &) = delete;
  Store &operator=(const Store &) = delete;
  ~Store();

  /// All deployments, or the one called \p only, with journals applied.
  llvm::Expected<State> load(InFlight inFlight, llvm::StringRef only = "");
  /// The deployment called \p only as it was before a run that is not over.
  llvm::Expected<State> loadTables(llvm::StringRef only);
  /// Puts \p deployment in the place of what was there under its name.
  llvm::Error replace(const Deployment &deployment);

  /// Takes the lock of \p deployment, which ends with this process at the
  /// latest. Gives the owner who has it, if any does.
  llvm::Expected<std::optional<Owner>> lock(llvm::StringRef deployment);
  /// Ends the lock, whoever has it: another run that had it cannot write any
  /// more.
  llvm::Error unlock(llvm::StringRef deployment);
  /// To be called within as many seconds as the last call gave. Where others
  /// cannot see our locks, they see that we live.
  double keepLocks();
  /// Who has, or had and did not give back, the lock.
  llvm::Expected<std::optional<Owner>> lockOwner(llvm::StringRef deployment);
  /// Whether somebody has the lock; \p owner is what lockOwner() gave.
  bool isLocked(llvm::StringRef deployment, const Owner &owner);
  /// Who had the lock and died with it, before we took it.
  const std::optional<Owner> &diedBefore() const { return deadOwner; }

  /// Folds the journals of runs that died into the tables; what was in flight
  /// has failed. The caller has the lock.
  llvm::Error settle(llvm::StringRef deployment);
  /// Starts a run. Its id is written to \p run. The caller has the lock.
  llvm::Error beginRun(RunRecord &run, const DeploymentHeader &header);
  /// Records the inputs and counts again that were so before \p run began; one
  /// that began with nothing leaves its own.
  llvm::Error restoreInputs(llvm::StringRef deployment, int64_t run);
  /// Adds lines to the journal: entities of the plan, or events. They are
  /// durable after commit().
  llvm::Error addEntities(const RunRecord &run, llvm::StringRef lines);
  llvm::Error addEvents(const RunRecord &run, llvm::StringRef lines);
  llvm::Error commit();
  /// Ends the run with run.status and folds its journal into the tables.
  llvm::Error endRun(RunRecord &run);
  /// A run that had ended, stopped, goes on.
  llvm::Error reopenRun(RunRecord &run);

  llvm::Expected<std::vector<RunRecord>> runs(llvm::StringRef deployment);
  /// The events of \p run, row by row; \p visit gets the time and the lines.
  llvm::Error
  events(int64_t run,
         llvm::function_ref<llvm::Error(double, llvm::StringRef)> visit);
  /// Those after the row \p after, which becomes the last one.
  llvm::Error
  newEvents(int64_t run, int64_t &after,
            llvm::function_ref<llvm::Error(double, llvm::StringRef)> visit);
  /// Differs when somebody else has written since.
  llvm::Expected<int64_t> version();
  llvm::Expected<Journal> journal(int64_t run, JSONReader &json,
                                  ValueArena &arena);
  /// Names of all deployments.
  llvm::Expected<std::vector<std::string>> names();

  llvm::StringRef path() const { return file; }
  /// Whether the file has been deleted or replaced under our feet.
  bool isGone() const;
  /// What was missing when the store was opened, though somebody had used it;
  /// empty: nothing.
  llvm::StringRef loss() const { return lost; }
  /// Writes all of the store to the file \p target, which must not exist.
  llvm::Error copyTo(llvm::StringRef target);

private:
  explicit Store(std::string path);
  static llvm::Expected<std::unique_ptr<Store>>
  openFile(llvm::StringRef path, Access access, Durability durability);
  llvm::Error prepare(Access access);
  llvm::Expected<bool> isHeldByOther(llvm::StringRef deployment);
  llvm::Expected<int64_t> raiseFence(llvm::StringRef deployment);
  /// Begins a transaction unless one is open; fails if somebody has taken over
  /// \p deployment, whose lock we had.
  llvm::Error openTransaction(llvm::StringRef deployment);
  llvm::Error addToJournal(const RunRecord &run, const char *kind,
                           llvm::StringRef lines);
  llvm::Error foldJournals(llvm::StringRef deployment);

  std::string file;
  std::string lost;
  std::optional<Owner> deadOwner;
  /// Keeps others from opening and closing the file meanwhile; negative: there
  /// is none.
  int lockFile = -1;
  uint64_t inode = 0;
  std::unique_ptr<Database> database;
  std::unique_ptr<Locks> locks;
  /// Done for every step.
  std::unique_ptr<Statement> appendToJournal;
  /// The number that each of our locks has. Whoever takes one over gives it a
  /// higher one, and what we write then is refused.
  std::map<std::string, int64_t, std::less<>> fences;
  double lastRenewed = 0;
};

} // namespace toscac::state

#endif
