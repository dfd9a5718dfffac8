//===- EquivalentPieces.cpp - Interchangeable parts of a service ----------===//

#include "EquivalentPieces.h"

#include "System/CellOutputs.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/Support/xxhash.h"
#include <map>

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

/// Whether some path picks relationships, or nodes, by number or rank.
struct PickedByNumber {
  bool relationships = false;
  bool incoming = false;
  llvm::SmallVector<Name, 2> templates;

  void look(ArrayRef<ir::PathStep> steps);
};

class PieceFinder {
public:
  PieceFinder(const Start &start, const SymbolicRun &run, Part part,
              size_t numRepresentatives)
      : start(start), run(run), part(part),
        numRepresentatives(numRepresentatives), system(run.system),
        layout(system.layout), graph(layout.graph),
        places(graph.numEntities()) {}

  EquivalentPieces find();

private:
  using Signature = std::vector<uint32_t>;

  /// Few of its kind: each is kept, and distinguishes what refers to it.
  bool isFixed(ir::NodeId node) const {
    return graph.classOf(node).nodes.count <= numRepresentatives;
  }
  bool isFixed(ir::EntityId entity) const {
    return graph.isService(entity) ||
           (graph.isNode(entity) && isFixed(graph.node(entity)));
  }
  bool hasLargeClass() const {
    return llvm::any_of(graph.nodeClasses, [&](const ir::NodeClass &nodes) {
      return nodes.nodes.count > numRepresentatives;
    });
  }
  std::vector<Entities> fallApart();
  PickedByNumber findPicked() const;
  bool isPicked(const Entities &piece, const PickedByNumber &picked) const;
  void noteGoals();
  void noteReceivers();
  Signature signatureOf(const Entities &piece);
  void addMachines(ir::EntityId entity, Signature &signature);
  /// Where \p entity is as seen from a piece.
  void addPlace(ir::EntityId entity, uint32_t piece, Signature &signature);

  const Start &start;
  const SymbolicRun &run;
  const Part part;
  const size_t numRepresentatives;
  EventSystem &system;
  const Layout &layout;
  const ir::Graph &graph;
  /// By entity: its piece, and its position there.
  struct Place {
    uint32_t piece = ~0u;
    uint32_t position = 0;
  };
  std::vector<Place> places;
  /// By entity: what the workflow tells it, and who outside of all pieces sends
  /// to it.
  llvm::DenseMap<uint32_t, Signature> told;
  /// By event: how often the run accepted it.
  std::vector<uint32_t> accepted;
};

} // namespace

void PickedByNumber::look(ArrayRef<ir::PathStep> steps) {
  using Kind = ir::PathStep::Kind;
  for (const ir::PathStep &step : steps) {
    bool isRank = step.kind == Kind::Earlier || step.kind == Kind::Later;
    relationships |= isRank || (step.kind == Kind::Relationship && step.index);
    incoming |= step.kind == Kind::Capability && step.index;
    if (step.kind == Kind::Node && step.index)
      templates.push_back(step.name);
  }
}

std::vector<Entities> PieceFinder::fallApart() {
  llvm::IntEqClasses connected(graph.numEntities());
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    for (ir::NodeId end : {graph.source[i], graph.target[i]})
      if (!isFixed(end))
        connected.join(graph.entity(ir::RelationshipId{i}).index, end.index);
  connected.compress();
  std::vector<Entities> pieces;
  std::vector<uint32_t> numbers(connected.getNumClasses(), ~0u);
  for (uint32_t i = 0; i != graph.numEntities(); ++i) {
    if (isFixed(ir::EntityId{i}))
      continue;
    uint32_t &number = numbers[connected[i]];
    if (number == ~0u) {
      number = pieces.size();
      pieces.emplace_back();
    }
    places[i] = {number, uint32_t(pieces[number].size())};
    pieces[number].push_back({i});
  }
  return pieces;
}

