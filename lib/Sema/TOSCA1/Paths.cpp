//===- Paths.cpp - Paths of TOSCA 1.x -------------------------------------===//
///
/// \file
/// TOSCA 1.3 §4.4.2 and §4.5.1: `[ entity, requirement or capability, name …
/// ]`. A requirement comes first, then a capability, then a property or
/// attribute.
///
//===----------------------------------------------------------------------===//

#include "Paths.h"

#include "TOSCA/Types/Expressions.h"
#include "TOSCA/Types/ServiceScope.h"
#include "TOSCA/Values/FollowPath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

namespace {

class PathModernizer {
public:
  PathModernizer(Program &program, const ExprContext &context)
      : program(program), context(context) {}

  Expr modernize(const Expr &expr);

private:
  /// A node that a path has led to; its type is null if nobody knows it.
  struct Position {
    const Flat *type = nullptr;
    const Template *node = nullptr;
  };
  /// A requirement with what is known of its target.
  struct Link {
    const Flat *requirement = nullptr;
    const Entity *assignment = nullptr;
    Position target;
    explicit operator bool() const { return requirement; }
  };

  Expr modernizePath(const Expr &call);
  Expr nodesOfType(const Expr &call);
  std::optional<Expr> valueOfPolicy();
  bool start();
  bool climb();
  bool stepThroughRequirement();
  bool stepThroughCapability();
  Link linkOf(const Flat &requirement) const;
  static const Flat *capabilityOf(const Link &link);
  Position positionOf(StringRef nodeTemplate) const;

  StringRef word(size_t offset = 0) const {
    return rest.size() > offset ? wordOf(rest[offset]) : StringRef();
  }
  void write(StringRef text) {
    path.push_back(Expr::literal(Value::string(text), place));
  }
  void take() {
    path.push_back(rest.front());
    rest = rest.drop_front();
  }

  Program &program;
  const ExprContext &context;

  // The path at hand: what is written, what is left, where it has led.
  llvm::SmallVector<Expr> path;
  llvm::ArrayRef<Expr> rest;
  Position at;
  SourceRange place;
};

bool hasValue(const Flat *owner, StringRef name) {
  return owner && (owner->member(Key::Properties, name) ||
                   owner->member(Key::Attributes, name));
}

/// Whether relationships of the requirement put the source into the target.
bool isContainment(const Flat &requirement) {
  const Flat *made = requirement.nested(Key::Relationship);
  for (const TypeDecl *type = made ? made->type : nullptr; type;
       type = type->parent) {
    const Node *metadata =
        type->entity ? type->entity->value(Key::Metadata) : nullptr;
    if (metadata && metadata->isMapping() && metadata->find("containment"))
      return true;
  }
  return false;
}

} // namespace

PathModernizer::Position
PathModernizer::positionOf(StringRef nodeTemplate) const {
  if (!context.service)
    return {};
  auto node = context.service->nodes.find(nodeTemplate);
  if (node == context.service->nodes.end())
    return {};
  return {node->second.flat(), &node->second};
}

PathModernizer::Link PathModernizer::linkOf(const Flat &requirement) const {
  Link link{&requirement};
  const Field *field = at.node ? at.node->find(Key::Requirements) : nullptr;
  if (field)
    for (const Entity &assignment : field->entities)
      if (assignment.name == requirement.name) {
        link.assignment = &assignment;
        link.target = positionOf(assignment.text(Key::Node));
        break;
      }
  if (link.target.type)
    return link;
  const TypeDecl *type =
      typeNamedBy(requirement, Key::Node, EntityKind::NodeType);
  link.target.type = type ? type->flat : nullptr;
  return link;
}

/// The capability of the target that the relationship leads to.
const Flat *PathModernizer::capabilityOf(const Link &link) {
  const TypeDecl *wanted = typeNamedBy(*link.requirement, Key::Capability,
                                       EntityKind::CapabilityType);
  StringRef asked =
      link.assignment ? link.assignment->text(Key::Capability) : StringRef();
  if (!link.target.type)
    return wanted ? wanted->flat : nullptr;
  if (const Flat *byName = link.target.type->member(Key::Capabilities, asked))
    return byName;
  for (const auto &[name, offered] :
       link.target.type->members(Key::Capabilities))
    if (wanted && offered->type && offered->type->isDerivedFrom(*wanted))
      return offered;
  return nullptr;
}

/// Goes down to the node that holds this one.
bool PathModernizer::climb() {
  if (!at.type)
    return false;
  for (const auto &[name, requirement] : at.type->members(Key::Requirements)) {
    if (!isContainment(*requirement))
      continue;
    Link link = linkOf(*requirement);
    write("RELATIONSHIP");
    write(name);
    write("TARGET");
    at = link.target;
    return true;
  }
  return false;
}

