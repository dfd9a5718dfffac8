//===- FindCycle.h - Things that lead to themselves -------------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_FINDCYCLE_H
#define TOSCAC_LIB_SEMA_TOSCA_FINDCYCLE_H

#include "Scope.h"

namespace toscac::sema {

/// Things that lead to each other, by their numbers.
using Followers = std::vector<llvm::SmallVector<size_t, 2>>;

/// A cycle among the things that \p followers lead on from, or nothing; it
/// starts with the lowest number.
std::vector<size_t> findCycle(const Followers &followers);

/// How many things, one before the other, lead to each. Things on a cycle count
/// for nothing.
std::vector<size_t> depths(const Followers &followers);

/// "'a' -> 'b' -> 'a'": the names of \p entities along \p cycle.
std::string describeCycle(llvm::ArrayRef<Entity> entities,
                          llvm::ArrayRef<size_t> cycle);

} // namespace toscac::sema

#endif
