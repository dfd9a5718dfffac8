//===- Fix.h - Correcting the inputs ----------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_FIX_H
#define TOSCAC_LIB_DRIVER_FIX_H

#include "Compilation.h"
#include "toscac/Basic/ApplyFixes.h"
#include <set>

namespace toscac {

/// What can be corrected of \p list. Only files that the user named are
/// touched: not what they import, not standard input, nothing in an archive.
FixPlan planInputFixes(const Compilation &compilation,
                       const DiagnosticList &list);

/// What --fix has done so far.
struct FixTotals {
  size_t numFixed = 0;
  std::set<std::string> files;

  void add(const FixPlan &plan, const SourceManager &sources);
  void remark(DiagnosticEngine &diags) const;
};

} // namespace toscac

#endif
