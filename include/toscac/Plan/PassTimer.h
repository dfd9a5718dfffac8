//===- PassTimer.h - What --time-passes prints ------------------*- C++ -*-===//

#ifndef TOSCAC_PLAN_PASSTIMER_H
#define TOSCAC_PLAN_PASSTIMER_H

#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/Support/FormatVariadic.h"
#include <ctime>

namespace toscac::plan {

/// Says at its end how much processor time the program used while it lived.
class PassTimer {
public:
  PassTimer(bool isWanted, llvm::StringRef pass, DiagnosticEngine &diags)
      : isWanted(isWanted), pass(pass), diags(diags), start(std::clock()) {}
  PassTimer(const PassTimer &) = delete;
  PassTimer &operator=(const PassTimer &) = delete;
  ~PassTimer() {
    double seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    if (isWanted)
      diags.remark(diag::PassTime, pass,
                   llvm::formatv("{0:f3}", seconds).str());
  }

private:
  bool isWanted;
  llvm::StringRef pass;
  DiagnosticEngine &diags;
  std::clock_t start;
};

} // namespace toscac::plan

#endif
