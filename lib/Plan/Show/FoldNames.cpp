//===- FoldNames.cpp - Many instances as one name -------------------------===//

#include "FoldNames.h"

using namespace toscac;
using namespace toscac::planfile;
using llvm::ArrayRef;
using llvm::StringRef;

/// How many stretches of indices are shown.
static constexpr size_t maxStretches = 4;

std::string planfile::withoutIndices(StringRef text,
                                     llvm::SmallVectorImpl<uint32_t> *indices) {
  std::string result;
  while (!text.empty()) {
    size_t open = text.find('[');
    result += text.take_front(open);
    if (open == StringRef::npos)
      break;
    text = text.drop_front(open);
    StringRef rest = text.drop_front();
    uint32_t index = 0;
    if (rest.consumeInteger(10, index) || !rest.consume_front("]")) {
      result += '[';
      text = text.drop_front();
      continue;
    }
    text = rest;
    if (indices)
      indices->push_back(index);
  }
  return result;
}

FoldedNames::FoldedNames(const Plan &plan)
    : plan(plan), patterns(plan.numEntities(), none) {
  for (uint32_t i = 0; i != plan.numEntities(); ++i)
    find(i);
}

uint32_t FoldedNames::add(const std::string &name) {
  auto [entry, isNew] = numbers.try_emplace(name, names.size());
  if (isNew)
    names.push_back(entry->getKey());
  return entry->second;
}

uint32_t FoldedNames::find(uint32_t entity) {
  uint32_t &known = patterns[entity];
  if (known != none)
    return known;
  const EntityHead &head = plan.entities()[entity];
  if (head.source != none) {
    uint32_t source = head.source == entity ? none : find(head.source);
    auto [place, isNew] = relationships.try_emplace({source, head.origin});
    if (isNew)
      place->second = add((source == none ? "" : names[source]).str() + "." +
                          plan.text(head.origin).str());
    return patterns[entity] = place->second;
  }
  auto [place, isNew] = nodes.try_emplace({head.scope, head.origin});
  if (isNew)
    place->second = add(withoutIndices(plan.text(head.scope)) +
                        plan.text(head.origin).str());
  return patterns[entity] = place->second;
}

void FoldedNames::addIndices(uint32_t entity,
                             llvm::SmallVectorImpl<uint32_t> &to) const {
  const EntityHead &head = plan.entities()[entity];
  if (head.source != none && head.source != entity)
    addIndices(head.source, to);
  else if (head.scope != none)
    withoutIndices(plan.text(head.scope), &to);
  if (head.index != none)
    to.push_back(head.index);
}

/// `[0..2,5]`
static std::string stretchesOf(ArrayRef<uint32_t> indices) {
  std::string text;
  size_t stretches = 0;
  for (size_t i = 0; i != indices.size();) {
    size_t last = i;
    while (last + 1 != indices.size() && indices[last + 1] == indices[last] + 1)
      ++last;
    text += text.empty() ? "[" : ",";
    if (++stretches > maxStretches) {
      text += "…";
      break;
    }
    text += std::to_string(indices[i]);
    if (last > i)
      text += (last == i + 1 ? "," : "..") + std::to_string(indices[last]);
    i = last + 1;
  }
  return text + "]";
}

std::string FoldedNames::fold(ArrayRef<uint32_t> entities) const {
  if (entities.size() == 1)
    return plan.entityName(entities.front());
  std::vector<std::vector<uint32_t>> columns;
  for (uint32_t entity : entities) {
    llvm::SmallVector<uint32_t, 4> indices;
    addIndices(entity, indices);
    columns.resize(std::max(columns.size(), indices.size()));
    for (auto [column, index] : llvm::zip(columns, indices))
      column.push_back(index);
  }
  size_t product = 1;
  for (std::vector<uint32_t> &column : columns) {
    llvm::sort(column);
    column.erase(llvm::unique(column), column.end());
    product *= column.size();
  }
  // Where not every combination is there, the number says how many are.
  std::string result;
  ArrayRef<std::vector<uint32_t>> rest = columns;
  auto addIndex = [&] {
    if (rest.empty())
      return;
    result += stretchesOf(rest.front());
    rest = rest.drop_front();
  };
  for (char c : text(pattern(entities.front()))) {
    if (c == '/' || c == '.')
      addIndex();
    result += c;
  }
  addIndex();
  if (product != entities.size())
    result += " (" + std::to_string(entities.size()) + ")";
  return result;
}
