//===- Plan.cpp - A plan as data ------------------------------------------===//

#include "toscac/Plan/Plan.h"

#include "toscac/Value/Evaluate.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::planfile;
using llvm::ArrayRef;

Plan::~Plan() = default;

uint32_t Plan::number(llvm::StringRef text) {
  auto [entry, isNew] = textNumbers.try_emplace(text, texts.size());
  if (isNew)
    texts.push_back(entry->getKey());
  return entry->second;
}

std::string Plan::entityName(uint32_t id) const {
  const EntityHead &head = entityHeads[id];
  std::string name = head.source == none ? text(head.scope).str()
                                         : entityName(head.source) + ".";
  name += text(head.origin);
  if (head.index != none)
    name += "[" + std::to_string(head.index) + "]";
  return name;
}

ArrayRef<uint32_t> Plan::deps(uint32_t step) const {
  size_t end =
      step + 1 < heads.size() ? heads[step + 1].firstDep : allDeps.size();
  return ArrayRef(allDeps).slice(heads[step].firstDep,
                                 end - heads[step].firstDep);
}

ArrayRef<Exclusion> Plan::exclusions(uint32_t later) const {
  auto begin = llvm::lower_bound(allExclusions, Exclusion{later, 0});
  auto end = std::find_if(begin, allExclusions.end(),
                          [&](const Exclusion &e) { return e.later != later; });
  return ArrayRef(allExclusions)
      .slice(begin - allExclusions.begin(), end - begin);
}

void Plan::orderExclusions() {
  if (allExclusions.empty())
    return;
  std::vector<uint32_t> ordered;
  for (uint32_t step = 0; step != heads.size(); ++step) {
    llvm::SmallVector<uint32_t> before(deps(step));
    for (const Exclusion &each : exclusions(step))
      before.push_back(each.earlier);
    llvm::sort(before);
    before.erase(llvm::unique(before), before.end());
    heads[step].firstDep = ordered.size();
    llvm::append_range(ordered, before);
  }
  allDeps = std::move(ordered);
  choices.clear();
  allExclusions.clear();
}

std::vector<uint32_t> planfile::stagesOf(const Plan &plan) {
  std::vector<uint32_t> stages(plan.steps().size());
  for (uint32_t i = 0; i != stages.size(); ++i)
    for (uint32_t dep : plan.deps(i))
      stages[i] = std::max(stages[i], stages[dep] + 1);
  return stages;
}

/// From the last step of the longest chain back, always to the dependency that
/// is done last; of several the first.
static std::vector<uint32_t> longestChain(const Plan &plan,
                                          ArrayRef<double> ends) {
  std::vector<uint32_t> chain;
  uint32_t last = none;
  for (uint32_t i = 0; i != plan.numSteps(); ++i)
    if (last == none || ends[i] > ends[last])
      last = i;
  while (last != none) {
    chain.push_back(last);
    uint32_t next = none;
    for (uint32_t dep : plan.deps(last))
      if (next == none || ends[dep] > ends[next])
        next = dep;
    last = next;
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

void Plan::countFigures() {
  std::vector<uint32_t> stages(mainSteps);
  std::vector<uint32_t> widths;
  planFigures.calls = planFigures.width = 0;
  for (uint32_t i = 0; i != mainSteps; ++i) {
    for (uint32_t dep : deps(i))
      stages[i] = std::max(stages[i], stages[dep] + 1);
    if (stages[i] >= widths.size())
      widths.resize(stages[i] + 1);
    planFigures.width = std::max(planFigures.width, ++widths[stages[i]]);
    planFigures.calls += heads[i].kind == StepKind::Call;
  }
  planFigures.depth = widths.size();
}

llvm::Error Plan::measure(const llvm::StringMap<double> &durations) {
  std::vector<double> ends(mainSteps);
  for (uint32_t i = 0; i != mainSteps; ++i) {
    for (uint32_t dep : deps(i))
      ends[i] = std::max(ends[i], ends[dep]);
    if (heads[i].kind == StepKind::Join)
      continue;
    if (durations.empty()) {
      ++ends[i];
      continue;
    }
    llvm::Expected<std::string> name = stepName(i);
    if (!name)
      return name.takeError();
    ends[i] += durations.lookup(*name);
  }
  planFigures.criticalPath = longestChain(*this, ends);
  planFigures.seconds.reset();
  if (!durations.empty() && !ends.empty())
    planFigures.seconds = ends[planFigures.criticalPath.back()];
  return llvm::Error::success();
}

Expr planfile::withNames(const Expr &expr, const Plan &plan,
                         ValueArena &arena) {
  llvm::SmallVector<Expr, 4> parts;
  for (const Expr &part : expr.children())
    parts.push_back(withNames(part, plan, arena));
  bool isPath =
      expr.isCall(Function::GetState) || expr.isCall(Function::GetAttribute);
  if (isPath && !parts.empty() && parts.front().isLiteral() &&
      parts.front().value().isInteger()) {
    auto entity = uint64_t(parts.front().value().asInteger());
    if (entity < plan.numEntities())
      parts.front() = Expr::literal(arena.string(plan.entityName(entity)));
  }
  return withChildren(expr, arena.save(llvm::ArrayRef<Expr>(parts)));
}

std::string planfile::templateOf(const PlanHeader &header,
                                 llvm::StringRef plan) {
  namespace path = llvm::sys::path;
  llvm::SmallString<128> file(path::parent_path(plan));
  path::append(file, header.root, header.inputs.front().first);
  path::remove_dots(file, /*remove_dot_dot=*/true);
  llvm::StringRef found = file;
  while (!found.empty() && !llvm::sys::fs::is_regular_file(found))
    found = path::parent_path(found);
  return (found.empty() ? file.str() : found).str();
}

Value planfile::knownInputs(const PlanHeader &header, ValueArena &arena) {
  NameTable names;
  llvm::Expected<Value> values = JSONReader(arena, names).value(header.values);
  if (!values) {
    llvm::consumeError(values.takeError());
    return arena.map({});
  }
  llvm::SmallVector<MapEntry> entries;
  for (const MapEntry &entry : values->entries()) {
    llvm::Expected<Expr> expr = toExpr(entry.value, names, arena);
    if (!expr) {
      llvm::consumeError(expr.takeError());
      continue;
    }
    Environment nothing;
    Evaluation result = evaluate(*expr, nothing, arena);
    if (result.isKnown())
      entries.push_back({entry.key, result.value()});
  }
  return arena.map(entries);
}
