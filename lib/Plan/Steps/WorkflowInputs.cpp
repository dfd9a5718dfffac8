//===- WorkflowInputs.cpp - Values of a workflow's inputs -----------------===//

#include "WorkflowInputs.h"

#include "System/GraphEnvironment.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "toscac/Basic/Suggest.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

const ir::InputValue *WorkflowInputs::find(Name name) const {
  for (const ir::InputValue &input : values)
    if (input.name == name)
      return &input;
  return nullptr;
}

/// What `$get_input` asks for, if it is one of these inputs.
const Expr *WorkflowInputs::valueOf(const Expr &query) const {
  const Expr &name = query.children().front();
  if (!name.isLiteral() || !name.value().isString())
    return nullptr;
  const ir::InputValue *input =
      find(system->conditions.names.intern(name.value().asString()));
  ArrayRef<Expr> rest = query.children().drop_front();
  if (!input || rest.empty())
    return input ? input->value : nullptr;
  llvm::SmallVector<Value, 2> keys;
  for (const Expr &key : rest)
    if (key.isLiteral())
      keys.push_back(key.value());
  if (!input->value->isLiteral() || keys.size() != rest.size())
    return nullptr;
  Evaluation part = select(input->value->value(), keys, query.range());
  if (!part.isKnown())
    return nullptr;
  return system->conditions.arena.make(
      Expr::literal(part.value(), query.range()));
}

const Expr *WorkflowInputs::bind(const Expr &expr) const {
  if (expr.children().empty())
    return &expr;
  if (expr.isCall(Function::GetInput))
    if (const Expr *value = valueOf(expr))
      return value;
  ValueArena &arena = system->conditions.arena;
  llvm::SmallVector<Expr, 4> children;
  for (const Expr &child : expr.children())
    children.push_back(*bind(child));
  return arena.make(withChildren(expr, arena.save(ArrayRef<Expr>(children))));
}

ArrayRef<ir::Argument>
WorkflowInputs::bind(ArrayRef<ir::Argument> arguments) const {
  llvm::SmallVector<ir::Argument, 4> bound(arguments);
  for (ir::Argument &argument : bound)
    if (argument.value)
      argument.value = bind(*argument.value);
  return system->conditions.arena.save(ArrayRef<ir::Argument>(bound));
}

ArrayRef<ir::Argument> WorkflowInputs::arguments() const {
  llvm::SmallVector<ir::Argument, 4> result;
  for (const ir::InputValue &input : values) {
    ir::Argument &argument = result.emplace_back();
    argument.name = input.name;
    argument.value = input.value;
    argument.sensitive = input.sensitive;
  }
  return system->conditions.arena.save(ArrayRef<ir::Argument>(result));
}

/// \p expr with absolute paths; null if it has no value.
const Expr *WorkflowInputs::evaluateAt(const Expr &expr,
                                       ir::EntityId self) const {
  Conditions &conditions = system->conditions;
  auto noCells = [](CellId) -> const Value * { return nullptr; };
  GraphEnvironment environment(system->layout, self, noCells, conditions.names);
  Evaluation value = evaluate(expr, environment, conditions.arena);
  if (value.isKnown())
    return conditions.arena.make(Expr::literal(value.value(), expr.range()));
  if (value.isFailed())
    report(conditions.diags, value.problem(), expr.range());
  return value.isUnknown() ? value.residual() : nullptr;
}

const Expr *WorkflowInputs::defaultOf(const ir::Argument &input) const {
  if (!input.value)
    return nullptr;
  return evaluateAt(*bind(*input.value), system->layout.graph.entity(subgraph));
}

void WorkflowInputs::setInlined(const ir::Workflow &workflow,
                                const WorkflowInputs &outer,
                                const ir::Activity &activity,
                                ir::EntityId self) {
  for (const ir::Argument &input : workflow.inputs) {
    const Expr *value = nullptr;
    for (const ir::Argument &given : activity.inputs)
      if (given.name == input.name && given.value)
        value = outer.evaluateAt(*outer.bind(*given.value), self);
    if (!value)
      value = defaultOf(input);
    if (value)
      values.push_back({input.name, value, input.sensitive});
  }
}

void WorkflowInputs::setSent(const ir::Operation &event,
                             const ir::Trigger *trigger, ir::EntityId sender) {
  ArrayRef<ir::Argument> given;
  if (trigger)
    given = trigger->inputs;
  for (const ir::Argument &input : event.inputs) {
    const auto *argument =
        llvm::find_if(given, [&](const ir::Argument &argument) {
          return argument.name == input.name && argument.value;
        });
    const Expr *value = argument == given.end()
                            ? defaultOf(input)
                            : evaluateAt(*argument->value, sender);
    if (value)
      values.push_back({input.name, value, input.sensitive});
  }
}

/// \p value as \p type wants it: who types `--param n=3` writes text.
static std::optional<Value> fit(const Value &value, TypeKind type,
                                ValueArena &arena) {
  if (type == TypeKind::String)
    return value.isString() ? value : arena.string(toText(value));
  if (type == TypeKind::Float && value.isInteger())
    return Value::real(double(value.asInteger()));
  if (type == TypeKind::Any || typeKind(value.kind()) == type)
    return value;
  // What else there is is checked where it is used.
  if (type == TypeKind::Integer || type == TypeKind::Boolean ||
      type == TypeKind::Float)
    return std::nullopt;
  return value;
}

static std::string hintFor(Name given, ArrayRef<ir::Argument> inputs) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const ir::Argument &input : inputs)
    names.push_back(input.name.str());
  return didYouMean(given.str(), names);
}

bool WorkflowInputs::setParameters(ArrayRef<ir::Argument> inputs,
                                   const Goal &goal) {
  DiagnosticEngine &diags = system->conditions.diags;
  ValueArena &arena = system->conditions.arena;
  bool good = true;
  for (const ir::InputValue &given : goal.parameters) {
    const auto *input = llvm::find_if(inputs, [&](const ir::Argument &other) {
      return other.name == given.name;
    });
    std::optional<Value> value;
    if (input == inputs.end())
      diags.report({}, diag::UnknownParameter, goal.workflow.str(),
                   given.name.str(), hintFor(given.name, inputs));
    else if (!(value = fit(given.value->value(), input->type, arena)))
      diags.report({}, diag::ParameterType, given.name.str(),
                   describe(input->type), toText(*given.value));
    good &= value.has_value();
    if (value)
      values.push_back(
          {given.name, arena.make(Expr::literal(*value)), input->sensitive});
  }
  auto isGiven = [&](Name name) {
    return llvm::any_of(goal.parameters, [&](const ir::InputValue &given) {
      return given.name == name;
    });
  };
  for (const ir::Argument &input : inputs) {
    if (isGiven(input.name))
      continue;
    if (const Expr *value = defaultOf(input)) {
      values.push_back({input.name, value, input.sensitive});
    } else if (input.required) {
      diags.report(input.range, diag::MissingParameter, goal.workflow.str(),
                   input.name.str());
      good = false;
    }
  }
  return good;
}
