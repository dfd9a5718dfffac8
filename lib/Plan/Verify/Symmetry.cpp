//===- Symmetry.cpp - Instances that are alike ----------------------------===//
///
/// \file
/// Pieces are guessed from the topology: what falls apart when the nodes that
/// exist once are taken away, or those of all templates but one. Whether two
/// pieces are alike is then checked exactly, on the ground system: exchanging
/// them must give the same operations, rules, initial values and outcome.
///
//===----------------------------------------------------------------------===//

#include "Symmetry.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <set>

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// Parts of conditions that are looked at: about a second. Without symmetries
/// the search is correct, only larger.
static constexpr size_t maxWork = 50000000;

namespace {

/// Stands for a part of the system, so that two of them are equal if they are
/// the same up to the order of what is added up.
struct Print {
  uint64_t low = 0, high = 0;
  friend auto operator<=>(const Print &, const Print &) = default;

  static Print of(std::initializer_list<uint64_t> words) {
    llvm::XXH128_hash_t hash = llvm::xxh3_128bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(words.begin()),
                 words.size() * sizeof(uint64_t)));
    return {hash.low64, hash.high64};
  }
  Print &operator+=(Print other) {
    low += other.low;
    high += other.high;
    return *this;
  }
};

class SymmetryFinder {
public:
  SymmetryFinder(const GroundInterpreter &interpreter, const Layout &layout)
      : interpreter(interpreter), system(interpreter.system), layout(layout),
        graph(layout.graph), used(graph.numEntities()) {
    for (auto [i, operation] : llvm::enumerate(system.operations))
      if (operation.promise)
        promises[{operation.owner.index, operation.promise}] = i;
      else
        operations[operation.id.index] = i;
    for (auto [i, cell] : llvm::enumerate(system.cells)) {
      cells[cell.id.index] = i;
      ownersOfCells.push_back(layout.entityOf(cell.id));
    }
    for (auto [i, rule] : llvm::enumerate(system.rules))
      rulesByPrint[printOf(rule)].push_back(i);
  }

  void find(std::vector<std::vector<Symmetry::Piece>> &orbits);
  std::vector<Symmetry::Piece> alike(ArrayRef<Entities> pieces,
                                     Entities &members);

private:
  void propose(llvm::function_ref<bool(ir::NodeId)> isHub,
               std::vector<std::vector<Symmetry::Piece>> &orbits);
  std::vector<Entities> fallApart(llvm::function_ref<bool(ir::NodeId)> isHub);
  std::vector<uint32_t> shapeOf(const Entities &piece) const;

  /// Sets up the exchange of two pieces; false if some part has no partner.
  bool exchange(const Entities &a, const Entities &b);
  bool isSame();
  bool isSame(const GroundOperation &operation, uint32_t number);
  bool sameSends(const GroundOperation &operation, uint32_t number);
  bool ordersMatter(ArrayRef<GroundSend> sends);
  Symmetry::Piece placesOf(const Entities &piece) const;
  std::optional<std::vector<uint32_t>>
  rulesOf(const Entities &piece,
          const llvm::DenseSet<uint32_t> &inPieces) const;
  Symmetry::Piece partnersOf(ArrayRef<uint32_t> rules);

  uint32_t partnerOfCell(uint32_t cell) const;
  uint32_t partnerOfOperation(uint32_t operation) const;
  /// With cells and operations replaced by their partners.
  Print printOf(FormulaId formula);
  Print printOf(const GroundRule &rule);
  Print printOf(const GroundSend &send);
  ir::EntityId ownerOf(uint32_t number) const {
    const GroundOperation &operation = system.operations[number];
    return operation.promise ? operation.owner : layout.entityOf(operation.id);
  }

