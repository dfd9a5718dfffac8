//===- UnusedTypes.cpp - What is wrong where nobody looks -----------------===//

#include "UnusedTypes.h"

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

namespace {

/// Follows names from text to text.
class NameWalk {
public:
  /// Whatever \p node, in the file of \p scope, may mean.
  void visit(const Scope &scope, const Node &node);
  bool isReached(const TypeDecl &type) const { return reached.contains(&type); }

private:
  void visitName(const Scope &scope, StringRef name);
  void reach(TypeDecl &type);

  llvm::DenseSet<const TypeDecl *> reached;
  std::vector<TypeDecl *> pending;
  llvm::DenseMap<const Scope *, llvm::StringSet<>> visited;
  bool isWalking = false;
};

} // namespace

void NameWalk::reach(TypeDecl &type) {
  if (type.entity && reached.insert(&type).second)
    pending.push_back(&type);
}

void NameWalk::visitName(const Scope &scope, StringRef name) {
  if (name.empty() || !visited[&scope].insert(name).second)
    return;
  for (auto [key, kind] : typeSections())
    if (TypeDecl *type = scope.find(kind, name))
      reach(*type);
}

void NameWalk::visit(const Scope &scope, const Node &node) {
  if (node.isScalar())
    visitName(scope, node.text());
  if (node.isSequence())
    for (const Node &item : node.items())
      visit(scope, item);
  if (node.isMapping())
    for (const syntax::Entry &entry : node.entries()) {
      // Keys name interfaces and capabilities, by their types' names as well.
      if (entry.key.isScalar())
        visitName(scope, entry.key.text());
      visit(scope, entry.value);
    }
  if (std::exchange(isWalking, true))
    return;
  while (!pending.empty()) {
    TypeDecl *type = pending.back();
    pending.pop_back();
    visit(*type->scope, *type->entity->node);
  }
  isWalking = false;
}

/// Whether whoever compiles the file of \p scope can change it.
static bool isForeign(const Scope &scope) {
  return scope.isOlder() && scope.file->importedAt.isValid();
}

void sema::tolerateInUnusedTypes(Program &program) {
  if (!program.diags.hasErrors())
    return;
  NameWalk walk;
  for (const Scope &scope : program.scopes)
    if (scope.file && !isForeign(scope) && scope.file->tree.valid)
      walk.visit(scope, scope.file->tree.root);
  std::vector<SourceRange> unused;
  for (const TypeDecl &type : program.types)
    if (type.entity && isForeign(*type.scope) && !walk.isReached(type))
      unused.push_back(type.entity->node->range());
  llvm::sort(unused, [](const SourceRange &a, const SourceRange &b) {
    return a.begin < b.begin;
  });
  auto isUnused = [&](SourceLoc place) {
    auto next = llvm::upper_bound(unused, place,
                                  [](SourceLoc begin, const SourceRange &text) {
                                    return begin < text.begin;
                                  });
    return next != unused.begin() && place < std::prev(next)->end;
  };
  std::vector<Diagnostic> mistakes;
  program.diags.removeIf([&](const Diagnostic &said) {
    bool isTolerated =
        said.severity == Severity::Error && isUnused(said.range.begin);
    if (isTolerated)
      mistakes.push_back(said);
    return isTolerated;
  });
  for (const Diagnostic &mistake : mistakes)
    program.diags.report(mistake.range, diag::ForeignMistake, mistake.message,
                         info(mistake.id).name);
}
