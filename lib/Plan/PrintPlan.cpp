//===- PrintPlan.cpp - Plans for people -----------------------------------===//

#include "toscac/Plan/PrintPlan.h"

#include "Figures.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::raw_ostream;
using llvm::StringRef;

static std::string labelOf(const PlanData &plan, StepId step) {
  return plan.steps.isJoin(step) ? "(join)" : plan.nameOf(step);
}

/// Files that the step runs; `set` if it only writes cells.
static std::string effectOf(const PlanData &plan, StepId step) {
  if (plan.steps.isJoin(step))
    return "";
  const ir::Operation &operation =
      plan.system.layout.operation(EventId{plan.steps.event(step)});
  std::vector<StringRef> files;
  for (const ir::Handler &handler : operation.handlers)
    files.push_back(plan.graph().artifacts[handler.artifact.index].file);
  return files.empty() ? "set" : llvm::join(files, ", ");
}

/// `0 1 4..7`: runs of numbers are cut short.
static std::string depsOf(const PlanData &plan, StepId step) {
  std::string text;
  llvm::ArrayRef<Dep> deps = plan.steps.deps(step);
  for (size_t i = 0; i != deps.size();) {
    size_t last = i;
    while (last + 1 != deps.size() && !deps[last + 1].isChoice() &&
           !deps[i].isChoice() &&
           deps[last + 1].step().index == deps[last].step().index + 1)
      ++last;
    text += text.empty() ? "" : " ";
    text += std::to_string(deps[i].step().index);
    if (last > i + 1)
      text += ".." + std::to_string(deps[last].step().index);
    else
      last = i;
    text += deps[i].isChoice() ? "?" : "";
    i = last + 1;
  }
  return text.empty() ? "-" : text;
}

namespace {
struct Row {
  StepId step;
  std::string label;
  std::string effect;
  std::string deps;
};
} // namespace

void toscac::plan::printPlan(const Plan &plan, raw_ostream &os) {
  const PlanData &data = *plan;
  Figures figures = figuresOf(data);
  os << "workflow " << data.goal.workflow.str() << ": " << data.steps.size()
     << " steps, " << figures.calls << " calls, " << figures.depth
     << " stages, at most " << figures.width << " at once\n";
  std::vector<std::vector<Row>> stages(figures.depth);
  size_t labels = 4, effects = 4;
  for (uint32_t i = 0; i != data.steps.size(); ++i) {
    Row row{{i}, labelOf(data, {i}), effectOf(data, {i}), depsOf(data, {i})};
    labels = std::max(labels, std::min<size_t>(row.label.size(), 60));
    effects = std::max(effects, std::min<size_t>(row.effect.size(), 40));
    stages[data.steps.stage({i})].push_back(std::move(row));
  }
  for (auto [number, rows] : llvm::enumerate(stages)) {
    os << "\nstage " << number << '\n';
    for (const Row &row : rows)
      os << llvm::format_decimal(row.step.index, 7) << "  "
         << llvm::left_justify(row.label, labels) << "  "
         << llvm::left_justify(row.effect, effects) << "  after " << row.deps
         << '\n';
  }
}

/// \p text in a string of dot.
static std::string quoteDot(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + '"';
}

void toscac::plan::drawPlanAsDot(const Plan &plan, raw_ostream &os) {
  const PlanData &data = *plan;
  os << "digraph plan {\n  rankdir=LR;\n"
        "  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n";
  for (uint32_t i = 0; i != data.steps.size(); ++i) {
    StepId step{i};
    os << "  s" << i << " [label=";
    if (data.steps.isJoin(step))
      os << "\"\", shape=point";
    else
      os << quoteDot(data.nameOf(step));
    os << (data.isCall(step) || data.steps.isJoin(step) ? "" : ", style=dashed")
       << "];\n";
  }
  for (uint32_t i = 0; i != data.steps.size(); ++i)
    for (Dep dep : data.steps.deps({i}))
      os << "  s" << dep.step().index << " -> s" << i
         << (dep.isChoice() ? " [style=dashed]" : "") << ";\n";
  os << "}\n";
}

/// \p text in a quoted label of Mermaid.
static std::string quoteMermaid(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"')
      result += "#quot;";
    else if (c == '#')
      result += "#35;";
    else
      result += c;
  }
  return result + '"';
}

void toscac::plan::drawPlanAsMermaid(const Plan &plan, raw_ostream &os) {
  const PlanData &data = *plan;
  os << "flowchart LR\n";
  for (uint32_t i = 0; i != data.steps.size(); ++i) {
    StepId step{i};
    if (data.steps.isJoin(step))
      os << "  s" << i << "(( ))\n";
    else
      os << "  s" << i << (data.isCall(step) ? "[" : "([")
         << quoteMermaid(data.nameOf(step)) << (data.isCall(step) ? "]" : "])")
         << '\n';
  }
  for (uint32_t i = 0; i != data.steps.size(); ++i)
    for (Dep dep : data.steps.deps({i}))
      os << "  s" << dep.step().index << (dep.isChoice() ? " -.-> s" : " --> s")
         << i << '\n';
}
