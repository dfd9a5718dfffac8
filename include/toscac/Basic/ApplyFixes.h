//===- toscac/Basic/ApplyFixes.h - Fix-its put into practice ----*- C++ -*-===//
///
/// \file
/// Turns the safe fix-its of a run into changed files (--fix) or a diff
/// (--fix-dry-run).
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_APPLYFIXES_H
#define TOSCAC_BASIC_APPLYFIXES_H

#include "toscac/Basic/DiagnosticPrinter.h"
#include <map>

namespace toscac {

/// The changes of one run: fix-its by file, in order, none overlapping another.
struct FixPlan {
  std::map<uint32_t, std::vector<FixIt>> edits;
  /// How many diagnostics they cure.
  size_t numFixed = 0;
};

/// What may be applied: what must have been meant, or what may have been, too.
enum class FixKinds { Safe, All };

/// Chooses what of \p kinds to apply. The fix-its of a diagnostic are applied
/// together or not at all; where they overlap those of an earlier diagnostic,
/// or leave the files that \p mayEdit allows, they are left for another run.
FixPlan planFixes(const DiagnosticList &list, const SourceManager &sources,
                  FixKinds kinds, llvm::function_ref<bool(FileId)> mayEdit);

/// The text of \p range with \p edits, which lie in it, made.
std::string applyEdits(llvm::ArrayRef<FixIt> edits, SourceRange range,
                       const SourceManager &sources);

/// Rewrites the files of \p plan, each as a whole or not at all. A file that is
/// no longer what was read is reported and left alone.
void applyFixes(const FixPlan &plan, const SourceManager &sources,
                DiagnosticEngine &diags);

/// Prints \p plan as a unified diff, which `patch -p1` and `git apply` take.
void printDiff(const FixPlan &plan, const SourceManager &sources,
               llvm::raw_ostream &os);

} // namespace toscac

#endif
