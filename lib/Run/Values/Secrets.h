//===- Secrets.h - Values that nobody shall see -----------------*- C++ -*-===//
///
/// \file
/// What a run knows and is not to tell: inputs that the plan leaves open, what
/// steps and expressions make of them, and outputs that are marked so. Where
/// such a value has to be kept it is sealed; what steps print goes through a
/// filter.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_SECRETS_H
#define TOSCAC_LIB_RUN_SECRETS_H

#include "SecretFilter.h"
#include "toscac/Basic/Seal.h"
#include "toscac/Run/Run.h"
#include "toscac/Value/ReadJSON.h"
#include <functional>
#include <set>

namespace toscac::run {

class Secrets {
public:
  /// Adds the texts in \p value, and their usual encodings.
  void add(const Value &value);
  bool empty() const { return texts.empty(); }

  /// Whether \p value is, or holds, a secret.
  bool occursIn(const Value &value) const;
  /// For texts that people read; those of one or two characters occur
  /// everywhere and cannot be hidden.
  std::string hidden(llvm::StringRef text) const;
  const SecretFilter &filter() const;

  /// Where the key is, when it is first needed: what \p options say or, made if
  /// need be, \p file; empty: nothing else.
  void setKeySource(const RunOptions &options, llvm::StringRef file);
  /// Fetches the key.
  llvm::Error prepareKey() { return key().takeError(); }
  /// \p value as JSON keeps it: an expression that gives it. Parts that are
  /// secret, or all where \p isSecret, are sealed.
  llvm::Expected<Value> kept(const Value &value, bool isSecret,
                             ValueArena &arena);
  /// Opens \p sealed, which is a secret from now on.
  llvm::Expected<Value> opened(llvm::StringRef sealed, JSONReader &reader);

private:
  void addText(llvm::StringRef text);
  void addEncodings(llvm::StringRef text);
  llvm::Expected<const SealingKey *> key();
  llvm::Expected<Value> seal(const Value &value, ValueArena &arena);

  /// As they were given, and what is looked for.
  std::set<std::string> texts;
  std::set<std::string> patterns;
  mutable std::unique_ptr<SecretFilter> automaton;
  std::function<llvm::Expected<SealingKey>()> fetchKey;
  std::optional<SealingKey> fetched;
};

} // namespace toscac::run

#endif
