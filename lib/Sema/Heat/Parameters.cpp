//===- Parameters.cpp - Values for parameters -----------------------------===//

#include "Composer.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Value/Evaluate.h"
#include "toscac/Value/ParseLiteral.h"
#include "toscac/Value/ReadJSON.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::SmallVector;
using llvm::StringRef;
using syntax::Node;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::optional<Value> toNumber(const Value &value) {
  if (value.isNumber())
    return value;
  if (!value.isString())
    return std::nullopt;
  auto number = parseNumber(value.asString());
  return number ? std::optional(*number) : std::nullopt;
}

static std::optional<Value> toBoolean(const Value &value) {
  if (value.isBoolean())
    return value;
  auto truth = llvm::StringSwitch<std::optional<bool>>(textOf(value))
                   .CasesLower("true", "t", "yes", "y", "on", true)
                   .CasesLower("false", "f", "no", "n", "off", false)
                   .Case("1", true)
                   .Case("0", false)
                   .Default(std::nullopt);
  return truth ? std::optional(Value::boolean(*truth)) : std::nullopt;
}

static Value toList(const Value &value, ValueArena &arena) {
  SmallVector<Value> items;
  if (value.isList()) {
    for (const Value &item : value.items())
      items.push_back(
          item.isList() || item.isMap() ? item : arena.string(textOf(item)));
    return arena.list(items);
  }
  SmallVector<StringRef> parts;
  std::string text = textOf(value);
  if (!text.empty())
    StringRef(text).split(parts, ',');
  for (StringRef part : parts)
    items.push_back(arena.string(part.trim()));
  return arena.list(items);
}

static std::optional<Value> toJSON(const Value &value, Composer &composer) {
  if (value.isMap() || value.isList())
    return value;
  if (!value.isString())
    return std::nullopt;
  // As in Heat: an empty text is an empty map.
  if (value.asString().empty())
    return composer.arena.map({});
  auto read =
      JSONReader(composer.arena, composer.names).value(value.asString());
  if (read && (read->isMap() || read->isList()))
    return *read;
  if (!read)
    llvm::consumeError(read.takeError());
  return std::nullopt;
}

static std::optional<Value> convert(ParameterType type, const Value &value,
                                    Composer &composer) {
  bool isCompound = value.isMap() || value.isList();
  switch (type) {
  case ParameterType::String:
    if (isCompound)
      return std::nullopt;
    return value.isString() ? value : composer.arena.string(textOf(value));
  case ParameterType::Number:
    return toNumber(value);
  case ParameterType::Boolean:
    return toBoolean(value);
  case ParameterType::List:
    if (value.isMap())
      return std::nullopt;
    return toList(value, composer.arena);
  case ParameterType::Json:
    return toJSON(value, composer);
  }
  llvm_unreachable("all types are covered");
}

//===----------------------------------------------------------------------===//
// Constraints
//===----------------------------------------------------------------------===//

namespace {

/// Compares one value with the constraints of its parameter.
class ConstraintCheck {
public:
  ConstraintCheck(Composer &composer, const Value &value)
      : composer(composer), value(value) {}

  /// What is wrong; empty if nothing is.
  std::string check(const Constraint &constraint);

private:
  std::string checkBounds(const Node &bounds, const Value &number,
                          StringRef what, StringRef noun);
  std::string checkModulo(const Node &node);
  std::string checkAllowed(const Node &node);
  std::string checkPattern(const Node &node);
  std::string checkLength(const Node &node);

  Composer &composer;
  const Value &value;
};

} // namespace

/// CloudFormation says `MinValue`, where \p noun is `Value`, instead of `min`.
std::string ConstraintCheck::checkBounds(const Node &bounds,
                                         const Value &number, StringRef what,
                                         StringRef noun) {
  auto bound = [&](StringRef key) -> std::optional<Value> {
    const Node *node = bounds.isMapping() ? bounds.find(key) : nullptr;
    if (!node && bounds.isMapping())
      node = bounds.find(((key == "min" ? "Min" : "Max") + noun).str());
    return node ? toNumber(composer.plainValue(*node)) : std::nullopt;
  };
  auto low = bound("min"), high = bound("max");
  if (low && compare(number, *low) < 0)
    return (what + " must be at least " + textOf(*low)).str();
  if (high && compare(number, *high) > 0)
    return (what + " must be at most " + textOf(*high)).str();
  return "";
}

