//===- Verify.cpp - Every order of completion -----------------------------===//

#include "Verify.h"

#include "NeverReady.h"
#include "Story.h"
#include "Stubborn.h"
#include "Symmetry.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/xxhash.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

using Hash = std::pair<uint64_t, uint64_t>;

/// A state that was reached; only those at the front are kept whole.
struct Visit {
  Hash hash;
  uint32_t parent;
};

class Verifier {
public:
  Verifier(const GroundSystem &system, const Layout &layout, uint64_t limit)
      : acts(system), stubborn(acts), symmetry(acts, layout), limit(limit) {}

  enum class Verdict { Same, Breaks, Differs, Endless, Unfinished };
  Verdict verify();
  /// The states on the way to the one that differs, the first one first.
  std::vector<ActState> schedule();

  size_t numStates() const { return visits.size(); }

  Acts acts;
  /// How many completions every order has been followed for.
  size_t depth = 0;
  /// It does not matter where orders end.
  bool onlyPromises = false;

private:
  void reach(ActState state, uint32_t parent, std::vector<ActState> &front);
  Hash hashOf(const ActState &state) const;
  std::vector<uint32_t> running(const ActState &state) const;
  bool isExpected(const ActState &state) const;
  bool isBroken(const ActState &state) const;
  ActState next(const ActState &state, Hash wanted);

  Stubborn stubborn;
  Symmetry symmetry;
  uint64_t limit;
  std::vector<Visit> visits;
  llvm::DenseSet<Hash> seen;
  uint32_t different = 0;
};

} // namespace

Hash Verifier::hashOf(const ActState &state) const {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(state);
  // The two highest are DenseSet's own.
  return {hash.low64 >> 2, hash.high64 >> 2};
}

void Verifier::reach(ActState state, uint32_t parent,
                     std::vector<ActState> &front) {
  symmetry.makeCanonical(state);
  Hash hash = hashOf(state);
  if (!seen.insert(hash).second)
    return;
  visits.push_back({hash, parent});
  front.push_back(std::move(state));
}

std::vector<uint32_t> Verifier::running(const ActState &state) const {
  std::vector<uint32_t> result;
  for (uint32_t i = 0; i != acts.numOperations; ++i)
    if (acts.isRunning(state, i))
      result.push_back(i);
  return result;
}

bool Verifier::isExpected(const ActState &state) const {
  for (auto [i, cell] : llvm::enumerate(acts.system.cells))
    if (state[i] != cell.expected)
      return false;
  for (auto [i, operation] : llvm::enumerate(acts.system.operations))
    if (state[acts.started(i)] != operation.expected)
      return false;
  return true;
}

/// Whether a promise has been broken on the way to \p state.
bool Verifier::isBroken(const ActState &state) const {
  for (auto [i, operation] : llvm::enumerate(acts.system.operations))
    if (operation.promise && state[acts.started(i)])
      return true;
  return false;
}

Verifier::Verdict Verifier::verify() {
  std::vector<ActState> front;
  for (ActState &state : acts.begin())
    reach(std::move(state), ~0u, front);
  for (; !front.empty() && !acts.isEndless; ++depth) {
    std::vector<ActState> next;
    uint32_t number = visits.size() - front.size();
    for (const ActState &state : front) {
      std::vector<uint32_t> ready = running(state);
      different = number;
      if (isBroken(state))
        return Verdict::Breaks;
      if (ready.empty() && !onlyPromises && !isExpected(state))
        return Verdict::Differs;
      for (uint32_t operation : stubborn.choose(state, ready))
        for (ActState &after : acts.end(state, operation))
          reach(std::move(after), number, next);
      if (acts.isEndless)
        return Verdict::Endless;
      if (visits.size() > limit)
        return Verdict::Unfinished;
      ++number;
    }
    front = std::move(next);
  }
  return acts.isEndless ? Verdict::Endless : Verdict::Same;
}

/// A state that follows \p state and that \p wanted stands for.
ActState Verifier::next(const ActState &state, Hash wanted) {
  for (uint32_t operation : running(state))
    for (ActState &after : acts.end(state, operation)) {
      ActState canonical = after;
      symmetry.makeCanonical(canonical);
      if (hashOf(canonical) == wanted)
        return after;
    }
  llvm_unreachable("the states were reached one from another");
}

