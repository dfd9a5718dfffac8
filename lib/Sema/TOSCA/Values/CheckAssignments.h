//===- CheckAssignments.h - Values given to definitions ---------*- C++ -*-===//
///
/// \file
/// Property, attribute and parameter assignments against what they are
/// definitions of (TOSCA 2.0 §9.4, §9.6, §9.8).
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_CHECKASSIGNMENTS_H
#define TOSCAC_LIB_SEMA_TOSCA_CHECKASSIGNMENTS_H

#include "CheckExpression.h"
#include <functional>

namespace toscac::sema {

struct Assignments {
  /// What is assigned to: properties of a node template, inputs of a call.
  const Flat::Members &definitions;
  /// "property", "attribute", "input".
  llvm::StringRef noun;
  /// "node template 'db'"; asked for when there is something to report.
  std::function<std::string()> owner;
  /// Where a missing value is reported.
  SourceRange place;
  /// Whether names without a definition are fine.
  bool open = false;
  /// Whether required values must be there.
  bool complete = true;
  /// The map that the values stand in; null: nobody knows.
  const syntax::Node *around = nullptr;
};

/// Checks the map \p values (null: nothing is assigned).
void checkAssignments(Program &program, const ExprContext &context,
                      const Assignments &assignments,
                      const syntax::Node *values);

/// No diagnostic is to show what is written in \p node, the sensitive value of
/// something; what it fetches from elsewhere may be shown.
void hideLiterals(Program &program, const syntax::Node &node);

} // namespace toscac::sema

#endif
