//===- RunFacts.cpp - A run for pages -------------------------------------===//

#include "RunFacts.h"

#include "Steps/StepFiles.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Plan/ViewPlan.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <numeric>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using planfile::Plan;
using planfile::StepKind;

/// With more calls, only some are told one by one.
static constexpr size_t maxToldCalls = 2000;
/// Of those: so many of each kind that somebody will ask for.
static constexpr size_t maxOfKind = 200;
/// Logs that are looked into.
static constexpr size_t maxTails = 50;

namespace {

/// Alike calls: those of one operation of one template.
struct CallGroup {
  std::string name;
  uint32_t count = 0;
  uint32_t done = 0;
  uint32_t failed = 0;
  double begin = 0;
  double end = 0;
  double seconds = 0;
};

struct CallGroups {
  /// In order of their first call.
  std::vector<CallGroup> all;
  llvm::StringMap<uint32_t> numbers;
};

/// What the order of the plan says about the times.
struct Waiting {
  /// By call: when all that it waits for was over.
  std::vector<double> ready;
  /// Calls of the chain that the end of the run has waited for, the first one
  /// first.
  std::vector<uint32_t> chain;
  /// How long the run takes at least, whatever runs side by side.
  double least = 0;
};

class RunFacts {
public:
  RunFacts(const RunHistory &run, const RunFactsContext &context,
           llvm::raw_ostream &os)
      : context(context), plan(context.plan), json(os) {
    write(run, /*isMain=*/true);
  }

private:
  void write(const RunHistory &run, bool isMain);
  void writeHead(const RunHistory &run);
  void writePlanned(const RunHistory &run);
  CallGroups group(const RunHistory &run) const;
  void writeGroups(llvm::ArrayRef<CallGroup> groups);
  void writeCall(const CallHistory &call, uint32_t group, double ready);
  void writeAttempts(const CallHistory &call);
  void writeEnd(const CallHistory &call);
  void writeFindings(const RunHistory &run);
  Waiting findWaiting(const RunHistory &run) const;
  double endOf(const CallHistory &call) const {
    return call.isOver() ? call.end : std::max(elapsed, call.lastBegin);
  }
  void seconds(StringRef key, double value) {
    json.rawAttribute(key, llvm::formatv("{0:f3}", value).str());
  }

  const RunFactsContext &context;
  const Plan *plan;
  JSONWriter json;
  /// Seconds from the beginning of the run at hand until now.
  double elapsed = 0;
  size_t tailsLeft = maxTails;
};

} // namespace

StringRef run::statusOf(const state::RunRecord &run, bool isAlive) {
  return run.status == "running" && !isAlive ? StringRef("dead")
                                             : StringRef(run.status);
}

/// `site[2].vpn[0].standard.start` as `site.vpn.standard.start`.
static std::string withoutIndices(StringRef name) {
  std::string result;
  while (!name.empty()) {
    auto [head, tail] = name.split('[');
    result += head;
    StringRef digits = tail.take_while(llvm::isDigit);
    StringRef rest = tail.drop_front(digits.size());
    if (!digits.empty() && rest.consume_front("]")) {
      name = rest;
      continue;
    }
    if (head.size() < name.size())
      result += '[';
    name = tail;
  }
  return result;
}

CallGroups RunFacts::group(const RunHistory &run) const {
  CallGroups groups;
  for (const CallHistory &call : run.calls()) {
    std::string name = withoutIndices(call.name);
    auto [entry, isNew] = groups.numbers.try_emplace(name, groups.all.size());
    if (isNew)
      groups.all.emplace_back().name = name;
    CallGroup &own = groups.all[entry->second];
    double end = endOf(call);
    own.begin = own.count ? std::min(own.begin, call.begin) : call.begin;
    own.end = std::max(own.end, end);
    own.seconds += end - call.begin;
    ++own.count;
    own.done += call.outcome == CallOutcome::Done;
    own.failed += call.outcome == CallOutcome::Failed;
  }
  return groups;
}

