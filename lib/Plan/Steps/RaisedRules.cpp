//===- RaisedRules.cpp - Rules that a failure may set off -----------------===//

#include "RaisedRules.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

class QuickTruth : public ConditionWalk<QuickTruth, Truth> {
public:
  QuickTruth(const Conditions &conditions, AtomTruth truthOf)
      : ConditionWalk(conditions), truthOf(truthOf) {}

  Truth constant(bool holds) const {
    return holds ? Truth::True : Truth::False;
  }
  Truth other(const Term &, Binding &, bool) const { return Truth::Unknown; }
  Truth atom(AtomId id, Binding &, bool wanted) const {
    return wanted ? truthOf(id) : negate(truthOf(id));
  }
  Truth group(const Group &group, Binding &bound) {
    if (group.term.kind == Term::Kind::Loop)
      return Truth::Unknown;
    Tally parts;
    forEachPart(group, bound, [&](TermId id) {
      parts.add(walk(id, bound, group.wanted));
      return !parts.decides(group.quorum);
    });
    return parts.worth(group.quorum);
  }

private:
  AtomTruth truthOf;
};

} // namespace

Truth toscac::plan::quickTruth(const Conditions &conditions, TermId id,
                               AtomTruth atom) {
  return QuickTruth(conditions, atom).walk(id, nowhere, /*wanted=*/true);
}

bool RaisedRules::mayRaise(SlotId slot, uint32_t operation) {
  auto [found, isNew] = known.try_emplace({slot.index, operation});
  if (isNew)
    return known[{slot.index, operation}] = compute(slot, operation);
  return found->second;
}

bool RaisedRules::compute(SlotId slot, uint32_t index) {
  const ir::Operation &operation = layout.machine(slot).operations[index];
  for (const ir::Set &set : operation.failure.sets)
    for (uint32_t watch : system.watchesOf(slot, set.cell))
      if (mayRaise(slot, operation, watch))
        return true;
  return false;
}

bool RaisedRules::mayRaise(SlotId slot, const ir::Operation &operation,
                           uint32_t watch) {
  failing.reset();
  written.clear();
  if (system.watches[watch].fromSelf.empty()) {
    failing = slot;
    auto note = [&](llvm::ArrayRef<ir::Set> sets) {
      for (const ir::Set &set : sets)
        written[set.cell] = set.value->isLiteral()
                                ? system.values.intern(set.value->value())
                                : ValueId();
    };
    note(operation.entry.sets);
    note(operation.failure.sets);
  }
  for (uint32_t i = 0; i != layout.slots.size(); ++i) {
    const Program &program = system.program({i});
    if (layout.slots[i].rows == 0)
      continue;
    for (uint32_t condition : program.watchers[watch]) {
      uint32_t operations = program.preconditions.size();
      if (condition < operations
              ? couldBeSent({i}, condition)
              : couldFire(system.ruleOf({i}, condition - operations)))
        return true;
    }
  }
  return false;
}

RaisedRules::RaisedRules(const SymbolicRun &run)
    : run(run), system(run.system), layout(run.system.layout) {
  for (const RuleBlock &block : system.rules)
    if (block.own)
      ownRules[{block.own->first.index, block.own->second}].push_back(&block);
    else
      sentByOthers.insert(block.rule->operation.str().data());
}

bool RaisedRules::couldBeSent(SlotId receiver, uint32_t operation) {
  if (truthOf(system.program(receiver).preconditions[operation], receiver) ==
      Truth::False)
    return false;
  Name name = layout.machine(receiver).operations[operation].name;
  if (sentByOthers.contains(name.str().data()))
    return true;
  auto own = ownRules.find({receiver.index, operation});
  return own != ownRules.end() &&
         llvm::any_of(own->second, [&](const RuleBlock *block) {
           return couldFire(*block);
         });
}

bool RaisedRules::couldFire(const RuleBlock &block) {
  if (truthOf(block.condition, block.slot) == Truth::False)
    return false;
  return !block.own ||
         truthOf(
             system.program(block.own->first).preconditions[block.own->second],
             block.own->first) != Truth::False;
}

Truth RaisedRules::truthOf(TermId term, SlotId slot) {
  ir::EntityId first = layout.entity(slot, 0);
  return quickTruth(system.conditions, term, [&](AtomId id) {
    Atom &atom = system.conditions.atoms[id.index];
    if (atom.cell.route.origin != 0 || !atom.cell.route.steps.empty())
      return Truth::Unknown;
    auto cell = layout.findCell(first, atom.cell.interface, atom.cell.cell);
    if (!cell)
      return atom.whereNothing ? Truth::True : Truth::False;
    CellPlace at = layout.place(cell);
    auto own = written.find(at.cell);
    ValueId value = failing == at.slot && own != written.end()
                        ? own->second
                        : constant(at.slot, at.cell);
    if (!value)
      return Truth::Unknown;
    return system.conditions.test(atom, value) ? Truth::True : Truth::False;
  });
}

ValueId RaisedRules::constant(SlotId slot, uint32_t cell) {
  auto [found, isNew] = constants.try_emplace({slot.index, cell});
  if (!isNew)
    return found->second;
  ValueId value = run.history.value(layout.cell(slot, 0, cell));
  for (uint32_t row = 0; row != layout.slots[slot.index].rows && value; ++row) {
    CellId id = layout.cell(slot, row, cell);
    WriteId last = run.history.lastWrite(id);
    if ((last && run.history.writes[last.index].step) ||
        run.history.value(id) != value)
      value = ValueId();
  }
  return found->second = value;
}
