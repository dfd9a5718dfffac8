//===- Guards.cpp - Steps that may turn out not to happen -----------------===//
///
/// \file
/// The rule "Guards": a condition over run-time values becomes a guard on every
/// step that cannot happen without it. Of a step that several others could have
/// sent, all of them have to be guarded, and one guard that holds is enough.
///
//===----------------------------------------------------------------------===//

#include "Guards.h"

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

/// What has to hold for one of the senders of \p event to be there.
static const Expr *guardOfSenders(PlanData &plan, EventId event) {
  Guards alternatives;
  for (const Send &send : plan.run.sends) {
    if (send.event != event)
      continue;
    if (!send.sender || !plan.guards.contains(send.sender.index))
      return nullptr;
    addGuards(alternatives,
              guardOf(plan, send.sender, plan.system.conditions.arena));
  }
  if (alternatives.empty())
    return nullptr;
  return combineGuards(alternatives, Function::Or,
                       plan.system.conditions.arena);
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

void toscac::plan::inheritGuards(PlanData &plan) {
  const SymbolicRun &run = plan.run;
  if (run.guards.empty())
    return;
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
      else if (const Expr *any = guardOfSenders(plan, run.event({i})))
        addGuards(guards, any);
    }
    if (!guards.empty())
      plan.guards[i] = std::move(guards);
  }
}
