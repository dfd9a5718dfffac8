//===- toscac/Run/StateCommands.h - Looking into the store ------*- C++ -*-===//
///
/// \file
/// `tosca-run state …` and `tosca-run outputs`: what people ask the store. Each
/// command prints to \p out, reports what is wrong and returns an exit code.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_RUN_STATECOMMANDS_H
#define TOSCAC_RUN_STATECOMMANDS_H

#include <cstdint>
#include <string>

namespace llvm {
class raw_ostream;
}

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::run {

struct StateOptions {
  /// Empty: toscac.db, or the only store in the folder.
  std::string store;
  /// Empty: all, where a command can show several; else `default`.
  std::string deployment;
  /// The file to import, or to export to; empty: \p out.
  std::string file;
  /// The run whose events to show; 0: the list of runs.
  int64_t run = 0;
  /// Unlock even if the owner lives.
  bool force = false;
  /// An entity, a template, an output or a step; empty: all.
  std::string name;
  /// For programs.
  bool json = false;
  /// Where logs lie; empty: beside the store.
  std::string workFolder;
  /// Where to serve pages; empty: anywhere on this host.
  std::string address;
};

/// The store that \p options mean.
std::string storeOf(const StateOptions &options);

int listDeployments(const StateOptions &options, llvm::raw_ostream &out,
                    DiagnosticEngine &diags);
int showDeployment(const StateOptions &options, llvm::raw_ostream &out,
                   DiagnosticEngine &diags);
int exportState(const StateOptions &options, llvm::raw_ostream &out,
                DiagnosticEngine &diags);
int importState(const StateOptions &options, llvm::raw_ostream &out,
                DiagnosticEngine &diags);
int showHistory(const StateOptions &options, llvm::raw_ostream &out,
                DiagnosticEngine &diags);
int unlockDeployment(const StateOptions &options, llvm::raw_ostream &out,
                     DiagnosticEngine &diags);
/// Prints what the step `name` said in its last run, or in the one given.
int showLog(const StateOptions &options, llvm::raw_ostream &out,
            DiagnosticEngine &diags);
/// Forgets the entity `name`, with its relationships: for what is not there
/// any more, and nobody can take down.
int removeEntity(const StateOptions &options, llvm::raw_ostream &out,
                 DiagnosticEngine &diags);
/// Shows the store to a browser. Returns only where that cannot be.
int showStore(const StateOptions &options, llvm::raw_ostream &out,
              DiagnosticEngine &diags);
/// The outputs of the last run that ended well, as JSON.
int showOutputs(const StateOptions &options, llvm::raw_ostream &out,
                DiagnosticEngine &diags);

} // namespace toscac::run

#endif
