//===- Containment.cpp - What is inside of what ---------------------------===//

#include "Containment.h"

using namespace toscac;
using namespace toscac::expanding;
using llvm::StringRef;

Containment::Containment(const Recorded &recorded,
                         llvm::ArrayRef<ir::TypeInfo> types)
    : recorded(recorded), types(types),
      containers(recorded.deployment.entities.size(), Recorded::none) {
  llvm::DenseMap<StringRef, bool> marked;
  StringRef type;
  bool contains = false;
  for (auto [row, entity] : llvm::enumerate(recorded.deployment.entities)) {
    if (recorded.sourceOf(row) == Recorded::none)
      continue;
    if (entity.type.data() != type.data()) {
      type = entity.type;
      auto [known, isNew] = marked.try_emplace(type);
      if (isNew)
        known->second =
            isMarked(type, ir::TypeInfo::Kind::Relationship, "containment");
      contains = known->second;
    }
    if (contains)
      containers[recorded.sourceOf(row)] = recorded.targetOf(row);
  }
}

bool Containment::isMarked(StringRef type, ir::TypeInfo::Kind kind,
                           StringRef mark) const {
  for (auto [i, info] : llvm::enumerate(types))
    if (info.kind == kind && info.name.str() == type)
      return ir::findMark(types, {uint32_t(i)}, mark) == "true";
  return false;
}

bool Containment::isCompute(uint32_t row) const {
  return isMarked(recorded[row].type, ir::TypeInfo::Kind::Node, "compute");
}

std::vector<uint32_t> Containment::contentsOf(uint32_t row) const {
  std::vector<uint32_t> contents;
  for (uint32_t relationship : recorded.incoming(row))
    if (uint32_t source = recorded.sourceOf(relationship);
        containers[source] == row && !llvm::is_contained(contents, source))
      contents.push_back(source);
  return contents;
}

void Containment::addTree(uint32_t row, llvm::StringSet<> &names) const {
  std::vector<uint32_t> open{row};
  while (!open.empty()) {
    uint32_t next = open.back();
    open.pop_back();
    if (!names.insert(recorded[next].name).second)
      continue;
    for (uint32_t relationship : recorded.incoming(next))
      if (uint32_t source = recorded.sourceOf(relationship);
          containers[source] == next)
        open.push_back(source);
  }
}
