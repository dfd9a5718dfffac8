//===- toscac/Basic/WarningOptions.h - What -W… asks for --------*- C++ -*-===//
///
/// \file
/// The flags `-W<name>`, `-Wno-<name>`, `-Wextra`, `-Werror`, `-Wno-error`,
/// `-Werror=<name>` and `-Wno-error=<name>`, where a name is that of a
/// diagnostic or of a group. Later flags win over earlier ones, whether they
/// speak of one diagnostic, of a group or of all.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_WARNINGOPTIONS_H
#define TOSCAC_BASIC_WARNINGOPTIONS_H

#include "toscac/Basic/Diagnostics.h"

namespace toscac {

class WarningOptions {
public:
  /// Follows one flag, given without its `-W`: `extra`, `no-yaml`, `error=x`.
  /// Reports a name that no warning has, and flags that would silence an
  /// error, at \p place where a file has the flag.
  void apply(llvm::StringRef flag, DiagnosticEngine &diags,
             SourceRange place = {});

  /// How \p id is to be shown: Error, Warning, or nothing if it is silenced.
  std::optional<Severity> severity(DiagId id) const;

private:
  struct Choice {
    bool enabled;
    bool error;
  };
  template <typename Change>
  void change(llvm::StringRef name, bool weakens, SourceRange place,
              DiagnosticEngine &diags, Change change);
  template <typename Change>
  void changeAll(Change change);

  /// One for each row of the table; empty while every row is as the table
  /// says, which is what nearly all runs want.
  std::vector<Choice> choices;
};

} // namespace toscac

#endif
