//===- CheckExpression.h - Values against their types -----------*- C++ -*-===//
///
/// \file
/// Checks what was written where a value is wanted: literals as values, calls
/// by their signatures, paths over types.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_CHECKEXPRESSION_H
#define TOSCAC_LIB_SEMA_TOSCA_CHECKEXPRESSION_H

#include "TOSCA/Types/DataTypes.h"
#include "toscac/Value/Expr.h"

namespace toscac::sema {

struct ServiceScope;
struct Template;

/// Where an expression stands: what names and paths in it refer to.
struct ExprContext {
  const Scope &scope;
  /// The entity that SELF means: a flat type, or null where there is none.
  const Flat *self = nullptr;
  /// The service that inputs and node templates are looked up in; null in
  /// types.
  const ServiceScope *service = nullptr;
  /// The inputs of the workflow around, which come before the service's.
  const Flat::Members *workflowInputs = nullptr;
  /// What `$value` is; null where it has no meaning.
  const Type *value = nullptr;
  /// It belongs to a machine, whose booleans may be written as in YAML.
  bool inMachine = false;
  /// The node template that SELF means, or whose relationship it means.
  const Template *node = nullptr;
  /// The relationship template that SELF means.
  const Template *relationship = nullptr;
  /// Where SELF is the relationship that a requirement makes: the definition of
  /// the requirement, its assignment (null in types), and the source's type.
  const Flat *requirement = nullptr;
  const Entity *assignment = nullptr;
  const Flat *source = nullptr;
  /// Whether it is the node filter of a requirement, where SELF is often
  /// mistaken for a node.
  bool isFilter = false;
  /// Whether steps are reported that lead nowhere behind other entities: only
  /// where all of the above is known.
  bool isComplete = false;
};

/// The type of what the names and indices \p steps lead to inside \p type.
/// Reports names that it does not have.
const Type *typeInside(Program &program, const Type *type,
                       llvm::ArrayRef<Expr> steps);

/// Checks \p node as a value of \p type. Gives the expression with all that is
/// known folded in, or null after a report.
const Expr *checkValueNode(Program &program, const ExprContext &context,
                           const syntax::Node &node, const Type &type);

/// The same for an expression that has been made already.
const Expr *checkTyped(Program &program, const ExprContext &context,
                       const Expr &expr, const Type &type);

/// Checks \p node as a condition.
const Expr *checkConditionNode(Program &program, const ExprContext &context,
                               const syntax::Node &node);

/// Checks \p node as a list of steps to an attribute that a value is stored in
/// (TOSCA 2.0 §9.9), the value of \p output where its definition is known.
void checkAttributePath(Program &program, const ExprContext &context,
                        const syntax::Node &node, const Flat *output = nullptr);

/// The type of a query in \p context (`$get_property` and its kind), null where
/// it is not known; reports what does not exist.
const Type *typeOfQuery(Program &program, const ExprContext &context,
                        const Expr &call);

/// The result type of a call of a custom function; reports arguments that no
/// signature accepts.
const Type *typeOfCustomCall(Program &program, const ExprContext &context,
                             const Expr &call,
                             llvm::ArrayRef<const Type *> arguments);

} // namespace toscac::sema

#endif