std::string ConstraintCheck::checkLength(const Node &node) {
  size_t length = value.isList()  ? value.items().size()
                  : value.isMap() ? value.entries().size()
                                  : 0;
  if (value.isString())
    length = llvm::count_if(value.asString(),
                            [](char c) { return (c & 0xC0) != 0x80; });
  return checkBounds(node, Value::integer(int64_t(length)), "its length",
                     "Length");
}

std::string ConstraintCheck::checkModulo(const Node &node) {
  auto part = [&](StringRef key) -> int64_t {
    const Node *found = node.isMapping() ? node.find(key) : nullptr;
    auto number = found ? toNumber(composer.plainValue(*found)) : std::nullopt;
    return number && number->isInteger() ? number->asInteger() : 0;
  };
  int64_t step = part("step"), offset = part("offset");
  bool fits = step != 0 && step != INT64_MIN && value.isInteger() &&
              value.asInteger() % step == offset;
  return fits ? ""
              : llvm::formatv("it must be a multiple of {0}, plus {1}", step,
                              offset)
                    .str();
}

std::string ConstraintCheck::checkAllowed(const Node &node) {
  Value allowed = composer.plainValue(node);
  if (!allowed.isList())
    return "";
  auto isAllowed = [&](const Value &item) {
    return llvm::any_of(allowed.items(), [&](const Value &other) {
      return item == other || textOf(item) == textOf(other);
    });
  };
  bool fits = value.isList() ? llvm::all_of(value.items(), isAllowed)
                             : isAllowed(value);
  std::vector<std::string> words;
  for (const Value &item : allowed.items())
    words.push_back(textOf(item));
  return fits ? "" : "it must be one of " + llvm::join(words, ", ");
}

std::string ConstraintCheck::checkPattern(const Node &node) {
  if (!node.isScalar() || !value.isString())
    return "";
  // The pattern is for the text as a whole.
  std::string whole = ("^(?:" + node.text() + ")$").str();
  Expr arguments[] = {Expr::literal(value),
                      Expr::literal(Value::string(whole))};
  toscac::Environment nothing;
  Evaluation outcome = toscac::evaluate(
      Expr::call(Function::Matches, arguments), nothing, composer.arena);
  // A pattern with features that Python has and we do not decides nothing.
  bool isWrong = outcome.isKnown() && outcome.value().isFalse();
  return isWrong ? ("it must match '" + node.text() + "'").str() : "";
}

std::string ConstraintCheck::check(const Constraint &constraint) {
  switch (constraint.kind) {
  case ConstraintKind::Length:
    return checkLength(*constraint.value);
  case ConstraintKind::Range:
    return value.isNumber()
               ? checkBounds(*constraint.value, value, "it", "Value")
               : "";
  case ConstraintKind::Modulo:
    return checkModulo(*constraint.value);
  case ConstraintKind::AllowedValues:
    return checkAllowed(*constraint.value);
  case ConstraintKind::AllowedPattern:
    return checkPattern(*constraint.value);
  case ConstraintKind::CustomConstraint:
    // Only the cloud knows whether such a flavor or image exists.
    return "";
  }
  llvm_unreachable("all kinds are covered");
}

std::optional<Value> Composer::toType(const Parameter &parameter,
                                      const Value &given, SourceRange place,
                                      const Stack &stack) {
  if (parameter.hidden)
    diags.hide(place);
  auto value = convert(parameter.type, given, *this);
  if (value)
    return value;
  auto report =
      diags.report(place, diag::HeatParameterType, parameter.name.text,
                   stack.file->path, word(parameter.type),
                   parameter.hidden ? "what is hidden" : toText(given));
  report.note(parameter.name.range, diag::FirstDefinedHere,
              parameter.name.text);
  if (parameter.hidden)
    report.discreet();
  return std::nullopt;
}

