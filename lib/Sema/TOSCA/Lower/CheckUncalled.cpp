//===- CheckUncalled.cpp - Operations that nothing calls ------------------===//
///
/// \file
/// Warns of an operation that has an implementation and no sender. Only
/// machines, workflows and policies send events; what none of them names is
/// never called.
///
//===----------------------------------------------------------------------===//

#include "Lower.h"
#include "SentEvents.h"

#include "toscac/Basic/DiagnosticsSema.h"

using namespace toscac;
using namespace toscac::sema;

void sema::checkUncalled(Lowering &lowering) {
  if (lowering.implemented.empty())
    return;
  SentEvents sent(lowering.result);
  // Templates of one type share what that one says.
  llvm::DenseSet<uint32_t> told;
  for (const Lowering::Implemented &each : lowering.implemented) {
    if (sent.contains(each.interface, each.operation) ||
        !told.insert(each.range.begin.raw).second)
      continue;
    std::string why;
    if (each.idleType)
      why = ("; interface type '" + each.idleType.str() +
             "' has no machine, and no binding gives it one")
                .str();
    lowering.program.diags.report(each.range, diag::UncalledOperation,
                                  each.operation.str(), each.interface.str(),
                                  why);
  }
}