/// Writes the first words; false if nothing is known of where they lead.
bool PathModernizer::start() {
  StringRef first = word();
  bool isNode = context.self && context.self->kind == EntityKind::NodeType;
  if (first == "HOST") {
    rest = rest.drop_front();
    write("SELF");
    at = {isNode ? context.self : nullptr, isNode ? context.node : nullptr};
    if (!isNode)
      at = positionOf(context.node ? context.node->entity->name.str() : "");
    bool climbed = climb();
    while (climbed && !hasValue(at.type, word()) && climb()) {
    }
    return climbed && at.type;
  }
  take();
  if (first != "SELF") {
    at = positionOf(first);
    return at.type;
  }
  if (isNode) {
    at = {context.self, context.node};
    return true;
  }
  if (word() != "SOURCE" && word() != "TARGET")
    return false;
  bool isSource = word() == "SOURCE";
  take();
  if (isSource) {
    at = {context.source, context.node};
  } else if (context.assignment) {
    at = positionOf(context.assignment->text(Key::Node));
  }
  return at.type;
}

bool PathModernizer::stepThroughRequirement() {
  const Flat *requirement = at.type->member(Key::Requirements, word());
  if (!requirement || rest.size() < 2)
    return false;
  Link link = linkOf(*requirement);
  const Flat *capability = capabilityOf(link);
  bool inCapability = hasValue(capability, word(1));
  bool isOwn = hasValue(at.type->member(Key::Capabilities, word()), word(1));
  bool isBehind = inCapability || hasValue(link.target.type, word(1)) ||
                  (link.target.type && rest.size() > 2);
  if (isOwn && !isBehind)
    return false;
  write("RELATIONSHIP");
  take();
  // What the relationship leads to is the capability, on a node that has
  // others.
  if (inCapability) {
    write("CAPABILITY");
    at = {};
    return false;
  }
  write("TARGET");
  at = link.target;
  return at.type;
}

bool PathModernizer::stepThroughCapability() {
  const Flat *capability = at.type->member(Key::Capabilities, word());
  bool isStep = capability && rest.size() > 1 &&
                (hasValue(capability, word(1)) || !hasValue(at.type, word()));
  if (!isStep)
    return false;
  write("CAPABILITY");
  take();
  return true;
}

Expr PathModernizer::modernizePath(const Expr &call) {
  path.clear();
  rest = call.children();
  place = call.range();
  if (rest.empty() || word().empty())
    return call;
  if (std::optional<Expr> value = valueOfPolicy())
    return *value;
  if (start())
    while (stepThroughRequirement()) {
    }
  if (at.type)
    stepThroughCapability();
  while (!rest.empty())
    take();
  return withChildren(call, program.arena.save(llvm::ArrayRef<Expr>(path)));
}

/// A policy is no node that a path could lead to; what it says is known. It is
/// named, or its type is.
std::optional<Expr> PathModernizer::valueOfPolicy() {
  const TypeDecl *type = context.scope.find(EntityKind::PolicyType, word());
  const tosca::Package &package = program.package;
  const Scope &entry = program.scopes[package.entries.front()];
  for (const Entity &service : entry.file->root.entities(Key::ServiceTemplate))
    for (const Entity &policy : service.entities(Key::Policies)) {
      const TypeDecl *own =
          entry.find(EntityKind::PolicyType, policy.text(Key::Type));
      bool isMeant = policy.name.str() == word() ||
                     (type && own && own->isDerivedFrom(*type));
      const Node *values = policy.value(Key::Properties);
      const Node *value = isMeant && values ? values->find(word(1)) : nullptr;
      const Expr *expr = value ? toExpr(program, entry, *value) : nullptr;
      if (expr)
        return *expr;
    }
  if (type)
    return Expr::literal(Value(), place);
  return std::nullopt;
}

/// The names of the templates whose types are or are derived from the one that
/// is named.
Expr PathModernizer::nodesOfType(const Expr &call) {
  llvm::SmallVector<Expr> names;
  const TypeDecl *wanted =
      call.children().empty()
          ? nullptr
          : context.scope.find(EntityKind::NodeType,
                               wordOf(call.children().front()));
  if (wanted && context.service)
    for (const auto &[name, node] : context.service->nodes)
      if (node.type && node.type->isDerivedFrom(*wanted))
        names.push_back(Expr::literal(Value::string(name), call.range()));
  return Expr::list(program.arena.save(llvm::ArrayRef<Expr>(names)),
                    call.range());
}

Expr PathModernizer::modernize(const Expr &expr) {
  if (expr.children().empty())
    return expr;
  llvm::SmallVector<Expr> children;
  for (const Expr &child : expr.children())
    children.push_back(modernize(child));
  Expr result =
      withChildren(expr, program.arena.save(llvm::ArrayRef<Expr>(children)));
  if (expr.isCall(Function::GetProperty) ||
      expr.isCall(Function::GetAttribute) || expr.isCall(Function::GetArtifact))
    return modernizePath(result);
  if (expr.isCall(Function::Custom) && expr.name().str() == "get_nodes_of_type")
    return nodesOfType(result);
  return result;
}

const Expr *sema::modernizeExpr(Program &program, const ExprContext &context,
                                const Node &node, const Expr &expr,
                                const Type &type) {
  // Nobody quotes versions.
  bool isNumber = node.isScalar() && expr.isLiteral() &&
                  (expr.value().isInteger() || expr.value().isFloat());
  if (isNumber && type.is(TypeKind::Version))
    return program.arena.make(
        Expr::literal(Value::string(node.text()), expr.range()));
  if (expr.isLiteral())
    return &expr;
  return program.arena.make(PathModernizer(program, context).modernize(expr));
}
