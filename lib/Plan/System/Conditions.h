//===- Conditions.h - Preconditions and rule conditions ---------*- C++ -*-===//
///
/// \file
/// Conditions compiled into terms over cells. A term is compiled once for all
/// entities that have the machine; where its paths lead is looked up for each.
///
/// A part that reads one cell and is otherwise constant is an atom: a test of
/// that cell's value, with a table of answers. `$for_each` is a loop over
/// entities; what asks for an entry of a list of cells, or compares a `$count`,
/// becomes one, too. What reads no cell is settled once for each entity.
/// Everything else is left to the evaluator.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_CONDITIONS_H
#define TOSCAC_LIB_PLAN_CONDITIONS_H

#include "History.h"
#include "Quorum.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/IR/ResolvePath.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace toscac::plan {

struct TermId {
  uint32_t index = ~0u;
  explicit operator bool() const { return index != ~0u; }
  friend bool operator==(TermId, TermId) = default;
};
struct AtomId {
  uint32_t index;
  friend bool operator==(AtomId, AtomId) = default;
};

struct Term {
  enum class Kind : uint8_t {
    True,
    False,
    And,
    Or,
    Not,
    /// `first` is an AtomId.
    Atom,
    /// `first` is an index of loops.
    Loop,
    /// Reads no cell; `first` is an index of expressions.
    Static,
    /// Left to the evaluator; `first` is an index of expressions.
    General
  };
  Kind kind;
  /// Children: indices into Conditions::children.
  uint32_t first = 0;
  uint32_t count = 0;
};

/// Entities that a path leads to. It starts at the entity that has the
/// condition (0) or at the element of the loop number `origin`, counted from
/// the outermost.
struct Route {
  uint32_t origin = 0;
  llvm::ArrayRef<ir::PathStep> steps;
  /// All the way from the entity that has the condition.
  llvm::ArrayRef<ir::PathStep> fromSelf;
  ir::EntityKind self = ir::EntityKind::Node;
};

struct CellRef {
  Route route;
  Name interface;
  Name cell;
};

struct Atom {
  CellRef cell;
  /// The test; the query in it stands for the cell's value.
  const Expr *test = nullptr;
  /// By ValueId: -1 not asked yet, 0 false, 1 true.
  std::vector<int8_t> answers;
  /// Where the path leads nowhere.
  bool whereNothing = false;
  /// A condition of a machine may come to hold because it ceases to.
  bool isNegated = false;
};

struct Loop {
  Route route;
  /// Its number from the outermost, which is 1.
  uint32_t depth;
  TermId body;
  /// How many elements the body is to hold for.
  Quorum quorum = Quorum::all();
  /// Not null: so many more, which an entity's own values say.
  const Expr *more = nullptr;
  /// Where those are known only when the plan runs.
  TermId otherwise = {};
  /// Whether it holds can be counted: each element decides for itself.
  bool isCounted = false;
};

struct OtherTerm {
  const Expr *expr;
  std::vector<CellRef> reads;
};

class Conditions {
public:
  Conditions(const Layout &layout, ValueTable &values, NameTable &names,
             DiagnosticEngine &diags);

  const Layout &layout;
  ValueTable &values;
  NameTable &names;
  DiagnosticEngine &diags;

  std::vector<Term> terms;
  std::vector<TermId> children;
  std::vector<Atom> atoms;
  std::vector<Loop> loops;
  std::vector<OtherTerm> others;

  /// \p expr, or true where it is null, for entities of kind \p self.
  TermId compile(const Expr *expr, ir::EntityKind self);

  llvm::ArrayRef<TermId> childrenOf(const Term &term) const {
    return llvm::ArrayRef(children).slice(term.first, term.count);
  }
  const Term &operator[](TermId id) const { return terms[id.index]; }

  /// How many elements of \p loop are asked for at \p self; nothing: that is
  /// known only when the plan runs.
  std::optional<Quorum> quorumOf(uint32_t loop, ir::EntityId self) const;

  bool test(Atom &atom, ValueId value) {
    if (value.index < atom.answers.size() && atom.answers[value.index] >= 0)
      return atom.answers[value.index];
    return ask(atom, value);
  }

  /// All atoms, and cells read otherwise, below \p term, which is \p wanted to
  /// hold.
  void visitReads(TermId term,
                  llvm::function_ref<void(AtomId, bool wanted)> atom,
                  llvm::function_ref<void(const CellRef &)> other,
                  bool wanted = true) const;

  ValueArena arena;

private:
  friend class ConditionCompiler;
  /// Asks the evaluator, and notes the answer.
  bool ask(Atom &atom, ValueId value);

  llvm::DenseMap<std::pair<const Expr *, uint8_t>, TermId> compiled;
  llvm::StringMap<TermId> termsByText;
  llvm::StringMap<uint32_t> atomsByText;
  /// By loop and entity.
  mutable llvm::DenseMap<std::pair<uint32_t, uint32_t>, std::optional<Quorum>>
      quorums;
};

inline constexpr ir::EntityId nowhere{~0u};

/// The entity that a path without ALL leads to, or `nowhere`.
ir::EntityId follow(const ir::Graph &graph, const Route &route,
                    ir::EntityId start);

/// The cell that \p ref means where the entities of its loops are \p bound;
/// the first of them has the condition.
LLVM_ATTRIBUTE_ALWAYS_INLINE CellId
findCell(const Layout &layout, const CellRef &ref,
         llvm::ArrayRef<ir::EntityId> bound) {
  ir::EntityId start = bound[ref.route.origin];
  if (ref.route.steps.empty())
    return layout.findCell(start, ref.interface, ref.cell);
  ir::EntityId entity = follow(layout.graph, ref.route, start);
  if (entity == nowhere)
    return {};
  return layout.findCell(entity, ref.interface, ref.cell);
}

/// Calls \p visit with each entity that \p route leads to.
void forEachEntity(const Layout &layout, const Route &route,
                   llvm::ArrayRef<ir::EntityId> bound,
                   llvm::function_ref<bool(ir::EntityId)> visit);

/// Calls \p visit with each cell that \p other, a condition of \p self, may
/// read.
template <typename Visit>
void forEachRead(const Layout &layout, const OtherTerm &other,
                 ir::EntityId self, Visit visit) {
  for (const CellRef &ref : other.reads) {
    Route route{0, ref.route.fromSelf, ref.route.fromSelf, ref.route.self};
    forEachEntity(layout, route, self, [&](ir::EntityId entity) {
      if (CellId cell = layout.findCell(entity, ref.interface, ref.cell))
        visit(cell);
      return true;
    });
  }
}

} // namespace toscac::plan

#endif
