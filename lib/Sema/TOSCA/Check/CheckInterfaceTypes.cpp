//===- CheckInterfaceTypes.cpp - What interface types leave open ----------===//
///
/// \file
/// An interface type only says what there is (TOSCA 2.0 §11.1, §11.4): what
/// runs, and what flows from and to nodes and relationships, is for those that
/// have the interface.
///
//===----------------------------------------------------------------------===//

#include "CheckDefinitions.h"
#include "TOSCA/Types/Expressions.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;

static bool readsGraph(const Expr &expr) {
  for (Function query :
       {Function::GetProperty, Function::GetAttribute, Function::GetArtifact})
    if (expr.isCall(query))
      return true;
  return llvm::any_of(expr.children(), readsGraph);
}

/// \p owner is the type or one of its operations, which \p flat refines.
static void checkDeclaredInputs(Program &program, const TypeDecl &decl,
                                const Entity &owner, const Flat &flat) {
  for (const Entity &input : owner.entities(Key::Inputs)) {
    const Flat *definition = flat.member(Key::Inputs, input.name.str());
    if (input.isShort && definition && !definition->base) {
      program.diags.report(input.range(), diag::ValueWithoutDefinition,
                           ("input '" + input.name.str() +
                            "' of interface type '" + decl.name.str() + "'")
                               .str());
      continue;
    }
    const Field *value = input.find(Key::Value);
    const Expr *expr = value && value->valid
                           ? toExpr(program, *decl.scope, *value->value)
                           : nullptr;
    if (expr && readsGraph(*expr))
      program.diags.report(value->value->range(), diag::QueryInType,
                           input.name.str(), decl.name.str());
  }
}

static void checkDeclaredOperation(Program &program, const TypeDecl &decl,
                                   const Entity &operation) {
  if (const Field *implementation = operation.find(Key::Implementation))
    program.diags.report(implementation->range(), diag::ImplementationInType,
                         operation.name.str(), decl.name.str());
  for (const Entity &output : operation.entities(Key::Outputs))
    if (const Field *mapping = output.find(Key::Mapping))
      program.diags.report(mapping->range(), diag::MappingInType,
                           output.name.str(), decl.name.str());
}

void sema::checkInterfaceType(Program &program, const TypeDecl &decl) {
  // In TOSCA 1.x they may bring all of it along (1.3 §3.7.5).
  if (decl.scope->isOlder())
    return;
  checkDeclaredInputs(program, decl, *decl.entity, *decl.flat);
  for (Key key : {Key::Operations, Key::Notifications})
    for (const Entity &operation : decl.entity->entities(key)) {
      checkDeclaredOperation(program, decl, operation);
      if (const Flat *flat = decl.flat->member(key, operation.name.str()))
        checkDeclaredInputs(program, decl, operation, *flat);
    }
}
