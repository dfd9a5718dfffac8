//===- Output.cpp - Where a result goes -----------------------------------===//

#include "Output.h"

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/Files.h"
#include "toscac/Driver/Driver.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;

int Output::write(llvm::function_ref<void(llvm::raw_ostream &)> print,
                  DiagnosticEngine &diags) {
  if (!path.empty()) {
    size_t before = diags.numErrors();
    writeFile(path, print, diags);
    return diags.numErrors() > before ? ExitFile : ExitGood;
  }
  print(standardOutput);
  standardOutput.flush();
  if (!standardOutput.has_error())
    return ExitGood;
  diags.report({}, diag::CannotWriteFile, "<stdout>",
               standardOutput.error().message());
  standardOutput.clear_error();
  return ExitFile;
}
