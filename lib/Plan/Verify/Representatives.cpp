//===- Representatives.cpp - A few equivalent parts for many --------------===//

#include "Representatives.h"

#include "EquivalentPieces.h"
#include "Search.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

class Representatives {
public:
  Representatives(const GroundSystem &system, const Layout &layout,
                  const EquivalentPieces &alike);

  bool areIsolated() const;
  /// The number of states, if all orders are shown to do the same.
  std::optional<size_t> moveTogether();

private:
  /// Whether representatives of one class are all in the same state.
  bool isUniform() const;
  /// Whether nothing of a piece sends to others when it starts.
  bool startAlone() const;
  /// Whether \p operation, which the last but one of its class has ended, has
  /// left all else as it was \p before, and that one as the first.
  bool makesNoDifference(uint32_t operation, const GroundState &before) const;
  uint32_t pieceOf(ir::EntityId entity) const {
    auto found = pieces.find(entity.index);
    return found == pieces.end() ? fixed : found->second;
  }
  uint32_t pieceOfOperation(uint32_t number) const {
    const GroundOperation &operation = system.operations[number];
    return pieceOf(operation.promise ? operation.owner
                                     : layout.entityOf(operation.id));
  }
  uint32_t pieceOfCell(uint32_t number) const {
    return pieceOf(layout.entityOf(system.cells[number].id));
  }

  static constexpr uint32_t fixed = ~0u;
  const GroundSystem &system;
  const Layout &layout;
  const EquivalentPieces &alike;
  Search search;
  /// By entity.
  llvm::DenseMap<uint32_t, uint32_t> pieces;
  /// By operation: those that correspond to it, if it is one of the first
  /// representative; itself, if it belongs to none; else nothing.
  std::vector<llvm::SmallVector<uint32_t, 5>> together;
  /// By piece: its class, and its number there.
  std::vector<std::pair<uint32_t, uint32_t>> numbersInClass;
};

} // namespace

Representatives::Representatives(const GroundSystem &system,
                                 const Layout &layout,
                                 const EquivalentPieces &alike)
    : system(system), layout(layout), alike(alike),
      search(system, layout, /*limit=*/0), together(system.operations.size()) {
  // By entity of a representative: the entity of the first that it corresponds
  // to.
  llvm::DenseMap<uint32_t, ir::EntityId> firsts;
  uint32_t number = 0;
  for (auto [i, representatives] : llvm::enumerate(alike.classes))
    for (const Entities &piece : representatives) {
      numbersInClass.emplace_back(i, &piece - representatives.data());
      for (auto [entity, first] :
           llvm::zip_equal(piece, representatives.front())) {
        pieces[entity.index] = number;
        firsts[entity.index] = first;
      }
      ++number;
    }
  llvm::DenseMap<uint32_t, uint32_t> numbers;
  for (auto [i, operation] : llvm::enumerate(system.operations)) {
    if (operation.takesNoTime())
      continue;
    EventPlace at = layout.place(operation.id);
    auto first = firsts.find(layout.entity(at.slot, at.row).index);
    EventId event = operation.id;
    if (first != firsts.end())
      event = layout.event(at.slot, layout.rowOf(at.slot, first->second),
                           at.operation);
    together[numbers.try_emplace(event.index, i).first->second].push_back(i);
  }
}

/// Whether nothing of a piece asks or tells anything outside of it, and what is
/// outside asks for nothing in it.
bool Representatives::areIsolated() const {
  auto asksOnly = [&](FormulaId formula, uint32_t piece) {
    bool isInside = true;
    forEachTest(system, formula, [&](const Formula &test) {
      uint32_t other = pieceOfCell(test.cell);
      isInside &= other == piece || other == fixed;
    });
    return isInside;
  };
  auto tellsOnly = [&](ArrayRef<GroundSend> sends, uint32_t piece) {
    return llvm::all_of(sends, [&](const GroundSend &send) {
      return asksOnly(send.condition, piece) &&
             (piece == fixed || pieceOfOperation(send.operation) == piece);
    });
  };
  for (auto [i, operation] : llvm::enumerate(system.operations)) {
    uint32_t piece = pieceOfOperation(i);
    if (!asksOnly(operation.precondition, piece) ||
        !tellsOnly(operation.onEntry, piece) ||
        !tellsOnly(operation.onSuccess, piece))
      return false;
  }
  return llvm::all_of(system.rules, [&](const GroundRule &rule) {
    uint32_t piece = pieceOf(rule.owner);
    return tellsOnly({{rule.condition, rule.operation}}, piece);
  });
}

