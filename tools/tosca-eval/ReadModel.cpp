//===- ReadModel.cpp - Types and expressions from YAML --------------------===//

#include "ReadModel.h"

#include "toscac/Value/Evaluate.h"
#include "toscac/Value/Functions.h"
#include "toscac/Value/ParseLiteral.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

class ModelReader {
public:
  ModelReader(NameTable &names, ValueArena &arena, DiagnosticEngine &diags)
      : names(names), arena(arena), diags(diags) {}

  void read(const Node &root);

  Model model;

private:
  const Expr *readExpr(const Node &node) { return arena.make(lower(node)); }
  Expr lower(const Node &node);
  Expr lowerScalar(const Node &node);
  Expr lowerString(const Node &node);
  Expr lowerMapping(const Node &node);
  Expr lowerCall(StringRef name, const Node *arguments, SourceRange range);
  ArrayRef<Expr> lowerAll(ArrayRef<Node> nodes);
  Value readValue(const Node &node);

  void readTypes(const Node &types);
  Type readType(StringRef name, const Node &node);
  const Type *readSchema(const Node &node);
  Property readProperty(const Entry &entry);
  void readScalar(Type &type, const Node &node);
  SmallVector<Unit> readUnits(const Node *node);
  TypedExpr readTyped(const Node &node);

  NameTable &names;
  ValueArena &arena;
  DiagnosticEngine &diags;
  std::vector<StringRef> variables;
};

} // namespace

Expr ModelReader::lower(const Node &node) {
  if (node.isScalar())
    return lowerScalar(node);
  if (node.isSequence())
    return Expr::list(lowerAll(node.items()), node.range());
  if (node.isMapping())
    return lowerMapping(node);
  return Expr::literal(Value(), node.range());
}

ArrayRef<Expr> ModelReader::lowerAll(ArrayRef<Node> nodes) {
  SmallVector<Expr> exprs;
  for (const Node &node : nodes)
    exprs.push_back(lower(node));
  return arena.save(ArrayRef<Expr>(exprs));
}

static OrProblem<Value> parseScalarNode(const Node &node) {
  switch (node.scalarType()) {
  case syntax::ScalarType::Null:
    return Value();
  case syntax::ScalarType::Boolean:
    return Value::boolean(node.text().lower() == "true");
  case syntax::ScalarType::Integer:
    return parseInteger(node.text());
  case syntax::ScalarType::Float:
    return parseFloat(node.text());
  case syntax::ScalarType::String:
    return Value::string(node.text());
  }
  llvm_unreachable("all types are handled");
}

Expr ModelReader::lowerScalar(const Node &node) {
  if (node.isString())
    return lowerString(node);
  OrProblem<Value> value = parseScalarNode(node);
  if (!value) {
    report(diags, value.problem(), node.range());
    return Expr::literal(Value(), node.range());
  }
  return Expr::literal(*value, node.range());
}

Expr ModelReader::lowerString(const Node &node) {
  StringRef text = node.text();
  if (llvm::is_contained(variables, text))
    return Expr::variable(names.intern(text), node.range());
  if (text.starts_with("$$"))
    return Expr::literal(Value::string(text.drop_front()), node.range());
  if (text.starts_with("$"))
    return lowerCall(text.drop_front(), nullptr, node.range());
  return Expr::literal(Value::string(text), node.range());
}

Expr ModelReader::lowerMapping(const Node &node) {
  SmallVector<Expr> children;
  for (const auto &[key, value] : node.entries()) {
    StringRef text = key.isScalar() ? key.text() : "";
    if (text.starts_with("$") && !text.starts_with("$$"))
      return lowerCall(text.drop_front(), &value, node.range());
    children.push_back(lower(key));
    children.push_back(lower(value));
  }
  return Expr::map(arena.save(ArrayRef<Expr>(children)), node.range());
}

Expr ModelReader::lowerCall(StringRef name, const Node *arguments,
                            SourceRange range) {
  std::optional<Function> function = findFunction(name);
  bool binds = function && isLoop(*function);
  if (binds)
    variables.push_back(arguments->items()[0].text());
  ArrayRef<Expr> children;
  if (arguments && arguments->isSequence())
    children = lowerAll(arguments->items());
  else if (arguments)
    children = lowerAll(*arguments);
  if (binds)
    variables.pop_back();
  return function ? Expr::call(*function, children, range)
                  : Expr::customCall(names.intern(name), children, range);
}

Value ModelReader::readValue(const Node &node) {
  Environment nothing;
  Evaluation result = evaluate(*readExpr(node), nothing, arena);
  return result.isKnown() ? result.value() : Value();
}