  const GroundInterpreter &interpreter;
  const GroundSystem &system;
  const Layout &layout;
  const ir::Graph &graph;
  llvm::DenseMap<uint32_t, uint32_t> operations, cells;
  /// Operations that stand for broken promises.
  llvm::DenseMap<std::pair<uint32_t, const ir::Promise *>, uint32_t> promises;
  llvm::DenseMap<uint32_t, ir::EntityId> partners;
  std::vector<ir::EntityId> ownersOfCells;
  std::map<Print, std::vector<uint32_t>> rulesByPrint;
  llvm::BitVector used;
  size_t work = 0;
};

} // namespace

uint32_t SymmetryFinder::partnerOfCell(uint32_t cell) const {
  auto partner = partners.find(ownersOfCells[cell].index);
  if (partner == partners.end())
    return cell;
  CellPlace at = layout.place(system.cells[cell].id);
  CellId moved =
      layout.cell(at.slot, layout.rowOf(at.slot, partner->second), at.cell);
  auto found = cells.find(moved.index);
  return found == cells.end() ? ~0u : found->second;
}

uint32_t SymmetryFinder::partnerOfOperation(uint32_t operation) const {
  auto partner = partners.find(ownerOf(operation).index);
  if (partner == partners.end())
    return operation;
  if (const ir::Promise *promise = system.operations[operation].promise) {
    auto found = promises.find({partner->second.index, promise});
    return found == promises.end() ? ~0u : found->second;
  }
  EventPlace at = layout.place(system.operations[operation].id);
  EventId moved = layout.event(at.slot, layout.rowOf(at.slot, partner->second),
                               at.operation);
  auto found = operations.find(moved.index);
  return found == operations.end() ? ~0u : found->second;
}

Print SymmetryFinder::printOf(FormulaId id) {
  ++work;
  const Formula &formula = system[id];
  if (formula.isTest())
    return Print::of({0, partnerOfCell(formula.cell), formula.values});
  Print parts;
  for (FormulaId part : formula.parts)
    parts += printOf(part);
  return Print::of(
      {1, formula.needed, formula.parts.size(), parts.low, parts.high});
}

Print SymmetryFinder::printOf(const GroundSend &send) {
  Print condition = printOf(send.condition);
  return Print::of(
      {2, partnerOfOperation(send.operation), condition.low, condition.high});
}

Print SymmetryFinder::printOf(const GroundRule &rule) {
  Print condition = printOf(rule.condition);
  return Print::of(
      {3, partnerOfOperation(rule.operation), condition.low, condition.high});
}

std::vector<uint32_t> SymmetryFinder::shapeOf(const Entities &piece) const {
  std::vector<uint32_t> shape;
  for (ir::EntityId entity : piece)
    shape.push_back(
        graph.isNode(entity)
            ? graph.classOfNode[graph.node(entity).index].index * 2
            : graph.classOfRelationship[graph.relationship(entity).index]
                          .index *
                      2 +
                  1);
  return shape;
}

std::vector<Entities>
SymmetryFinder::fallApart(llvm::function_ref<bool(ir::NodeId)> isHub) {
  llvm::IntEqClasses classes(graph.numEntities());
  for (uint32_t i = 0; i != graph.numRelationships(); ++i)
    for (ir::NodeId end : {graph.source[i], graph.target[i]})
      if (!isHub(end))
        classes.join(graph.entity(ir::RelationshipId{i}).index, end.index);
  classes.compress();
  std::vector<Entities> pieces(classes.getNumClasses());
  for (uint32_t i = 0; i != graph.numEntities(); ++i) {
    ir::EntityId entity{i};
    bool isFixed = graph.isService(entity) || used.test(i) ||
                   (graph.isNode(entity) && isHub(graph.node(entity)));
    if (!isFixed)
      pieces[classes[i]].push_back(entity);
  }
  llvm::erase_if(pieces, [](const Entities &piece) { return piece.empty(); });
  return pieces;
}

