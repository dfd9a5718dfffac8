//===- Constraints.cpp - Types of inputs ----------------------------------===//

#include "Lower.h"
#include "ScalarValue.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::ArrayRef;
using llvm::StringRef;
using syntax::Node;

const Type &cloudify::typeNamed(StringRef name) {
  TypeKind kind = llvm::StringSwitch<TypeKind>(name)
                      .Cases("string", "textarea", TypeKind::String)
                      .Case("integer", TypeKind::Integer)
                      .Case("float", TypeKind::Float)
                      .Case("boolean", TypeKind::Boolean)
                      .Case("list", TypeKind::List)
                      .Case("dict", TypeKind::Map)
                      .Default(TypeKind::Any);
  return builtinType(kind);
}

namespace {

/// A constraint, as a function of TOSCA over the value or its length.
struct ConstraintRow {
  StringRef name;
  Function function;
  bool isOfLength = false;
};

constexpr ConstraintRow constraintRows[] = {
    {"equal", Function::Equal},
    {"greater_than", Function::GreaterThan},
    {"greater_or_equal", Function::GreaterOrEqual},
    {"less_than", Function::LessThan},
    {"less_or_equal", Function::LessOrEqual},
    {"valid_values", Function::ValidValues},
    {"pattern", Function::Matches},
    {"length", Function::Equal, true},
    {"min_length", Function::GreaterOrEqual, true},
    {"max_length", Function::LessOrEqual, true},
};

class ConstraintLowering {
public:
  ConstraintLowering(const Parameter &input, ValueArena &arena,
                     DiagnosticEngine &diags)
      : input(input), arena(arena), diags(diags) {}

  void add(StringRef name, const Node &argument);

  llvm::SmallVector<const Expr *> validations;

private:
  void add(Function function, bool isOfLength, Value argument,
           SourceRange range);
  Value toValue(const Node &node);

  const Parameter &input;
  ValueArena &arena;
  DiagnosticEngine &diags;
};

} // namespace

Value ConstraintLowering::toValue(const Node &node) {
  if (!node.isSequence())
    return node.isMapping() ? Value() : sema::scalarValue(node, arena);
  llvm::SmallVector<Value> items;
  for (const Node &item : node.items())
    items.push_back(toValue(item));
  return arena.list(items);
}

void ConstraintLowering::add(Function function, bool isOfLength, Value argument,
                             SourceRange range) {
  Expr subject = Expr::call(Function::Value, {}, range);
  if (isOfLength)
    subject =
        Expr::call(Function::Length, arena.save(ArrayRef(subject)), range);
  Expr arguments[] = {subject, Expr::literal(argument, range)};
  validations.push_back(arena.make(
      Expr::call(function, arena.save(ArrayRef<Expr>(arguments)), range)));
}

void ConstraintLowering::add(StringRef name, const Node &argument) {
  SourceRange range = argument.range();
  if (name == "in_range" && argument.isSequence() &&
      argument.items().size() == 2) {
    Value low = toValue(argument.items()[0]),
          high = toValue(argument.items()[1]);
    if (low.isNumber())
      add(Function::GreaterOrEqual, false, low, range);
    if (high.isNumber())
      add(Function::LessOrEqual, false, high, range);
    return;
  }
  for (const ConstraintRow &row : constraintRows)
    if (row.name == name)
      return add(row.function, row.isOfLength, toValue(argument), range);
  diags.report(range, diag::BlueprintShape,
               ("a constraint of input '" + input.name.text + "'").str(),
               "equal, greater_than, greater_or_equal, less_than, "
               "less_or_equal, in_range, valid_values, length, min_length, "
               "max_length or pattern");
}

const Type &cloudify::inputType(const Parameter &input, ValueArena &arena,
                                DiagnosticEngine &diags) {
  const Type &builtin = typeNamed(input.type.text);
  // Which names a manager offers, it alone can say.
  if (builtin.kind == TypeKind::Any && !input.type.isEmpty())
    return builtin;
  ConstraintLowering lowering(input, arena, diags);
  for (const Node &constraint : input.constraints) {
    if (!constraint.isMapping())
      diags.report(constraint.range(), diag::BlueprintShape,
                   ("a constraint of input '" + input.name.text + "'").str(),
                   "a map");
    else
      for (const syntax::Entry &entry : constraint.entries())
        lowering.add(entry.key.isScalar() ? entry.key.text() : "", entry.value);
  }
  if (lowering.validations.empty())
    return builtin;
  Type *narrowed = arena.make(builtin);
  narrowed->parent = &builtin;
  narrowed->anonymous = true;
  narrowed->validations =
      arena.save(ArrayRef<const Expr *>(lowering.validations));
  return *narrowed;
}
