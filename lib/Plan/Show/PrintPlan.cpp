//===- PrintPlan.cpp - Plans as tables ------------------------------------===//

#include "toscac/Plan/PrintPlan.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::planfile;
using llvm::ArrayRef;
using llvm::raw_ostream;
using llvm::StringRef;

/// How many calls that a call waits for are named.
static constexpr size_t maxShownDeps = 1000;

namespace {

/// What a step waits for.
struct ShownDep {
  uint32_t step;
  bool isChoice;
  friend auto operator<=>(const ShownDep &, const ShownDep &) = default;
};

struct TableRow {
  uint32_t step;
  std::string label;
  std::string effect;
  std::string order;
};

class Table {
public:
  Table(Plan &plan, ShownSteps shown, raw_ostream &os)
      : plan(plan), shown(shown), json(arena, names), os(os) {}

  llvm::Error print();

private:
  bool isShown(uint32_t step) const {
    return shown == ShownSteps::All ||
           plan.steps()[step].kind == StepKind::Call;
  }
  std::vector<uint32_t> stages() const;
  std::vector<ShownDep> depsOf(uint32_t step, bool &isCut) const;
  std::string orderOf(uint32_t step) const;
  std::string effectOf(const Step &step) const;
  std::string guardOf(const Step &step);
  llvm::Expected<TableRow> rowOf(uint32_t step);
  void printRow(const TableRow &row);
  void printCriticalPath();
  llvm::Error printFailureSteps();

  Plan &plan;
  ShownSteps shown;
  ValueArena arena;
  NameTable names;
  JSONReader json;
  raw_ostream &os;
  size_t labels = 4;
  size_t effects = 4;
};

} // namespace

/// Files that the step runs; `set` if it only writes cells.
std::string Table::effectOf(const Step &step) const {
  std::vector<StringRef> files;
  for (const StepHandler &handler : step.handlers)
    files.push_back(plan.artifacts()[handler.artifact].file);
  return files.empty() ? "set" : llvm::join(files, ", ");
}

/// Steps that are shown, with those that are not passed over.
std::vector<ShownDep> Table::depsOf(uint32_t step, bool &isCut) const {
  std::vector<ShownDep> result;
  if (shown == ShownSteps::All) {
    for (auto [i, dep] : llvm::enumerate(plan.deps(step)))
      result.push_back({dep, plan.isChoice(step, i)});
    return result;
  }
  llvm::DenseSet<uint32_t> seen;
  std::vector<uint32_t> open{step};
  while (!open.empty() && seen.size() < maxShownDeps) {
    uint32_t at = open.back();
    open.pop_back();
    for (uint32_t dep : plan.deps(at)) {
      if (!seen.insert(dep).second)
        continue;
      if (isShown(dep))
        result.push_back({dep, false});
      else
        open.push_back(dep);
    }
  }
  isCut = !open.empty();
  llvm::sort(result);
  return result;
}

/// `0 1 4..7`: runs of numbers are cut short. Then what it must not overlap.
std::string Table::orderOf(uint32_t step) const {
  std::string text;
  bool isCut = false;
  std::vector<ShownDep> deps = depsOf(step, isCut);
  for (size_t i = 0; i != deps.size();) {
    size_t last = i;
    while (last + 1 != deps.size() && !deps[last + 1].isChoice &&
           !deps[i].isChoice && deps[last + 1].step == deps[last].step + 1)
      ++last;
    text += text.empty() ? "" : " ";
    text += std::to_string(deps[i].step);
    if (last > i + 1)
      text += ".." + std::to_string(deps[last].step);
    else
      last = i;
    text += deps[i].isChoice ? "?" : "";
    i = last + 1;
  }
  if (isCut)
    text += " …";
  text = text.empty() ? "-" : text;
  StringRef separator = "  not during ";
  for (const Exclusion &pair : plan.exclusions(step)) {
    text += separator.str() + std::to_string(pair.earlier);
    separator = " ";
  }
  return text;
}

/// `  if …`, or nothing.
std::string Table::guardOf(const Step &step) {
  return step.guard ? "  if " + toText(withNames(*step.guard, plan, arena))
                    : "";
}

