//===- toscac/Basic/Suggest.h - The name that was meant ---------*- C++ -*-===//
///
/// \file
/// How every message says what a word that names nothing may have meant.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_SUGGEST_H
#define TOSCAC_BASIC_SUGGEST_H

#include "toscac/Basic/Diagnostics.h"

namespace toscac {

class Suggestion {
public:
  /// The one of \p known that is nearest to \p word, and is not its opposite.
  Suggestion(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> known);
  explicit Suggestion(std::optional<llvm::StringRef> name) : name(name) {}

  /// "; did you mean 'x'?", or nothing.
  std::string clause(llvm::StringRef before = "",
                     llvm::StringRef after = "") const;
  /// Says the same in a note of \p report; where nothing is near, and few
  /// names are known, which these are.
  void noteOn(DiagnosticEngine::Builder report) const;
  /// Shows in \p report how to change \p range.
  void fixIn(DiagnosticEngine::Builder report, SourceRange range) const;

  std::optional<llvm::StringRef> name;

private:
  /// All names there are, if they are few.
  std::vector<llvm::StringRef> known;
};

/// Says in a note of \p report which names there are, if they are few.
void noteKnown(DiagnosticEngine::Builder report,
               llvm::ArrayRef<llvm::StringRef> known);

/// "; did you mean 'x'?", or nothing.
std::string didYouMean(llvm::StringRef word,
                       llvm::ArrayRef<llvm::StringRef> known);

} // namespace toscac

#endif
