//===- PlanInputs.h - The files that a plan was made from -------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_PLANINPUTS_H
#define TOSCAC_LIB_DRIVER_PLANINPUTS_H

#include "Compilation.h"

namespace toscac {

/// Names files as plans do: by the way from the root, or by the profile that
/// they belong to.
class FileNamer {
public:
  FileNamer(const Compilation &compilation, llvm::StringRef root);
  std::string nameOf(llvm::StringRef file) const;

private:
  void addProfiles(const tosca::Package &package);

  llvm::StringRef root;
  /// Folders of bundled profiles, with the names that the profiles have.
  std::vector<std::pair<std::string, llvm::StringRef>> profiles;
};

/// The files that were read, as plans whose root is \p root name them, with
/// their digests. Templates that were looked at and not chosen are left out,
/// with what they alone import.
std::vector<std::pair<std::string, std::string>>
inputsOfPlan(const Compilation &compilation, llvm::StringRef root);

} // namespace toscac

#endif
