//===- ReportRun.cpp - Output before and after a run ----------------------===//

#include "PlanRun.h"
#include "toscac/Plan/ViewPlan.h"
#include "toscac/State/Durations.h"
#include "toscac/Value/Sealed.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

bool PlanRun::progressOnTerminal() const {
  return options.progress == ProgressKind::People && !isCollecting() &&
         err.is_displayed();
}

void PlanRun::showView() {
  planfile::ViewOptions view;
  const std::string &name = plan->header().deployment;
  state::readLastDurations(
      options.store, options.deployment.empty() ? name : options.deployment,
      view.durations);
  viewPlan(*plan, view, err);
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

PlanRun::Commands
PlanRun::commandsToGoOn(const planfile::PlanHeader &header) const {
  Commands commands;
  commands.resume = "tosca-run --resume " + quoted(options.plan) + " --state " +
                    quoted(options.store);
  if (header.inputs.empty())
    return commands;
  llvm::SmallString<128> file(path::parent_path(options.plan));
  path::append(file, header.root, header.inputs.front().first);
  path::remove_dots(file, /*remove_dot_dot=*/true);
  commands.planAgain = "toscac " + quoted(file) + " --state " +
                       quoted(options.store) + " --workflow " +
                       quoted(header.workflow) + " -o " + quoted(options.plan);
  // What it was told may not be what is left to do.
  if (header.params != "{}")
    commands.planAgain.clear();
  return commands;
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
  llvm::raw_ostream &os = progressOnTerminal() ? err : out;
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
  if (record.status == "stopped")
    os << "to go on: " << goesOnWith.resume << '\n';
  else if (!goesOnWith.planAgain.empty())
    os << "to go on: " << goesOnWith.planAgain << '\n';
}
