//===- AfterFailure.cpp - What alike steps do to each other ---------------===//
///
/// \file
/// One pass over the steps follows the failures of 64 boxes at once: a step has
/// a bit for each of them that it waits for.
///
//===----------------------------------------------------------------------===//

#include "AfterFailure.h"

using namespace toscac;
using namespace toscac::planfile;

namespace {

class Failures {
public:
  Failures(const Plan &plan, const FoldedSteps &folded)
      : plan(plan), folded(folded), result(folded.boxes.size()) {}

  std::vector<AfterFailure> find();

private:
  using Mask = uint64_t;
  static constexpr uint32_t width = 64;

  void follow(uint32_t first, uint32_t last);
  /// Hands the bits of \p masks on to those who wait.
  void spread(std::vector<Mask> &masks) const;
  void count(const std::vector<Mask> &masks, uint32_t first,
             AfterFailure::Counts AfterFailure::*counts);

  const Plan &plan;
  const FoldedSteps &folded;
  std::vector<AfterFailure> result;
};

} // namespace

void Failures::spread(std::vector<Mask> &masks) const {
  for (uint32_t i = 0; i != plan.numSteps(); ++i)
    for (uint32_t dep : plan.deps(i))
      masks[i] |= masks[dep];
}

void Failures::count(const std::vector<Mask> &masks, uint32_t first,
                     AfterFailure::Counts AfterFailure::*counts) {
  for (auto [number, box] : llvm::enumerate(folded.boxes)) {
    uint32_t meant[width] = {};
    for (uint32_t step : box.steps)
      for (Mask rest = masks[step]; rest; rest &= rest - 1)
        ++meant[llvm::countr_zero(rest)];
    for (uint32_t bit = 0; bit != width; ++bit)
      if (meant[bit])
        (result[first + bit].*counts).push_back({uint32_t(number), meant[bit]});
  }
}

void Failures::follow(uint32_t first, uint32_t last) {
  std::vector<Mask> never(plan.numSteps());
  llvm::DenseMap<uint32_t, Mask> failing;
  for (uint32_t box = first; box != last; ++box)
    failing[folded.boxes[box].steps.front()] |= Mask(1) << (box - first);
  for (auto [step, bit] : failing)
    never[step] = bit;
  spread(never);
  std::vector<Mask> held;
  for (const Exclusion &pair : plan.exclusions())
    for (auto [failed, other] : {std::pair(pair.earlier, pair.later),
                                 std::pair(pair.later, pair.earlier)})
      if (auto found = failing.find(failed); found != failing.end()) {
        held.resize(plan.numSteps());
        held[other] |= found->second;
      }
  for (auto [step, bit] : failing)
    never[step] &= ~bit;
  count(never, first, &AfterFailure::never);
  if (held.empty())
    return;
  spread(held);
  for (auto [step, bit] : failing)
    never[step] |= bit;
  for (uint32_t i = 0; i != plan.numSteps(); ++i)
    held[i] &= ~never[i];
  count(held, first, &AfterFailure::heldBack);
}

std::vector<AfterFailure> Failures::find() {
  for (uint32_t first = 0; first < result.size(); first += width)
    follow(first, std::min<uint32_t>(first + width, result.size()));
  return std::move(result);
}

std::vector<AfterFailure>
planfile::findAfterFailure(const Plan &plan, const FoldedSteps &folded) {
  return Failures(plan, folded).find();
}
