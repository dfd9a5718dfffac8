//===- CheckAssignments.cpp - Values given to definitions -----------------===//

#include "CheckAssignments.h"

#include "TOSCA/Types/Expressions.h"
#include "TOSCA/Types/ServiceScope.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Value/CheckValue.h"
#include "toscac/Value/Environment.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

/// The definition that \p key, which has none, is a misspelling of.
static Suggestion meantBy(const Assignments &assignments, const Node &key) {
  llvm::SmallVector<StringRef> known;
  for (const auto &[name, definition] : assignments.definitions)
    known.push_back(name);
  return Suggestion(key.text(), known);
}

static void reportUndeclared(Program &program, const Assignments &assignments,
                             const Node &key) {
  Suggestion meant = meantBy(assignments, key);
  auto report = program.diags.report(key.range(), diag::UndeclaredAssignment,
                                     assignments.owner(), assignments.noun,
                                     key.text(), meant.clause());
  meant.fixIn(report, key.range());
  if (!meant.name)
    noteKnown(report, namesOf(assignments.definitions));
}

/// Whether a value for \p name is there under a misspelt name, or beside
/// \p values instead of in it, which has been reported.
static bool isMisplaced(const Assignments &assignments, StringRef name,
                        const Node *values) {
  if (assignments.around && assignments.around->isMapping() &&
      assignments.around->find(name))
    return true;
  return values && !assignments.open &&
         llvm::any_of(values->entries(), [&](const Entry &entry) {
           return entry.key.isString() &&
                  !assignments.definitions.lookup(entry.key.text()) &&
                  meantBy(assignments, entry.key).name == name;
         });
}

/// Whether \p node is a call that only fetches a value which stands elsewhere.
static bool isQuery(const Node &node) {
  if (!node.isMapping() || node.entries().size() != 1)
    return false;
  const Node &name = node.entries().front().key;
  return name.isScalar() && name.text().ltrim('$').starts_with("get_");
}

void sema::hideLiterals(Program &program, const Node &node) {
  if (node.isScalar())
    program.diags.hide(node.range());
  else if (node.isSequence())
    for (const Node &item : node.items())
      hideLiterals(program, item);
  else if (node.isMapping() && !isQuery(node))
    for (const Entry &entry : node.entries())
      hideLiterals(program, entry.value);
}

static void checkNotDefault(Program &program, const Assignments &assignments,
                            const Node &key, const Value &value,
                            const Flat &definition) {
  Flat::Found found = definition.find(Key::Default);
  if (!found || !found.field->valid || !definition.valid)
    return;
  const Expr *expr = toExpr(program, *found.scope, *found.field->value);
  Environment nothing;
  if (!expr || !expr->isLiteral())
    return;
  std::optional<Value> standard = checkValue(
      expr->value(), typeOf(program, definition), nothing, program.arena,
      [](llvm::ArrayRef<PathStep>, const Problem &) {});
  if (standard && *standard == value)
    program.diags
        .report(key.range(), diag::AssignedDefault, assignments.noun,
                key.text())
        .note(found.field->range(), diag::DefaultHere);
}

static void checkAssignment(Program &program, const ExprContext &context,
                            const Assignments &assignments,
                            const Entry &entry) {
  if (!entry.key.isString())
    return;
  StringRef name = entry.key.text();
  const Flat *definition = assignments.definitions.lookup(name);
  if (!definition) {
    if (!assignments.open)
      reportUndeclared(program, assignments, entry.key);
    checkValueNode(program, context, entry.value, builtinType(TypeKind::Any));
    return;
  }
  program.use(entry.key.range(), definition);
  // A value in place of the definition has been reported.
  if (!definition->find(Key::Type))
    return;
  if (Flat::Found fixed = definition->find(Key::Value)) {
    program.diags
        .report(entry.key.range(), diag::AssignedFixedValue, assignments.noun,
                name)
        .note(fixed.field->range(), diag::FixedHere);
    return;
  }
  if (isSensitive(*definition))
    hideLiterals(program, entry.value);
  const Type &type = typeOf(program, *definition);
  const Expr *value = checkValueNode(program, context, entry.value, type);
  if (value && value->isLiteral())
    checkNotDefault(program, assignments, entry.key, value->value(),
                    *definition);
}

void sema::checkAssignments(Program &program, const ExprContext &context,
                            const Assignments &assignments,
                            const Node *values) {
  bool readable = values && values->isMapping();
  if (readable)
    for (const Entry &entry : values->entries())
      checkAssignment(program, context, assignments, entry);
  if (!assignments.complete || (values && !readable))
    return;
  for (const auto &[name, definition] : assignments.definitions)
    if (needsValue(*definition) && !(readable && values->find(name)) &&
        !isMisplaced(assignments, name, readable ? values : nullptr))
      program.diags
          .report(assignments.place, diag::MissingAssignment,
                  assignments.owner(), assignments.noun, name)
          .note(definition->range(), diag::DeclaredHere, name);
}
