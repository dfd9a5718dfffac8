//===- toscac/Serve/Serve.h - Pages of a store over HTTP --------*- C++ -*-===//
///
/// \file
/// Shows what a state store holds to a browser, while others write to it.
/// Nothing can be changed from there. Who may look: whoever has the token that
/// is part of the address, from a page of this server, under its own name; so
/// neither a page of another site nor a name that leads here can read anything.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SERVE_SERVE_H
#define TOSCAC_SERVE_SERVE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace llvm {
class raw_fd_ostream;
}

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::serve {

struct ServeOptions {
  std::string store;
  /// Whose page is shown first; empty: the list, or the only one.
  std::string deployment;
  /// The run whose page is shown first; 0: the page of the deployment.
  int64_t run = 0;
  /// Where logs lie; empty: .tosca-run beside the store.
  std::string workFolder;
  /// `HOST:PORT`, `HOST`, `:PORT`; what is left out is 127.0.0.1 and any port
  /// that is free.
  std::string address;
  /// End when nothing more can come from standard input.
  bool endsWithInput = false;
};

/// Serves until the process is ended. Prints the address to \p out; what is
/// wrong to \p diags. Returns the exit code.
int serveStore(const ServeOptions &options, llvm::raw_fd_ostream &out,
               DiagnosticEngine &diags);

} // namespace toscac::serve

#endif
