//===- ExplainOperation.cpp - What --explain says of an operation ---------===//

#include "ExplainName.h"

#include "BundledProfiles.h"
#include "Compilation.h"
#include "toscac/Driver/Check.h"
#include "toscac/IR/DrawMachines.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::StringRef;

/// Prints the operation \p name of the machines that \p profile has; those of a
/// type called \p type, if that is not empty.
static bool explainIn(StringRef profile, StringRef type, StringRef name,
                      llvm::raw_ostream &os) {
  DriverOptions options;
  options.checkOnly = true;
  Compilation compilation(options);
  if (!checkProfile(compilation, profile))
    return false;
  bool found = false;
  for (const ir::Machine &machine : compilation.checked.interfaceTypes) {
    if (!type.empty() && !type.equals_insensitive(machine.type.str()))
      continue;
    for (const ir::Operation &operation : machine.operations) {
      if (operation.name.str() != name)
        continue;
      os << (found ? "\n----\n\n" : "") << name
         << " (operation of interface type " << machine.type.str()
         << ", profile " << profile << ")\n\n";
      ir::printOperation(machine, operation, os);
      os << "\nIt is accepted only while what follows 'if' holds; 'entry' is "
            "when it begins,\n'success' and 'failure' how it ends. 'toscac "
            "--emit=machines' shows whole machines.\n";
      found = true;
    }
  }
  return found;
}

bool toscac::explainOperation(StringRef name, llvm::raw_ostream &os) {
  auto [type, operation] = name.rsplit('.');
  if (operation.empty())
    std::swap(type, operation);
  bool found = false;
  for (const std::string &profile : profileNames({})) {
    std::string page;
    llvm::raw_string_ostream one(page);
    if (!explainIn(profile, type, operation, one))
      continue;
    os << (found ? "\n----\n\n" : "") << page;
    found = true;
  }
  return found;
}
