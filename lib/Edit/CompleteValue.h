//===- CompleteValue.h - What may stand in a value --------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EDIT_COMPLETEVALUE_H
#define TOSCAC_LIB_EDIT_COMPLETEVALUE_H

#include "Context.h"
#include "toscac/Edit/Complete.h"

namespace toscac::edit {

/// The mark is somewhere in the value of a field.
struct ValuePlace {
  const Outline &outline;
  const Place &place;
  const Context &context;
  const syntax::Node &mark;
  bool isNewKey;
};

/// Functions, steps of paths, values of the type that is wanted.
std::vector<Completion> completeValue(const ValuePlace &value);

/// Whether values of \p shape may be function calls, conditions or paths.
bool takesExpression(tosca::ShapeKind shape);

/// \p part, which is under \p key of some type, as something to choose.
Completion describePart(const sema::Flat &part, Key key);

/// The innermost function call around the last node of \p place.
struct CallAround {
  const syntax::Node *name;
  llvm::ArrayRef<syntax::Node> arguments;
  /// Which of them the place is in.
  size_t index;
};
std::optional<CallAround> callAround(const Place &place);

} // namespace toscac::edit

#endif
