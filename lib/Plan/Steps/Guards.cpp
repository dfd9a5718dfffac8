//===- Guards.cpp - Steps that may turn out not to happen -----------------===//
///
/// \file
/// The rule "Guards": a condition over run-time values becomes a guard on every
/// step that cannot happen without it. Of a step that several others could have
/// sent, all of them have to be guarded, and one guard that holds is enough.
/// Such a step waits for all of them: as long as one of them may still happen,
/// its guard would not tell.
///
//===----------------------------------------------------------------------===//

#include "Guards.h"

#include "PlanOrder.h"
#include "llvm/ADT/BitVector.h"

using namespace toscac;
using namespace toscac::plan;

const Expr *toscac::plan::combineGuards(llvm::ArrayRef<const Expr *> guards,
                                        Function function, ValueArena &arena) {
  if (guards.size() == 1)
    return guards.front();
  llvm::SmallVector<Expr, 4> parts;
  for (const Expr *guard : guards)
    parts.push_back(*guard);
  return arena.make(
      Expr::call(function, arena.save(llvm::ArrayRef<Expr>(parts))));
}

/// \p test, in which \p query takes the place of the one it has.
static Expr withQuery(const Expr &test, const Expr &query, ValueArena &arena) {
  if (test.isCall(Function::GetAttribute))
    return query;
  llvm::SmallVector<Expr, 4> children;
  for (const Expr &child : test.children())
    children.push_back(withQuery(child, query, arena));
  return withChildren(test, arena.save(llvm::ArrayRef<Expr>(children)));
}

const Expr *toscac::plan::negateGuard(const Expr *guard, ValueArena &arena) {
  return arena.make(
      Expr::call(Function::Not, arena.save(llvm::ArrayRef(*guard))));
}

const Expr *toscac::plan::guardFor(const Layout &layout, const Atom &atom,
                                   CellId cell, bool wanted,
                                   ValueArena &arena) {
  const Expr *guard =
      arena.make(withQuery(*atom.test, queryOf(layout, cell, arena), arena));
  return wanted ? guard : negateGuard(guard, arena);
}

const Expr *toscac::plan::someOf(llvm::ArrayRef<const Expr *> guards,
                                 size_t needed, NameTable &names,
                                 ValueArena &arena) {
  if (needed == 1 || needed >= guards.size())
    return combineGuards(guards, needed == 1 ? Function::Or : Function::And,
                         arena);
  llvm::SmallVector<Expr, 4> parts;
  for (const Expr *guard : guards)
    parts.push_back(*guard);
  Expr variable = Expr::variable(names.intern("@part"));
  Expr loop[] = {variable, Expr::list(arena.save(llvm::ArrayRef<Expr>(parts))),
                 variable};
  Expr sides[] = {
      Expr::call(Function::Count, arena.save(llvm::ArrayRef<Expr>(loop))),
      Expr::literal(Value::integer(needed))};
  return arena.make(Expr::call(Function::GreaterOrEqual,
                               arena.save(llvm::ArrayRef<Expr>(sides))));
}

Expr toscac::plan::queryOf(const Layout &layout, CellId cell,
                           ValueArena &arena) {
  CellPlace at = layout.place(cell);
  const ir::Machine &machine = layout.machine(at.slot);
  Expr path[] = {
      Expr::literal(Value::integer(layout.entityOf(cell).index)),
      Expr::literal(Value::string(machine.interface.str())),
      Expr::literal(Value::string(machine.cells[at.cell].name.str()))};
  return Expr::call(Function::GetState, arena.save(llvm::ArrayRef<Expr>(path)));
}

CellId toscac::plan::cellOf(const Layout &layout, const Expr &query,
                            NameTable &names) {
  llvm::ArrayRef<Expr> path = query.children();
  if (!query.isCall(Function::GetState) || path.size() != 3)
    return {};
  return layout.findCell({uint32_t(path[0].value().asInteger())},
                         names.intern(path[1].value().asString()),
                         names.intern(path[2].value().asString()));
}

void toscac::plan::forEachCell(const Layout &layout, const Expr &guard,
                               NameTable &names,
                               llvm::function_ref<void(CellId)> visit) {
  if (CellId cell = cellOf(layout, guard, names))
    visit(cell);
  for (const Expr &child : guard.children())
    forEachCell(layout, child, names, visit);
}

const Expr *toscac::plan::guardOf(const PlanData &plan, StepId origin,
                                  ValueArena &arena) {
  auto found = plan.guards.find(origin.index);
  if (found == plan.guards.end())
    return nullptr;
  return combineGuards(found->second, Function::And, arena);
}