void RunFacts::writeGroups(llvm::ArrayRef<CallGroup> groups) {
  json.newLine();
  json.attributeBegin("groups");
  json.array([&] {
    for (const CallGroup &group : groups) {
      json.newLine();
      json.object([&] {
        json.attribute("name", group.name);
        json.attribute("count", group.count);
        json.attribute("done", group.done);
        if (group.failed)
          json.attribute("failed", group.failed);
        seconds("begin", group.begin);
        seconds("end", group.end);
        seconds("seconds", group.seconds);
      });
    }
  });
}

Waiting RunFacts::findWaiting(const RunHistory &run) const {
  Waiting waiting;
  waiting.ready.assign(run.calls().size(), -1);
  if (!plan)
    return waiting;
  size_t count = plan->steps().size();
  // By step: when it was over, the longest chain of calls before that, and the
  // call that it waited for last.
  std::vector<double> over(count), chain(count);
  std::vector<int64_t> last(count, -1);
  int64_t latest = -1;
  std::vector<int64_t> before(run.calls().size(), -1);
  for (uint32_t step = 0; step != count; ++step) {
    auto waitFor = [&](uint32_t earlier) {
      over[step] = std::max(over[step], over[earlier]);
      chain[step] = std::max(chain[step], chain[earlier]);
      if (last[earlier] >= 0 &&
          (last[step] < 0 ||
           endOf(run.calls()[last[earlier]]) > endOf(run.calls()[last[step]])))
        last[step] = last[earlier];
    };
    for (uint32_t dep : plan->deps(step))
      waitFor(dep);
    if (uint32_t failed = plan->steps()[step].afterFailure;
        failed != planfile::none)
      waitFor(failed);
    int64_t number = run.callOf(step);
    if (number < 0)
      continue;
    const CallHistory &call = run.calls()[number];
    waiting.ready[number] = std::min(over[step], call.begin);
    before[number] = last[step];
    over[step] = endOf(call);
    chain[step] += endOf(call) - call.begin;
    last[step] = number;
    waiting.least = std::max(waiting.least, chain[step]);
    if (latest < 0 || over[step] > endOf(run.calls()[latest]))
      latest = number;
  }
  for (; latest >= 0; latest = before[latest])
    waiting.chain.push_back(latest);
  std::reverse(waiting.chain.begin(), waiting.chain.end());
  return waiting;
}

void RunFacts::writeHead(const RunHistory &run) {
  const state::RunRecord &record = run.record();
  json.attribute("id", record.id);
  json.attribute("deployment", record.deployment);
  json.attribute("workflow", record.workflow);
  json.attribute("status", statusOf(record, context.isAlive));
  seconds("started", record.started);
  seconds("seconds", run.seconds(context.now));
  json.attribute("on_failure", record.onFailure);
  json.attribute("plan", llvm::sys::path::filename(record.plan));
  json.attribute("skipped", run.numSkipped());
}

/// What the plan says beside what has happened.
void RunFacts::writePlanned(const RunHistory &run) {
  if (!plan)
    return;
  std::vector<uint32_t> left;
  uint32_t calls = 0;
  for (uint32_t step = 0; step != plan->numSteps(); ++step) {
    if (plan->steps()[step].kind != StepKind::Call)
      continue;
    ++calls;
    if (run.callOf(step) < 0)
      left.push_back(step);
  }
  json.attribute("planned", calls);
  json.newLine();
  json.attributeBegin("not_run");
  json.array([&] {
    for (const std::string &name : foldCalls(*plan, left))
      json.value(name);
  });
}

void RunFacts::writeAttempts(const CallHistory &call) {
  if (call.earlier.empty())
    return;
  json.attributeBegin("earlier");
  json.array([&] {
    for (const Attempt &attempt : call.earlier)
      json.object([&] {
        seconds("begin", attempt.begin);
        seconds("end", attempt.end);
        json.attribute("reason", attempt.reason);
      });
  });
  seconds("last_begin", call.lastBegin);
}

void RunFacts::writeEnd(const CallHistory &call) {
  if (!call.reason.empty())
    json.attribute("reason", call.reason);
  // Of others, nobody has looked for secrets yet.
  if (call.outcome != CallOutcome::Failed || context.folder.empty() ||
      !tailsLeft)
    return;
  --tailsLeft;
  std::string tail =
      logTail(context.folder + "/logs/" + std::to_string(call.step) + "-" +
              logName(call.name) + ".log");
  if (!tail.empty())
    json.attribute("tail", tail);
}

