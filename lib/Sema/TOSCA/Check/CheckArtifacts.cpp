//===- CheckArtifacts.cpp - Types and properties of artifacts -------------===//
///
/// \file
/// TOSCA 2.0 §12.2, wherever artifacts stand: in node types and templates, and
/// as implementations of operations, functions and workflows.
///
//===----------------------------------------------------------------------===//

#include "CheckDefinitions.h"
#include "TOSCA/Values/CheckAssignments.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/DiagnosticsSema.h"

using namespace toscac;
using namespace toscac::sema;

static void checkArtifact(Program &program, const ExprContext &context,
                          const Entity &artifact) {
  if (const Field *repository = artifact.find(Key::Repository);
      repository && repository->valid)
    resolve(program, context.scope, EntityKind::Repository, *repository->value);
  const Field *name = artifact.find(Key::Type);
  // In TOSCA 1.x the file's extension may say the type, and a type may be
  // enough for who makes the file.
  if (context.scope.isOlder() && !name && !artifact.find(Key::File))
    program.diags.report(tosca::placeForKeyname(artifact), diag::MissingKeyname,
                         "the artifact", tosca::word(Key::Type));
  if (!name || !name->valid)
    return;
  const TypeDecl *type =
      resolve(program, context.scope, EntityKind::ArtifactType, *name->value);
  if (!type || !type->flat || !type->valid)
    return;
  const Field *values = artifact.find(Key::Properties);
  auto owner = [&] {
    return artifact.name ? "artifact '" + artifact.name.str().str() + "'"
                         : std::string("the artifact");
  };
  Assignments properties{type->flat->members(Key::Properties), "property",
                         owner, artifact.range()};
  checkAssignments(program, context, properties,
                   values && values->valid ? values->value : nullptr);
}

void sema::checkArtifacts(Program &program, const ExprContext &context,
                          const Entity &entity) {
  bool isArtifact = entity.kind == EntityKind::ArtifactDefinition ||
                    entity.kind == EntityKind::ArtifactReference;
  if (isArtifact && entity.valid)
    checkArtifact(program, context, entity);
  for (const Field &field : entity.fields)
    for (const Entity &part : field.entities)
      checkArtifacts(program, context, part);
}
