//===- CheckInterfaces.cpp - Interface assignments ------------------------===//
///
/// \file
/// TOSCA 2.0 §11.3 to §11.7.
///
//===----------------------------------------------------------------------===//

#include "CheckService.h"

#include "CheckDefinitions.h"
#include "TOSCA/Values/CheckAssignments.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

/// Inputs may be given that nobody declared (TOSCA 2.0 §11.5); those that are
/// declared are typed.
static void checkInputs(Program &program, const ExprContext &context,
                        const Flat &declared, const std::string &owner,
                        const Entity &assigned) {
  const Field *inputs = assigned.find(Key::Inputs);
  if (!inputs || !inputs->valid)
    return;
  Assignments assignments{declared.members(Key::Inputs), "input",
                          [&] { return owner; }, assigned.range()};
  assignments.open = true;
  assignments.complete = false;
  checkAssignments(program, context, assignments, inputs->value);
}

/// Outputs may be mapped that nobody declared, and once (TOSCA 2.0 §11.5).
static void checkOutputs(Program &program, const ExprContext &context,
                         const Flat &declared, const Entity &assigned) {
  const Field *outputs = assigned.find(Key::Outputs);
  if (!outputs || !outputs->valid)
    return;
  for (const syntax::Entry &entry : outputs->value->entries()) {
    const Flat *output = declared.member(Key::Outputs, entry.key.text());
    program.use(entry.key.range(), output);
    checkAttributePath(program, context, entry.value, output);
    if (Flat::Found mapped =
            output ? output->find(Key::Mapping) : Flat::Found())
      program.diags
          .report(entry.key.range(), diag::RepeatedMapping, entry.key.text())
          .note(mapped.field->range(), diag::MappedHere);
  }
}

void sema::checkHandlers(Program &program, const ExprContext &context,
                         const Entity &operation) {
  for (const Entity &handler : operation.entities(Key::Handlers)) {
    const Field *inputs = handler.find(Key::Inputs);
    if (inputs && inputs->valid)
      for (const syntax::Entry &input : inputs->value->entries())
        checkValueNode(program, context, input.value,
                       builtinType(TypeKind::Any));
    const Field *outputs = handler.find(Key::Outputs);
    if (outputs && outputs->valid)
      for (const syntax::Entry &output : outputs->value->entries())
        checkAttributePath(program, context, output.value);
  }
}

static void checkOperations(Program &program, const ExprContext &context,
                            const Flat &interface, const Entity &assigned,
                            Key key, StringRef noun) {
  const Flat::Members &declared = interface.members(key);
  // Operations in the old form are fields of their own.
  for (const Field &field : assigned.fields) {
    if (field.key != key)
      continue;
    for (const Entity &operation : field.entities) {
      const Flat *definition = declared.lookup(operation.name.str());
      if (!definition && operation.valid && interface.valid)
        reportUnknownName(program, noun, *operation.nameNode,
                          namesOf(declared));
      if (!definition)
        continue;
      program.use(operation.range(), definition);
      checkInputs(program, context, *definition,
                  (noun + " '" + operation.name.str() + "'").str(), operation);
      checkOutputs(program, context, *definition, operation);
      checkHandlers(program, context, operation);
    }
  }
}

/// SELF in \p context is what has the interfaces.
void sema::checkInterfaces(Program &program, const ExprContext &context,
                           const std::string &ownerName,
                           const Field &interfaces) {
  const Flat::Members &declared = context.self->members(Key::Interfaces);
  for (const Entity &assigned : interfaces.entities) {
    if (!assigned.valid)
      continue;
    const Flat *interface = findInterface(*context.self, assigned.name.str());
    if (!interface && !context.self->valid)
      continue;
    if (!interface) {
      program.diags.report(assigned.range(), diag::UndeclaredInterface,
                           ownerName, assigned.name.str(),
                           didYouMean(assigned.name.str(), namesOf(declared)));
      continue;
    }
    program.use(assigned.range(), interface);
    checkInputs(program, context, *interface,
                ("interface '" + assigned.name.str() + "'").str(), assigned);
    checkOperations(program, context, *interface, assigned, Key::Operations,
                    "operation");
    checkOperations(program, context, *interface, assigned, Key::Notifications,
                    "notification");
  }
}
