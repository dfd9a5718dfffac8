//===- Durations.cpp - How long steps took --------------------------------===//

#include "toscac/State/Durations.h"

#include "toscac/State/Store.h"
#include <fcntl.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

/// Older runs, and more steps, tell nothing new.
static constexpr size_t maxRuns = 5;
static constexpr size_t maxSteps = 100000;

namespace {

/// Reads the events of a run.
class Stopwatch {
public:
  explicit Stopwatch(llvm::StringMap<double> &durations)
      : durations(durations), json(arena, names) {}

  llvm::Error add(double time, StringRef lines);

private:
  llvm::StringMap<double> &durations;
  ValueArena arena;
  NameTable names;
  JSONReader json;
  llvm::DenseMap<uint32_t, std::pair<std::string, double>> started;
};

} // namespace

llvm::Error Stopwatch::add(double time, StringRef lines) {
  while (!lines.empty()) {
    auto [line, rest] = lines.split('\n');
    lines = rest;
    if (line.empty() || durations.size() >= maxSteps)
      continue;
    std::optional<uint32_t> begun, done;
    std::string name;
    llvm::Error error = json.fields(line, [&](StringRef key, JSONField &value) {
      if (key == "started")
        begun = value.index();
      else if (key == "done")
        done = value.index();
      else if (key == "step")
        name = value.string().value_or("").str();
      return true;
    });
    if (error)
      return error;
    if (begun)
      started[*begun] = {name, time};
    if (!done)
      continue;
    if (auto call = started.find(*done); call != started.end())
      durations.try_emplace(call->second.first, time - call->second.second);
  }
  return llvm::Error::success();
}

static llvm::Error readFrom(StringRef path, StringRef deployment,
                            llvm::StringMap<double> &durations) {
  if (!isStoreAt(path))
    return llvm::Error::success();
  auto store = Store::open(path, Store::Access::Read);
  if (!store)
    return store.takeError();
  auto runs = (*store)->runs(deployment);
  if (!runs)
    return runs.takeError();
  // The last one is read first: what is known stays.
  size_t left = maxRuns;
  for (const RunRecord &run : llvm::reverse(*runs)) {
    if (left-- == 0)
      break;
    Stopwatch watch(durations);
    if (llvm::Error error =
            (*store)->events(run.id, [&](double time, StringRef lines) {
              return watch.add(time, lines);
            }))
      return error;
  }
  return llvm::Error::success();
}

void state::readLastDurations(StringRef store, StringRef deployment,
                              llvm::StringMap<double> &durations) {
  llvm::consumeError(readFrom(store, deployment, durations));
}
