//===- Output.cpp - Where a result goes -----------------------------------===//

#include "Output.h"

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/Files.h"
#include "toscac/Driver/Driver.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;

int Output::write(llvm::function_ref<void(llvm::raw_ostream &)> print,
                  DiagnosticEngine &diags) {
  size_t before = diags.numErrors();
  // Values may turn out to be wrong as late as here.
  bool isInvalid = false;
  auto printChecked = [&](llvm::raw_ostream &os) {
    print(os);
    isInvalid = diags.numErrors() > before;
  };
  if (!path.empty()) {
    writeFile(path, printChecked, diags);
    if (isInvalid)
      return ExitInvalid;
    return diags.numErrors() > before ? ExitFile : ExitGood;
  }
  printChecked(standardOutput);
  standardOutput.flush();
  if (!standardOutput.has_error())
    return isInvalid ? ExitInvalid : ExitGood;
  diags.report({}, diag::CannotWriteFile, "<stdout>",
               standardOutput.error().message());
  standardOutput.clear_error();
  return ExitFile;
}