bool SymmetryFinder::exchange(const Entities &a, const Entities &b) {
  partners.clear();
  for (auto [one, other] : llvm::zip_equal(a, b)) {
    partners[one.index] = other;
    partners[other.index] = one;
  }
  auto isMissing = [](uint32_t number) { return number == ~0u; };
  for (uint32_t i = 0; i != system.cells.size(); ++i)
    if (isMissing(partnerOfCell(i)))
      return false;
  for (uint32_t i = 0; i != system.operations.size(); ++i)
    if (isMissing(partnerOfOperation(i)))
      return false;
  return true;
}

/// All that the start of \p operation, with what it sends on entry, may write
/// and ask for.
static void addFootprint(const GroundSystem &system, uint32_t number,
                         llvm::DenseSet<uint32_t> &starts,
                         llvm::DenseSet<uint32_t> &writes,
                         llvm::DenseSet<uint32_t> &reads) {
  if (!starts.insert(number).second)
    return;
  auto addReads = [&](FormulaId formula) {
    forEachTest(system, formula,
                [&](const Formula &test) { reads.insert(test.cell); });
  };
  const GroundOperation &operation = system.operations[number];
  addReads(operation.precondition);
  for (GroundWrite write : operation.entry)
    writes.insert(write.cell);
  for (const GroundSend &send : operation.onEntry) {
    addReads(send.condition);
    addFootprint(system, send.operation, starts, writes, reads);
  }
}

/// Whether the order of the receivers of an event may matter: one writes
/// what another writes or asks for.
bool SymmetryFinder::ordersMatter(ArrayRef<GroundSend> sends) {
  llvm::DenseMap<uint32_t, uint32_t> writer, reader;
  for (auto [i, send] : llvm::enumerate(sends)) {
    llvm::DenseSet<uint32_t> starts, writes, reads;
    addFootprint(system, send.operation, starts, writes, reads);
    auto isOthers = [&](const llvm::DenseMap<uint32_t, uint32_t> &known,
                        uint32_t cell) {
      auto found = known.find(cell);
      return found != known.end() && found->second != i;
    };
    for (uint32_t cell : writes) {
      if (isOthers(writer, cell) || isOthers(reader, cell))
        return true;
      writer[cell] = i;
    }
    for (uint32_t cell : reads) {
      if (isOthers(writer, cell))
        return true;
      reader[cell] = i;
    }
  }
  return false;
}

bool SymmetryFinder::sameSends(const GroundOperation &operation,
                               uint32_t number) {
  const GroundOperation &partner = system.operations[number];
  auto isSame = [&](ArrayRef<GroundSend> a, ArrayRef<GroundSend> b) {
    std::vector<Print> one, other;
    for (const GroundSend &send : a)
      one.push_back(printOf(send));
    auto exchanged = std::move(partners);
    partners.clear();
    for (const GroundSend &send : b)
      other.push_back(printOf(send));
    partners = std::move(exchanged);
    if (one == other)
      return true;
    llvm::sort(one);
    llvm::sort(other);
    return one == other && !ordersMatter(a);
  };
  return isSame(operation.onEntry, partner.onEntry) &&
         isSame(operation.onSuccess, partner.onSuccess);
}

bool SymmetryFinder::isSame(const GroundOperation &operation, uint32_t number) {
  const GroundOperation &partner = system.operations[number];
  auto moved = [&](std::vector<GroundWrite> writes) {
    for (GroundWrite &write : writes)
      write.cell = partnerOfCell(write.cell);
    return writes;
  };
  if (operation.expected != partner.expected ||
      moved(operation.entry) != partner.entry ||
      moved(operation.success) != partner.success)
    return false;
  Print here = printOf(operation.precondition);
  auto exchanged = std::move(partners);
  partners.clear();
  Print there = printOf(partner.precondition);
  partners = std::move(exchanged);
  return here == there && sameSends(operation, number);
}

