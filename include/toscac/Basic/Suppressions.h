//===- toscac/Basic/Suppressions.h - Warnings ignored on a line -*- C++ -*-===//
///
/// \file
/// A comment silences warnings that begin on its line:
///
///   size: 010   # toscac: ignore[leading-zero, old-boolean]
///
/// Errors are not silenced: the input is wrong with or without the comment.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_SUPPRESSIONS_H
#define TOSCAC_BASIC_SUPPRESSIONS_H

#include "toscac/Basic/Diagnostics.h"
#include <map>

namespace toscac {

class Suppressions {
public:
  explicit Suppressions(const SourceManager &sources) : sources(sources) {}

  /// Removes what comments of the sources silence. May be called again after
  /// another stage.
  void apply(DiagnosticEngine &diags);

  /// Reports comments that silenced nothing, where a stage before \p next, the
  /// first that has not run, could have given the warning.
  void reportUnused(DiagStage next, DiagnosticEngine &diags) const;

private:
  struct Suppression {
    SourceRange range;
    size_t row;
    bool isUsed = false;
  };
  void scan(FileId file, DiagnosticEngine &diags);
  void scanComment(llvm::StringRef ids, SourceLoc at, uint32_t line,
                   DiagnosticEngine &diags);
  bool silence(const Diagnostic &diagnostic);

  const SourceManager &sources;
  uint32_t numScanned = 0;
  /// By file and line.
  std::multimap<std::pair<uint32_t, uint32_t>, Suppression> suppressions;
};

} // namespace toscac

#endif