/// In conditions, and on the way to receivers.
PickedByNumber PieceFinder::findPicked() const {
  PickedByNumber picked;
  for (const Atom &atom : system.conditions.atoms)
    picked.look(atom.cell.route.fromSelf);
  for (const Loop &loop : system.conditions.loops)
    picked.look(loop.route.fromSelf);
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    for (const ir::Trigger &rule : layout.machine({i}).rules)
      picked.look(rule.receiver.steps);
  for (const Program &program : system.programs)
    for (const ir::Operation &operation : program.machine->operations)
      for (const ir::Reaction *reaction :
           {&operation.entry, &operation.success})
        for (const ir::Trigger &trigger : reaction->triggers)
          picked.look(trigger.receiver.steps);
  return picked;
}

/// A path that picks by number tells pieces apart where it chooses among
/// several of them: among the relationships of a node that is in no piece, and
/// among the nodes of a template.
bool PieceFinder::isPicked(const Entities &piece,
                           const PickedByNumber &picked) const {
  return picked.incoming || llvm::any_of(piece, [&](ir::EntityId entity) {
           if (!graph.isRelationship(entity))
             return graph.isNode(entity) &&
                    llvm::is_contained(picked.templates,
                                       graph.classOf(graph.node(entity)).name);
           uint32_t index = graph.relationship(entity).index;
           return picked.relationships && isFixed(graph.source[index]);
         });
}

void PieceFinder::noteGoals() {
  bool isFirst = part == Part::First;
  for (const CellGoal &goal : isFirst ? start.goals : start.laterGoals) {
    CellPlace at = layout.place(goal.desired);
    Signature &known = told[layout.entity(at.slot, at.row).index];
    known.insert(known.end(), {0, at.slot.index, at.cell, goal.value.index});
  }
  for (EventId event : isFirst ? start.events : start.laterEvents) {
    EventPlace at = layout.place(event);
    Signature &known = told[layout.entity(at.slot, at.row).index];
    known.insert(known.end(), {1, at.slot.index, at.operation});
  }
}

/// What entities that stay, and their rules, send to pieces.
void PieceFinder::noteReceivers() {
  auto note = [&](uint32_t sender, uint32_t what, EventId event) {
    EventPlace at = layout.place(event);
    ir::EntityId entity = layout.entity(at.slot, at.row);
    if (isFixed(entity))
      return;
    Signature &known = told[entity.index];
    known.insert(known.end(), {2, sender, what, at.slot.index, at.operation});
  };
  for (uint32_t i = 0; i != layout.slots.size(); ++i) {
    const Slot &slot = layout.slots[i];
    for (uint32_t row = 0; row != slot.rows; ++row) {
      ir::EntityId owner = layout.entity({i}, row);
      if (!isFixed(owner))
        break;
      uint32_t what = i << 16;
      auto noteAll = [&](ArrayRef<ir::Trigger> triggers) {
        for (const ir::Trigger &trigger : triggers) {
          ++what;
          if (!trigger.receiver.steps.empty())
            system.forEachReceiver(owner, trigger, [&](EventId event) {
              note(owner.index, what, event);
            });
        }
      };
      const ir::Machine &machine = layout.machine({i});
      noteAll(machine.rules);
      for (const ir::Operation &operation : machine.operations) {
        noteAll(operation.entry.triggers);
        noteAll(operation.success.triggers);
      }
    }
  }
}

void PieceFinder::addPlace(ir::EntityId entity, uint32_t piece,
                           Signature &signature) {
  if (isFixed(entity))
    signature.insert(signature.end(), {~0u, entity.index});
  else if (places[entity.index].piece == piece)
    signature.push_back(places[entity.index].position);
  else
    signature.push_back(~1u);
}