llvm::Expected<TableRow> Table::rowOf(uint32_t id) {
  TableRow row{id, "(join)", "", orderOf(id)};
  if (plan.steps()[id].kind == StepKind::Join)
    return row;
  llvm::Expected<Step> step = plan.step(id, json, arena);
  if (!step)
    return step.takeError();
  row.label = step->name;
  row.effect = effectOf(*step);
  row.order += guardOf(*step);
  return row;
}

void Table::printRow(const TableRow &row) {
  os << llvm::format_decimal(row.step, 7) << "  "
     << llvm::left_justify(row.label, labels) << "  "
     << llvm::left_justify(row.effect, effects) << "  after " << row.order
     << '\n';
}

/// What takes longest; in seconds, where durations are given.
void Table::printCriticalPath() {
  const Figures &figures = plan.figures();
  std::vector<uint32_t> path = figures.criticalPath;
  size_t length = llvm::count_if(path, [&](uint32_t step) {
    return plan.steps()[step].kind != StepKind::Join;
  });
  llvm::erase_if(path, [&](uint32_t step) { return !isShown(step); });
  if (path.empty())
    return;
  os << "\ncritical path, ";
  if (figures.seconds)
    os << llvm::format("%.2f s:", *figures.seconds);
  else if (shown == ShownSteps::Calls)
    os << path.size() << (path.size() == 1 ? " call:" : " calls:");
  else
    os << length << (length == 1 ? " step:" : " steps:");
  for (uint32_t step : path)
    os << ' ' << step;
  os << '\n';
}

/// Those of one failure stand together.
llvm::Error Table::printFailureSteps() {
  uint32_t after = none;
  for (uint32_t i = plan.numSteps(); i != plan.steps().size(); ++i) {
    llvm::Expected<TableRow> row = rowOf(i);
    if (!row)
      return row.takeError();
    if (plan.steps()[i].afterFailure != after) {
      after = plan.steps()[i].afterFailure;
      llvm::Expected<std::string> name = plan.stepName(after);
      if (!name)
        return name.takeError();
      os << "\nif " << after << ' ' << *name << " fails\n";
    }
    // Runs of numbers are spelt out.
    row->order = plan.deps(i).empty() ? "-" : "";
    StringRef separator = "";
    for (uint32_t dep : plan.deps(i)) {
      row->order += separator.str() + std::to_string(dep);
      separator = " ";
    }
    llvm::Expected<Step> step = plan.step(i, json, arena);
    if (!step)
      return step.takeError();
    row->order += guardOf(*step);
    printRow(*row);
  }
  return llvm::Error::success();
}

/// By step; of calls alone, how many come before it.
std::vector<uint32_t> Table::stages() const {
  if (shown == ShownSteps::All)
    return stagesOf(plan);
  std::vector<uint32_t> depths(plan.numSteps());
  for (uint32_t i = 0; i != plan.numSteps(); ++i)
    for (uint32_t dep : plan.deps(i))
      depths[i] = std::max(depths[i], depths[dep] + isShown(dep));
  return depths;
}

llvm::Error Table::print() {
  const Figures &figures = plan.figures();
  os << "workflow " << plan.header().workflow << ": " << plan.numSteps()
     << " steps, " << figures.calls << " calls, " << figures.depth
     << " stages, at most " << figures.width << " at once\n";
  std::vector<uint32_t> stageOf = stages();
  std::vector<std::vector<TableRow>> rows;
  for (uint32_t i = 0; i != plan.numSteps(); ++i) {
    if (!isShown(i))
      continue;
    llvm::Expected<TableRow> row = rowOf(i);
    if (!row)
      return row.takeError();
    labels = std::max(labels, std::min<size_t>(row->label.size(), 60));
    effects = std::max(effects, std::min<size_t>(row->effect.size(), 40));
    if (stageOf[i] >= rows.size())
      rows.resize(stageOf[i] + 1);
    rows[stageOf[i]].push_back(std::move(*row));
  }
  for (auto [number, stage] : llvm::enumerate(rows)) {
    os << "\nstage " << number << '\n';
    for (const TableRow &row : stage)
      printRow(row);
  }
  printCriticalPath();
  return printFailureSteps();
}

llvm::Error planfile::printPlan(Plan &plan, ShownSteps shown, raw_ostream &os) {
  return Table(plan, shown, os).print();
}
