//===- toscac/Run/WatchRun.h - Runs and stores as pages ---------*- C++ -*-===//
///
/// \file
/// What a store knows, for people: a page of one run, with the plan it
/// followed, and one of a deployment. Both can be looked at again while
/// somebody else goes on writing to the store. Nothing here writes to it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_RUN_WATCHRUN_H
#define TOSCAC_RUN_WATCHRUN_H

#include "toscac/Page/WritePage.h"
#include "toscac/State/Store.h"
#include <memory>

namespace toscac::run {

struct WatchOptions {
  /// Where logs lie; empty: .tosca-run beside the store.
  std::string workFolder;
  /// Where the page asks for what is new; empty: it stays as it is.
  std::string feed;
};

/// A run that is looked at again and again.
class RunWatch {
public:
  /// The run \p id of \p deployment; an error where there is none.
  static llvm::Expected<std::unique_ptr<RunWatch>>
  open(state::Store &store, llvm::StringRef deployment, int64_t id,
       const WatchOptions &options);
  RunWatch(const RunWatch &) = delete;
  ~RunWatch();

  /// Reads what has been written since.
  llvm::Error refresh();
  bool isOver() const;
  /// As JSON.
  std::string facts() const;
  llvm::Error writePage(llvm::raw_ostream &os);

private:
  struct Content;
  explicit RunWatch(std::unique_ptr<Content> content);
  std::unique_ptr<Content> content;
};

/// The deployments of \p store, as JSON: of \p shown, if there is one, with
/// its runs, outputs and what drifted.
llvm::Expected<std::string> storeFacts(state::Store &store,
                                       llvm::StringRef shown);
/// The page of deployment \p shown; empty: the only one, or none yet.
llvm::Error writeStorePage(state::Store &store, llvm::StringRef shown,
                           const WatchOptions &options, llvm::raw_ostream &os);

} // namespace toscac::run

#endif
