//===- Interrupt.cpp - Runs that do not get to their end ------------------===//

#include "Interrupt.h"

#include "toscac/Basic/JSONWriter.h"
#include "toscac/Plan/ReadPlan.h"
#include "toscac/State/Store.h"

using namespace toscac;
using namespace toscac::walk;
using llvm::StringRef;

namespace {

/// One run of a plan, which writes what tosca-run writes to its journal.
class BrokenRun {
public:
  BrokenRun(planfile::PlanFile &plan, std::mt19937 &random)
      : plan(plan), random(random), json(arena, names),
        waitsFor(plan.numSteps()) {
    for (uint32_t step = 0; step != plan.numSteps(); ++step) {
      waitsFor[step] = plan.deps(step).size();
      for (uint32_t dep : plan.deps(step))
        followers[dep].push_back(step);
      if (plan.deps(step).empty())
        ready.push_back(step);
    }
  }

  std::string events;
  void run();

private:
  enum class Mark { Started, Done, Failed };

  uint32_t pick(uint32_t count) { return random() % count; }
  uint32_t take(std::vector<uint32_t> &steps);
  void write(Mark mark, uint32_t step);
  void end(uint32_t step);

  planfile::PlanFile &plan;
  std::mt19937 &random;
  ValueArena arena;
  NameTable names;
  JSONReader json;
  std::vector<uint32_t> waitsFor;
  std::map<uint32_t, std::vector<uint32_t>> followers;
  std::vector<uint32_t> ready, running;
};

} // namespace

uint32_t BrokenRun::take(std::vector<uint32_t> &steps) {
  std::swap(steps[pick(steps.size())], steps.back());
  uint32_t step = steps.back();
  steps.pop_back();
  return step;
}

void BrokenRun::write(Mark mark, uint32_t id) {
  llvm::Expected<planfile::Step> step = plan.step(id, json, arena);
  if (!step) {
    llvm::consumeError(step.takeError());
    return;
  }
  llvm::raw_string_ostream os(events);
  JSONWriter out(os);
  auto cells = [&](StringRef key, const Expr *written) {
    if (!written)
      return;
    out.attributeBegin(key);
    writeJSON(out, *written);
  };
  out.object([&] {
    out.attribute(mark == Mark::Started ? "started"
                  : mark == Mark::Done  ? "done"
                                        : "failed",
                  id);
    if (step->entity != planfile::none) {
      out.attribute("entity", step->entity);
      out.attribute("interface", step->interface);
    }
    cells("cells", mark == Mark::Started ? step->entry
                   : mark == Mark::Done  ? step->success
                                         : step->failure);
    if (mark == Mark::Started)
      cells("failure", step->failure);
  });
  os << '\n';
}

void BrokenRun::end(uint32_t step) {
  write(Mark::Done, step);
  for (uint32_t next : followers[step])
    if (--waitsFor[next] == 0)
      ready.push_back(next);
}

void BrokenRun::run() {
  bool mayFail = pick(2);
  for (uint32_t acts = pick(2 * plan.numSteps() + 1);
       acts && (!ready.empty() || !running.empty()); --acts) {
    if (running.empty() || (!ready.empty() && pick(2))) {
      uint32_t step = take(ready);
      if (plan.steps()[step].kind != planfile::StepKind::Call) {
        end(step);
        continue;
      }
      write(Mark::Started, step);
      running.push_back(step);
      continue;
    }
    uint32_t step = take(running);
    if (mayFail && pick(8) == 0)
      write(Mark::Failed, step);
    else
      end(step);
  }
}

static llvm::Error replay(planfile::PlanFile &plan, state::Store &store,
                          StringRef events) {
  const planfile::PlanHeader &header = plan.header();
  state::RunRecord run;
  run.deployment = header.deployment;
  run.workflow = header.workflow;
  if (llvm::Error error = store.beginRun(
          run, {header.service, "", header.values, header.nextIndex,
                header.counts, header.operations, ""}))
    return error;
  std::string lines;
  for (uint32_t id = 0; id != plan.numEntities(); ++id) {
    llvm::Expected<StringRef> line = plan.entityLine(id);
    if (!line)
      return line.takeError();
    lines += line->str() + "\n";
  }
  if (llvm::Error error = store.addEntities(run, lines))
    return error;
  if (llvm::Error error = store.addEvents(run, events))
    return error;
  return store.commit();
}

llvm::Expected<state::State> walk::interrupt(StringRef path, StringRef file,
                                             const state::Deployment *before,
                                             std::mt19937 &random) {
  DiagnosticEngine diags;
  std::unique_ptr<planfile::PlanFile> plan =
      planfile::PlanFile::open(path, diags);
  if (!plan)
    return llvm::createStringError("the plan cannot be read: " +
                                   diags.all().front().message);
  plan->orderExclusions();
  BrokenRun broken(*plan, random);
  broken.run();
  auto store = state::Store::open(file, state::Store::Access::Write);
  if (!store)
    return store.takeError();
  state::Deployment nothing;
  nothing.name = plan->header().deployment;
  if (llvm::Error error = (*store)->replace(before ? *before : nothing))
    return error;
  if (llvm::Error error = replay(*plan, **store, broken.events))
    return error;
  return (*store)->load(state::InFlight::Failed, plan->header().deployment);
}
