//===- EstimateTime.cpp - How long a plan may take ------------------------===//
///
/// \file
/// The longest chain of calls, or all of them divided among those that run at
/// once, whichever takes longer. A call takes what it took before, else what
/// others of its template took on average, else what all calls did.
///
//===----------------------------------------------------------------------===//

#include "EstimateTime.h"

#include "FoldNames.h"

using namespace toscac;
using namespace toscac::planfile;
using llvm::StringRef;

namespace {

struct Average {
  double sum = 0;
  size_t count = 0;
  void add(double seconds) {
    sum += seconds;
    ++count;
  }
  double value() const { return sum / count; }
};

class Durations {
public:
  explicit Durations(const llvm::StringMap<double> &known) : known(known) {
    for (const auto &entry : known) {
      alike[withoutIndices(entry.getKey())].add(entry.second);
      all.add(entry.second);
    }
  }

  double of(StringRef name) {
    auto own = known.find(name);
    if (own != known.end()) {
      isUsed = true;
      return own->second;
    }
    auto others = alike.find(withoutIndices(name));
    isUsed |= others != alike.end();
    return others == alike.end() ? all.value() : others->second.value();
  }

  /// It knew more of a call than that it is one.
  bool isUsed = false;

private:
  const llvm::StringMap<double> &known;
  llvm::StringMap<Average> alike;
  Average all;
};

} // namespace

std::optional<double> planfile::estimateSeconds(
    const Plan &plan, const llvm::StringMap<double> &durations, unsigned jobs) {
  if (durations.empty())
    return std::nullopt;
  Durations known(durations);
  std::vector<double> ends(plan.numSteps());
  double last = 0, work = 0;
  for (uint32_t i = 0; i != plan.numSteps(); ++i) {
    for (uint32_t dep : plan.deps(i))
      ends[i] = std::max(ends[i], ends[dep]);
    const StepHead &head = plan.steps()[i];
    if (head.kind == StepKind::Call) {
      double seconds = known.of(plan.entityName(head.entity) + "." +
                                plan.text(head.interface).str() + "." +
                                plan.text(head.operation).str());
      ends[i] += seconds;
      work += seconds;
    }
    last = std::max(last, ends[i]);
  }
  if (!known.isUsed)
    return std::nullopt;
  return jobs ? std::max(last, work / jobs) : last;
}