const Type *ModelReader::readSchema(const Node &node) {
  if (node.isMapping()) {
    StringRef base = node.find("type")->text();
    Type type = readType(base, node);
    type.anonymous = true;
    return arena.make(type);
  }
  if (const Type *builtin = findBuiltinType(node.text()))
    return builtin;
  return model.types.lookup(node.text());
}

Property ModelReader::readProperty(const Entry &entry) {
  Property property;
  property.name = entry.key.text();
  property.type = readSchema(entry.value);
  if (!entry.value.isMapping())
    return property;
  if (const Node *required = entry.value.find("required"))
    property.required = required->text() == "true";
  if (const Node *given = entry.value.find("default"))
    property.defaultValue = readExpr(*given);
  if (const Node *fixed = entry.value.find("value"))
    property.fixedValue = readExpr(*fixed);
  return property;
}

SmallVector<Unit> ModelReader::readUnits(const Node *node) {
  SmallVector<Unit> units;
  if (node)
    for (const auto &[key, value] : node->entries())
      units.push_back({key.text(), readValue(value)});
  return units;
}

void ModelReader::readScalar(Type &type, const Node &node) {
  const Node *units = node.find("units");
  if (!units)
    return;
  ScalarDefinition definition;
  const Node *number = node.find("data_type");
  definition.number =
      number ? readSchema(*number) : &builtinType(TypeKind::Float);
  definition.units =
      combineUnits(readUnits(units), readUnits(node.find("prefixes")), arena);
  for (const Unit &unit : llvm::reverse(definition.units))
    if (unit.multiplier == Value::integer(1))
      definition.canonicalUnit = unit.name;
  type.scalar = arena.make(definition);
}

Type ModelReader::readType(StringRef name, const Node &node) {
  Type type;
  type.kind = TypeKind::Record;
  const Node *base = node.find("derived_from");
  if (!base)
    base = node.find("type");
  if (base) {
    const Type *parent = readSchema(*base);
    type = *parent;
    type.parent = parent;
    type.validations = {};
    type.anonymous = false;
  }
  type.name = name;
  if (const Node *entry = node.find("entry_schema"))
    type.entry = readSchema(*entry);
  if (const Node *key = node.find("key_schema"))
    type.key = readSchema(*key);
  if (const Node *validation = node.find("validation"))
    type.validations =
        arena.save(ArrayRef<const Expr *>({readExpr(*validation)}));
  if (const Node *properties = node.find("properties")) {
    SmallVector<std::pair<StringRef, const Property *>> own;
    for (const Entry &entry : properties->entries()) {
      const Property *property = arena.make(readProperty(entry));
      own.emplace_back(property->name, property);
    }
    type.properties = arena.change<const Property *>(type.properties, own);
  }
  readScalar(type, node);
  return type;
}

void ModelReader::readTypes(const Node &types) {
  for (const auto &[key, value] : types.entries())
    model.types[key.text()] = arena.make(readType(key.text(), value));
}

TypedExpr ModelReader::readTyped(const Node &node) {
  return {readSchema(node.items()[0]), readExpr(node.items()[1])};
}

void ModelReader::read(const Node &root) {
  if (const Node *types = root.find("types"))
    readTypes(*types);
  if (const Node *inputs = root.find("inputs"))
    for (const auto &[key, value] : inputs->entries())
      model.inputs[key.text()] = readExpr(value);
  if (const Node *typed = root.find("typed"))
    for (const auto &[key, value] : typed->entries())
      model.typedInputs[key.text()] = readTyped(value);
  if (const Node *hidden = root.find("hidden"))
    for (const Node &name : hidden->items())
      model.hidden.push_back(name.text().str());
  if (const Node *attributes = root.find("attributes"))
    model.attributes = readExpr(*attributes);
  if (const Node *elements = root.find("elements"))
    model.elements = readExpr(*elements);
  if (const Node *expressions = root.find("evaluate"))
    for (const Node &node : expressions->items())
      model.evaluate.push_back(readExpr(node));
  if (const Node *checks = root.find("check"))
    for (const Node &node : checks->items())
      model.check.push_back(readTyped(node));
  if (const Node *texts = root.find("parse"))
    for (const Node &node : texts->items())
      model.parse.push_back(readExpr(node));
}

Model toscac::readModel(const Node &root, NameTable &names, ValueArena &arena,
                        DiagnosticEngine &diags) {
  ModelReader reader(names, arena, diags);
  if (root.isMapping())
    reader.read(root);
  return std::move(reader.model);
}
