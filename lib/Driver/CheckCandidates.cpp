//===- CheckCandidates.cpp - Templates that nobody may need ---------------===//
///
/// \file
/// Templates below -I are there to be chosen. One with errors is left out; that
/// is said where it might have been the one to choose.
///
//===----------------------------------------------------------------------===//

#include "Compilation.h"

using namespace toscac;

/// What is wrong first with \p candidates by themselves; empty: nothing.
static std::string firstError(const DriverOptions &options,
                              llvm::ArrayRef<InputFile> candidates) {
  Compilation trial(options);
  trial.isTrial = true;
  std::vector<InputFile> inputs;
  for (const InputFile &candidate : candidates)
    inputs.push_back(
        {candidate.name, llvm::MemoryBuffer::getMemBuffer(*candidate.text)});
  loadInputs(trial, std::move(inputs));
  checkPackage(trial);
  for (const Diagnostic &diagnostic : trial.diags.all())
    if (diagnostic.severity == Severity::Error)
      return diagnostic.message;
  return "";
}

void toscac::dropBroken(Compilation &compilation,
                        std::vector<InputFile> &candidates) {
  const DriverOptions &options = compilation.options;
  if (firstError(options, candidates).empty())
    return;
  llvm::erase_if(candidates, [&](const InputFile &candidate) {
    std::string message = firstError(options, candidate);
    if (message.empty())
      return false;
    compilation.brokenServices.push_back({candidate.name, message});
    return true;
  });
}