std::optional<Value> Composer::coerce(const Parameter &parameter,
                                      const Value &given, SourceRange place,
                                      const Stack &stack) {
  auto value = toType(parameter, given, place, stack);
  bool isShown = !parameter.hidden;
  if (!value)
    return std::nullopt;
  for (const Constraint &constraint : parameter.constraints) {
    std::string problem = ConstraintCheck(*this, *value).check(constraint);
    if (problem.empty())
      continue;
    if (!constraint.description.empty())
      problem += (" (" + constraint.description + ")").str();
    auto report = diags.report(place, diag::HeatConstraint, parameter.name.text,
                               stack.file->path,
                               isShown ? toText(*value) : "hidden", problem);
    report.note(constraint.range, diag::HeatConstraintHere);
    if (!isShown)
      report.discreet();
    return std::nullopt;
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Where values come from
//===----------------------------------------------------------------------===//

static const Expr *valueByName(Composer &composer, StringRef parameter) {
  const Expr *name = composer.literal(composer.arena.string(parameter));
  return composer.call(Function::GetInput, {name}, {});
}

/// As it is, as far as it is known; null after a report.
static const Expr *givenValue(Composer &composer, ParameterValue &parameter,
                              const Scope &scope) {
  if (parameter.giver) {
    const StackResource &giver = *parameter.giver;
    Scope outer{*giver.stack, giver.index.empty() ? nullptr : &giver};
    outer.reveals = scope.reveals;
    return composer.evaluate(*parameter.node, outer);
  }
  if (parameter.text)
    return composer.literal(composer.arena.string(*parameter.text));
  if (parameter.earlier)
    return composer.literal(*parameter.earlier,
                            parameter.definition->name.range);
  if (!parameter.node)
    return valueByName(composer, parameter.definition->name.text);
  if (parameter.merged) {
    auto value = composer.mergeGiven(*parameter.definition, *parameter.merged,
                                     scope.stack);
    return value ? composer.literal(*value, parameter.node->range()) : nullptr;
  }
  // Text that looks like something else stays as it was written.
  const Node &node = *parameter.node;
  bool isText =
      node.isScalar() && parameter.definition->type == ParameterType::String;
  return composer.literal(isText ? composer.arena.string(node.text())
                                 : composer.plainValue(node),
                          node.range());
}

const Expr *Composer::parameterValue(ParameterValue &parameter,
                                     const Scope &scope) {
  const Parameter &definition = *parameter.definition;
  bool isSecret = definition.hidden && !scope.stack.facade && !scope.reveals;
  const Expr *&known = scope.reveals ? parameter.value : parameter.shown;
  if (known || parameter.isWrong)
    return known;
  if (parameter.isEvaluating) {
    diags.report(definition.name.range, diag::HeatCycle, definition.name.text);
    return nullptr;
  }
  parameter.isEvaluating = true;
  const Expr *given = givenValue(*this, parameter, scope);
  parameter.isEvaluating = false;
  if (given && given->isLiteral()) {
    bool isNothing = given->value().isNil() && parameter.giver;
    std::optional<Value> value;
    if (!isNothing)
      value = coerce(definition, given->value(),
                     given->range().isValid() ? given->range()
                                              : definition.name.range,
                     scope.stack);
    given = isNothing ? given
            : value   ? literal(*value, given->range())
                      : nullptr;
  }
  parameter.isWrong = !given;
  if (given && isSecret)
    given = valueByName(*this, definition.name.text);
  return known = given;
}

static void take(const GivenValue &given, ParameterValue &parameter) {
  parameter.node = given.parts.back();
  parameter.earlier = nullptr;
  parameter.merged = given.parts.size() > 1 ? &given : nullptr;
}

/// What the environments and the command line say of the whole.
static void bindFromOutside(Composer &composer, Stack &stack) {
  const heat::Environment &environment = composer.input.environment;
  for (auto &[name, given] : environment.parameters) {
    auto found = stack.parameters.find(name);
    if (found != stack.parameters.end()) {
      take(given, found->second);
      found->second.isDefault = false;
    } else if (composer.detail == Detail::Values) {
      composer.reportUnknownParameter(given.parts.back()->range(), name, stack);
    }
  }
  for (StringRef assignment : composer.input.parameters) {
    auto [name, text] = assignment.split('=');
    auto found = stack.parameters.find(name);
    if (found != stack.parameters.end()) {
      found->second.text = text;
      found->second.earlier = nullptr;
      found->second.isDefault = false;
    } else if (composer.detail == Detail::Values) {
      composer.reportUnknownParameter({}, name, stack);
    }
  }
}

void Composer::reportUnknownParameter(SourceRange place, StringRef name,
                                      const Stack &stack) {
  auto report =
      diags.report(place, diag::HeatUnknownParameter, stack.file->path, name);
  std::vector<StringRef> names;
  for (const Parameter &parameter : stack.source->parameters)
    names.push_back(parameter.name.text);
  Suggestion(name, names).noteOn(report);
}

/// The properties of the resource that the template implements.
static void bindFromFacade(Composer &composer, Stack &stack) {
  const StackResource &facade = *stack.facade;
  const Node *properties = facade.definition->properties;
  if (!properties || properties->isNull())
    return;
  if (!properties->isMapping())
    return;
  for (const syntax::Entry &entry : properties->entries()) {
    StringRef name = entry.key.isScalar() ? entry.key.text() : "";
    auto found = stack.parameters.find(name);
    if (found != stack.parameters.end()) {
      found->second.node = &entry.value;
      found->second.merged = nullptr;
      found->second.giver = &facade;
      found->second.isDefault = false;
    } else if (composer.detail == Detail::Values) {
      composer.reportUnknownParameter(entry.key.range(), name, stack);
    }
  }
}

static bool isMissing(const ParameterValue &parameter) {
  return !parameter.node && !parameter.text && !parameter.earlier;
}

/// Whether the resource that the template implements has a value for \p name
/// under a misspelt name, which has been reported.
static bool isMisspelt(StringRef name, const Stack &stack) {
  const Node *properties =
      stack.facade ? stack.facade->definition->properties : nullptr;
  if (!properties || !properties->isMapping())
    return false;
  std::vector<StringRef> known;
  for (const Parameter &parameter : stack.source->parameters)
    known.push_back(parameter.name.text);
  return llvm::any_of(properties->entries(), [&](const syntax::Entry &entry) {
    return entry.key.isScalar() &&
           !llvm::is_contained(known, entry.key.text()) &&
           Suggestion(entry.key.text(), known).name == name;
  });
}

/// Reports the parameters that nobody gave a value, all at once.
static void reportMissing(Composer &composer, const Stack &stack) {
  std::vector<std::string> missing;
  for (const auto &[name, parameter] : stack.parameters)
    if (isMissing(parameter) && !isMisspelt(name, stack))
      missing.push_back(("'" + name + "'").str());
  if (missing.empty())
    return;
  if (composer.input.mayLackValues && !stack.facade) {
    composer.isOpen = true;
    return;
  }
  const Parameter *first = nullptr;
  for (const auto &[name, parameter] : stack.parameters)
    if (!first && isMissing(parameter) && !isMisspelt(name, stack))
      first = parameter.definition;
  SourceRange place =
      stack.facade ? stack.facade->definition->name.range : first->name.range;
  auto report = composer.diags.report(
      place, diag::HeatMissingParameters, stack.file->path,
      llvm::join(missing, ", "),
      stack.facade ? "give it among the properties of '" + stack.facade->path +
                         "', or among parameter_defaults of an environment"
                   : std::string("give it in an environment or with --input, "
                                 "or give it a 'default'"));
  for (const auto &[name, parameter] : stack.parameters)
    if (isMissing(parameter) && parameter.definition->name.range != place)
      report.note(parameter.definition->name.range, diag::FirstDefinedHere,
                  name);
}

void Composer::bindParameters(Stack &stack) {
  for (const Parameter &definition : stack.source->parameters) {
    ParameterValue &parameter = stack.parameters[definition.name.text];
    parameter.definition = &definition;
    parameter.isDefault = true;
    auto common = input.environment.defaults.find(definition.name.text);
    parameter.node = definition.defaultValue;
    if (!stack.facade && input.earlier.isMap())
      parameter.earlier = input.earlier.find(definition.name.text);
    if (common != input.environment.defaults.end())
      take(common->second, parameter);
  }
  if (stack.facade)
    bindFromFacade(*this, stack);
  else
    bindFromOutside(*this, stack);
  if (detail != Detail::Values)
    return;
  reportMissing(*this, stack);
  // Wrong values are reported even where nothing refers to them.
  Scope scope{stack};
  for (auto &[name, parameter] : stack.parameters)
    if (!parameter.giver && !isMissing(parameter))
      parameterValue(parameter, scope);
}