bool SymmetryFinder::isSame() {
  for (auto [i, cell] : llvm::enumerate(system.cells)) {
    const GroundCell &partner = system.cells[partnerOfCell(i)];
    if (cell.initial != partner.initial || cell.expected != partner.expected ||
        cell.values != partner.values)
      return false;
  }
  for (auto [i, operation] : llvm::enumerate(system.operations))
    if (work > maxWork || !isSame(operation, partnerOfOperation(i)))
      return false;
  std::map<Print, size_t> counts;
  for (const GroundRule &rule : system.rules) {
    Print print = printOf(rule);
    auto same = rulesByPrint.find(print);
    if (same == rulesByPrint.end() || ++counts[print] > same->second.size())
      return false;
  }
  std::vector<uint32_t> events;
  for (uint32_t event : system.events)
    events.push_back(partnerOfOperation(event));
  if (events == system.events)
    return true;
  std::vector<GroundSend> sends;
  for (uint32_t event : system.events)
    sends.push_back({{}, event});
  std::vector<uint32_t> sorted = system.events;
  llvm::sort(events);
  llvm::sort(sorted);
  return events == sorted && !ordersMatter(sends);
}

Symmetry::Piece SymmetryFinder::placesOf(const Entities &piece) const {
  Symmetry::Piece places;
  for (ir::EntityId entity : piece) {
    for (auto [i, owner] : llvm::enumerate(ownersOfCells))
      if (owner == entity)
        places.push_back(i);
    for (uint32_t i = 0; i != system.operations.size(); ++i)
      if (ownerOf(i) == entity) {
        places.push_back(interpreter.places.started(i));
        places.push_back(interpreter.places.ended(i));
      }
  }
  return places;
}

/// The rules that \p piece owns or receives; each must touch no other piece.
std::optional<std::vector<uint32_t>>
SymmetryFinder::rulesOf(const Entities &piece,
                        const llvm::DenseSet<uint32_t> &inPieces) const {
  std::vector<uint32_t> rules;
  for (auto [i, rule] : llvm::enumerate(system.rules)) {
    ir::EntityId ends[] = {rule.owner, ownerOf(rule.operation)};
    auto isMine = [&](ir::EntityId end) {
      return llvm::is_contained(piece, end);
    };
    if (llvm::none_of(ends, isMine))
      continue;
    for (ir::EntityId end : ends)
      if (!isMine(end) && inPieces.contains(end.index))
        return std::nullopt;
    rules.push_back(i);
  }
  return rules;
}

/// Where the partners of \p rules hold; empty if one has none of its own.
Symmetry::Piece SymmetryFinder::partnersOf(ArrayRef<uint32_t> rules) {
  Symmetry::Piece places;
  for (uint32_t rule : rules) {
    auto same = rulesByPrint.find(printOf(system.rules[rule]));
    for (uint32_t candidate : same->second) {
      uint32_t place = interpreter.places.held(candidate);
      if (llvm::is_contained(places, place))
        continue;
      places.push_back(place);
      break;
    }
  }
  return places;
}

std::vector<Symmetry::Piece> SymmetryFinder::alike(ArrayRef<Entities> pieces,
                                                   Entities &members) {
  llvm::DenseSet<uint32_t> inPieces;
  for (const Entities &piece : pieces)
    for (ir::EntityId entity : piece)
      inPieces.insert(entity.index);
  const Entities &first = pieces.front();
  auto rules = rulesOf(first, inPieces);
  std::vector<Symmetry::Piece> orbit;
  if (!rules)
    return orbit;
  partners.clear();
  for (const Entities &piece : pieces) {
    if (&piece != &first && (!exchange(first, piece) || !isSame()))
      continue;
    Symmetry::Piece places = placesOf(piece), held = partnersOf(*rules);
    if (held.size() != rules->size())
      continue;
    llvm::append_range(places, held);
    orbit.push_back(std::move(places));
    llvm::append_range(members, piece);
  }
  return orbit;
}

