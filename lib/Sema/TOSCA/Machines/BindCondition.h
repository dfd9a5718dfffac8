//===- BindCondition.h - Expressions of machines ----------------*- C++ -*-===//
///
/// \file
/// Checks the conditions and values of machines, and gives them in the form
/// that IR/Machine.h describes.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_BINDCONDITION_H
#define TOSCAC_LIB_SEMA_TOSCA_BINDCONDITION_H

#include "EventPath.h"

namespace toscac::sema {

/// The condition \p node, which stands in \p layer; null after a report.
const Expr *bindCondition(const EventScope &scope, const Scope &layer,
                          const syntax::Node &node);

/// The value \p node of type \p type; null after a report. `$get_input` may
/// also name one of \p inputs, if they are not null.
const Expr *bindValue(const EventScope &scope, const Scope &layer,
                      const syntax::Node &node, const Type &type,
                      const Flat::Members *inputs = nullptr);

/// All values that \p type has, in order of definition; empty if they are not
/// listed.
llvm::ArrayRef<Value> finiteDomain(Program &program, const Type &type);

/// Reports \p value, which stands at \p range, unless it is in \p domain, the
/// values of \p cell; where a refinement took it away, that is reported. An
/// empty domain has all values.
bool checkInDomain(Program &program, const Value &value, SourceRange range,
                   llvm::ArrayRef<Value> domain, const Flat &cell);

} // namespace toscac::sema

#endif
