//===- toscac/Basic/LayeredMap.h - Maps that share --------------*- C++ -*-===//
///
/// \file
/// An immutable map from names to values, in order of insertion. A changed copy
/// shares what it does not change with its original, so that a thousand types
/// may derive from one with a thousand members.
///
/// A map is a stack of levels, each more than twice as large as the one above:
/// a change makes a small level and merges it with those below that are not
/// much larger. So there are few levels, and an entry is copied seldom.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_LAYEREDMAP_H
#define TOSCAC_BASIC_LAYEREDMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/iterator.h"
#include "llvm/Support/Allocator.h"
#include <utility>

namespace toscac {

template <typename T>
class LayeredMap {
  struct Level;

public:
  using Entry = std::pair<llvm::StringRef, T>;

  /// This map with \p changes: an entry whose name is known takes the place of
  /// the old one, others come last. Names and the new level live as long as
  /// \p allocator and what they refer to.
  LayeredMap with(llvm::ArrayRef<Entry> changes,
                  llvm::BumpPtrAllocator &allocator) const;

  bool contains(llvm::StringRef name) const { return find(name) != nullptr; }
  /// What \p name stands for; a null or zero value if it is unknown.
  T lookup(llvm::StringRef name) const {
    const Entry *found = find(name);
    return found ? found->second : T();
  }
  bool empty() const { return !top; }
  size_t size() const { return top ? top->total : 0; }

  /// Over entries as they are now, each at the place where its name came first.
  class Iterator;
  Iterator begin() const { return Iterator(*this, top ? top->depth : 0); }
  Iterator end() const { return Iterator(); }

private:
  struct Level {
    const Level *below = nullptr;
    llvm::ArrayRef<Entry> entries;
    /// Indices of \p entries in the order of their names.
    llvm::ArrayRef<uint32_t> byName;
    /// Names in this level and all below.
    size_t total = 0;
    unsigned depth = 1;

    const Entry *find(llvm::StringRef name) const {
      auto found = llvm::partition_point(
          byName, [&](uint32_t i) { return entries[i].first < name; });
      bool isName = found != byName.end() && entries[*found].first == name;
      return isName ? &entries[*found] : nullptr;
    }
  };

  static const Entry *find(const Level *level, llvm::StringRef name) {
    for (; level; level = level->below)
      if (const Entry *found = level->find(name))
        return found;
    return nullptr;
  }
  const Entry *find(llvm::StringRef name) const { return find(top, name); }

  const Level *top = nullptr;
};

template <typename T>
class LayeredMap<T>::Iterator
    : public llvm::iterator_facade_base<Iterator, std::forward_iterator_tag,
                                        const Entry, ptrdiff_t, const Entry *,
                                        const Entry &> {
public:
  Iterator() = default;
  Iterator(const LayeredMap &map, size_t levels) : levels(levels) {
    for (const Level *level = map.top; level; level = level->below)
      this->levels[level->depth - 1] = level;
    settle();
  }

  const Entry &operator*() const {
    const Entry &original = levels[at]->entries[index];
    if (at + 1 == levels.size())
      return original;
    return *find(levels.back(), original.first);
  }
  Iterator &operator++() {
    ++index;
    settle();
    return *this;
  }
  bool operator==(const Iterator &other) const {
    return remaining() == other.remaining() && index == other.index;
  }

private:
  size_t remaining() const { return levels.size() - at; }

  /// Goes on to the next name that stands in no level below.
  void settle() {
    for (; at < levels.size(); ++at, index = 0) {
      llvm::ArrayRef<Entry> entries = levels[at]->entries;
      while (index < entries.size() &&
             find(levels[at]->below, entries[index].first))
        ++index;
      if (index < entries.size())
        return;
    }
  }

  /// The lowest first.
  llvm::SmallVector<const Level *, 4> levels;
  size_t at = 0;
  size_t index = 0;
};

template <typename T>
LayeredMap<T> LayeredMap<T>::with(llvm::ArrayRef<Entry> changes,
                                  llvm::BumpPtrAllocator &allocator) const {
  if (changes.empty())
    return *this;
  // What the new level is made of: the changes, and levels that they absorb.
  llvm::SmallVector<llvm::ArrayRef<Entry>, 4> parts = {changes};
  size_t size = changes.size();
  const Level *below = top;
  for (; below && below->entries.size() <= 2 * size; below = below->below) {
    parts.push_back(below->entries);
    size += below->entries.size();
  }
  // The last entry of a name counts, and stands where the first one stood.
  llvm::MapVector<llvm::StringRef, T> merged;
  for (llvm::ArrayRef<Entry> part : llvm::reverse(parts))
    for (const auto &[name, value] : part)
      merged[name] = value;
  auto entries = merged.takeVector();
  llvm::SmallVector<uint32_t, 16> byName;
  llvm::append_range(byName, llvm::seq<uint32_t>(0, entries.size()));
  llvm::sort(byName, [&](uint32_t a, uint32_t b) {
    return entries[a].first < entries[b].first;
  });
  auto *level = new (allocator.Allocate<Level>()) Level();
  level->below = below;
  level->entries = llvm::ArrayRef<Entry>(entries).copy(allocator);
  level->byName = llvm::ArrayRef<uint32_t>(byName).copy(allocator);
  level->depth = below ? below->depth + 1 : 1;
  level->total = (below ? below->total : 0) +
                 llvm::count_if(entries, [&](const Entry &entry) {
                   return !find(below, entry.first);
                 });
  LayeredMap result;
  result.top = level;
  return result;
}

} // namespace toscac

#endif