void SymmetryFinder::propose(
    llvm::function_ref<bool(ir::NodeId)> isHub,
    std::vector<std::vector<Symmetry::Piece>> &orbits) {
  std::map<std::vector<uint32_t>, std::vector<Entities>> byShape;
  for (Entities &piece : fallApart(isHub))
    byShape[shapeOf(piece)].push_back(std::move(piece));
  for (auto &[shape, pieces] : byShape) {
    Entities members;
    std::vector<Symmetry::Piece> orbit = alike(pieces, members);
    if (orbit.size() < 2 || orbit.front().empty())
      continue;
    for (ir::EntityId entity : members)
      used.set(entity.index);
    orbits.push_back(std::move(orbit));
  }
}

void SymmetryFinder::find(std::vector<std::vector<Symmetry::Piece>> &orbits) {
  propose([&](ir::NodeId node) { return graph.classOf(node).nodes.count == 1; },
          orbits);
  for (const ir::NodeClass &single : graph.nodeClasses)
    if (single.nodes.count > 1 && !used.test(single.nodes.first))
      propose([&](ir::NodeId node) { return !single.nodes.contains(node); },
              orbits);
}

Symmetry::Symmetry(const GroundInterpreter &interpreter, const Layout &layout) {
  // Tasks tell instances apart.
  if (llvm::any_of(interpreter.system.operations,
                   [](const GroundOperation &operation) {
                     return operation.isTask();
                   })) {
    index(interpreter);
    return;
  }
  SymmetryFinder(interpreter, layout).find(orbits);
  index(interpreter);
}

Symmetry::Symmetry(const GroundInterpreter &interpreter, const Layout &layout,
                   ArrayRef<std::vector<Entities>> classes) {
  SymmetryFinder finder(interpreter, layout);
  for (ArrayRef<Entities> pieces : classes) {
    Entities members;
    std::vector<Piece> orbit = finder.alike(pieces, members);
    if (orbit.size() == pieces.size())
      orbits.push_back(std::move(orbit));
  }
  index(interpreter);
}

void Symmetry::index(const GroundInterpreter &interpreter) {
  llvm::BitVector inPieces(interpreter.places.size());
  operations.resize(interpreter.places.numOperations);
  for (auto [i, orbit] : llvm::enumerate(orbits))
    for (auto [j, piece] : llvm::enumerate(orbit))
      for (auto [k, place] : llvm::enumerate(piece)) {
        inPieces.set(place);
        if (place >= interpreter.places.started(0) &&
            place < interpreter.places.ended(0))
          operations[place - interpreter.places.started(0)] = {
              uint32_t(i), uint32_t(j), uint32_t(k)};
      }
  for (uint32_t i = 0; i != inPieces.size(); ++i)
    if (!inPieces.test(i))
      others.push_back(i);
}

/// Of what \p places have in \p state.
static Print printOf(ArrayRef<uint32_t> places, const GroundState &state,
                     GroundState &scratch) {
  scratch.clear();
  for (uint32_t place : places)
    scratch.push_back(state[place]);
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(scratch);
  return {hash.low64, hash.high64};
}

std::pair<uint64_t, uint64_t> Symmetry::hashOf(const GroundState &state) const {
  GroundState scratch;
  Print all = printOf(others, state, scratch);
  for (const std::vector<Piece> &orbit : orbits) {
    Print sum;
    for (const Piece &piece : orbit)
      sum += printOf(piece, state, scratch);
    all = Print::of({all.low, all.high, sum.low, sum.high});
  }
  return {all.low, all.high};
}

std::vector<uint32_t> Symmetry::distinct(ArrayRef<uint32_t> among,
                                         const GroundState &state) const {
  std::vector<uint32_t> result;
  GroundState scratch;
  std::set<std::pair<std::pair<uint32_t, uint32_t>, Print>> seen;
  for (uint32_t operation : among) {
    const Position &at = operations[operation];
    if (at.orbit == ~0u ||
        seen.insert({{at.orbit, at.place},
                     printOf(orbits[at.orbit][at.piece], state, scratch)})
            .second)
      result.push_back(operation);
  }
  return result;
}
