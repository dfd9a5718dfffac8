//===- EntityGraph.cpp - Entities that name each other --------------------===//

#include "EntityGraph.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;

CsrGraph sema::graphOf(
    llvm::ArrayRef<Entity> entities,
    llvm::function_ref<std::vector<llvm::StringRef>(const Entity &)> namedBy) {
  llvm::StringMap<uint32_t> numbers;
  for (auto [i, entity] : llvm::enumerate(entities))
    numbers[entity.name.str()] = i;
  std::vector<CsrGraph::Edge> edges;
  for (auto [i, entity] : llvm::enumerate(entities))
    for (llvm::StringRef name : namedBy(entity))
      if (auto found = numbers.find(name); found != numbers.end())
        edges.push_back({uint32_t(i), found->second});
  return {entities.size(), edges};
}

std::string sema::describeCycle(llvm::ArrayRef<Entity> entities,
                                const Cycle &cycle) {
  return toscac::describeCycle(cycle, [&](uint32_t member) {
    return entities[member].name.str().str();
  });
}

const Entity *sema::findDeepest(llvm::ArrayRef<Entity> entities,
                                const CsrGraph &graph, size_t limit) {
  std::vector<uint32_t> lengths = longestWays(graph);
  auto longest = llvm::max_element(lengths);
  return longest != lengths.end() && *longest >= limit
             ? &entities[longest - lengths.begin()]
             : nullptr;
}
