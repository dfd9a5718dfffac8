//===- Expressions.cpp - From syntax nodes to expressions -----------------===//

#include "Expressions.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Parse/TOSCA/Parse.h"
#include "toscac/Value/Functions.h"
#include "toscac/Value/ParseLiteral.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;
using syntax::NodeKind;
using syntax::ScalarType;

namespace {

class Converter {
public:
  Converter(Program &program, const Scope &scope, BooleanWords booleans)
      : program(program), scope(scope), booleans(booleans) {}

  std::optional<Expr> convert(const Node &node);
  std::optional<Expr> call(StringRef name, const Node &place,
                           llvm::ArrayRef<Node> arguments, SourceRange range);

private:
  std::optional<Expr> scalar(const Node &node);
  std::optional<Expr> mapping(const Node &node);
  std::optional<Expr> number(const Node &node);
  Expr boolean(const Node &node);
  std::optional<llvm::ArrayRef<Expr>> convertAll(llvm::ArrayRef<Node> nodes);
  std::optional<llvm::ArrayRef<Expr>> bind(llvm::ArrayRef<Node> arguments);
  std::optional<llvm::ArrayRef<Expr>> convertPath(llvm::ArrayRef<Node> words);
  std::string qualify(StringRef name) const;
  void reportUnknown(StringRef name, SourceRange range);

  Program &program;
  const Scope &scope;
  BooleanWords booleans;
  /// Variables of the loops around.
  llvm::SmallVector<StringRef, 2> variables;
};

} // namespace

std::optional<Expr> Converter::convert(const Node &node) {
  switch (node.kind()) {
  case NodeKind::Null:
    return Expr::literal(Value(), node.range());
  case NodeKind::Scalar:
    return scalar(node);
  case NodeKind::Mapping:
    return mapping(node);
  case NodeKind::Sequence:
    if (auto items = convertAll(node.items()))
      return Expr::list(*items, node.range());
    return std::nullopt;
  }
  llvm_unreachable("all kinds are handled");
}

/// All of \p nodes are converted, so that all problems in them are found.
std::optional<llvm::ArrayRef<Expr>>
Converter::convertAll(llvm::ArrayRef<Node> nodes) {
  llvm::SmallVector<Expr, 8> result;
  bool valid = true;
  for (const Node &node : nodes) {
    if (auto expr = convert(node))
      result.push_back(*expr);
    else
      valid = false;
  }
  if (!valid)
    return std::nullopt;
  return program.arena.save(llvm::ArrayRef(result));
}

/// The arguments of a loop: only the last one knows the variable.
std::optional<llvm::ArrayRef<Expr>>
Converter::bind(llvm::ArrayRef<Node> arguments) {
  StringRef name = arguments[0].text();
  std::optional<Expr> elements = convert(arguments[1]);
  variables.push_back(name);
  std::optional<Expr> body = convert(arguments[2]);
  variables.pop_back();
  if (!elements || !body)
    return std::nullopt;
  Expr parts[] = {
      Expr::variable(program.names.intern(name), arguments[0].range()),
      *elements, *body};
  return program.arena.save(llvm::ArrayRef<Expr>(parts));
}

/// A path can start at a variable; its other words are names, which may happen
/// to be the same.
std::optional<llvm::ArrayRef<Expr>>
Converter::convertPath(llvm::ArrayRef<Node> words) {
  llvm::SmallVector<Expr, 8> result;
  for (const Node &word : words) {
    llvm::SmallVector<StringRef, 2> hidden;
    if (&word != &words.front() && word.isScalar())
      std::swap(hidden, variables);
    std::optional<Expr> expr = convert(word);
    if (!hidden.empty())
      std::swap(hidden, variables);
    if (!expr)
      return std::nullopt;
    result.push_back(*expr);
  }
  return program.arena.save(llvm::ArrayRef(result));
}

std::optional<Expr> Converter::number(const Node &node) {
  auto value = parseNumber(node.text());
  if (value)
    return Expr::literal(*value, node.range());
  report(program.diags, value.problem(), node.range());
  return std::nullopt;
}

/// `True` is a boolean of YAML but not of TOSCA (TOSCA 2.0 §9.1.1.4).
Expr Converter::boolean(const Node &node) {
  StringRef text = node.text();
  bool isStrict = text == "true" || text == "false";
  if (!isStrict && booleans == BooleanWords::Strict)
    return Expr::literal(Value::string(text), node.range());
  if (!isStrict)
    program.diags
        .report(node.range(), diag::DeprecatedBoolean, text, text.lower())
        .fixIt(node.range(), text.lower());
  return Expr::literal(Value::boolean(text.equals_insensitive("true")),
                       node.range());
}

std::optional<Expr> Converter::scalar(const Node &node) {
  StringRef text = node.text();
  switch (node.scalarType()) {
  case ScalarType::Null:
    return Expr::literal(Value(), node.range());
  case ScalarType::Boolean:
    return boolean(node);
  case ScalarType::Integer:
  case ScalarType::Float:
    return number(node);
  case ScalarType::String:
    break;
  }
  if (llvm::is_contained(variables, text))
    return Expr::variable(program.names.intern(text), node.range());
  if (tosca::isOldIndex(node))
    return Expr::call(Function::NodeIndex, {}, node.range());
  if (text.starts_with("$$"))
    return Expr::literal(Value::string(text.drop_front()), node.range());
  if (text.starts_with("$"))
    return call(text.drop_front(), node, {}, node.range());
  return Expr::literal(Value::string(text), node.range());
}

