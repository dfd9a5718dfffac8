//===- Server.h - The language server ---------------------------*- C++ -*-===//

#ifndef TOSCAC_TOOLS_TOSCA_LSP_SERVER_H
#define TOSCAC_TOOLS_TOSCA_LSP_SERVER_H

#include "toscac/Driver/Driver.h"

namespace toscac {

struct ServerOptions {
  DriverOptions driver;
  /// Read messages that are separated by `// -----` and print answers for
  /// people; files may have names of the scheme `test`.
  bool isTest = false;
  bool isVerbose = false;
};

/// Speaks the protocol on standard input and output until it is told to stop.
/// Gives the exit code that the protocol asks for.
int runServer(const ServerOptions &options);

} // namespace toscac

#endif
