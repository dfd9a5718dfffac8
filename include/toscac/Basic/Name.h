//===- toscac/Basic/Name.h - Interned names ---------------------*- C++ -*-===//
///
/// \file
/// A Name is a pointer to text that is stored once: equal text, equal pointer.
/// Names compare in one instruction; where an order is needed, it is that of
/// the text, never that of the pointers.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_NAME_H
#define TOSCAC_BASIC_NAME_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Allocator.h"
#include <array>
#include <mutex>

namespace toscac {

class Name {
public:
  Name() = default;

  llvm::StringRef str() const {
    return entry ? entry->getKey() : llvm::StringRef();
  }
  explicit operator bool() const { return entry; }

  friend bool operator==(Name, Name) = default;

private:
  friend class NameTable;
  using Entry = llvm::StringMapEntry<std::nullopt_t>;
  explicit Name(const Entry *entry) : entry(entry) {}

  const Entry *entry = nullptr;
};

/// Owns the text of names. Files are parsed by several threads at once, so the
/// table is split into parts with a lock each.
class NameTable {
public:
  Name intern(llvm::StringRef text);

private:
  struct Shard {
    std::mutex lock;
    llvm::StringMap<std::nullopt_t, llvm::BumpPtrAllocator> entries;
  };
  std::array<Shard, 16> shards;
};

} // namespace toscac

#endif
