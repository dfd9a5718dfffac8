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
  print(standard);
  standard.flush();
  if (!standard.has_error())
    return ExitGood;
  diags.report({}, diag::CannotWriteFile, "<stdout>",
               standard.error().message());
  standard.clear_error();
  return ExitFile;
}
