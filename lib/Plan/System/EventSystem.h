//===- EventSystem.h - Machines of a graph, ready to run --------*- C++ -*-===//
///
/// \file
/// The machines of all entities as one event system: conditions compiled, level
/// rules with their receivers, and for each cell what has to be looked at again
/// when it is written. All tables are as large as the machines; of what exists
/// once per instance, only receivers of rules that leave their entity are
/// stored.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_EVENTSYSTEM_H
#define TOSCAC_LIB_PLAN_EVENTSYSTEM_H

#include "SuspendedRules.h"
#include "Watches.h"

namespace toscac::plan {

struct Story;

/// A level rule of one entity together with one receiver.
struct RuleId {
  uint32_t index;
  friend bool operator==(RuleId, RuleId) = default;
  friend auto operator<=>(RuleId, RuleId) = default;
};

/// One level rule of one slot, for all its instances.
struct RuleBlock {
  SlotId slot;
  const ir::Trigger *rule;
  TermId condition;
  uint32_t first;
  uint32_t count;
  /// The receiver is an operation of the same entity, in this slot.
  std::optional<std::pair<SlotId, uint32_t>> own;
  /// Asks what an earlier workflow wanted of the machine.
  bool pursuesIntent = false;
  /// Otherwise, for each row and one more: where its receivers begin.
  std::vector<uint32_t> offsets;
  std::vector<EventId> receivers;
};

struct RulePlace {
  const RuleBlock *block;
  uint32_t row;
  EventId receiver;
};

/// Conditions of a machine as compiled for entities of one kind.
struct Program {
  const ir::Machine *machine;
  ir::EntityKind kind;
  /// Of each operation and each rule.
  std::vector<TermId> preconditions;
  std::vector<TermId> rules;
  /// By watch: indices of operations, then of rules (counted on), that have
  /// to be looked at.
  std::vector<llvm::SmallVector<uint32_t, 2>> watchers;
  /// By cell: the watches on it.
  std::vector<llvm::SmallVector<uint32_t, 2>> watches;
};

class EventSystem {
public:
  EventSystem(const ir::Graph &graph, MachineSet machines, NameTable &names,
              DiagnosticEngine &diags);

  Layout layout;
  ValueTable values;
  Conditions conditions;
  std::vector<Program> programs;
  std::vector<RuleBlock> rules;
  Watches watches;
  /// Where orders that are reported go, for pages that show them moment by
  /// moment; null: nobody wants them.
  std::vector<Story> *stories = nullptr;
  /// Outputs of operations are written to cells.
  bool hasLateCells = false;
  /// Set once all conditions of machines are compiled.
  std::optional<CountedLoops> countedLoops;
  SuspendedRules suspended;

  uint32_t numRules() const {
    return rules.empty() ? 0 : rules.back().first + rules.back().count;
  }
  uint32_t programOf(SlotId slot) const { return programOfSlot[slot.index]; }
  const Program &program(SlotId slot) const {
    return programs[programOf(slot)];
  }
  TermId precondition(EventId event) const {
    EventPlace at = layout.place(event);
    return program(at.slot).preconditions[at.operation];
  }
  RulePlace place(RuleId rule) const;
  /// The rule number \p rule of the machine in \p slot.
  const RuleBlock &ruleOf(SlotId slot, uint32_t rule) const {
    return rules[firstRules[slot.index] + rule];
  }
  /// Rules that send \p event.
  template <typename Visit>
  void forEachRuleOf(EventId event, Visit visit) const {
    forEachRuleOf(layout.place(event), visit);
  }
  template <typename Visit>
  void forEachRuleOf(const EventPlace &at, Visit visit) const;
  /// Instances of the rule \p rule of the entity in \p slot and \p row.
  template <typename Visit>
  void forEachRule(SlotId slot, uint32_t row, uint32_t rule, Visit visit) const;
  /// Rules that send \p operation to the entity that has them, as indices of
  /// `rules`.
  llvm::ArrayRef<uint32_t> ownRulesOf(SlotId slot, uint32_t operation) const {
    return ownRules[firstOperations[slot.index] + operation];
  }
  bool hasForeignRules() const { return !foreignRules.empty(); }
  /// Watches on the cell number \p cell of \p slot's machine.
  llvm::ArrayRef<uint32_t> watchesOf(SlotId slot, uint32_t cell) const {
    return program(slot).watches[cell];
  }

