//===- SourceManager.cpp - Source buffers and places ----------------------===//

#include "toscac/Basic/SourceManager.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;

FileId SourceManager::add(std::string name,
                          std::unique_ptr<llvm::MemoryBuffer> buffer) {
  uint64_t end = uint64_t(nextBase) + buffer->getBufferSize() + 1;
  if (end > addressSpace)
    return FileId();
  FileId id{static_cast<uint32_t>(files.size())};
  files.push_back({std::move(name), std::move(buffer), nextBase, {}});
  nextBase = static_cast<uint32_t>(end);
  return id;
}

llvm::StringRef SourceManager::text(SourceRange range) const {
  uint32_t offset = offsetInFile(range.begin);
  return text(fileOf(range.begin)).substr(offset, range.size());
}

FileId SourceManager::fileOf(SourceLoc loc) const {
  assert(loc.isValid() && "an invalid location is in no file");
  auto after = llvm::upper_bound(
      files, loc.raw, [](uint32_t raw, const File &f) { return raw < f.base; });
  return {static_cast<uint32_t>(after - files.begin()) - 1};
}

uint32_t SourceManager::offsetInFile(SourceLoc loc) const {
  return loc.raw - get(fileOf(loc)).base;
}

/// Bytes between two stored counts of code points.
static constexpr uint32_t blockSize = 4096;

static uint32_t countCodePoints(llvm::StringRef text) {
  auto isLeadByte = [](char c) { return (c & 0xC0) != 0x80; };
  return static_cast<uint32_t>(llvm::count_if(text, isLeadByte));
}

static std::vector<uint32_t> countBlocks(llvm::StringRef text) {
  std::vector<uint32_t> blocks = {0};
  for (size_t at = blockSize; at <= text.size(); at += blockSize)
    blocks.push_back(blocks.back() +
                     countCodePoints(text.substr(at - blockSize, blockSize)));
  return blocks;
}

uint32_t SourceManager::codePointsBefore(const File &file, uint32_t offset) {
  uint32_t block = offset / blockSize;
  llvm::StringRef rest =
      file.buffer->getBuffer().slice(block * blockSize, offset);
  return file.blocks[block] + countCodePoints(rest);
}

const std::vector<uint32_t> &SourceManager::lineTable(const File &file) const {
  if (file.lines.empty()) {
    llvm::StringRef text = file.buffer->getBuffer();
    file.lines.push_back(0);
    for (size_t at = text.find('\n'); at != llvm::StringRef::npos;
         at = text.find('\n', at + 1))
      file.lines.push_back(static_cast<uint32_t>(at + 1));
    file.blocks = countBlocks(text);
  }
  return file.lines;
}

Position SourceManager::position(SourceLoc loc) const {
  FileId id = fileOf(loc);
  const File &file = get(id);
  uint32_t offset = loc.raw - file.base;
  const std::vector<uint32_t> &lines = lineTable(file);
  uint32_t line =
      static_cast<uint32_t>(llvm::upper_bound(lines, offset) - lines.begin());
  uint32_t column = codePointsBefore(file, offset) -
                    codePointsBefore(file, lines[line - 1]) + 1;
  return {id, line, column};
}

llvm::StringRef SourceManager::line(FileId file, uint32_t line) const {
  const std::vector<uint32_t> &lines = lineTable(get(file));
  size_t end = line < lines.size() ? lines[line] : text(file).size();
  llvm::StringRef result = text(file).slice(lines[line - 1], end);
  result.consume_back("\n");
  return result.rtrim('\r');
}

SourceLoc SourceManager::lineStart(FileId file, uint32_t line) const {
  return begin(file).advanced(lineTable(get(file))[line - 1]);
}
