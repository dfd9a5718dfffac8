//===- EntryName.cpp - Names of files in an archive -----------------------===//

#include "EntryName.h"

#include "CheckEncoding.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Parse/Archive.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::archive_limits;
using llvm::StringRef;

/// Names in messages are not longer than this.
static constexpr size_t maxShown = 120;

static bool isText(StringRef name) {
  return syntax::findForbiddenByte(name) == StringRef::npos &&
         name.find_first_of("\n\r\t") == StringRef::npos;
}

std::string toscac::printableName(StringRef name) {
  if (isText(name) && name.size() <= maxShown)
    return name.str();
  std::string result;
  llvm::raw_string_ostream stream(result);
  stream.write_escaped(name.take_front(maxShown), /*UseHexEscapes=*/true);
  if (name.size() > maxShown)
    stream << "...";
  return result;
}

std::optional<std::string> toscac::normalisedName(StringRef name) {
  llvm::SmallVector<StringRef> parts, kept;
  llvm::SplitString(name, parts, "/");
  for (StringRef part : parts) {
    if (part == ".")
      continue;
    if (part != "..") {
      kept.push_back(part);
      continue;
    }
    if (kept.empty())
      return std::nullopt;
    kept.pop_back();
  }
  return llvm::join(kept, "/");
}

static bool hasDriveLetter(StringRef name) {
  return name.size() >= 2 && llvm::isAlpha(name[0]) && name[1] == ':';
}

std::optional<std::string> toscac::checkEntryName(StringRef archive,
                                                  StringRef name,
                                                  DiagnosticEngine &diags) {
  auto refuse = [&](auto row) {
    diags.report({}, row, archive, printableName(name));
    return std::nullopt;
  };
  if (name.size() > maxNameSize) {
    diags.report({}, diag::ArchiveNameTooLong, archive, printableName(name),
                 name.size(), maxNameSize);
    return std::nullopt;
  }
  if (!isText(name))
    return refuse(diag::ArchiveNameNotText);
  if (name.contains('\\') || hasDriveLetter(name))
    return refuse(diag::ArchiveNameNotPortable);
  if (name.starts_with("/"))
    return refuse(diag::ArchivePathAbsolute);
  std::optional<std::string> normalised = normalisedName(name);
  if (!normalised)
    return refuse(diag::ArchivePathEscapes);
  return normalised;
}
