//===- Show.cpp - Changes on demand, step by step -------------------------===//

#include "Show.h"

#include "toscac/Plan/ReadPlan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace toscac;
using namespace toscac::walk;
using llvm::StringRef;

namespace {

class Shown {
public:
  explicit Shown(planfile::PlanFile &plan)
      : plan(plan), json(arena, names), before(plan.numSteps()) {}

  void print(llvm::raw_ostream &os);

private:
  std::string entityOf(StringRef step) const {
    return step.rsplit('.').first.rsplit('.').first.str();
  }

  planfile::PlanFile &plan;
  ValueArena arena;
  NameTable names;
  JSONReader json;
  /// By step: the steps right before it that are no joins.
  std::vector<std::set<std::string>> before;
};

} // namespace

void Shown::print(llvm::raw_ostream &os) {
  llvm::MapVector<StringRef, std::string> lines;
  std::vector<std::string> known(plan.numSteps());
  for (uint32_t id = 0; id != plan.numSteps(); ++id) {
    for (uint32_t dep : plan.deps(id))
      if (known[dep].empty())
        before[id].insert(before[dep].begin(), before[dep].end());
      else
        before[id].insert(known[dep]);
    if (plan.steps()[id].kind == planfile::StepKind::Join)
      continue;
    known[id] = llvm::cantFail(plan.stepName(id));
    StringRef entity = arena.save(entityOf(known[id]));
    std::string &line = lines[entity];
    line += " " + StringRef(known[id]).rsplit('.').second.str();
    std::vector<std::string> others;
    for (const std::string &dep : before[id])
      if (entityOf(dep) != entity)
        others.push_back(entityOf(dep) + "." +
                         StringRef(dep).rsplit('.').second.str());
    if (!others.empty())
      line += "(" + llvm::join(others, " ") + ")";
  }
  for (const auto &[entity, line] : lines)
    os << "  " << entity << ":" << line << "\n";
}

static Request parse(StringRef line) {
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(line, words);
  Request request;
  request.workflow = words.front().str();
  for (StringRef word : llvm::drop_begin(words)) {
    auto [name, value] = word.split('=');
    request.parameters[name.str()] = value.str();
  }
  return request;
}

bool walk::show(Planner &planner, StringRef script, llvm::raw_ostream &os) {
  std::optional<state::State> state;
  for (StringRef line : llvm::split(script, '\n')) {
    if (!line.consume_front("# DO: "))
      continue;
    Request request = parse(line);
    bool isNew = request.workflow == "deploy";
    Answer answer =
        planner.plan(isNew ? nullptr : &state->deployments.front(), request);
    os << toText(request) << "\n" << answer.errors;
    if (!answer.after)
      return false;
    DiagnosticEngine diags;
    std::unique_ptr<planfile::PlanFile> plan = planfile::PlanFile::open(
        planner.write("plan.json", answer.plan), diags);
    if (!plan)
      return false;
    if (!isNew)
      Shown(*plan).print(os);
    state = std::move(answer.after);
  }
  return true;
}
