//===- About.cpp - What this compiler is ----------------------------------===//

#include "toscac/Driver/About.h"

#include "BundledProfiles.h"
#include "toscac/Basic/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>

using namespace toscac;
namespace fs = llvm::sys::fs;

#ifdef __clang__
static constexpr const char *compiler = "clang " __clang_version__;
#else
static constexpr const char *compiler = "g++ " __VERSION__;
#endif
#ifdef NDEBUG
static constexpr const char *assertions = "without assertions";
#else
static constexpr const char *assertions = "with assertions";
#endif

/// What the line `profile: NAME` of \p file says; empty: nothing.
static std::string nameIn(const std::string &file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return "";
  for (llvm::line_iterator line(**buffer, true, '#'); !line.is_at_end(); ++line)
    if (llvm::StringRef text = *line; text.consume_front("profile:"))
      return text.trim(" \"'").str();
  return "";
}

static std::vector<std::string> profilesIn(const std::string &folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; at != end && !error;
       at.increment(error))
    if (std::string name = nameIn(at->path() + "/profile.yaml"); !name.empty())
      names.push_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

std::string toscac::describeBuild(const std::string &program) {
  std::string text = program + " " + version() + "\nbuilt by " + compiler +
                     " with LLVM " + LLVM_VERSION_STRING + ", " + assertions;
  for (const std::string &folder : bundledProfiles())
    text +=
        "\nprofiles in " + folder + ": " + llvm::join(profilesIn(folder), ", ");
  return text + "\nlicence: none is given yet";
}