void RunFacts::writeCall(const CallHistory &call, uint32_t group,
                         double ready) {
  json.newLine();
  json.object([&] {
    json.attribute("name", call.name);
    json.attribute("step", call.step);
    json.attribute("group", group);
    json.attribute("outcome", spelling(call.outcome));
    if (ready >= 0)
      seconds("ready", ready);
    seconds("begin", call.begin);
    if (call.isOver())
      seconds("end", call.end);
    writeAttempts(call);
    writeEnd(call);
  });
}

void RunFacts::writeFindings(const RunHistory &run) {
  json.newLine();
  json.attributeBegin("found");
  json.array([&] {
    for (const Finding &each : run.findings().take_front(maxOfKind))
      json.value(each.name + "." + each.interface + "." + each.cell + " is " +
                 each.value);
  });
}

/// Those that somebody will ask for: what failed, was tried again, is running
/// or took longest, and what the end waited for.
static llvm::BitVector choose(const RunHistory &run,
                              llvm::ArrayRef<uint32_t> chain) {
  llvm::ArrayRef<CallHistory> calls = run.calls();
  llvm::BitVector told(calls.size(), calls.size() <= maxToldCalls);
  if (calls.size() <= maxToldCalls)
    return told;
  auto takeSome = [&](auto isMeant) {
    size_t left = maxOfKind;
    for (size_t i = 0; i != calls.size() && left; ++i)
      if (isMeant(calls[i])) {
        told.set(i);
        --left;
      }
  };
  takeSome(
      [](const CallHistory &c) { return c.outcome == CallOutcome::Failed; });
  takeSome([](const CallHistory &c) { return !c.earlier.empty(); });
  takeSome([](const CallHistory &c) { return !c.isOver(); });
  for (uint32_t number : chain.take_back(maxOfKind))
    told.set(number);
  std::vector<uint32_t> longest(calls.size());
  std::iota(longest.begin(), longest.end(), 0);
  auto middle = longest.begin() + maxOfKind;
  std::nth_element(longest.begin(), middle, longest.end(),
                   [&](uint32_t a, uint32_t b) {
                     double x = calls[a].end - calls[a].begin;
                     double y = calls[b].end - calls[b].begin;
                     return std::tie(y, a) < std::tie(x, b);
                   });
  for (auto i = longest.begin(); i != middle; ++i)
    told.set(*i);
  return told;
}

void RunFacts::write(const RunHistory &run, bool isMain) {
  elapsed = run.seconds(context.now);
  // Others may have followed another plan.
  Waiting waiting;
  waiting.ready.assign(run.calls().size(), -1);
  if (isMain)
    waiting = findWaiting(run);
  CallGroups groups = group(run);
  llvm::BitVector told = choose(run, waiting.chain);
  json.object([&] {
    writeHead(run);
    if (isMain) {
      writePlanned(run);
      writeFindings(run);
    }
    json.attribute("whole", told.all());
    json.attribute("calls", uint64_t(run.calls().size()));
    writeGroups(groups.all);
    json.newLine();
    json.attributeBegin("told");
    json.array([&] {
      for (unsigned i : told.set_bits()) {
        const CallHistory &call = run.calls()[i];
        writeCall(call, groups.numbers.lookup(withoutIndices(call.name)),
                  waiting.ready[i]);
      }
    });
    if (!isMain)
      return;
    if (plan)
      seconds("least", waiting.least);
    json.attributeBegin("chain");
    json.array([&] {
      for (uint32_t number : waiting.chain)
        if (told.test(number))
          json.value(run.calls()[number].step);
    });
    json.newLine();
    json.attributeBegin("others");
    json.array([&] {
      for (const RunHistory &other : context.others)
        write(other, /*isMain=*/false);
    });
  });
}

void run::writeRunFacts(const RunHistory &run, const RunFactsContext &context,
                        llvm::raw_ostream &os) {
  RunFacts(run, context, os);
}
