//===- SecretFilter.cpp - Texts taken out of a stream ---------------------===//

#include "SecretFilter.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

SecretFilter::SecretFilter(llvm::ArrayRef<std::string> texts) {
  for (const std::string &text : texts)
    add(text);
  link();
}

/// 0: there is none.
uint32_t SecretFilter::child(uint32_t node, unsigned char byte) const {
  if (node == 0)
    return roots[byte];
  uint32_t each = nodes[node].firstChild;
  while (each && nodes[each].byte != byte)
    each = nodes[each].nextSibling;
  return each;
}

void SecretFilter::add(StringRef text) {
  uint32_t node = 0;
  for (unsigned char byte : text.bytes()) {
    uint32_t found = child(node, byte);
    if (!found) {
      found = nodes.size();
      Node added;
      added.byte = byte;
      added.depth = nodes[node].depth + 1;
      added.nextSibling = nodes[node].firstChild;
      nodes.push_back(added);
      nodes[node].firstChild = found;
      if (node == 0)
        roots[byte] = found;
    }
    node = found;
  }
  nodes[node].match = nodes[node].depth;
}

/// Level by level: where a node fails to is not as deep.
void SecretFilter::link() {
  std::vector<uint32_t> level{0};
  while (!level.empty()) {
    std::vector<uint32_t> below;
    for (uint32_t node : level)
      for (uint32_t each = nodes[node].firstChild; each;
           each = nodes[each].nextSibling) {
        Node &own = nodes[each];
        own.failure = node ? next(nodes[node].failure, own.byte) : 0;
        if (!own.match)
          own.match = nodes[own.failure].match;
        below.push_back(each);
      }
    level = std::move(below);
  }
}

uint32_t SecretFilter::next(uint32_t node, unsigned char byte) const {
  while (true) {
    if (uint32_t found = child(node, byte))
      return found;
    if (node == 0)
      return 0;
    node = nodes[node].failure;
  }
}

bool SecretFilter::matches(StringRef text) const {
  uint32_t node = 0;
  for (unsigned char byte : text.bytes()) {
    node = next(node, byte);
    if (nodes[node].match)
      return true;
  }
  return false;
}

/// Ends do not decrease, so that what a new part covers lies at the back.
void SecretFilter::Stream::hide(uint64_t begin, uint64_t end) {
  while (!hidden.empty() && hidden.back().end >= begin) {
    begin = std::min(begin, hidden.back().begin);
    hidden.pop_back();
  }
  hidden.push_back({begin, end});
}

void SecretFilter::Stream::write(StringRef bytes) {
  for (unsigned char byte : bytes.bytes()) {
    pending += static_cast<char>(byte);
    ++position;
    node = filter.next(node, byte);
    const Node &now = filter.nodes[node];
    if (now.match)
      hide(position - now.match, position);
    // Plain bytes go out in pieces.
    if (position - flushed > now.depth + 4096)
      flush(position - now.depth);
  }
  flush(position - filter.nodes[node].depth);
}

/// Lets out what stands before \p end.
void SecretFilter::Stream::flush(uint64_t end) {
  if (end <= flushed)
    return;
  uint64_t begin = flushed;
  auto show = [&](uint64_t from, uint64_t to) {
    out << StringRef(pending).substr(from - begin, to - from);
  };
  size_t numOver = 0;
  for (const Interval &part : hidden) {
    if (part.begin >= end)
      break;
    if (part.begin > flushed)
      show(flushed, part.begin);
    // One that has begun to go out has shown its stars.
    if (part.begin >= hiddenEnd || hiddenEnd == 0)
      out << "***";
    hiddenEnd = part.end;
    flushed = std::min(part.end, end);
    if (part.end > end)
      break;
    ++numOver;
  }
  hidden.erase(hidden.begin(), hidden.begin() + numOver);
  if (flushed < end) {
    show(flushed, end);
    flushed = end;
  }
  pending.erase(0, end - begin);
}
