//===- SpellPaths.cpp - The one form of paths -----------------------------===//
///
/// \file
/// A path is read from left to right. Whether it stands at a node, at a
/// relationship or at the service decides what the next word can mean.
///
//===----------------------------------------------------------------------===//

#include "SpellPaths.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Value/Functions.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

/// What a path ends in.
enum class PathEnd { Value, Entity };

class PathSpeller {
public:
  PathSpeller(Lowering &lowering, const Site &site)
      : lowering(lowering), site(site) {}

  Expr spell(const Expr &expr);

private:
  SmallVector<Expr> spellAll(ArrayRef<Expr> children);
  Expr spellLoop(const Expr &expr);

  Origin spellPath(ArrayRef<Expr> steps, PathEnd end, SmallVector<Expr> &into);
  void spellStart();
  void spellRelationshipTemplate(const ServiceScope &service);
  bool spellStep();
  void spellCapability();
  void spellIndex(bool all);

  bool at(StringRef word, size_t offset = 0) const {
    return rest.size() > offset && wordOf(rest[offset]) == word;
  }
  static StringRef wordOf(const Expr &step) {
    bool isWord = step.isLiteral() && step.value().isString();
    return isWord ? step.value().asString() : StringRef();
  }
  void take() {
    path->push_back(rest.front());
    rest = rest.drop_front();
  }
  void write(StringRef word) { write(Value::string(word)); }
  void write(Value value) { path->push_back(Expr::literal(value, place)); }

  Lowering &lowering;
  const Site &site;
  /// Where the elements of the lists of the loops around are.
  SmallVector<std::pair<Name, Origin>, 2> variables;

  // The path at hand: what has been written, what is still to be read, and
  // where what has been written leads.
  SmallVector<Expr> *path = nullptr;
  ArrayRef<Expr> rest;
  Origin where = Origin::Service;
  PathEnd pathEnd = PathEnd::Value;
  SourceRange place;
};

} // namespace

static bool isPathQuery(const Expr &expr) {
  return expr.isCall(Function::GetProperty) ||
         expr.isCall(Function::GetAttribute) ||
         expr.isCall(Function::GetArtifact) ||
         expr.isCall(Function::AvailableAllocation);
}

SmallVector<Expr> PathSpeller::spellAll(ArrayRef<Expr> children) {
  SmallVector<Expr> result;
  for (const Expr &child : children)
    result.push_back(spell(child));
  return result;
}

Expr PathSpeller::spell(const Expr &expr) {
  if (expr.children().empty())
    return expr;
  if (isLoop(expr))
    return spellLoop(expr);
  SmallVector<Expr> children = spellAll(expr.children());
  if (!isPathQuery(expr))
    return withChildren(expr, lowering.save(children));
  SmallVector<Expr> spelt;
  spellPath(children, PathEnd::Value, spelt);
  return withChildren(expr, lowering.save(spelt));
}

/// The list is a path if it stands there as a list.
Expr PathSpeller::spellLoop(const Expr &expr) {
  const Expr &variable = expr.children()[0], &list = expr.children()[1];
  SmallVector<Expr> steps, spelt;
  if (list.is(ExprKind::List))
    steps = spellAll(list.children());
  else if (list.isLiteral() && list.value().isList())
    for (const Value &step : list.value().items())
      steps.push_back(Expr::literal(step, list.range()));
  Origin elements = Origin::Node;
  Expr elementList = spell(list);
  if (!steps.empty()) {
    elements = spellPath(steps, PathEnd::Entity, spelt);
    elementList = Expr::list(lowering.save(spelt), list.range());
  }
  variables.push_back({variable.name(), elements});
  Expr body = spell(expr.children()[2]);
  variables.pop_back();
  SmallVector<Expr> parts = {variable, elementList, body};
  return withChildren(expr, lowering.save(parts));
}

/// Writes \p steps out; gives what kind of entity they lead to.
Origin PathSpeller::spellPath(ArrayRef<Expr> steps, PathEnd end,
                              SmallVector<Expr> &into) {
  path = &into;
  rest = steps;
  pathEnd = end;
  place = steps.front().range();
  spellStart();
  while (spellStep()) {
  }
  while (!rest.empty())
    take();
  return where;
}

