//===- EntityFamilies.h - Entities that differ in numbers only --*- C++ -*-===//
///
/// \file
/// Most entities of a state.json stand in lines that differ from an earlier one
/// in the numbers of instances only. Such a line is recognized by comparing
/// bytes; nothing of it is parsed, and its values are those of the earlier one.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_STATE_ENTITYFAMILIES_H
#define TOSCAC_LIB_STATE_ENTITYFAMILIES_H

#include "toscac/State/State.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace toscac::state {

/// Numbers in brackets that stand in a name, in their order.
using InstanceNumbers = llvm::SmallVector<uint64_t, 3>;

/// Finds names that come twice. As long as those that are alike but for their
/// numbers come in ascending order, no name has to be kept.
class DistinctNames {
public:
  struct Family {
    InstanceNumbers last;
    bool isUsed = false;
  };

  /// Those that are named like \p name.
  Family &familyOf(llvm::StringRef name, InstanceNumbers &numbers);
  /// Whether the last of \p entities, which is of \p family, has another name
  /// than all before it.
  bool isNew(Family &family, llvm::ArrayRef<uint64_t> numbers,
             llvm::ArrayRef<Entity> entities);

private:
  llvm::StringMap<Family> families;
  /// All names, once they are not in order.
  llvm::DenseSet<llvm::StringRef> seen;
  bool isOrdered = true;
};

class EntityFamilies {
public:
  EntityFamilies(DistinctNames &names, ValueArena &arena)
      : names(names), arena(arena) {}

  /// Whether \p rest starts with an entity like one before. No such one is
  /// longer than longest().
  bool match(llvm::StringRef rest);
  size_t longest() const { return longestText; }
  /// What match() found.
  size_t length() const { return found.length; }
  DistinctNames::Family &family() const { return *patterns[current].family; }
  llvm::ArrayRef<uint64_t> nameNumbers() const {
    return llvm::ArrayRef(found.numbers)
        .take_front(patterns[current].numbersInName);
  }
  Entity entity();

  /// Later ones may be like \p entity, whose line is \p text. False where it
  /// would be printed in another way.
  bool learn(llvm::StringRef text, const Entity &entity);

private:
  /// A place in a line: so far behind a number; number 0 is its start.
  struct Place {
    uint32_t number;
    uint32_t distance;
  };
  struct Part {
    Place begin, end;
  };
  struct Pattern {
    /// What stands before, between and behind the numbers.
    std::vector<llvm::StringRef> literals;
    uint32_t numbersInName = 0;
    /// The number that is the index.
    uint32_t index = 0;
    Part name, source, target;
    std::vector<Part> groups;
    Entity entity;
    DistinctNames::Family *family = nullptr;
    /// The pattern that was found after this one.
    uint32_t next = 0;
  };
  struct Found {
    const char *text = nullptr;
    size_t length = 0;
    llvm::SmallVector<uint64_t, 6> numbers;
    /// Where each number ends.
    llvm::SmallVector<uint32_t, 6> ends;
  };

  bool match(const Pattern &pattern, llvm::StringRef rest);
  static void findNumbers(llvm::StringRef head, Pattern &pattern,
                          std::vector<uint32_t> &ends);
  llvm::StringRef textOf(const Part &part) const;

  static constexpr size_t mostPatterns = 8;
  /// After so many that would be printed in another way, the text is somebody
  /// else's.
  static constexpr size_t mostOthers = 16;
  DistinctNames &names;
  ValueArena &arena;
  std::vector<Pattern> patterns;
  uint32_t current = 0;
  size_t numLearned = 0;
  size_t numOthers = 0;
  size_t longestText = 0;
  Found found;
};

} // namespace toscac::state

#endif