std::optional<Expr> Converter::mapping(const Node &node) {
  if (tosca::isCall(node)) {
    const auto &[key, arguments] = node.entries().front();
    StringRef name = key.text();
    name.consume_front("$");
    // `$keygen$1` is one more call of `$keygen` in the same map.
    name = name.split('$').first;
    bool isList = arguments.isSequence();
    return call(name, key,
                isList ? arguments.items() : llvm::ArrayRef<Node>(arguments),
                node.range());
  }
  llvm::SmallVector<Node, 16> children;
  for (const Entry &entry : node.entries()) {
    children.push_back(entry.key);
    children.push_back(entry.value);
  }
  if (auto converted = convertAll(children))
    return Expr::map(*converted, node.range());
  return std::nullopt;
}

std::optional<Expr> Converter::call(StringRef name, const Node &place,
                                    llvm::ArrayRef<Node> arguments,
                                    SourceRange range) {
  std::optional<Function> builtin = findFunction(name);
  std::string qualified;
  // A function of TOSCA 1.x that is answered before it could be called.
  bool isOlder = scope.isOlder() && name == "get_nodes_of_type";
  const TypeDecl *custom =
      builtin ? nullptr : scope.find(EntityKind::Function, name);
  if (custom)
    program.use(place.range(), custom->entity);
  if (!builtin && !isOlder && !custom) {
    qualified = qualify(name);
    if (qualified.empty()) {
      // Others may know it (TOSCA 2.0 §10.4).
      reportUnknown(name, place.range());
    } else {
      program.diags
          .report(place.range(), diag::UnqualifiedFunction, name, qualified)
          .fixIt(place.range(), "$" + qualified);
      name = qualified;
    }
  }
  bool binds = builtin && isLoop(*builtin) && arguments.size() == 3 &&
               arguments[0].isScalar();
  bool isQuery = builtin == Function::GetAttribute ||
                 builtin == Function::GetProperty ||
                 builtin == Function::GetArtifact;
  std::optional<llvm::ArrayRef<Expr>> converted = binds ? bind(arguments)
                                                  : isQuery
                                                      ? convertPath(arguments)
                                                      : convertAll(arguments);
  if (!converted)
    return std::nullopt;
  if (!builtin)
    return Expr::customCall(program.names.intern(name), *converted, range);
  return Expr::call(*builtin, *converted, range);
}

/// The name of \p name with the namespaces that it was imported through, the
/// shortest if there are several; empty if no function is meant, or more than
/// one may be.
std::string Converter::qualify(StringRef name) const {
  std::string result, suffix = (":" + name).str();
  const TypeDecl *meant = nullptr;
  for (const std::string &known : scope.names(EntityKind::Function)) {
    if (!StringRef(known).ends_with(suffix))
      continue;
    const TypeDecl *found = scope.find(EntityKind::Function, known);
    if (meant && found != meant)
      return "";
    meant = found;
    if (result.empty() || known.size() < result.size())
      result = known;
  }
  return result;
}

void Converter::reportUnknown(StringRef name, SourceRange range) {
  if (program.knownFunctions.contains(name))
    return;
  std::vector<std::string> custom = scope.names(EntityKind::Function);
  llvm::SmallVector<StringRef> known(functionNames());
  known.append(custom.begin(), custom.end());
  // TOSCA 1.x had it; the functions of 2.0 compare two values.
  std::string present = name == "in_range"
                            ? "; TOSCA 2.0 says { $and: [ { $greater_or_equal: "
                              "[ $value, MIN ] }, "
                              "{ $less_or_equal: [ $value, MAX ] } ] }"
                            : Suggestion(name, known).clause("$");
  program.diags.report(range, diag::UnknownFunction, name, present);
  program.undefinedFunctions.insert(name);
}

const Expr *sema::toExpr(Program &program, const Scope &scope, const Node &node,
                         BooleanWords booleans) {
  auto [known, isNew] =
      program.expressions.try_emplace({&scope, &node}, nullptr);
  if (isNew)
    if (auto expr = Converter(program, scope, booleans).convert(node))
      known->second = program.arena.make(*expr);
  return known->second;
}

/// `- greater_than: 3` of earlier versions is `$greater_than: [ $value, 3 ]`.
static const Expr *oldConstraint(Program &program, const Scope &scope,
                                 const Entry &constraint) {
  StringRef name = constraint.key.text();
  name.consume_front("$");
  // Lengths and patterns had names of their own.
  Function function;
  if (name == "pattern")
    function = Function::Matches;
  else if (auto found = findFunction(name))
    function = *found;
  else
    return nullptr;
  const Expr *argument = toExpr(program, scope, constraint.value);
  if (!argument)
    return nullptr;
  SourceRange range = constraint.key.range();
  Expr value = Expr::call(Function::Value, {}, range);
  llvm::ArrayRef<Expr> arguments =
      program.arena.save(llvm::ArrayRef<Expr>({value, *argument}));
  return program.arena.make(Expr::call(function, arguments, range));
}

llvm::SmallVector<const Expr *, 2>
sema::toConditions(Program &program, const Scope &scope, const Node &node) {
  llvm::SmallVector<const Expr *, 2> result;
  if (!node.isSequence()) {
    if (const Expr *expr = toExpr(program, scope, node))
      result.push_back(expr);
    return result;
  }
  for (const Node &item : node.items())
    if (const Expr *expr =
            oldConstraint(program, scope, item.entries().front()))
      result.push_back(expr);
  return result;
}
