//===- OpenPlan.cpp - The plan that is to be run --------------------------===//

#include "OpenPlan.h"

#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/Signature.h"
#include "toscac/Run/ExitCode.h"

using namespace toscac;
using namespace toscac::run;
using planfile::PlanFile;

int run::codeForNoPlan(const DiagnosticEngine &diags) {
  bool isUnread = diags.all().back().id == diag::CannotReadFile.id;
  return isUnread ? ExitFile : ExitRefused;
}

/// Why \p text is not what the owner of the key has signed.
static llvm::Error checkSignature(llvm::StringRef text,
                                  const RunOptions &options) {
  std::string file = signatureFile(options.plan);
  DiagnosticEngine problems;
  auto signature = readFile(file, problems);
  if (!signature)
    return llvm::createStringError("it has no signature; " +
                                   problems.all().front().message);
  return verify(text, signature->getBuffer(), options.requiredKey);
}

std::unique_ptr<PlanFile> run::openPlan(const RunOptions &options,
                                        DiagnosticEngine &diags) {
  if (options.requiredKey.empty())
    return PlanFile::open(options.plan, diags);
  if (options.onFailure == OnFailure::Rollback) {
    diags.report({}, diag::WayBackNotSigned);
    return nullptr;
  }
  auto text = readFile(options.plan, diags);
  if (!text)
    return nullptr;
  if (llvm::Error error = checkSignature(text->getBuffer(), options)) {
    diags.report({}, diag::PlanNotSigned, options.plan,
                 llvm::toString(std::move(error)));
    return nullptr;
  }
  return PlanFile::fromText(text->getBuffer(), options.plan, diags);
}
