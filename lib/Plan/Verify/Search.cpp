//===- Search.cpp - Every order of completion -----------------------------===//

#include "Search.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace toscac;
using namespace toscac::plan;

/// Of what stands for all states that are like \p state.
Search::Hash Search::hashOf(const GroundState &state) const {
  Hash hash;
  if (symmetry) {
    hash = symmetry->hashOf(state);
  } else {
    llvm::XXH128_hash_t whole = llvm::xxh3_128bits(state);
    hash = {whole.low64, whole.high64};
  }
  // The two highest are DenseSet's own.
  return {hash.first >> 2, hash.second >> 2};
}

std::optional<Search::Verdict> Search::look(uint32_t number) {
  different = number;
  if (interpreter.isEndless)
    return Verdict::Endless;
  if (interpreter.isBroken())
    return Verdict::Breaks;
  if (interpreter.allRunning().none() && !onlyPromises &&
      !interpreter.isExpected())
    return Verdict::Differs;
  if (visits.size() > limit || !interpreter.triesLeft)
    return Verdict::Unfinished;
  return std::nullopt;
}

void Search::reach(uint32_t parent, uint32_t ended,
                   std::vector<GroundState> &front) {
  Hash hash = hashOf(interpreter.state());
  if (!seen.insert(hash).second)
    return;
  visits.push_back({parent, ended, hash});
  front.push_back(interpreter.state());
}

void Search::follow(uint32_t parent, uint32_t ended,
                    std::vector<GroundState> &front) {
  if (interpreter.end(ended))
    reach(parent, ended, front);
  else
    interpreter.tryOrders([&] { reach(parent, ended, front); });
}

/// Of those that are alike, one is enough.
std::vector<uint32_t> Search::choose() {
  if (!symmetry)
    return stubborn.choose();
  const GroundState &state = interpreter.state();
  std::vector<uint32_t> running(interpreter.allRunning().set_bits_begin(),
                                interpreter.allRunning().set_bits_end());
  return symmetry->distinct(stubborn.choose(symmetry->distinct(running, state)),
                            state);
}

std::optional<Search::Verdict>
Search::followOnly(std::vector<GroundState> &front) {
  for (;; ++depth) {
    uint32_t number = visits.size() - 1;
    if (auto verdict = look(number))
      return verdict;
    std::vector<uint32_t> choices = stubborn.choose();
    if (choices.empty())
      return std::nullopt;
    // With orbits, one must be able to tell which of those alike was meant.
    if (choices.size() == 1 && !symmetry) {
      if (interpreter.end(choices.front())) {
        visits.push_back({number, choices.front()});
        continue;
      }
      interpreter.tryOrders([&] { reach(number, choices.front(), front); });
      return std::nullopt;
    }
    if (!symmetry)
      symmetry.emplace(interpreter, layout);
    GroundState state = interpreter.state();
    for (uint32_t operation : symmetry->distinct(choices, state)) {
      interpreter.load(state);
      follow(number, operation, front);
    }
    return std::nullopt;
  }
}

Search::Verdict Search::search() {
  interpreter.triesLeft = llvm::SaturatingMultiply(triesPerState, limit);
  std::vector<GroundState> front;
  if (interpreter.begin()) {
    visits.push_back({none, none});
    if (auto verdict = followOnly(front))
      return *verdict;
  } else {
    interpreter.tryOrders([&] { reach(none, none, front); });
  }
  // As many operations have ended in all states at the front, and in no other.
  for (++depth; !front.empty(); ++depth) {
    seen.clear();
    std::vector<GroundState> next;
    uint32_t number = visits.size() - front.size();
    for (const GroundState &state : front) {
      interpreter.load(state);
      if (auto verdict = look(number))
        return *verdict;
      for (uint32_t operation : choose()) {
        interpreter.load(state);
        follow(number, operation, next);
      }
      ++number;
    }
    front = std::move(next);
  }
  return verdictAtEnd();
}

Search::Verdict
Search::searchAll(llvm::function_ref<void(uint32_t number)> visit) {
  interpreter.triesLeft = llvm::SaturatingMultiply(triesPerState, limit);
  std::vector<std::pair<uint32_t, GroundState>> open;
  std::vector<GroundState> reached;
  auto keep = [&] {
    uint32_t number = visits.size() - reached.size();
    for (GroundState &state : reached)
      open.emplace_back(number++, std::move(state));
    reached.clear();
  };
  if (interpreter.begin())
    reach(none, none, reached);
  else
    interpreter.tryOrders([&] { reach(none, none, reached); });
  for (keep(); !open.empty(); keep()) {
    if (interpreter.isEndless)
      return Verdict::Endless;
    if (visits.size() > limit || !interpreter.triesLeft)
      return Verdict::Unfinished;
    auto [number, state] = std::move(open.back());
    open.pop_back();
    interpreter.load(state);
    visit(number);
    llvm::BitVector running = interpreter.allRunning();
    for (unsigned operation : running.set_bits()) {
      interpreter.load(state);
      follow(number, operation, reached);
    }
  }
  return verdictAtEnd();
}

Search::Verdict Search::verdictAtEnd() const {
  if (interpreter.isEndless)
    return Verdict::Endless;
  return interpreter.triesLeft ? Verdict::Same : Verdict::Unfinished;
}

std::vector<uint32_t> Search::endsBefore(uint32_t number) const {
  std::vector<uint32_t> ends;
  for (; visits[number].parent != none; number = visits[number].parent)
    ends.push_back(visits[number].ended);
  std::reverse(ends.begin(), ends.end());
  return ends;
}

bool Search::goTo(uint32_t visit, GroundInterpreter &replay) const {
  const Visit &wanted = visits[visit];
  if (wanted.hash == Hash()) {
    replay.end(wanted.ended);
    return true;
  }
  GroundState before = replay.state();
  std::optional<GroundState> found;
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

std::vector<GroundState> Search::schedule() {
  std::vector<uint32_t> path;
  for (uint32_t at = different; at != none; at = visits[at].parent)
    path.push_back(at);
  GroundInterpreter replay(interpreter.system, independence);
  if (!replay.begin()) {
    std::optional<GroundState> first;
    replay.tryOrders([&] {
      if (hashOf(replay.state()) == visits[path.back()].hash)
        first = replay.state();
    });
    replay.load(*first);
  }
  std::vector<GroundState> states{replay.state()};
  for (uint32_t visit : llvm::drop_begin(llvm::reverse(path))) {
    if (!goTo(visit, replay))
      llvm_unreachable("the states were reached one from another");
    states.push_back(replay.state());
  }
  return states;
}
