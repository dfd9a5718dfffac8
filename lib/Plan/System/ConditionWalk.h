//===- ConditionWalk.h - One walk over all conditions -----------*- C++ -*-===//
///
/// \file
/// All that is asked of conditions walks over their terms in the same way:
/// negations are carried down to the tests, and loops are run over entities.
/// What is left are constants, tests, what the evaluator answers, and groups of
/// parts of which so many are to be as they are wanted.
///
/// A new kind of condition is a new kind of group, or of leaf.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_CONDITIONWALK_H
#define TOSCAC_LIB_PLAN_CONDITIONWALK_H

#include "Conditions.h"

namespace toscac::plan {

/// The entity that has the condition, then the elements of loops.
using Binding = llvm::SmallVectorImpl<ir::EntityId>;

/// Parts of a condition, as they are asked for.
struct Group {
  const Term &term;
  /// Each part is to hold; else each is not to hold.
  bool wanted;
  /// How many of them.
  Quorum quorum;
};

/// \p Asker answers with a \p Result:
///   constant(bool)                      what is so, or is not, in any case
///   atom(AtomId, Binding &, bool wanted)
///   other(Term, Binding &, bool wanted)   of kind Static or General
///   group(Group, Binding &)
template <typename Asker, typename Result>
class ConditionWalk {
public:
  explicit ConditionWalk(const Conditions &conditions) : terms(conditions) {}

  /// What \p id is worth if it is to hold, or not to.
  Result walk(TermId id, Binding &bound, bool wanted) {
    Asker &asker = static_cast<Asker &>(*this);
    const Term &term = terms[id];
    switch (term.kind) {
    case Term::Kind::True:
    case Term::Kind::False:
      return asker.constant((term.kind == Term::Kind::True) == wanted);
    case Term::Kind::Not:
      return walk(terms.childrenOf(term).front(), bound, !wanted);
    case Term::Kind::And:
      return group(term, Quorum::all(), bound, wanted);
    case Term::Kind::Or:
      return group(term, Quorum::atLeast(1), bound, wanted);
    case Term::Kind::Loop:
      if (auto quorum = terms.quorumOf(term.first, bound.front()))
        return group(term, *quorum, bound, wanted);
      return walk(terms.loops[term.first].otherwise, bound, wanted);
    case Term::Kind::Atom:
      return asker.atom(AtomId{term.first}, bound, wanted);
    case Term::Kind::Static:
    case Term::Kind::General:
      return asker.other(term, bound, wanted);
    }
    llvm_unreachable("all kinds are handled");
  }
  Result walk(TermId id, ir::EntityId self, bool wanted) {
    llvm::SmallVector<ir::EntityId, 4> bound{self};
    return walk(id, bound, wanted);
  }

  /// Calls \p visit with each part of \p group, as long as it says so; an
  /// element of a loop is bound meanwhile.
  template <typename Visit>
  void forEachPart(const Group &group, Binding &bound, Visit visit) const {
    if (group.term.kind != Term::Kind::Loop) {
      for (TermId part : terms.childrenOf(group.term))
        if (!visit(part))
          return;
      return;
    }
    const Loop &loop = terms.loops[group.term.first];
    bound.resize(loop.depth);
    forEachEntity(terms.layout, loop.route, bound, [&](ir::EntityId element) {
      bound.resize(loop.depth);
      bound.push_back(element);
      bool goesOn = visit(loop.body);
      bound.resize(loop.depth);
      return goesOn;
    });
  }

private:
  Result group(const Term &term, Quorum quorum, Binding &bound, bool wanted) {
    return static_cast<Asker &>(*this).group(
        {term, wanted, wanted ? quorum : quorum.negated()}, bound);
  }

  const Conditions &terms;
};

} // namespace toscac::plan

#endif
