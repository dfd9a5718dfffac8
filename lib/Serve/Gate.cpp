//===- Gate.cpp - Who is let in -------------------------------------------===//

#include "Gate.h"

#include "llvm/ADT/StringExtras.h"
#include <sys/random.h>

using namespace toscac;
using namespace toscac::serve;
using llvm::StringRef;

bool Address::isLoopback() const {
  return host == "localhost" || host == "::1" ||
         StringRef(host).starts_with("127.");
}

std::string Address::text() const {
  bool isSix = StringRef(host).contains(':');
  return (isSix ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

llvm::Expected<Address> serve::parseAddress(StringRef text) {
  Address address;
  auto wrong = [&] {
    return llvm::createStringError("'" + text +
                                   "' is not of the form HOST:PORT");
  };
  StringRef host = text, port;
  if (text.starts_with("[")) {
    size_t end = text.find(']');
    if (end == StringRef::npos)
      return wrong();
    host = text.slice(1, end);
    port = text.drop_front(end + 1);
    if (!port.empty() && !port.consume_front(":"))
      return wrong();
  } else if (text.count(':') == 1) {
    std::tie(host, port) = text.split(':');
  } else if (!text.empty() && llvm::all_of(text, llvm::isDigit)) {
    host = "";
    port = text;
  }
  if (!port.empty() && port.getAsInteger(10, address.port))
    return wrong();
  bool isName = llvm::all_of(host, [](char c) {
    return llvm::isAlnum(c) || c == '.' || c == '-' || c == ':';
  });
  if (!isName)
    return wrong();
  if (!host.empty())
    address.host = host.lower();
  return address;
}

llvm::Expected<Gate> Gate::make(const Address &address) {
  uint8_t bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    return llvm::createStringError("there is no randomness for a token");
  Gate gate;
  gate.address = address;
  gate.secret = llvm::toHex(bytes, /*LowerCase=*/true);
  return gate;
}

/// Names of other sites may lead here; numbers cannot be made to.
bool Gate::isOurs(StringRef host) const {
  if (host.equals_insensitive(address.text()))
    return true;
  std::string port = ":" + std::to_string(address.port);
  if (!host.consume_back(port))
    return false;
  if (address.isLoopback())
    return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
  return host.starts_with("[") || llvm::all_of(host, [](char c) {
           return llvm::isDigit(c) || c == '.';
         });
}

/// Takes as long whatever is wrong with \p given.
static bool isEqual(StringRef given, StringRef secret) {
  if (given.size() != secret.size())
    return false;
  uint8_t difference = 0;
  for (auto [a, b] : llvm::zip(given, secret))
    difference |= static_cast<uint8_t>(a ^ b);
  return difference == 0;
}

StringRef Gate::refusal(const Visit &visit) const {
  if (visit.method != "GET" && visit.method != "HEAD")
    return "nothing can be changed here";
  if (!visit.hasOneHost || !isOurs(visit.host))
    return "this server has another name";
  StringRef origin = visit.origin;
  if (!origin.empty() && (!origin.consume_front("http://") || !isOurs(origin)))
    return "a page of another origin may not ask";
  bool isForeign =
      visit.fetchSite == "cross-site" || visit.fetchSite == "same-site";
  if (isForeign && visit.fetchMode != "navigate")
    return "a page of another origin may not ask";
  if (!isEqual(visit.token, secret))
    return "the address needs the token that was printed";
  return "";
}