std::vector<ActState> Verifier::schedule() {
  std::vector<Hash> hashes;
  for (uint32_t at = different; at != ~0u; at = visits[at].parent)
    hashes.push_back(visits[at].hash);
  std::vector<ActState> states;
  for (ActState &state : acts.begin()) {
    ActState canonical = state;
    symmetry.makeCanonical(canonical);
    if (hashOf(canonical) == hashes.back())
      states.assign(1, state);
  }
  for (Hash hash : llvm::drop_begin(llvm::reverse(hashes)))
    states.push_back(next(states.back(), hash));
  return states;
}

/// Steps of \p run before \p end and not before \p begin.
static size_t countSteps(const Run &run, uint32_t begin, uint32_t end) {
  size_t count = 0;
  for (uint32_t i = begin; i != end; ++i)
    count += !run.steps.isJoin({i});
  return count;
}

/// The number of states that were seen; none, after a report, unless all orders
/// do the same.
static std::optional<size_t> verifyPart(const Start &start, const Run &run,
                                        Part part, uint64_t limit) {
  DiagnosticEngine &diags = run.system.conditions.diags;
  std::string problem;
  std::optional<GroundSystem> system = ground(start, run, part, problem);
  if (!system) {
    diags.report({}, diag::OrdersNotExplored, problem);
    return std::nullopt;
  }
  Verifier verifier(*system, run.system.layout, limit);
  uint32_t boundary = run.later ? run.later->steps : run.steps.size();
  switch (verifier.verify()) {
  case Verifier::Verdict::Same:
    return verifier.numStates();
  case Verifier::Verdict::Unfinished:
    diags.report({}, diag::VerifyLimit, verifier.numStates(), verifier.depth,
                 part == Part::First
                     ? countSteps(run, 0, boundary)
                     : countSteps(run, boundary, run.steps.size()));
    return std::nullopt;
  case Verifier::Verdict::Breaks:
  case Verifier::Verdict::Differs:
  case Verifier::Verdict::Endless:
    tell(verifier.acts, verifier.schedule(), run.system, /*isRefused=*/true);
    return std::nullopt;
  }
  llvm_unreachable("all verdicts are handled");
}

void toscac::plan::verifyOrders(const Start &start, const Run &run,
                                uint64_t limit) {
  findNeverReady(run);
  if (run.system.conditions.diags.hasErrors())
    return;
  std::optional<size_t> states = verifyPart(start, run, Part::First, limit);
  if (states && start.hasLater()) {
    size_t first = *states;
    states = verifyPart(start, run, Part::Later, limit);
    if (states)
      *states += first;
  }
  if (states)
    run.system.conditions.diags.remark(
        diag::OrdersVerified, countSteps(run, 0, run.steps.size()), *states);
}

/// What is larger is left to those who ask for it.
static constexpr uint32_t maxEventsUnasked = 128;
static constexpr uint64_t maxStatesUnasked = 200;

static bool hasPromises(const Layout &layout) {
  auto isAlways = [](const ir::Promise &promise) {
    return promise.kind == ir::Promise::Kind::Always;
  };
  return llvm::any_of(layout.slots, [&](const Slot &slot) {
    return llvm::any_of(layout.set.machines[slot.machine.index].promises,
                        isAlways);
  });
}

static bool breaksPromise(const Start &start, const Run &run, Part part) {
  std::string problem;
  std::optional<GroundSystem> system = ground(start, run, part, problem);
  if (!system)
    return false;
  Verifier verifier(*system, run.system.layout, maxStatesUnasked);
  verifier.onlyPromises = true;
  if (verifier.verify() != Verifier::Verdict::Breaks)
    return false;
  tell(verifier.acts, verifier.schedule(), run.system, /*isRefused=*/false);
  return true;
}

void toscac::plan::findBrokenPromises(const Start &start, const Run &run) {
  const Layout &layout = run.system.layout;
  if (layout.numEvents() > maxEventsUnasked || !hasPromises(layout))
    return;
  if (!breaksPromise(start, run, Part::First) && start.hasLater())
    breaksPromise(start, run, Part::Later);
}