bool Representatives::isUniform() const {
  const GroundState &state = search.interpreter.state();
  return llvm::all_of(
      search.symmetry->orbits, [&](ArrayRef<Symmetry::Piece> orbit) {
        return llvm::all_of(orbit, [&](const Symmetry::Piece &piece) {
          return llvm::all_of(
              llvm::zip_equal(piece, orbit.front()), [&](auto places) {
                return state[std::get<0>(places)] == state[std::get<1>(places)];
              });
        });
      });
}

bool Representatives::startAlone() const {
  for (auto [i, operation] : llvm::enumerate(system.operations)) {
    uint32_t piece = pieceOfOperation(i);
    if (piece != fixed &&
        llvm::any_of(operation.onEntry, [&](const GroundSend &send) {
          return pieceOfOperation(send.operation) != piece;
        }))
      return false;
  }
  return true;
}

bool Representatives::makesNoDifference(uint32_t operation,
                                        const GroundState &before) const {
  auto [orbit, number] = numbersInClass[pieceOfOperation(operation)];
  ArrayRef<Symmetry::Piece> pieces = search.symmetry->orbits[orbit];
  GroundState expected = before;
  for (auto [place, first] : llvm::zip_equal(pieces[number], pieces.front()))
    expected[place] = before[first];
  return search.interpreter.state() == expected;
}

std::optional<size_t> Representatives::moveTogether() {
  if (!startAlone())
    return std::nullopt;
  search.symmetry.emplace(search.interpreter, layout, alike.classes);
  if (search.symmetry->orbits.size() != alike.classes.size())
    return std::nullopt;
  GroundInterpreter &interpreter = search.interpreter;
  if (!interpreter.begin())
    return std::nullopt;
  size_t numStates = 1;
  while (isUniform() && !interpreter.isEndless && !interpreter.isBroken()) {
    if (interpreter.allRunning().none())
      return interpreter.isExpected() ? std::optional(numStates) : std::nullopt;
    std::optional<uint32_t> next;
    for (unsigned operation : interpreter.allRunning().set_bits())
      if (!together[operation].empty() && search.stubborn.isEnough(operation)) {
        next = operation;
        break;
      }
    if (!next)
      return std::nullopt;
    ArrayRef<uint32_t> alikeEnds = together[*next];
    for (auto [i, operation] : llvm::enumerate(alikeEnds)) {
      GroundState before;
      if (i + 2 == alikeEnds.size())
        before = interpreter.state();
      if (!interpreter.end(operation) ||
          (!before.empty() && !makesNoDifference(operation, before)))
        return std::nullopt;
      ++numStates;
    }
  }
  return std::nullopt;
}

/// See the head of Representatives.h.
static size_t numRepresentatives(const Conditions &conditions) {
  uint32_t depth = 1;
  for (const Loop &loop : conditions.loops)
    depth = std::max(depth, loop.depth);
  return depth + 4;
}

Represented toscac::plan::represent(const Start &start, const SymbolicRun &run,
                                    Part part) {
  Represented result;
  const Conditions &conditions = run.system.conditions;
  EquivalentPieces alike =
      findEquivalentPieces(start, run, part, numRepresentatives(conditions));
  if (alike.classes.empty())
    return result;
  result.system = groundAlike(start, run, part, alike.hidden);
  // Some conditions are compiled there for the first time.
  if (numRepresentatives(conditions) > alike.numRepresentatives)
    result.system.reset();
  if (!result.system)
    return result;
  Representatives representatives(*result.system, run.system.layout, alike);
  if (representatives.areIsolated())
    return result;
  if (result.system->sentInVain.empty())
    result.states = representatives.moveTogether();
  result.system.reset();
  return result;
}
