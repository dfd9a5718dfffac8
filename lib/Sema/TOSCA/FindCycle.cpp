//===- FindCycle.cpp - Things that lead to themselves ---------------------===//

#include "FindCycle.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;

/// The things that lie on no cycle and behind none, each after those that lead
/// to it; \p before is left with the number of leaders of the others.
static std::vector<size_t> inOrder(const Followers &followers,
                                   std::vector<size_t> &before) {
  std::vector<size_t> ready;
  before.assign(followers.size(), 0);
  for (const auto &next : followers)
    for (size_t follower : next)
      ++before[follower];
  for (size_t i = 0; i < followers.size(); ++i)
    if (before[i] == 0)
      ready.push_back(i);
  for (size_t done = 0; done < ready.size(); ++done)
    for (size_t follower : followers[ready[done]])
      if (--before[follower] == 0)
        ready.push_back(follower);
  return ready;
}

std::vector<size_t> sema::depths(const Followers &followers) {
  std::vector<size_t> before, depth(followers.size());
  for (size_t i : inOrder(followers, before))
    for (size_t follower : followers[i])
      depth[follower] = std::max(depth[follower], depth[i] + 1);
  return depth;
}

std::vector<size_t> sema::findCycle(const Followers &followers) {
  std::vector<size_t> before, cycle;
  std::vector<size_t> ready = inOrder(followers, before);
  if (ready.size() == followers.size())
    return cycle;
  // What is left lies on a cycle or behind one: walk against the arrows.
  std::vector<size_t> leader(followers.size(), SIZE_MAX);
  for (size_t i = 0; i < followers.size(); ++i)
    for (size_t follower : followers[i])
      if (before[i] && leader[follower] == SIZE_MAX)
        leader[follower] = i;
  size_t at =
      llvm::find_if(before, [](size_t n) { return n > 0; }) - before.begin();
  std::vector<bool> seen(followers.size());
  for (; !seen[at]; at = leader[at])
    seen[at] = true;
  for (size_t first = at; cycle.empty() || at != first; at = leader[at])
    cycle.push_back(at);
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()),
              cycle.end());
  return cycle;
}

std::string sema::describeCycle(llvm::ArrayRef<Entity> entities,
                                llvm::ArrayRef<size_t> cycle) {
  std::string text;
  for (size_t member : cycle)
    text += ("'" + entities[member].name.str() + "' -> ").str();
  return text + ("'" + entities[cycle[0]].name.str() + "'").str();
}
