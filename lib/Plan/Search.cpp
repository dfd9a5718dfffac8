//===- Search.cpp - Every order of completion -----------------------------===//

#include "Search.h"

#include "llvm/Support/xxhash.h"

using namespace toscac;
using namespace toscac::plan;

/// Of what stands for all states that are like \p state.
Search::Hash Search::hashOf(const ActState &state) const {
  ActState canonical = state;
  if (symmetry)
    symmetry->makeCanonical(canonical);
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(canonical);
  // The two highest are DenseSet's own.
  return {hash.low64 >> 2, hash.high64 >> 2};
}

bool Search::isExpected() const {
  const ActState &state = acts.state();
  for (auto [i, cell] : llvm::enumerate(acts.system.cells))
    if (state[i] != cell.expected)
      return false;
  for (auto [i, operation] : llvm::enumerate(acts.system.operations))
    if (state[acts.started(i)] != operation.expected)
      return false;
  return true;
}

std::optional<Search::Verdict> Search::look(uint32_t number) {
  different = number;
  if (acts.isEndless)
    return Verdict::Endless;
  if (acts.isBroken())
    return Verdict::Breaks;
  if (acts.allRunning().none() && !onlyPromises && !isExpected())
    return Verdict::Differs;
  if (visits.size() > limit)
    return Verdict::Unfinished;
  return std::nullopt;
}

void Search::reach(uint32_t parent, uint32_t ended,
                   std::vector<ActState> &front) {
  Hash hash = hashOf(acts.state());
  if (!seen.insert(hash).second)
    return;
  visits.push_back({parent, ended, hash});
  front.push_back(acts.state());
}

void Search::follow(uint32_t parent, uint32_t ended,
                    std::vector<ActState> &front) {
  if (acts.end(ended))
    reach(parent, ended, front);
  else
    acts.tryOrders([&] { reach(parent, ended, front); });
}

std::optional<Search::Verdict>
Search::followOnly(std::vector<ActState> &front) {
  for (;; ++depth) {
    uint32_t number = visits.size() - 1;
    if (auto verdict = look(number))
      return verdict;
    std::vector<uint32_t> choices = stubborn.choose();
    if (choices.empty())
      return std::nullopt;
    // With orbits, one must be able to tell which of those alike was meant.
    if (choices.size() == 1 && !symmetry) {
      if (acts.end(choices.front())) {
        visits.push_back({number, choices.front()});
        continue;
      }
      acts.tryOrders([&] { reach(number, choices.front(), front); });
      return std::nullopt;
    }
    if (!symmetry)
      symmetry.emplace(acts, layout);
    ActState state = acts.state();
    for (uint32_t operation : choices) {
      acts.load(state);
      follow(number, operation, front);
    }
    return std::nullopt;
  }
}

Search::Verdict Search::search() {
  std::vector<ActState> front;
  if (acts.begin()) {
    visits.push_back({none, none});
    if (auto verdict = followOnly(front))
      return *verdict;
  } else {
    acts.tryOrders([&] { reach(none, none, front); });
  }
  // As many operations have ended in all states at the front, and in no other.
  for (++depth; !front.empty(); ++depth) {
    seen.clear();
    std::vector<ActState> next;
    uint32_t number = visits.size() - front.size();
    for (const ActState &state : front) {
      acts.load(state);
      if (auto verdict = look(number))
        return *verdict;
      for (uint32_t operation : stubborn.choose()) {
        acts.load(state);
        follow(number, operation, next);
      }
      ++number;
    }
    front = std::move(next);
  }
  return acts.isEndless ? Verdict::Endless : Verdict::Same;
}

bool Search::goTo(uint32_t visit, Acts &replay) const {
  const Visit &wanted = visits[visit];
  if (wanted.hash == Hash()) {
    replay.end(wanted.ended);
    return true;
  }
  ActState before = replay.state();
  std::optional<ActState> found;
  auto check = [&] {
    if (!found && hashOf(replay.state()) == wanted.hash)
      found = replay.state();
  };
  llvm::BitVector running = replay.allRunning();
  for (unsigned operation : running.set_bits()) {
    replay.load(before);
    if (replay.end(operation))
      check();
    else
      replay.tryOrders(check);
    if (found)
      break;
  }
  if (found)
    replay.load(*found);
  return found.has_value();
}

std::vector<ActState> Search::schedule() {
  std::vector<uint32_t> path;
  for (uint32_t at = different; at != none; at = visits[at].parent)
    path.push_back(at);
  Acts replay(acts.system, independence);
  if (!replay.begin()) {
    std::optional<ActState> first;
    replay.tryOrders([&] {
      if (hashOf(replay.state()) == visits[path.back()].hash)
        first = replay.state();
    });
    replay.load(*first);
  }
  std::vector<ActState> states{replay.state()};
  for (uint32_t visit : llvm::drop_begin(llvm::reverse(path))) {
    if (!goTo(visit, replay))
      llvm_unreachable("the states were reached one from another");
    states.push_back(replay.state());
  }
  return states;
}
