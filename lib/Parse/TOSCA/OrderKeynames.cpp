//===- OrderKeynames.cpp - Keynames in the order of the grammar -----------===//

#include "toscac/Parse/FormatSource.h"

#include "toscac/Parse/TOSCA/AST.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Entry;

namespace {

/// Entities are visited from the inside out: what is within one stays on its
/// lines, so that lines of outer ones can be moved without being counted again.
class Orderer {
public:
  Orderer(StringRef text, const EarlierVersion *dialect,
          const SourceManager &sources)
      : dialect(dialect), sources(sources) {
    for (StringRef line : llvm::split(text, '\n'))
      lines.push_back(line);
  }

  void order(const Entity &entity) {
    for (const Field &field : entity.fields)
      for (const Entity &inner : field.entities)
        order(inner);
    if (entity.node && entity.node->isMapping() && !entity.node->isAlias())
      orderEntries(entity);
  }
  std::string print() const { return llvm::join(lines, "\n"); }

private:
  size_t lineOf(SourceLoc loc) const { return sources.position(loc).line - 1; }
  /// Above a keyname, without a gap.
  size_t withComments(size_t line, size_t first) const {
    while (line > first && lines[line - 1].ltrim().starts_with("#"))
      --line;
    return line;
  }
  void orderEntries(const Entity &entity);

  const EarlierVersion *dialect;
  const SourceManager &sources;
  std::vector<StringRef> lines;
};

} // namespace

void Orderer::orderEntries(const Entity &entity) {
  const EntityRule &rule =
      dialect ? dialect->entities[static_cast<size_t>(entity.kind)]
              : tosca::rule(entity.kind);
  llvm::ArrayRef<Entry> entries = entity.node->entries();
  struct Chunk {
    size_t begin;
    size_t rank;
    std::vector<StringRef> lines;
  };
  std::vector<Chunk> chunks;
  size_t last = 0;
  for (const Entry &entry : entries) {
    size_t line = lineOf(entry.key.range().begin);
    // Each on lines of its own, or nothing is moved.
    bool startsLine =
        lines[line].ltrim(' ').starts_with(sources.text(entry.key.range()));
    bool isOrdered = chunks.empty() || line > last;
    if (!startsLine || !isOrdered || !entry.key.isScalar())
      return;
    size_t rank = rule.keys.size();
    for (auto [i, key] : llvm::enumerate(rule.keys))
      if (word(key.key) == entry.key.text())
        rank = i;
    size_t first = chunks.empty() ? line : last + 1;
    chunks.push_back({withComments(line, first), rank, {}});
    last = line;
  }
  if (chunks.empty() ||
      llvm::is_sorted(chunks, [](const Chunk &a, const Chunk &b) {
        return a.rank < b.rank;
      }))
    return;
  SourceLoc endLoc = entity.node->range().end;
  size_t end = lineOf(SourceLoc{endLoc.raw - 1}) + 1;
  for (auto [i, chunk] : llvm::enumerate(chunks)) {
    size_t stop = i + 1 < chunks.size() ? chunks[i + 1].begin : end;
    if (stop < chunk.begin)
      return;
    chunk.lines.assign(lines.begin() + chunk.begin, lines.begin() + stop);
  }
  size_t at = chunks.front().begin;
  llvm::stable_sort(
      chunks, [](const Chunk &a, const Chunk &b) { return a.rank < b.rank; });
  for (const Chunk &chunk : chunks)
    for (StringRef line : chunk.lines)
      lines[at++] = line;
}

std::string tosca::orderKeynames(StringRef text, const Entity &root,
                                 const EarlierVersion *dialect,
                                 const SourceManager &sources) {
  Orderer orderer(text, dialect, sources);
  orderer.order(root);
  return orderer.print();
}
