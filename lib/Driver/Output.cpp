//===- Output.cpp - Where a result goes -----------------------------------===//

#include "Output.h"

#include "Language.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/PrintableStream.h"
#include "toscac/Basic/SourceManager.h"
#include "toscac/Driver/Driver.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;

/// Whether \p path is a file that somebody may have written by hand. Results
/// that are YAML begin with a mark.
static bool looksLikeSource(llvm::StringRef path) {
  llvm::StringRef extension = llvm::sys::path::extension(path);
  bool isYAML = extension.equals_insensitive(".yaml") ||
                extension.equals_insensitive(".yml");
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text || (*text)->getBuffer().empty() ||
      (*text)->getBuffer().starts_with(resultMark))
    return false;
  return isYAML || isOfKnownLanguage((*text)->getBuffer());
}

bool Output::mayWrite(llvm::ArrayRef<std::string> inputs,
                      const SourceManager &sources,
                      DiagnosticEngine &diags) const {
  namespace fs = llvm::sys::fs;
  fs::UniqueID own;
  if (path.empty() || !fs::is_regular_file(path) || fs::getUniqueID(path, own))
    return true;
  auto isOutput = [&](llvm::StringRef name) {
    fs::UniqueID other;
    return !fs::getUniqueID(name, other) && other == own;
  };
  bool isInput = llvm::any_of(inputs, isOutput);
  for (uint32_t i = 0; i != sources.numFiles(); ++i)
    isInput |= isOutput(sources.name(FileId{i}));
  if (isInput) {
    diags.report({}, diag::CannotWriteFile, path, "it is an input");
    return false;
  }
  if (!looksLikeSource(path))
    return true;
  diags.report({}, diag::CannotWriteFile, path,
               "there is a file that toscac did not write; remove it first, "
               "or choose another name");
  return false;
}

bool Output::isTerminal() const {
  return path.empty() && !kept && standardOutput.is_displayed();
}

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
  if (kept) {
    llvm::raw_string_ostream os(*kept);
    printChecked(os);
    return isInvalid ? ExitInvalid : ExitGood;
  }
  if (standardOutput.is_displayed()) {
    PrintableStream shown(standardOutput);
    printChecked(shown);
  } else {
    printChecked(standardOutput);
  }
  standardOutput.flush();
  if (!standardOutput.has_error())
    return isInvalid ? ExitInvalid : ExitGood;
  diags.report({}, diag::CannotWriteFile, "<stdout>",
               standardOutput.error().message());
  standardOutput.clear_error();
  return ExitFile;
}