void PathSpeller::spellStart() {
  where = site.origin;
  if (rest.front().is(ExprKind::Variable)) {
    for (auto [name, origin] : llvm::reverse(variables))
      if (name == rest.front().name()) {
        where = origin;
        return take();
      }
  }
  if (at("SELF"))
    return take();
  write("SELF");
  const ServiceScope *service = site.context.service;
  StringRef name = wordOf(rest.front());
  if (!service || name.empty())
    return;
  if (!service->nodes.contains(name)) {
    if (service->relationships.contains(name))
      spellRelationshipTemplate(*service);
    return;
  }
  write("NODE");
  take();
  spellIndex(/*all=*/false);
  where = Origin::Node;
}

/// The index of the first relationship of \p user: as many as the assignments
/// of the same name before it make.
static Expr firstIndex(Lowering &lowering, const ServiceScope &service,
                       const RelationshipUser &user) {
  int64_t known = 0;
  SmallVector<Expr> unknown;
  for (const Entity &earlier : user.node->find(Key::Requirements)->entities) {
    if (&earlier == user.assignment)
      break;
    if (earlier.name != user.assignment->name)
      continue;
    const Field *count = earlier.find(Key::Count);
    const Expr *value =
        count ? lowerValue(lowering, siteOf(service, Origin::Node),
                           *count->value, builtinType(TypeKind::Integer))
              : nullptr;
    if (value && !value->isLiteral())
      unknown.push_back(*value);
    else
      known += value ? value->value().asInteger() : 1;
  }
  Expr sum = Expr::literal(Value::integer(known), user.assignment->range());
  if (unknown.empty())
    return sum;
  unknown.push_back(sum);
  return Expr::call(Function::Sum, lowering.save(unknown),
                    user.assignment->range());
}

/// Stands for the relationship that is made from it.
void PathSpeller::spellRelationshipTemplate(const ServiceScope &service) {
  StringRef name = wordOf(rest.front());
  SmallVector<RelationshipUser, 1> users = service.users.lookup(name);
  rest = rest.drop_front();
  where = Origin::Relationship;
  if (users.empty())
    return;
  const RelationshipUser &user = users.front();
  write("NODE");
  write(user.node->entity->name.str());
  write(Value::integer(0));
  write("RELATIONSHIP");
  write(user.assignment->name.str());
  path->push_back(firstIndex(lowering, service, user));
}

/// An index follows a name where something follows that the index leads to.
void PathSpeller::spellIndex(bool all) {
  size_t least = pathEnd == PathEnd::Value ? 2 : 1;
  bool isIndex =
      rest.size() >= least && (!rest.front().isLiteral() ||
                               rest.front().value().isInteger() || at("ALL"));
  if (isIndex)
    return take();
  if (all)
    write("ALL");
  else
    write(Value::integer(0));
}

bool PathSpeller::spellStep() {
  if (at("CAPABILITY") && where != Origin::Service) {
    spellCapability();
    return where == Origin::Relationship && !rest.empty();
  }
  if (at("RELATIONSHIP") && where == Origin::Node && rest.size() > 1) {
    take();
    bool all = at("ALL");
    take();
    spellIndex(all);
    where = Origin::Relationship;
    return true;
  }
  if ((at("SOURCE") || at("TARGET")) && where == Origin::Relationship) {
    take();
    where = Origin::Node;
    return true;
  }
  if (at("SERVICE")) {
    take();
    where = Origin::Service;
    return true;
  }
  if (at("NODE") && rest.size() > 1) {
    take();
    bool all = at("ALL");
    take();
    spellIndex(all);
    where = Origin::Node;
    return true;
  }
  return false;
}

/// `CAPABILITY name` at a node and `CAPABILITY` at a relationship end a path,
/// unless `RELATIONSHIP` follows.
void PathSpeller::spellCapability() {
  take();
  bool all = at("ALL");
  if (where == Origin::Node && !rest.empty())
    take();
  if (!at("RELATIONSHIP")) {
    where = Origin::Node;
    return;
  }
  take();
  spellIndex(all);
  where = Origin::Relationship;
}

const Expr *sema::spellPaths(Lowering &lowering, const Site &site,
                             const Expr &expr) {
  if (expr.isLiteral())
    return &expr;
  return lowering.program.arena.make(PathSpeller(lowering, site).spell(expr));
}
