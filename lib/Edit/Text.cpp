//===- Text.cpp - Positions as editors count them -------------------------===//

#include "toscac/Edit/Text.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;

Lines::Lines(StringRef text) : text(text), starts{0} {
  for (size_t at = text.find('\n'); at != StringRef::npos;
       at = text.find('\n', at + 1))
    starts.push_back(at + 1);
}

/// How many bytes and UTF-16 units the character at the start of \p text has. A
/// byte that begins none counts as one of each, so that any text has positions.
static std::pair<size_t, unsigned> firstCharacter(StringRef text) {
  unsigned char lead = text.front();
  size_t size = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  bool isWhole = size <= text.size();
  for (size_t i = 1; isWhole && i < size; ++i)
    isWhole = (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80;
  if (!isWhole)
    size = 1;
  return {size, size == 4 ? 2 : 1};
}

StringRef Lines::line(uint32_t number) const {
  size_t begin = starts[number];
  size_t end = number + 1 < starts.size() ? starts[number + 1] : text.size();
  return text.slice(begin, end).rtrim("\r\n");
}

TextPosition Lines::position(size_t offset) const {
  offset = std::min(offset, text.size());
  auto next = llvm::upper_bound(starts, offset);
  auto number = static_cast<uint32_t>(next - starts.begin() - 1);
  StringRef before = text.slice(starts[number], offset);
  uint32_t units = 0;
  while (!before.empty()) {
    auto [size, width] = firstCharacter(before);
    units += width;
    before = before.drop_front(size);
  }
  return {number, units};
}

size_t Lines::offset(TextPosition position) const {
  if (position.line >= starts.size())
    return text.size();
  StringRef rest = line(position.line);
  size_t at = starts[position.line];
  for (uint32_t units = 0; units < position.character && !rest.empty();) {
    auto [size, width] = firstCharacter(rest);
    units += width;
    at += size;
    rest = rest.drop_front(size);
  }
  return at;
}

void edit::applyChange(std::string &text, const Change &change) {
  if (!change.range) {
    text = change.text;
    return;
  }
  Lines lines(text);
  size_t begin = lines.offset(change.range->start);
  size_t end = std::max(begin, lines.offset(change.range->end));
  text.replace(begin, end - begin, change.text);
}

std::string edit::applyEdits(StringRef text, std::vector<TextEdit> edits) {
  llvm::stable_sort(edits, [](const TextEdit &a, const TextEdit &b) {
    return a.range < b.range;
  });
  Lines lines(text);
  std::string result;
  size_t done = 0;
  for (const TextEdit &edit : edits) {
    size_t begin = std::max(done, lines.offset(edit.range.start));
    result += text.slice(done, begin);
    result += edit.text;
    done = std::max(begin, lines.offset(edit.range.end));
  }
  return result + text.drop_front(done).str();
}
