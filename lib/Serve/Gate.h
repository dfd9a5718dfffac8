//===- Gate.h - Who is let in -----------------------------------*- C++ -*-===//
///
/// \file
/// A server on this machine can be reached by every page that its user opens
/// elsewhere, and by every other user. So a request needs the token, which only
/// the printed address has; the name it was sent to must be ours, or another
/// site could have its own name lead here (DNS rebinding); and what a page asks
/// for must be asked by one of ours.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SERVE_GATE_H
#define TOSCAC_LIB_SERVE_GATE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace toscac::serve {

struct Address {
  std::string host = "127.0.0.1";
  /// 0: any that is free.
  uint16_t port = 0;

  bool isLoopback() const;
  /// `127.0.0.1:8080`, `[::1]:8080`
  std::string text() const;
};

llvm::Expected<Address> parseAddress(llvm::StringRef text);

/// What a request says of itself.
struct Visit {
  llvm::StringRef method;
  llvm::StringRef host;
  bool hasOneHost = true;
  llvm::StringRef origin;
  llvm::StringRef fetchSite;
  llvm::StringRef fetchMode;
  llvm::StringRef token;
};

class Gate {
public:
  /// \p address has the port that is served.
  static llvm::Expected<Gate> make(const Address &address);

  llvm::StringRef token() const { return secret; }
  /// Why \p visit is refused; empty: it is let in.
  llvm::StringRef refusal(const Visit &visit) const;

private:
  bool isOurs(llvm::StringRef host) const;

  Address address;
  std::string secret;
};

} // namespace toscac::serve

#endif
