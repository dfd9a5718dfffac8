//===- EventPath.h - Paths in machines --------------------------*- C++ -*-===//
///
/// \file
/// Reads the paths of triggers and conditions, in all the forms that may be
/// written, and gives the one form that IR/Machine.h describes, together with
/// what may stand at their ends.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_EVENTPATH_H
#define TOSCAC_LIB_SEMA_TOSCA_EVENTPATH_H

#include "TypedPlaces.h"

namespace toscac::sema {

/// Where the paths of a machine start, and what names in them mean.
struct EventScope {
  Program &program;
  const PlaceFinder &places;
  /// The entity that has the machine. Open and without candidates in an
  /// interface type, which may be used anywhere.
  TypedPlace self;
  /// The machine's own interface; null for the events of a service.
  const Flat *interface = nullptr;
  /// Null in types.
  const ServiceScope *service = nullptr;
  /// Inputs of the event whose triggers are at hand, which may pass them on;
  /// null but for events of a service.
  const Flat::Members *inputs = nullptr;
  /// The machine is built to see whether templates can share it; it is built
  /// again where a trigger is open.
  bool isTrial = false;
  /// Whose events `SERVICE` means; null where that is not known.
  const ServiceScope *around = service;
  /// Set when something is sent there.
  mutable bool sendsToService = false;
  /// Set when a trigger is met that only templates can be checked for.
  mutable bool hasOpenTrigger = false;

  Expr word(llvm::StringRef text, SourceRange range) const {
    return Expr::literal(Value::string(text), range);
  }
};

/// The variables of the `$for_each` calls around, with their elements.
using PathVariables = llvm::SmallVector<std::pair<Name, TypedPlace>, 2>;

/// A path as far as it leads from entity to entity.
struct WalkedPath {
  /// In canonical form; they begin with SELF or a variable.
  llvm::SmallVector<Expr> words;
  /// The same without the start.
  llvm::SmallVector<ir::PathStep> steps;
  TypedPlace place;
  /// Several entities may be there.
  bool isList = false;
  /// It ends inside a capability of the place.
  bool inCapability = false;
  /// What follows: an interface, an operation, a cell.
  llvm::ArrayRef<Expr> rest;
  /// Where the path stood before its last step, if that was SOURCE or TARGET.
  std::optional<TypedPlace> before;
  /// False after a report.
  bool valid = true;

  /// Takes back the last step.
  void stepBack();
};

/// What a path is for: it decides what `CAPABILITY name` can mean.
enum class PathUse : uint8_t { Entities, Value };

WalkedPath walkPath(const EventScope &scope, const PathVariables &variables,
                    llvm::ArrayRef<Expr> steps, PathUse use);

/// The text of a literal step; empty for an index or a call.
llvm::StringRef stepText(const Expr &step);

/// An operation or notification; \p name may be that of a machine for it.
const Flat *findOperation(const Flat &interface, llvm::StringRef name);
/// A cell: an attribute or property of the interface.
const Flat *findCell(const Flat &interface, llvm::StringRef name);
/// `node type 'Volume'`: how messages call \p candidate.
std::string describe(const Candidate &candidate);
/// `interface type 'Standard'`: how messages call the interface of a machine,
/// wherever it is used; null: the events of a service.
std::string describeInterface(const Flat *interface);

} // namespace toscac::sema

#endif
