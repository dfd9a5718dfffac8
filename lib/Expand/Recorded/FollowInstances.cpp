//===- FollowInstances.cpp - Which instance a node is ---------------------===//

#include "toscac/Expand/ObsoleteTemplates.h"

#include "llvm/ADT/StringMap.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

class PathRewriter {
public:
  PathRewriter(const state::Deployment &recorded, ValueArena &arena);

  const Expr *rewrite(const Expr *expr);
  bool isNeeded() const { return !indices.empty(); }

private:
  Expr rewrite(const Expr &expr);

  ValueArena &arena;
  /// By name of the node, where it is not 0.
  llvm::StringMap<uint32_t> indices;
};

} // namespace

PathRewriter::PathRewriter(const state::Deployment &recorded, ValueArena &arena)
    : arena(arena) {
  if (recorded.nextIndex.isMap())
    for (const MapEntry &entry : recorded.nextIndex.entries())
      if (entry.key.isString() && entry.value.isInteger())
        indices[entry.key.asString()] = entry.value.asInteger();
  for (const state::Entity &entity : recorded.entities)
    if (entity.kind == state::EntityKind::Node)
      indices[entity.origin] = entity.index;
  for (auto at = indices.begin(); at != indices.end();) {
    auto next = std::next(at);
    if (at->second == 0)
      indices.erase(at);
    at = next;
  }
}

static bool isWord(const Expr &expr, StringRef word) {
  return expr.isLiteral() && expr.value().isString() &&
         expr.value().asString() == word;
}

Expr PathRewriter::rewrite(const Expr &expr) {
  if (expr.children().empty())
    return expr;
  llvm::SmallVector<Expr, 8> children;
  for (const Expr &child : expr.children())
    children.push_back(rewrite(child));
  // [ SELF, NODE, name, 0, … ]
  bool isPath = expr.isCall(Function::GetAttribute) && children.size() > 3 &&
                isWord(children[1], "NODE") && children[2].isLiteral() &&
                children[2].value().isString();
  if (isPath)
    if (uint32_t index = indices.lookup(children[2].value().asString()))
      children[3] = Expr::literal(Value::integer(index), children[3].range());
  return withChildren(expr, arena.save(ArrayRef<Expr>(children)));
}

const Expr *PathRewriter::rewrite(const Expr *expr) {
  return expr && !expr->isLiteral() ? arena.make(rewrite(*expr)) : expr;
}

void toscac::followInstances(const state::Deployment &recorded,
                             sema::CheckedProgram &program) {
  PathRewriter paths(recorded, *program.arena);
  for (sema::Service &service : program.services) {
    if (!service.hasSingles || !paths.isNeeded())
      continue;
    for (sema::NodeTemplate &node : service.nodes)
      for (sema::Assignment &property : node.properties)
        property.value = paths.rewrite(property.value);
    for (sema::OutputDefinition &output : service.outputs)
      output.value = paths.rewrite(output.value);
  }
}
