//===- Unpack.cpp - Artifacts in a CSAR -----------------------------------===//

#include "Unpack.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

using namespace toscac;
using llvm::StringRef;

/// bsdtar and Python refuse or rename entries with `..` or an absolute path,
/// and links that lead out, unless they are told otherwise.
std::string run::unpackArchive(StringRef archive, StringRef target) {
  namespace sys = llvm::sys;
  if (std::error_code error = sys::fs::create_directories(target))
    return error.message();
  bool isZip = archive.ends_with_insensitive(".zip") ||
               archive.ends_with_insensitive(".csar");
  auto program = sys::findProgramByName("bsdtar");
  llvm::SmallVector<StringRef> arguments;
  if (program) {
    arguments = {*program, "-x", "-f", archive, "-C", target};
  } else if (isZip) {
    program = sys::findProgramByName("python3");
    if (program)
      arguments = {*program, "-m", "zipfile", "-e", archive, target};
  }
  if (!program)
    return "bsdtar, or python3 for zip files, must be installed to unpack it";
  std::string problem;
  int code =
      sys::ExecuteAndWait(*program, arguments, std::nullopt,
                          {StringRef(""), StringRef(""), StringRef("")},
                          /*SecondsToWait=*/0, /*MemoryLimit=*/0, &problem);
  if (code == 0)
    return "";
  return problem.empty() ? "it cannot be unpacked" : problem;
}
