//===- Explore.cpp - All orders of completion of a small system -----------===//

#include "Explore.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/xxhash.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// What is larger keeps its hazards as they are.
static constexpr uint32_t maxOperations = 256;
/// States times their size.
static constexpr uint64_t maxBytes = 4'000'000;

Exploration::Exploration(const GroundSystem &system)
    : system(system), independence(system), acts(system, independence) {
  for (auto [i, operation] : llvm::enumerate(system.operations))
    if (!operation.takesNoTime())
      operations[operation.id.index] = i;
  if (acts.numOperations > maxOperations)
    return;
  prepare();
  run();
}

std::optional<uint32_t> Exploration::find(EventId event) const {
  auto found = operations.find(event.index);
  return found == operations.end() ? std::nullopt
                                   : std::optional(found->second);
}

uint32_t Exploration::countOf(EventId event, ArrayRef<uint8_t> counts) const {
  std::optional<uint32_t> operation = find(event);
  return operation ? counts[*operation] : 0;
}

uint32_t Exploration::planned(EventId event) const {
  std::optional<uint32_t> operation = find(event);
  return operation ? system.operations[*operation].expected : 0;
}

std::optional<uint32_t> Exploration::indexOf(Turn turn) const {
  std::optional<uint32_t> operation = find(turn.event);
  if (!operation || turn.number > numTurns(*operation))
    return std::nullopt;
  return firstTurns[*operation] + turn.number - 1;
}

bool Exploration::endsBefore(Turn a, Turn b) const {
  std::optional<uint32_t> first = indexOf(a), second = indexOf(b);
  return first && (!second || ended[*first].test(*second));
}

bool Exploration::startsDuring(EventId a, EventId b) const {
  std::optional<uint32_t> first = find(a), second = find(b);
  return first && second && during[*first].test(*second);
}

void Exploration::prepare() {
  uint32_t size = acts.numOperations;
  least.assign(size, ~0);
  greatest.resize(size);
  for (const GroundOperation &operation : system.operations)
    firstTurns.push_back(firstTurns.back() + operation.expected + 1);
  ended.assign(firstTurns.back(), llvm::BitVector(firstTurns.back()));
  during.assign(size, llvm::BitVector(size));
  acts.onStart = [this](uint32_t operation) {
    during[operation] |= acts.allRunning();
  };
}

void Exploration::note(const ActState &state) {
  llvm::BitVector missing(ended.size());
  for (uint32_t i = 0; i != acts.numOperations; ++i)
    for (uint32_t turn = state[acts.ended(i)]; turn < numTurns(i); ++turn)
      missing.set(firstTurns[i] + turn);
  for (uint32_t i = 0; i != ended.size(); ++i)
    if (!missing.test(i))
      ended[i] |= missing;
}

void Exploration::noteEnd(uint32_t visit, const ActState &state) {
  auto begin = state.begin() + acts.started(0);
  std::vector<uint8_t> counts(begin, begin + acts.numOperations);
  for (uint32_t i = 0; i != acts.numOperations; ++i) {
    least[i] = std::min(least[i], counts[i]);
    greatest[i] = std::max(greatest[i], counts[i]);
    const GroundOperation &operation = system.operations[i];
    differs |= !operation.promise && counts[i] != operation.expected;
  }
  for (auto [i, cell] : llvm::enumerate(system.cells))
    differs |= state[i] != cell.expected;
  terminals.emplace_back(visit, std::move(counts));
}

void Exploration::run() {
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> seen;
  std::vector<std::pair<uint32_t, ActState>> open;
  auto reach = [&](uint32_t visit) {
    llvm::XXH128_hash_t hash = llvm::xxh3_128bits(acts.state());
    // The two highest are DenseSet's own.
    if (seen.insert({hash.low64 >> 2, hash.high64 >> 2}).second)
      open.emplace_back(visit, acts.state());
  };
  if (acts.begin())
    reach(0);
  else
    acts.tryOrders([&] { reach(0); });
  while (!open.empty()) {
    if (acts.isEndless || seen.size() * acts.stateSize() > maxBytes)
      return;
    auto [visit, state] = std::move(open.back());
    open.pop_back();
    acts.load(state);
    note(state);
    llvm::BitVector running = acts.allRunning();
    if (running.none())
      noteEnd(visit, state);
    for (unsigned operation : running.set_bits()) {
      acts.load(state);
      uint32_t next = visits.size();
      visits.push_back({visit, operation});
      if (acts.end(operation))
        reach(next);
      else
        acts.tryOrders([&] { reach(next); });
    }
  }
  isComplete = !acts.isEndless;
}

std::vector<Turn>
Exploration::orderThatLoses(EventId event, EventId missed,
                            llvm::function_ref<bool(EventId)> isSender) const {
  std::optional<uint32_t> lost = find(event);
  if (!lost)
    return {};
  std::vector<Turn> order;
  for (const auto &[terminal, counts] : terminals) {
    if (counts[*lost] >= system.operations[*lost].expected)
      continue;
    order.clear();
    for (uint32_t at = terminal; at != 0; at = visits[at].parent)
      order.push_back({system.operations[visits[at].ended].id});
    std::reverse(order.begin(), order.end());
    llvm::DenseMap<uint32_t, uint32_t> numbers;
    for (Turn &turn : order)
      turn.number = ++numbers[turn.event.index];
    for (auto [i, turn] : llvm::enumerate(order)) {
      if (turn.event == missed)
        break;
      if (isSender(turn.event)) {
        order.resize(i + 1);
        return order;
      }
    }
  }
  return {};
}
