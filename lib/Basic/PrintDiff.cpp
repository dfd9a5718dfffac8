//===- PrintDiff.cpp - Fixes as a unified diff ----------------------------===//
///
/// \file
/// The edits say which lines differ, so nothing has to be compared. Lines that
/// edits touch, one after another, are a block; blocks whose context meets are
/// one hunk.
///
//===----------------------------------------------------------------------===//

#include "toscac/Basic/ApplyFixes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::StringRef;

static constexpr uint32_t context = 3;

namespace {

/// Lines [begin, end) of the old file, counted from 0, and their new text.
struct Block {
  uint32_t begin;
  uint32_t end;
  std::vector<StringRef> lines;
};

/// The diff of one file.
class FileDiff {
public:
  FileDiff(llvm::ArrayRef<FixIt> edits, FileId file,
           const SourceManager &sources);

  void print(StringRef name, llvm::raw_ostream &os);

private:
  void addBlock(llvm::ArrayRef<FixIt> edits, FileId file,
                const SourceManager &sources);
  void printHunk(llvm::ArrayRef<Block> hunk, llvm::raw_ostream &os);
  uint32_t size() const { return static_cast<uint32_t>(old.size()); }

  std::vector<StringRef> old;
  std::vector<Block> blocks;
  /// Owns the new lines.
  std::vector<std::unique_ptr<std::string>> texts;
  /// New lines so far minus old ones.
  int64_t shift = 0;
};

} // namespace

/// With their line breaks, so that a last line without one shows.
static std::vector<StringRef> splitLines(StringRef text) {
  std::vector<StringRef> lines;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.take_front(end));
    text = text.drop_front(end);
  }
  return lines;
}

static uint32_t lineOf(SourceLoc loc, const SourceManager &sources) {
  return sources.position(loc).line - 1;
}

FileDiff::FileDiff(llvm::ArrayRef<FixIt> edits, FileId file,
                   const SourceManager &sources)
    : old(splitLines(sources.text(file))) {
  while (!edits.empty()) {
    size_t count = 1;
    while (count < edits.size() &&
           lineOf(edits[count].range.begin, sources) <=
               lineOf(edits[count - 1].range.end, sources) + 1)
      ++count;
    addBlock(edits.take_front(count), file, sources);
    edits = edits.drop_front(count);
  }
}

void FileDiff::addBlock(llvm::ArrayRef<FixIt> edits, FileId file,
                        const SourceManager &sources) {
  Block block{lineOf(edits.front().range.begin, sources),
              std::min(lineOf(edits.back().range.end, sources) + 1, size()),
              {}};
  SourceRange whole = sources.rangeOf(file);
  auto startOf = [&](uint32_t line) {
    return line < size() ? sources.lineStart(file, line + 1) : whole.end;
  };
  SourceRange range(startOf(block.begin), startOf(block.end));
  texts.push_back(
      std::make_unique<std::string>(applyEdits(edits, range, sources)));
  block.lines = splitLines(*texts.back());
  blocks.push_back(std::move(block));
}

static void printLines(char mark, llvm::ArrayRef<StringRef> lines,
                       llvm::raw_ostream &os) {
  for (StringRef line : lines) {
    os << mark << line;
    if (!line.ends_with("\n"))
      os << "\n\\ No newline at end of file\n";
  }
}

void FileDiff::printHunk(llvm::ArrayRef<Block> hunk, llvm::raw_ostream &os) {
  llvm::ArrayRef<StringRef> lines = old;
  uint32_t begin = hunk.front().begin - std::min(hunk.front().begin, context);
  uint32_t end = std::min(hunk.back().end + context, size());
  int64_t growth = 0;
  for (const Block &block : hunk)
    growth += int64_t(block.lines.size()) - (block.end - block.begin);
  uint32_t count = end - begin;
  os << "@@ -" << begin + 1 << ',' << count << " +" << begin + 1 + shift << ','
     << count + growth << " @@\n";
  shift += growth;
  uint32_t at = begin;
  for (const Block &block : hunk) {
    printLines(' ', lines.slice(at, block.begin - at), os);
    printLines('-', lines.slice(block.begin, block.end - block.begin), os);
    printLines('+', block.lines, os);
    at = block.end;
  }
  printLines(' ', lines.slice(at, end - at), os);
}

void FileDiff::print(StringRef name, llvm::raw_ostream &os) {
  os << "--- a/" << name << "\n+++ b/" << name << '\n';
  llvm::ArrayRef<Block> rest = blocks;
  while (!rest.empty()) {
    size_t count = 1;
    while (count < rest.size() &&
           rest[count].begin <= rest[count - 1].end + 2 * context)
      ++count;
    printHunk(rest.take_front(count), os);
    rest = rest.drop_front(count);
  }
}

void toscac::printDiff(const FixPlan &plan, const SourceManager &sources,
                       llvm::raw_ostream &os) {
  for (const auto &[index, edits] : plan.edits) {
    FileId file{index};
    StringRef name = sources.name(file).ltrim('/');
    FileDiff(edits, file, sources).print(name, os);
  }
}
