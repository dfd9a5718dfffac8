//===- toscac/Sema/Choose.h - Candidates by their tags ----------*- C++ -*-===//
///
/// \file
/// Which of several templates are what somebody requires (seed 004). Templates
/// declare tags, a key with one value or several; requirements have the same
/// form. Front ends agree on the rules, so that a Heat template is chosen like
/// a TOSCA template that substitutes a node:
///
/// - A candidate fits if it has, for each key that counts, one of the values
///   that are required.
/// - A key counts if some candidate declares it: what is required of one choice
///   has nothing to say about another.
/// - Tags that nobody requires say nothing.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_CHOOSE_H
#define TOSCAC_SEMA_CHOOSE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace toscac::sema {

struct Tag {
  llvm::StringRef key;
  llvm::SmallVector<llvm::StringRef, 1> values;
};

struct Tagged {
  llvm::StringRef name;
  std::vector<Tag> tags;
};

/// What came of one candidate.
struct Verdict {
  bool fits = true;
  /// Why, in words: `deployment is 'docker', not 'puppet'`.
  std::string reason;
};

/// What \p required says of each of \p candidates.
std::vector<Verdict> judge(llvm::ArrayRef<Tag> required,
                           llvm::ArrayRef<Tagged> candidates);

/// What requiring candidate \p index takes: its tags, but those that all
/// candidates have alike.
std::vector<Tag> distinguishingTags(llvm::ArrayRef<Tagged> candidates,
                                    size_t index);

/// `deployment: puppet, ha: [a, b]`; `nothing` if there are none.
std::string toText(llvm::ArrayRef<Tag> tags);

} // namespace toscac::sema

#endif