void PieceFinder::addMachines(ir::EntityId entity, Signature &signature) {
  const History &history = run.history;
  std::optional<Boundary> begin, end;
  (part == Part::First ? end : begin) = run.later;
  for (SlotId slot : layout.slotsOf(entity).ids()) {
    const Slot &info = layout.slots[slot.index];
    uint32_t row = layout.rowOf(slot, entity);
    for (uint32_t i = 0; i != info.cellsPerRow; ++i) {
      CellId cell = layout.cell(slot, row, i);
      auto valueAt = [&](Moment moment) {
        return history.valueAfter(cell, history.lastWrite(cell, moment)).index;
      };
      signature.push_back(begin ? valueAt(begin->moment)
                                : history.initial(cell).index);
      signature.push_back(end ? valueAt(end->moment)
                              : history.value(cell).index);
    }
    const ir::Machine &machine = layout.machine(slot);
    for (auto [i, operation] : llvm::enumerate(machine.operations)) {
      EventId event = layout.event(slot, row, i);
      signature.push_back(accepted[event.index]);
      for (const ir::Reaction *reaction :
           {&operation.entry, &operation.success}) {
        for (const ir::Set &set : reaction->sets)
          if (!set.value->isLiteral())
            signature.push_back(
                system.valueOf(set, entity, [](CellId) { return nullptr; })
                    .index);
        for (const ir::Trigger &trigger : reaction->triggers)
          if (!trigger.receiver.steps.empty())
            system.forEachReceiver(entity, trigger, [&](EventId receiver) {
              addPlace(layout.entityOf(receiver), places[entity.index].piece,
                       signature);
            });
      }
      if (run.outcome)
        for (const CellOutput &output : cellOutputs(machine, operation))
          if (output.cell)
            signature.push_back(run.outcome(event, *output.cell).index);
    }
    for (uint32_t i = 0; i != machine.rules.size(); ++i) {
      signature.push_back(~2u);
      system.forEachRule(slot, row, i, [&](RuleId rule) {
        addPlace(layout.entityOf(system.place(rule).receiver),
                 places[entity.index].piece, signature);
      });
    }
  }
}

PieceFinder::Signature PieceFinder::signatureOf(const Entities &piece) {
  Signature signature;
  uint32_t number = places[piece.front().index].piece;
  for (ir::EntityId entity : piece) {
    signature.push_back(uint32_t(graph.presenceOf(entity)));
    if (graph.isNode(entity)) {
      signature.push_back(graph.classOfNode[entity.index].index);
    } else {
      uint32_t index = graph.relationship(entity).index;
      signature.insert(signature.end(),
                       {~3u, graph.classOfRelationship[index].index,
                        graph.indexOfRelationship[index],
                        graph.capability[index]});
      addPlace(graph.entity(graph.source[index]), number, signature);
      addPlace(graph.entity(graph.target[index]), number, signature);
    }
    addMachines(entity, signature);
    if (auto known = told.find(entity.index); known != told.end())
      llvm::append_range(signature, known->second);
  }
  return signature;
}

EquivalentPieces PieceFinder::find() {
  EquivalentPieces result;
  result.numRepresentatives = numRepresentatives;
  // Tasks, and services inside of nodes, tell instances apart.
  if (!start.tasks.empty() || graph.subgraphs.size() > 1 || !hasLargeClass())
    return result;
  std::vector<Entities> pieces = fallApart();
  if (pieces.size() <= numRepresentatives)
    return result;
  noteGoals();
  noteReceivers();
  accepted.resize(layout.numEvents());
  uint32_t boundary = run.later ? run.later->steps : run.steps.size();
  for (uint32_t i = part == Part::First ? 0 : boundary,
                end = part == Part::First ? boundary : run.steps.size();
       i != end; ++i)
    if (!run.steps.isJoin({i}))
      ++accepted[run.event({i}).index];
  PickedByNumber picked = findPicked();
  std::map<std::pair<uint64_t, uint64_t>, uint32_t> classes;
  std::vector<std::vector<Entities>> kept;
  std::vector<uint32_t> sizes;
  result.hidden.resize(graph.numEntities());
  for (Entities &piece : pieces) {
    if (isPicked(piece, picked))
      continue;
    Signature signature = signatureOf(piece);
    llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(signature.data()),
                 signature.size() * sizeof(uint32_t)));
    auto [at, isNew] =
        classes.try_emplace({hash.low64, hash.high64}, kept.size());
    if (isNew) {
      kept.emplace_back();
      sizes.push_back(0);
    }
    if (sizes[at->second]++ < numRepresentatives)
      kept[at->second].push_back(std::move(piece));
    else
      for (ir::EntityId entity : piece)
        result.hidden.set(entity.index);
  }
  for (auto [i, representatives] : llvm::enumerate(kept))
    if (sizes[i] > numRepresentatives)
      result.classes.push_back(std::move(representatives));
  return result;
}

EquivalentPieces toscac::plan::findEquivalentPieces(const Start &start,
                                                    const SymbolicRun &run,
                                                    Part part,
                                                    size_t numRepresentatives) {
  return PieceFinder(start, run, part, numRepresentatives).find();
}
