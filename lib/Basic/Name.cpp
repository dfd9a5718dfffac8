//===- Name.cpp - Interned names ------------------------------------------===//

#include "toscac/Basic/Name.h"

#include "llvm/Support/xxhash.h"

using namespace toscac;

Name NameTable::intern(llvm::StringRef text) {
  Shard &shard = shards[llvm::xxh3_64bits(text) % shards.size()];
  std::lock_guard<std::mutex> guard(shard.lock);
  return Name(&*shard.entries.try_emplace(text, std::nullopt).first);
}