  /// What \p owner has that reads the cell of \p watch: operations, by their
  /// preconditions, and rules, by their conditions.
  template <typename OnOperation, typename OnRule>
  void forEachReader(ir::EntityId owner, uint32_t watch, OnOperation operation,
                     OnRule rule) const;

  /// What \p set of \p entity writes where cells have what \p cells says; none:
  /// that is not known.
  ValueId valueOf(const ir::Set &set, ir::EntityId entity,
                  llvm::function_ref<const Value *(CellId)> cells);

  /// Calls \p visit with each event that \p trigger of \p entity goes to.
  void forEachReceiver(ir::EntityId entity, const ir::Trigger &trigger,
                       llvm::function_ref<void(EventId)> visit);

private:
  void addProgram(SlotId slot);
  void addRules(SlotId slot);
  void addWatches(Program &program);
  void addWatches();
  void listOwnRules();
  bool pursuesIntent(const RuleBlock &block) const;
  /// Rules of other entities that send \p event.
  llvm::ArrayRef<std::pair<EventId, RuleId>>
  foreignRulesOf(EventId event) const;
  bool isSuspended(const RuleBlock &block, uint32_t row) const {
    return suspended.contains(block.slot, row, block.pursuesIntent);
  }
  bool isSuspended(RuleId rule) const;

  std::vector<uint32_t> programOfSlot;
  RangeIndex blocksOfRules;
  /// First block of each slot, and one more.
  std::vector<uint32_t> firstRules;
  /// Where the operations of each slot begin in `ownRules`: for each of them
  /// the blocks whose rules send it to the entity that has them.
  std::vector<uint32_t> firstOperations;
  std::vector<llvm::SmallVector<uint32_t, 2>> ownRules;
  /// Rules with receivers elsewhere, by event.
  std::vector<std::pair<EventId, RuleId>> foreignRules;
  llvm::DenseMap<std::pair<uint32_t, uint8_t>, uint32_t> programsByMachine;
};

template <typename Visit>
void EventSystem::forEachRule(SlotId slot, uint32_t row, uint32_t rule,
                              Visit visit) const {
  const RuleBlock &block = ruleOf(slot, rule);
  if (isSuspended(block, row))
    return;
  if (block.own)
    return visit(RuleId{block.first + row});
  if (block.offsets.empty())
    return;
  for (uint32_t i = block.offsets[row]; i != block.offsets[row + 1]; ++i)
    visit(RuleId{block.first + i});
}

template <typename OnOperation, typename OnRule>
void EventSystem::forEachReader(ir::EntityId owner, uint32_t watch,
                                OnOperation operation, OnRule rule) const {
  for (SlotId slot : layout.slotsOf(owner).ids()) {
    const Program &program = this->program(slot);
    uint32_t row = layout.rowOf(slot, owner);
    uint32_t operations = program.preconditions.size();
    for (uint32_t condition : program.watchers[watch]) {
      if (condition < operations)
        operation(EventPlace{slot, row, condition});
      else
        forEachRule(slot, row, condition - operations, rule);
    }
  }
}

template <typename Visit>
void EventSystem::forEachRuleOf(const EventPlace &at, Visit visit) const {
  for (uint32_t i : ownRulesOf(at.slot, at.operation))
    if (!isSuspended(rules[i], at.row))
      visit(RuleId{rules[i].first + at.row});
  if (foreignRules.empty())
    return;
  for (const auto &[event, rule] : foreignRulesOf(layout.event(at)))
    if (!isSuspended(rule))
      visit(rule);
}

} // namespace toscac::plan

#endif