void toscac::plan::addGuards(Guards &guards,
                             llvm::ArrayRef<const Expr *> more) {
  for (const Expr *guard : more) {
    std::string text = toText(*guard);
    if (llvm::none_of(guards, [&](const Expr *known) {
          return known == guard || toText(*known) == text;
        }))
      guards.push_back(guard);
  }
}

/// Whether \p step waits for \p dep only because the workflow says so, or
/// because it is the same operation.
static bool isSequence(const SymbolicRun &run, StepId step, Dep dep) {
  if (run.sequels.contains({step.index, dep.step().index}))
    return true;
  if (!run.sequenced.contains(step.index))
    return false;
  std::optional<SendId> send = run.causes[step.index].send();
  return send && run.sends[send->index].sender == dep.step();
}

namespace {

class GuardHeirs {
public:
  explicit GuardHeirs(PlanData &plan)
      : plan(plan), run(plan.run), maySkip(run.steps.size()) {
    for (uint32_t i = 0; i != run.sends.size(); ++i)
      sends[run.sends[i].event.index].push_back({i});
    for (uint32_t i = 0; i != run.steps.size(); ++i)
      maySkip[i] =
          run.guards.contains(i) ||
          llvm::any_of(run.steps.deps({i}), [&](Dep dep) {
            return maySkip.test(dep.step().index) && !isSequence(run, {i}, dep);
          });
  }

  /// Gives each step its guards, and collects what it has to wait for, too, to
  /// know what they say; \p areAllSenders: else only senders count that it
  /// waits for anyway.
  std::vector<OrderEdge> find(bool areAllSenders);

private:
  const Expr *guardOfSenders(StepId step);
  void wait(StepId step, const Send &send);

  PlanData &plan;
  const SymbolicRun &run;
  /// By event.
  llvm::DenseMap<uint32_t, llvm::SmallVector<SendId, 2>> sends;
  /// Steps with guards, and those that wait for such steps.
  llvm::BitVector maySkip;
  bool areAllSenders = true;
  std::vector<OrderEdge> edges;
};

} // namespace

/// Whether the event comes is known when all who may send it have ended or been
/// skipped. One that sends on entry has only to be ready.
void GuardHeirs::wait(StepId step, const Send &send) {
  if (!send.onEntry)
    return edges.push_back({send.sender, step});
  for (Dep dep : run.steps.deps(send.sender))
    edges.push_back({dep.step(), step});
}

/// What has to hold for one of those who send the event of \p step to be there;
/// null: one surely is. Those who only come after the step are none of them.
const Expr *GuardHeirs::guardOfSenders(StepId step) {
  Guards alternatives;
  for (SendId id : sends.lookup(run.steps.event(step))) {
    const Send &send = run.sends[id.index];
    if (!send.sender)
      return nullptr;
    bool isSure = !maySkip.test(send.sender.index);
    bool isAwaited = llvm::any_of(run.steps.deps(step), [&](Dep dep) {
      return dep.step() == send.sender;
    });
    if (!isAwaited) {
      if (!areAllSenders || (!isSure && send.sender > step) ||
          isBefore(run.steps, step, send.sender))
        continue;
      wait(step, send);
    }
    if (isSure)
      return nullptr;
    addGuards(alternatives,
              guardOf(plan, send.sender, plan.system.conditions.arena));
  }
  if (alternatives.empty())
    return nullptr;
  return combineGuards(alternatives, Function::Or,
                       plan.system.conditions.arena);
}

std::vector<OrderEdge> GuardHeirs::find(bool areAllSenders) {
  this->areAllSenders = areAllSenders;
  plan.guards.clear();
  edges.clear();
  for (uint32_t i = 0; i != run.steps.size(); ++i) {
    // Whoever waits for a step that is skipped goes on.
    if (run.steps.isJoin({i}))
      continue;
    Guards guards;
    auto own = run.guards.find(i);
    if (own != run.guards.end())
      addGuards(guards, own->second);
    for (Dep dep : run.steps.deps({i})) {
      auto inherited = plan.guards.find(dep.step().index);
      if (inherited == plan.guards.end() || isSequence(run, {i}, dep))
        continue;
      if (!dep.isChoice())
        addGuards(guards, inherited->second);
      else if (const Expr *any = guardOfSenders({i}))
        addGuards(guards, any);
    }
    if (!guards.empty())
      plan.guards[i] = std::move(guards);
  }
  return std::move(edges);
}

void toscac::plan::inheritGuards(PlanData &plan) {
  if (plan.run.guards.empty())
    return;
  GuardHeirs heirs(plan);
  // Where two wait for each other, what only some outcomes send is missing;
  // the check of outcomes says so.
  if (!addEdges(plan, heirs.find(/*areAllSenders=*/true), /*areChoices=*/true)
           .empty())
    heirs.find(/*areAllSenders=*/false);
}
