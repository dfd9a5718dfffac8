//===- Interleavings.cpp - Orders in which operations can end -------------===//

#include "Interleavings.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// The relations between operations that are kept are quadratic. A hazard of
/// what is larger is borne out by a witness or said to be not proved.
static constexpr uint32_t maxOperations = 256;
/// States times their size: some hundredths of a second. Beyond, likewise.
static constexpr uint64_t maxBytes = 4'000'000;

Interleavings::Interleavings(const GroundSystem &system, const Layout &layout)
    : system(system), search(system, layout, /*limit=*/0) {
  for (auto [i, operation] : llvm::enumerate(system.operations))
    if (!operation.takesNoTime())
      operations[operation.id.index] = i;
  if (interpreter.places.numOperations > maxOperations)
    return;
  prepare();
  search.limit = maxBytes / std::max<size_t>(interpreter.places.size(), 1);
  Search::Verdict verdict = search.searchAll([&](uint32_t number) {
    note();
    if (interpreter.allRunning().none())
      noteEnd(number);
  });
  isComplete = verdict == Search::Verdict::Same;
}

std::optional<uint32_t> Interleavings::find(EventId event) const {
  auto found = operations.find(event.index);
  return found == operations.end() ? std::nullopt
                                   : std::optional(found->second);
}

uint32_t Interleavings::countOf(EventId event, ArrayRef<uint8_t> counts) const {
  std::optional<uint32_t> operation = find(event);
  return operation ? counts[*operation] : 0;
}

uint32_t Interleavings::planned(EventId event) const {
  std::optional<uint32_t> operation = find(event);
  return operation ? system.operations[*operation].expected : 0;
}

std::optional<uint32_t> Interleavings::indexOf(Occurrence occurrence) const {
  std::optional<uint32_t> operation = find(occurrence.event);
  if (!operation || occurrence.number > numOccurrences(*operation))
    return std::nullopt;
  return firstOccurrences[*operation] + occurrence.number - 1;
}

bool Interleavings::endsBefore(Occurrence a, Occurrence b) const {
  std::optional<uint32_t> first = indexOf(a), second = indexOf(b);
  return first && (!second || ended[*first].test(*second));
}

bool Interleavings::startsDuring(EventId a, EventId b) const {
  std::optional<uint32_t> first = find(a), second = find(b);
  return first && second && during[*first].test(*second);
}

void Interleavings::prepare() {
  uint32_t size = interpreter.places.numOperations;
  least.assign(size, ~0);
  greatest.resize(size);
  for (const GroundOperation &operation : system.operations)
    firstOccurrences.push_back(firstOccurrences.back() + operation.expected +
                               1);
  ended.assign(firstOccurrences.back(),
               llvm::BitVector(firstOccurrences.back()));
  during.assign(size, llvm::BitVector(size));
  interpreter.onStart = [this](uint32_t operation) {
    during[operation] |= interpreter.allRunning();
  };
}

void Interleavings::note() {
  const GroundState &state = interpreter.state();
  llvm::BitVector missing(ended.size());
  for (uint32_t i = 0; i != interpreter.places.numOperations; ++i)
    for (uint32_t occurrence = state[interpreter.places.ended(i)];
         occurrence < numOccurrences(i); ++occurrence)
      missing.set(firstOccurrences[i] + occurrence);
  for (uint32_t i = 0; i != ended.size(); ++i)
    if (!missing.test(i))
      ended[i] |= missing;
}

void Interleavings::noteEnd(uint32_t number) {
  const GroundState &state = interpreter.state();
  auto begin = state.begin() + interpreter.places.started(0);
  std::vector<uint8_t> counts(begin, begin + interpreter.places.numOperations);
  for (uint32_t i = 0; i != interpreter.places.numOperations; ++i) {
    least[i] = std::min(least[i], counts[i]);
    greatest[i] = std::max(greatest[i], counts[i]);
    const GroundOperation &operation = system.operations[i];
    differs |= counts[i] != operation.expected && system.isCompared(operation);
  }
  for (auto [i, cell] : llvm::enumerate(system.cells))
    differs |= state[i] != cell.expected && system.isCompared(cell);
  terminals.emplace_back(number, std::move(counts));
}

std::vector<Occurrence> Interleavings::orderThatLoses(
    EventId event, EventId missed,
    llvm::function_ref<bool(EventId)> isSender) const {
  std::optional<uint32_t> lost = find(event);
  if (!lost)
    return {};
  std::vector<Occurrence> order;
  for (const auto &[terminal, counts] : terminals) {
    if (counts[*lost] >= system.operations[*lost].expected)
      continue;
    order.clear();
    for (uint32_t operation : search.endsBefore(terminal))
      order.push_back({system.operations[operation].id});
    llvm::DenseMap<uint32_t, uint32_t> numbers;
    for (Occurrence &occurrence : order)
      occurrence.number = ++numbers[occurrence.event.index];
    for (auto [i, occurrence] : llvm::enumerate(order)) {
      if (occurrence.event == missed)
        break;
      if (isSender(occurrence.event)) {
        order.resize(i + 1);
        return order;
      }
    }
  }
  return {};
}
