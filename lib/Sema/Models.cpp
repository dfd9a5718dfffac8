//===- Models.cpp - Templates that nobody wrote ---------------------------===//

#include "toscac/Sema/Models.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;

const Requirement *sema::findRequirement(const NodeTemplate &model,
                                         llvm::StringRef name) {
  auto found = llvm::find_if(model.requirements, [&](const Requirement &each) {
    return each.name.str() == name;
  });
  return found == model.requirements.end() ? nullptr : &*found;
}
