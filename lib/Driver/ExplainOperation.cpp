//===- ExplainOperation.cpp - What --explain says of an operation ---------===//

#include "ExplainName.h"

#include "BundledProfiles.h"
#include "Compilation.h"
#include "toscac/Driver/Check.h"
#include "toscac/IR/DrawMachines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::StringRef;

namespace {

/// What machines say of an operation, and whose they are.
struct OperationPage {
  std::string type;
  std::string text;
  std::vector<std::string> profiles;
};

} // namespace

/// Adds what machines of \p profile say of the operation \p name; those of a
/// type called \p type, if that is not empty.
static void addPages(const std::string &profile, StringRef type, StringRef name,
                     std::vector<OperationPage> &pages) {
  DriverOptions options;
  options.checkOnly = true;
  Compilation compilation(options);
  if (!checkProfile(compilation, profile))
    return;
  for (const ir::Machine &machine : compilation.checked.interfaceTypes) {
    if (!type.empty() && !type.equals_insensitive(machine.type.str()))
      continue;
    for (const ir::Operation &operation : machine.operations) {
      if (operation.name.str() != name)
        continue;
      OperationPage page{machine.type.str().str(), "", {profile}};
      llvm::raw_string_ostream os(page.text);
      ir::printOperation(machine, operation, os);
      // Profiles share types.
      auto same = llvm::find_if(pages, [&](const OperationPage &other) {
        return other.type == page.type && other.text == page.text;
      });
      if (same == pages.end())
        pages.push_back(page);
      else
        same->profiles.push_back(profile);
    }
  }
}

bool toscac::explainOperation(StringRef name, llvm::raw_ostream &os) {
  auto [type, operation] = name.rsplit('.');
  if (operation.empty())
    std::swap(type, operation);
  std::vector<OperationPage> pages;
  for (const std::string &profile : profileNames({}))
    addPages(profile, type, operation, pages);
  for (const OperationPage &page : pages)
    os << operation << " (operation of interface type " << page.type
       << " in profile " << llvm::join(page.profiles, ", ") << ")\n\n"
       << page.text << '\n';
  if (!pages.empty())
    os << "It is accepted only while what follows 'if' holds; 'entry' is when "
          "it begins,\n'success' and 'failure' how it ends. 'toscac "
          "--emit=machines' shows whole machines.\n";
  return !pages.empty();
}
