//===- EventSystem.cpp - Machines of a graph, ready to run ----------------===//

#include "EventSystem.h"

#include "CellOutputs.h"
#include "GraphEnvironment.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// Whether \p operation is one of \p activities.
static bool isAmong(ArrayRef<ir::Activity> activities,
                    const ir::Operation &operation) {
  return llvm::any_of(activities, [&](const ir::Activity &activity) {
    return activity.operation == operation.name;
  });
}

/// What finds out how an entity is, and nothing else, happens only where the
/// goal is to find that out, or somebody sends it.
static bool canHappen(const ir::Machine &machine,
                      const ir::Operation &operation, const Layout &layout) {
  bool isCheck = machine.roles.checkOperation ==
                 uint32_t(&operation - machine.operations.data());
  if (!isCheck || layout.graph.goal.reach == ir::Goal::Reach::Check)
    return true;
  auto sends = [&](ArrayRef<ir::Trigger> triggers) {
    return llvm::any_of(triggers, [&](const ir::Trigger &trigger) {
      return trigger.operation == operation.name;
    });
  };
  for (const ir::Machine &other : layout.set.machines) {
    if (sends(other.rules))
      return true;
    for (const ir::Operation &sender : other.operations)
      for (const ir::Reaction *reaction :
           {&sender.entry, &sender.success, &sender.failure})
        if (sends(reaction->triggers))
          return true;
  }
  for (const ir::Subgraph &service : layout.graph.subgraphs) {
    for (const ir::Workflow &workflow : service.workflows)
      for (const ir::WorkflowStep &step : workflow.steps)
        if (isAmong(step.activities, operation))
          return true;
    for (const ir::PolicyTrigger &policy : service.policies)
      if (isAmong(policy.actions, operation))
        return true;
  }
  return false;
}

EventSystem::EventSystem(const ir::Graph &graph, MachineSet machines,
                         NameTable &names, DiagnosticEngine &diags)
    : layout(graph, std::move(machines)),
      conditions(layout, values, names, diags), suspended(layout) {
  size_t numBlocks = 0;
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    numBlocks += layout.machine({i}).rules.size();
  rules.reserve(numBlocks);
  for (uint32_t i = 0; i != layout.slots.size(); ++i) {
    const ir::Machine &machine = layout.machine({i});
    for (const ir::Operation &operation : machine.operations)
      hasLateCells |= !cellOutputs(machine, operation).empty() &&
                      canHappen(machine, operation, layout);
    addProgram({i});
    addRules({i});
  }
  firstRules.push_back(rules.size());
  blocksOfRules = RangeIndex(ArrayRef(rules), &RuleBlock::first, numRules());
  llvm::sort(foreignRules);
  for (Program &program : programs)
    program.watchers.resize(watches.size());
  addWatches();
  listOwnRules();
  countedLoops.emplace(conditions, watches);
}

void EventSystem::addProgram(SlotId slot) {
  const Slot &info = layout.slots[slot.index];
  auto [found, isNew] = programsByMachine.try_emplace(
      {info.machine.index, uint8_t(info.kind)}, programs.size());
  programOfSlot.push_back(found->second);
  if (!isNew)
    return;
  Program program{&layout.machine(slot), info.kind, {}, {}, {}};
  for (const ir::Operation &operation : program.machine->operations)
    program.preconditions.push_back(
        conditions.compile(operation.precondition, info.kind));
  for (const ir::Trigger &rule : program.machine->rules)
    program.rules.push_back(conditions.compile(rule.condition, info.kind));
  addWatches(program);
  programs.push_back(std::move(program));
}

void EventSystem::addWatches(Program &program) {
  uint32_t condition = 0;
  auto note = [&](uint32_t watch) {
    if (program.watchers.size() <= watch)
      program.watchers.resize(watch + 1);
    auto &list = program.watchers[watch];
    if (list.empty() || list.back() != condition)
      list.push_back(condition);
  };
  auto add = [&](TermId term) {
    conditions.visitReads(
        term,
        [&](AtomId atom, bool wanted) {
          note(watches.add(atom, conditions.atoms[atom.index].cell));
          conditions.atoms[atom.index].isNegated |= !wanted;
        },
        [&](const CellRef &cell) { note(watches.add(std::nullopt, cell)); });
    ++condition;
  };
  llvm::for_each(program.preconditions, add);
  llvm::for_each(program.rules, add);
}

void EventSystem::addWatches() {
  for (Program &program : programs)
    for (const ir::Cell &cell : program.machine->cells)
      program.watches.push_back(
          watches.on(program.machine->interface, cell.name));
}

