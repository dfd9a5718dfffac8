//===- CheckMarks.cpp - Marks that nothing looks for ----------------------===//
///
/// \file
/// Metadata is free; but a key that is nearly one of Roles.def is a role that
/// somebody misspelt, and the machine would silently do less.
///
//===----------------------------------------------------------------------===//

#include "CheckDefinitions.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

/// Marks whose rest is a name.
static constexpr StringRef families[] = {
#define ROLE_FAMILY(mark) mark,
#include "toscac/IR/Roles.def"
};

/// All others.
static constexpr StringRef wholeMarks[] = {
#define OPERATION_ROLE(field, mark) mark,
#define CELL_ROLE(field, mark) mark,
#define VALUE_ROLE(field, mark, cell) mark,
#define WORKFLOW_ROLE(field, mark, assumed) mark,
#define TYPE_MARK(mark) mark,
#include "toscac/IR/Roles.def"
};

static constexpr StringRef dayTwoWorkflows[] = {
#define DAY_TWO(function, name, changesCounts) name,
#include "toscac/IR/DayTwo.def"
};

namespace {

class MarkChecker {
public:
  explicit MarkChecker(Program &program) : program(program) {}

  void run();

private:
  void collectWorkflows();
  void check(const TypeDecl &type, const Node &key);
  void checkWorkflow(const TypeDecl &type, const Node &key, StringRef family,
                     StringRef workflow);

  Program &program;
  /// How many marks, workflows and events have a name.
  llvm::StringMap<unsigned> workflows;
};

} // namespace

template <typename Visit>
static void forEachKey(const Entity &entity, Visit visit) {
  const Node *metadata = entity.value(Key::Metadata);
  if (metadata && metadata->isMapping())
    for (const syntax::Entry &entry : metadata->entries())
      if (entry.key.isScalar())
        visit(entry.key);
}

void MarkChecker::collectWorkflows() {
  for (const TypeDecl &type : program.types)
    if (type.entity && type.kind == EntityKind::InterfaceType)
      forEachKey(*type.entity, [&](const Node &key) {
        StringRef name = key.text();
        if (name.consume_front("intent."))
          ++workflows[name.split('.').first];
      });
  for (const Scope &scope : program.scopes)
    for (const Entity &service :
         scope.file->root.entities(Key::ServiceTemplate))
      for (Key key : {Key::Workflows, Key::Events})
        for (const Entity &workflow : service.entities(key))
          ++workflows[workflow.name.str()];
}

/// A workflow that only this mark knows, with a name that is nearly that of
/// another one, is that one.
void MarkChecker::checkWorkflow(const TypeDecl &type, const Node &key,
                                StringRef family, StringRef workflow) {
  bool isGoal = family == "goal";
  if ((family != "intent" && !isGoal) ||
      workflows.lookup(workflow) > (isGoal ? 0 : 1) ||
      llvm::is_contained(dayTwoWorkflows, workflow))
    return;
  ir::WorkflowRoles roles = workflowRoles(program, *type.scope);
  if (roles.wayOf(workflow) != ir::Intent::Way::Other)
    return;
  std::vector<StringRef> known;
  for (const auto &entry : workflows)
    if (entry.getKey() != workflow)
      known.push_back(entry.getKey());
  for (StringRef role : {roles.bringUp, roles.takeDown})
    if (!workflows.contains(role))
      known.push_back(role);
  llvm::sort(known);
  std::string hint = didYouMean(workflow, known);
  if (isGoal || !hint.empty())
    program.diags.report(key.range(), diag::MarkOfNoWorkflow, key.text(),
                         workflow, hint);
}

void MarkChecker::check(const TypeDecl &type, const Node &key) {
  StringRef name = key.text();
  if (llvm::is_contained(wholeMarks, name))
    return;
  auto [head, rest] = name.split('.');
  bool isFamily = !rest.empty() && llvm::is_contained(families, head);
  if (isFamily)
    return checkWorkflow(type, key, head, rest.split('.').first);
  std::string hint = didYouMean(name, wholeMarks);
  // The first role of those that begin so.
  if (hint.empty() && type.kind == EntityKind::InterfaceType)
    for (StringRef mark : wholeMarks)
      if (mark.split('.').first == head && mark != head && hint.empty())
        hint = Suggestion(mark).clause();
  if (hint.empty() && !rest.empty() && type.kind == EntityKind::InterfaceType)
    hint = Suggestion(head, families).clause("", ("." + rest).str());
  if (!hint.empty())
    program.diags.report(key.range(), diag::UnknownMark, name, hint);
}

void MarkChecker::run() {
  collectWorkflows();
  for (const TypeDecl &type : program.types)
    if (type.entity)
      forEachKey(*type.entity, [&](const Node &key) { check(type, key); });
}

void sema::checkMarks(Program &program) { MarkChecker(program).run(); }
