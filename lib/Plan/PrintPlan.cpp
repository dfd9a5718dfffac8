//===- PrintPlan.cpp - Plans for people -----------------------------------===//

#include "toscac/Plan/PrintPlan.h"

#include "Figures.h"
#include "Guards.h"
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

/// Files that the operation runs; `set` if it only writes cells.
static std::string effectOf(const PlanData &plan, EventId event) {
  const ir::Operation &operation = plan.system.layout.operation(event);
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

/// \p expr with names instead of the numbers of entities.
static Expr withNames(const PlanData &plan, const Expr &expr,
                      ValueArena &arena) {
  llvm::SmallVector<Expr, 4> parts;
  for (const Expr &part : expr.children())
    parts.push_back(withNames(plan, part, arena));
  bool isPath =
      expr.isCall(Function::GetState) || expr.isCall(Function::GetAttribute);
  if (isPath && parts.front().isLiteral() &&
      parts.front().value().isInteger()) {
    ir::EntityId entity{uint32_t(parts.front().value().asInteger())};
    parts.front() = Expr::literal(arena.string(plan.graph().nameOf(entity)));
  }
  return withChildren(expr, arena.save(llvm::ArrayRef<Expr>(parts)));
}

/// `  if …`, or nothing.
static std::string guardText(const PlanData &plan, StepId step) {
  ValueArena arena;
  StepId origin = plan.origins[step.index];
  const Expr *guard = origin ? guardOf(plan, origin, arena) : nullptr;
  return guard ? "  if " + toText(withNames(plan, *guard, arena)) : "";
}

/// `  not during 3 4`, or nothing.
static std::string exclusionText(const Exclusions &exclusions, StepId step) {
  std::string text;
  for (const Exclusion &pair : exclusions.of(step))
    text += (text.empty() ? "  not during " : " ") +
            std::to_string(pair.earlier.index);
  return text;
}

/// What takes longest; in seconds, where durations are given.
static void printCriticalPath(const PlanData &plan, const Figures &figures,
                              raw_ostream &os) {
  if (figures.criticalPath.empty())
    return;
  double length = 0;
  for (StepId step : figures.criticalPath)
    length += plan.durationOf(step);
  os << "\ncritical path, ";
  if (plan.durations.empty())
    os << size_t(length) << (length == 1 ? " step:" : " steps:");
  else
    os << llvm::format("%.2f s:", length);
  for (StepId step : figures.criticalPath)
    os << ' ' << step.index;
  os << '\n';
}

/// Those of one failure stand together.
static void printFailureSteps(const PlanData &plan, size_t labels,
                              size_t effects, raw_ostream &os) {
  StepId after;
  ValueArena arena;
  for (auto [i, step] : llvm::enumerate(plan.failureSteps)) {
    if (step.after != after)
      os << "\nif " << step.after.index << ' ' << plan.nameOf(step.after)
         << " fails\n";
    after = step.after;
    os << llvm::format_decimal(plan.steps.size() + i, 7) << "  "
       << llvm::left_justify(plan.nameOf(step), labels) << "  "
       << llvm::left_justify(effectOf(plan, step.invocation.event), effects)
       << "  after " << (step.deps.empty() ? "-" : "");
    llvm::interleave(step.deps, os, " ");
    if (step.guard)
      os << "  if " << toText(withNames(plan, *step.guard, arena));
    os << '\n';
  }
}

void toscac::plan::printPlan(const Plan &plan, raw_ostream &os) {
  const PlanData &data = *plan;
  Figures figures = figuresOf(data);
  Exclusions exclusions = exclusionsOf(data);
  os << "workflow " << data.goal.workflow.str() << ": " << data.steps.size()
     << " steps, " << figures.calls << " calls, " << figures.depth
     << " stages, at most " << figures.width << " at once\n";
  std::vector<std::vector<Row>> stages(figures.depth);
  size_t labels = 4, effects = 4;
  for (uint32_t i = 0; i != data.steps.size(); ++i) {
    Row row{{i}, labelOf(data, {i}), "", depsOf(data, {i})};
    if (!data.steps.isJoin({i}))
      row.effect = effectOf(data, {data.steps.event({i})});
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
         << exclusionText(exclusions, row.step) << guardText(data, row.step)
         << '\n';
  }
  printCriticalPath(data, figures, os);
  printFailureSteps(data, labels, effects, os);
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

/// Whether it comes right after the failure.
static bool isFirst(const FailureStep &step, const PlanData &data) {
  return step.deps.empty() || step.deps.back() < data.steps.size();
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
  Exclusions exclusions = exclusionsOf(data);
  for (const Exclusion &pair : exclusions.all())
    os << "  s" << pair.earlier.index << " -> s" << pair.later.index
       << " [style=dotted, dir=none, constraint=false];\n";
  for (auto [i, step] : llvm::enumerate(data.failureSteps)) {
    size_t id = data.steps.size() + i;
    os << "  s" << id << " [label=" << quoteDot(data.nameOf(step))
       << ", color=red];\n";
    for (uint32_t dep : step.deps)
      os << "  s" << dep << " -> s" << id << " [color=red];\n";
    if (isFirst(step, data))
      os << "  s" << step.after.index << " -> s" << id
         << " [color=red, label=\"fails\"];\n";
  }
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
  Exclusions exclusions = exclusionsOf(data);
  for (const Exclusion &pair : exclusions.all())
    os << "  s" << pair.earlier.index << " -.- s" << pair.later.index << '\n';
  for (auto [i, step] : llvm::enumerate(data.failureSteps)) {
    size_t id = data.steps.size() + i;
    os << "  s" << id << "{{" << quoteMermaid(data.nameOf(step)) << "}}\n";
    for (uint32_t dep : step.deps)
      os << "  s" << dep << " --> s" << id << '\n';
    if (isFirst(step, data))
      os << "  s" << step.after.index << " -->|fails| s" << id << '\n';
  }
}
