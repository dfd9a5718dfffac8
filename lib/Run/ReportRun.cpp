//===- ReportRun.cpp - Output before and after a run ----------------------===//

#include "PlanRun.h"
#include "Values/LiveState.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/PrintableStream.h"
#include "toscac/Plan/ViewPlan.h"
#include "toscac/State/Durations.h"
#include "toscac/Value/Sealed.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

bool PlanRun::progressOnTerminal() const {
  return options.progress == ProgressKind::People && !isCollecting() &&
         err.is_displayed();
}

void PlanRun::showView() {
  planfile::ViewOptions view;
  view.jobs = options.jobs;
  const std::string &name = plan->header().deployment;
  state::readLastDurations(
      options.store, options.deployment.empty() ? name : options.deployment,
      view.durations);
  PrintableStream shown(err);
  viewPlan(*plan, view, shown);
  err << '\n';
}

bool PlanRun::leavesNothing() const {
  planfile::PlanTotals totals = totalsOf(*plan);
  return totals.removed > 0 &&
         totals.kept + totals.added + totals.changed + totals.replaced == 0;
}

std::vector<std::string> PlanRun::callsNotRun() const {
  std::vector<uint32_t> steps;
  for (uint32_t step = 0; step != plan->numSteps(); ++step)
    if (!schedule->isOver(step))
      steps.push_back(step);
  return foldCalls(*plan, steps);
}

/// \p word as a shell takes it.
static std::string quoted(StringRef word) {
  bool isPlain = !word.empty() && llvm::all_of(word, [](char c) {
    return llvm::isAlnum(c) || StringRef("-_./=,:@%+").contains(c);
  });
  if (isPlain)
    return word.str();
  std::string result = "'";
  for (char c : word)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// The store and the deployment, where they have to be said.
std::string PlanRun::placeWords() const {
  std::string words = " --state " + quoted(state::shownStore(options.store));
  if (!options.deployment.empty() || deployment != "default")
    words += " --deployment " + quoted(deployment);
  return words;
}

/// Instances that are still there, of a plan that only takes some down.
std::vector<std::string> PlanRun::instancesLeft() {
  planfile::PlanTotals totals = totalsOf(*plan);
  if (totals.added + totals.changed + totals.replaced > 0)
    return {};
  llvm::Expected<state::State> loaded =
      store->load(state::InFlight::Failed, deployment);
  if (!loaded) {
    llvm::consumeError(loaded.takeError());
    return {};
  }
  llvm::StringSet<> there;
  if (const state::Deployment *now = loaded->find(deployment))
    for (const state::Entity &entity : now->entities)
      there.insert(entity.name);
  std::vector<std::string> left;
  for (auto [i, head] : llvm::enumerate(plan->entities()))
    if (head.kind == state::EntityKind::Node &&
        head.change == state::PlannedChange::Gone)
      if (std::string name = plan->entityName(i); there.contains(name))
        left.push_back(name);
  return left;
}

/// What makes a plan of what is left to do: what this one was told may be done
/// already, in part.
std::string PlanRun::wordsToPlanAgain() {
  const planfile::PlanHeader &header = plan->header();
  constexpr size_t maxNamed = 50;
  if (header.params == "{}")
    return " --workflow " + quoted(header.workflow);
  std::vector<std::string> left = instancesLeft();
  std::string list = llvm::join(left, ",");
  // More than anybody wants in a command; where the file cannot be written,
  // there is none.
  if (left.size() > maxNamed) {
    std::string file = folder.path + "/instances";
    DiagnosticEngine ignored;
    writeFile(
        file, [&](llvm::raw_ostream &os) { os << list << "\n"; }, ignored);
    if (ignored.hasErrors())
      return "";
    list = "@" + file;
  }
  // To heal would bring them up again.
  if (!left.empty())
    return " --take-down --param " + quoted("instances=" + list);
  if (!header.goesOn.empty())
    return " --workflow " + quoted(header.goesOn);
  std::string words = " --workflow " + quoted(header.workflow);
  ValueArena arena;
  NameTable names;
  llvm::Expected<Value> params = JSONReader(arena, names).value(header.params);
  if (!params) {
    llvm::consumeError(params.takeError());
    return "";
  }
  for (const MapEntry &entry : params->entries()) {
    const Value &value = entry.value;
    std::string text =
        value.isString() ? value.asString().str() : jsonText(value);
    words += " --param " + quoted(entry.key.asString().str() + "=" + text);
  }
  return words;
}

std::string PlanRun::commandToGoOn() {
  std::string file = quoted(options.plan);
  if (record.status == "stopped")
    return "tosca-run --resume " + file + placeWords();
  if (plan->header().inputs.empty())
    return "";
  std::string words = wordsToPlanAgain();
  if (words.empty())
    return "";
  return "toscac " + quoted(templateOf(plan->header(), options.plan)) +
         placeWords() + words + " -o " + file + " && tosca-run " + file +
         placeWords();
}

/// Those that are sealed say nothing.
static void printOutputs(StringRef json, llvm::raw_ostream &os) {
  ValueArena arena;
  NameTable names;
  llvm::Expected<Value> outputs = JSONReader(arena, names).value(json);
  if (!outputs) {
    llvm::consumeError(outputs.takeError());
    return;
  }
  for (const MapEntry &entry : outputs->entries()) {
    os << "output " << entry.key.asString() << " = ";
    if (sealedText(entry.value))
      os << "(sensitive)";
    else
      os << entry.value;
    os << '\n';
  }
}

void PlanRun::tellOutcome(llvm::ArrayRef<std::string> found,
                          llvm::ArrayRef<std::string> notRun) {
  PrintableStream os(progressOnTerminal() ? err : out);
  constexpr size_t maxFound = 8;
  std::vector<std::string> sorted = found;
  llvm::sort(sorted);
  for (const std::string &each : llvm::ArrayRef(sorted).take_front(maxFound))
    os << "found: " << each << '\n';
  if (sorted.size() > maxFound)
    os << "found: " << sorted.size() - maxFound << " more\n";
  if (record.status == "done") {
    // What has been taken down says nothing of itself any more.
    if (!record.outputs.empty() && !takesAllDown)
      printOutputs(record.outputs, os);
    return;
  }
  if (!notRun.empty())
    os << "not run: " << llvm::join(notRun, ", ") << '\n';
  if (options.onFailure == OnFailure::Rollback && record.status == "failed")
    return;
  if (std::string command = commandToGoOn(); !command.empty())
    os << "to go on: " << command << '\n';
}
