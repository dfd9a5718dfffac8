//===- RefineFunctions.cpp - Functions of a service template --------------===//
///
/// \file
/// A service template may define functions, too; one whose name is known
/// already refines that one (TOSCA 2.0 §10.4).
///
//===----------------------------------------------------------------------===//

#include "Scope.h"

#include "toscac/Basic/DiagnosticsSema.h"

using namespace toscac;
using namespace toscac::sema;

static void declareFunction(Program &program, Scope &scope,
                            const Entity &entity) {
  TypeDecl *refined = scope.find(EntityKind::Function, entity.name.str());
  TypeDecl &decl = program.types.emplace_back(
      TypeDecl{EntityKind::Function, entity.name, &entity, &scope, refined});
  decl.valid = entity.valid;
  scope.ownOf(EntityKind::Function)[entity.name.str()] = &decl;
}

void sema::declareServiceFunctions(Program &program, Scope &scope) {
  for (const Entity &service : scope.file->root.entities(Key::ServiceTemplate))
    for (const Entity &function : service.entities(Key::Functions))
      declareFunction(program, scope, function);
}

/// Only the implementation of a signature may change.
static void checkSignature(Program &program, const Entity &signature,
                           const Signature &refined, Name function) {
  for (const Field &field : signature.fields)
    switch (field.key) {
    case Key::Implementation:
    case Key::Description:
    case Key::Metadata:
      break;
    default:
      program.diags
          .report((field.keyNode ? field.keyNode : field.value)->range(),
                  diag::SignatureChanged, tosca::word(field.key),
                  function.str())
          .note(refined.entity->range(), diag::FirstDefinedHere,
                function.str());
    }
}

void sema::checkFunctionRefinement(Program &program, const TypeDecl &function) {
  if (!function.parent)
    return;
  std::vector<Signature> refined = signaturesOf(*function.parent);
  for (auto [own, inherited] :
       llvm::zip(function.entity->entities(Key::Signatures), refined))
    checkSignature(program, own, inherited, function.name);
}

std::vector<Signature> sema::signaturesOf(const TypeDecl &function) {
  std::vector<Signature> result;
  if (function.parent)
    result = signaturesOf(*function.parent);
  llvm::ArrayRef<Entity> own = function.entity->entities(Key::Signatures);
  for (const Entity &signature :
       own.drop_front(std::min(result.size(), own.size())))
    result.push_back({&signature, function.scope});
  return result;
}
