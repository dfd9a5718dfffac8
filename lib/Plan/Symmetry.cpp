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
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// More work than this is not worth it.
static constexpr size_t maxWork = 50000000;

namespace {

using Entities = std::vector<ir::EntityId>;

class SymmetryFinder {
public:
  SymmetryFinder(const Acts &acts, const Layout &layout)
      : acts(acts), system(acts.system), layout(layout), graph(layout.graph),
        used(graph.numEntities()) {
    for (auto [i, operation] : llvm::enumerate(system.operations))
      if (operation.promise)
        promises[{operation.owner.index, operation.promise}] = i;
      else
        operations[operation.id.index] = i;
    for (auto [i, cell] : llvm::enumerate(system.cells))
      cells[cell.id.index] = i;
    for (auto [i, rule] : llvm::enumerate(system.rules))
      rulesByText[textOf(rule)].push_back(i);
  }

  void find(std::vector<std::vector<Symmetry::Piece>> &orbits);

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
  std::vector<Symmetry::Piece> alike(ArrayRef<Entities> pieces,
                                     Entities &members);
  Symmetry::Piece placesOf(const Entities &piece) const;
  std::optional<std::vector<uint32_t>>
  rulesOf(const Entities &piece,
          const llvm::DenseSet<uint32_t> &inPieces) const;
  Symmetry::Piece partnersOf(ArrayRef<uint32_t> rules) const;

  uint32_t partnerOfCell(uint32_t cell) const;
  uint32_t partnerOfOperation(uint32_t operation) const;
  std::string textOf(FormulaId formula) const;
  std::string textOf(const GroundRule &rule) const;
  std::string textOf(const GroundSend &send) const;
  ir::EntityId ownerOf(uint32_t number) const {
    const GroundOperation &operation = system.operations[number];
    return operation.promise ? operation.owner : layout.entityOf(operation.id);
  }

  const Acts &acts;
  const GroundSystem &system;
  const Layout &layout;
  const ir::Graph &graph;
  llvm::DenseMap<uint32_t, uint32_t> operations, cells;
  /// Operations that stand for broken promises.
  llvm::DenseMap<std::pair<uint32_t, const ir::Promise *>, uint32_t> promises;
  llvm::DenseMap<uint32_t, ir::EntityId> partners;
  std::map<std::string, std::vector<uint32_t>> rulesByText;
  llvm::BitVector used;
  size_t work = 0;
};

} // namespace

uint32_t SymmetryFinder::partnerOfCell(uint32_t cell) const {
  CellId id = system.cells[cell].id;
  CellPlace at = layout.place(id);
  auto partner = partners.find(layout.entity(at.slot, at.row).index);
  if (partner == partners.end())
    return cell;
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

/// With cells replaced by their partners, in an order of its own.
std::string SymmetryFinder::textOf(FormulaId id) const {
  const Formula &formula = system[id];
  if (formula.kind == Formula::Kind::Test)
    return llvm::utostr(partnerOfCell(formula.cell)) + "=" +
           llvm::utohexstr(formula.values);
  std::vector<std::string> parts;
  for (FormulaId part : formula.parts)
    parts.push_back(textOf(part));
  llvm::sort(parts);
  return (formula.kind == Formula::Kind::And ? "&(" : "|(") +
         llvm::join(parts, ",") + ")";
}

std::string SymmetryFinder::textOf(const GroundSend &send) const {
  return llvm::utostr(partnerOfOperation(send.operation)) + " if " +
         textOf(send.condition);
}

std::string SymmetryFinder::textOf(const GroundRule &rule) const {
  return llvm::utostr(partnerOfOperation(rule.operation)) + " when " +
         textOf(rule.condition);
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

/// Whether it may make a difference which receiver is told first: one writes
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
    std::vector<std::string> one, other;
    for (const GroundSend &send : a)
      one.push_back(textOf(send));
    auto exchanged = std::move(partners);
    partners.clear();
    for (const GroundSend &send : b)
      other.push_back(textOf(send));
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
  std::string here = textOf(operation.precondition);
  work += here.size();
  auto exchanged = std::move(partners);
  partners.clear();
  std::string there = textOf(partner.precondition);
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
  std::map<std::string, size_t> counts;
  for (const GroundRule &rule : system.rules) {
    std::string text = textOf(rule);
    work += text.size();
    auto same = rulesByText.find(text);
    if (same == rulesByText.end() || ++counts[text] > same->second.size())
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
    for (auto [i, cell] : llvm::enumerate(system.cells))
      if (layout.entityOf(cell.id) == entity)
        places.push_back(i);
    for (uint32_t i = 0; i != system.operations.size(); ++i)
      if (ownerOf(i) == entity) {
        places.push_back(acts.started(i));
        places.push_back(acts.ended(i));
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
Symmetry::Piece SymmetryFinder::partnersOf(ArrayRef<uint32_t> rules) const {
  Symmetry::Piece places;
  for (uint32_t rule : rules) {
    auto same = rulesByText.find(textOf(system.rules[rule]));
    for (uint32_t candidate : same->second) {
      uint32_t place = acts.held(candidate);
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

Symmetry::Symmetry(const Acts &acts, const Layout &layout) {
  // Tasks tell instances apart.
  if (llvm::any_of(
          acts.system.operations,
          [](const GroundOperation &operation) { return operation.isTask(); }))
    return;
  SymmetryFinder(acts, layout).find(orbits);
}

void Symmetry::makeCanonical(ActState &state) const {
  for (const std::vector<Piece> &orbit : orbits) {
    std::vector<ActState> parts;
    for (const Piece &piece : orbit) {
      ActState &part = parts.emplace_back();
      for (uint32_t place : piece)
        part.push_back(state[place]);
    }
    llvm::sort(parts);
    for (auto [piece, part] : llvm::zip_equal(orbit, parts))
      for (auto [place, byte] : llvm::zip_equal(piece, part))
        state[place] = byte;
  }
}