void EventSystem::forEachReceiver(ir::EntityId entity,
                                  const ir::Trigger &trigger,
                                  llvm::function_ref<void(EventId)> visit) {
  auto indexOf = [&](const Expr &index) -> std::optional<int64_t> {
    if (index.isLiteral())
      return ir::literalIndex(index);
    auto noCells = [](CellId) -> const Value * { return nullptr; };
    GraphEnvironment environment(layout, entity, noCells, conditions.names);
    Evaluation value = evaluate(index, environment, conditions.arena);
    if (!value.isKnown() || !value.value().isInteger())
      return std::nullopt;
    return value.value().asInteger();
  };
  ir::forEachEntity(layout.graph, entity, trigger.receiver, indexOf,
                    [&](ir::EntityId receiver) {
                      if (auto event = layout.findEvent(
                              receiver, trigger.interface, trigger.operation))
                        visit(*event);
                      return true;
                    });
}

static std::optional<uint32_t> findOperation(const ir::Machine &machine,
                                             Name name) {
  for (auto [i, operation] : llvm::enumerate(machine.operations))
    if (operation.name == name)
      return i;
  return std::nullopt;
}

void EventSystem::addRules(SlotId slot) {
  firstRules.push_back(rules.size());
  const Slot &info = layout.slots[slot.index];
  for (auto [i, rule] : llvm::enumerate(layout.machine(slot).rules)) {
    RuleBlock block{slot, &rule, program(slot).rules[i], numRules(), 0};
    if (rule.receiver.steps.empty() && info.rows) {
      ir::EntityId first{info.firstEntity};
      SlotId receiver = layout.findSlot(first, rule.interface);
      std::optional<uint32_t> operation =
          receiver ? findOperation(layout.machine(receiver), rule.operation)
                   : std::nullopt;
      if (operation) {
        block.own = {receiver, *operation};
        block.count = info.rows;
      }
    } else {
      block.offsets.push_back(0);
      for (uint32_t row = 0; row != info.rows; ++row) {
        forEachReceiver(layout.entity(slot, row), rule, [&](EventId event) {
          foreignRules.push_back({event, {block.first + block.count++}});
          block.receivers.push_back(event);
        });
        block.offsets.push_back(block.count);
      }
    }
    block.pursuesIntent = pursuesIntent(block);
    rules.push_back(std::move(block));
  }
}

void EventSystem::listOwnRules() {
  for (const Slot &slot : layout.slots) {
    firstOperations.push_back(ownRules.size());
    ownRules.resize(ownRules.size() + slot.eventsPerRow);
  }
  for (auto [i, block] : llvm::enumerate(rules))
    if (block.own)
      ownRules[firstOperations[block.own->first.index] + block.own->second]
          .push_back(i);
}

/// Whether the condition reads a cell of its machine that intents write.
bool EventSystem::pursuesIntent(const RuleBlock &block) const {
  const ir::Machine &machine = layout.machine(block.slot);
  bool found = false;
  auto look = [&](const CellRef &ref) {
    if (ref.route.fromSelf.empty() && ref.interface == machine.interface)
      found |= llvm::any_of(machine.intents, [&](const ir::Intent &intent) {
        return machine.cells[intent.cell].name == ref.cell;
      });
  };
  conditions.visitReads(
      block.condition,
      [&](AtomId atom, bool) { look(conditions.atoms[atom.index].cell); },
      look);
  return found;
}

bool EventSystem::isSuspended(RuleId rule) const {
  if (suspended.empty())
    return false;
  RulePlace at = place(rule);
  return isSuspended(*at.block, at.row);
}

RulePlace EventSystem::place(RuleId rule) const {
  const RuleBlock &block = rules[blocksOfRules.find(rule.index)];
  uint32_t offset = rule.index - block.first;
  if (block.own)
    return {&block, offset,
            layout.event(block.own->first, offset, block.own->second)};
  uint32_t row =
      llvm::upper_bound(block.offsets, offset) - block.offsets.begin() - 1;
  return {&block, row, block.receivers[offset]};
}

ArrayRef<std::pair<EventId, RuleId>>
EventSystem::foreignRulesOf(EventId event) const {
  auto [begin, end] = std::equal_range(
      foreignRules.begin(), foreignRules.end(), std::pair(event, RuleId{0}),
      [](const auto &a, const auto &b) { return a.first < b.first; });
  return ArrayRef(foreignRules)
      .slice(begin - foreignRules.begin(), end - begin);
}

ValueId EventSystem::valueOf(const ir::Set &set, ir::EntityId entity,
                             llvm::function_ref<const Value *(CellId)> cells) {
  if (set.value->isLiteral())
    return values.intern(set.value->value());
  GraphEnvironment environment(layout, entity, cells, conditions.names);
  Evaluation value = evaluate(*set.value, environment, conditions.arena);
  return value.isKnown() ? values.intern(value.value()) : ValueId();
}
