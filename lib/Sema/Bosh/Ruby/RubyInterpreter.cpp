//===- RubyInterpreter.cpp - Templates at work ----------------------------===//

#include "RubyInterpreter.h"

#include "toscac/Basic/DiagnosticsBosh.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

/// Larger files are a loop gone wrong, and so are longer ways.
static constexpr size_t maxOutput = size_t(16) << 20;
static constexpr uint64_t maxSteps = 5'000'000;
static constexpr unsigned maxDepth = 400;

RubyValue RubyCall::yield(std::vector<RubyValue> values) const {
  return in.callProc(block, std::move(values), node);
}

RubyValue RubyInterpreter::unsupported(const RubyNode &node, StringRef what) {
  if (leaving != Leaving::Failed)
    diags.report(node.range, diag::TemplateNotSupported, what);
  leaving = Leaving::Failed;
  return {};
}

RubyValue RubyInterpreter::raise(const RubyNode &node, RubyValue exception) {
  if (isLeaving())
    return {};
  leaving = Leaving::Raise;
  carried = std::move(exception);
  raisedAt = node.range;
  return {};
}

RubyValue RubyInterpreter::raise(const RubyNode &node, StringRef className,
                                 StringRef message) {
  RubyValue exception = RubyValue::object(className);
  exception.set("message", RubyValue::text(message));
  return raise(node, std::move(exception));
}

void RubyInterpreter::setMatch(const RubyValue &match) {
  globals["$~"] = match;
  for (size_t i = 1; i != 10; ++i) {
    bool isThere = !match.isNil() && i < match.items().size();
    globals["$" + std::to_string(i)] = isThere ? match.items()[i] : RubyValue();
  }
}

bool RubyInterpreter::takeStep(const RubyNode &node) {
  if (++steps > maxSteps)
    unsupported(node, "a template that runs as long as this");
  return !isLeaving();
}

std::shared_ptr<RubyScope> RubyInterpreter::makeScope() {
  auto made = std::make_shared<RubyScope>();
  scopes.push_back(made);
  return made;
}

RubyValue *RubyInterpreter::findVariable(StringRef name) {
  for (RubyScope *at = scope.get(); at; at = at->outer.get()) {
    auto found = at->variables.find(name);
    if (found != at->variables.end())
      return &found->second;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

RubyValue RubyInterpreter::evaluatePart(const RubyNode &node, size_t part) {
  return part < node.parts.size() && node.parts[part]
             ? evaluate(*node.parts[part])
             : RubyValue();
}

RubyValue RubyInterpreter::evaluateBody(const RubyNode &node) {
  RubyValue last;
  for (const RubyNodePtr &part : node.parts) {
    last = evaluate(*part);
    if (isLeaving())
      return last;
  }
  return last;
}

RubyValue RubyInterpreter::evaluateText(const RubyNode &node) {
  std::string text = node.kind == Kind::Regexp ? "" : node.text;
  for (const RubyNodePtr &part : node.parts) {
    RubyValue value = evaluate(*part);
    if (isLeaving())
      return {};
    text += value.is(RubyValue::Kind::Regexp) ? value.asText().str()
                                              : toText(value);
    if (text.size() > maxOutput)
      return unsupported(node, "a text of more than 16 MiB");
  }
  if (node.kind == Kind::Regexp) {
    if (!node.text.empty())
      text = "(?" + std::string(node.text == "m" ? "s" : "i") + ")" + text;
    return RubyValue::named(RubyValue::Kind::Regexp, text);
  }
  return node.kind == Kind::Symbol ? RubyValue::symbol(text)
                                   : RubyValue::text(text);
}

/// Items, with lists that are spread among them.
bool RubyInterpreter::evaluateItems(llvm::ArrayRef<RubyNodePtr> nodes,
                                    std::vector<RubyValue> &into) {
  for (const RubyNodePtr &node : nodes) {
    bool isSplat = node->kind == Kind::Splat;
    RubyValue value = isSplat ? evaluatePart(*node, 0) : evaluate(*node);
    if (isLeaving())
      return false;
    if (isSplat && value.isList())
      into.insert(into.end(), value.items().begin(), value.items().end());
    else if (!isSplat || !value.isNil())
      into.push_back(std::move(value));
  }
  return true;
}

RubyValue RubyInterpreter::evaluateMap(const RubyNode &node) {
  RubyValue map = RubyValue::map();
  for (const RubyNodePtr &pair : node.parts) {
    if (pair->kind == Kind::DoubleSplat) {
      RubyValue other = evaluatePart(*pair, 0);
      if (isLeaving())
        return {};
      if (!other.isMap())
        return unsupported(*pair, "'**' of what is no map");
      for (auto &[key, value] : other.data().entries)
        map.set(key, value);
      continue;
    }
    RubyValue key = evaluatePart(*pair, 0);
    RubyValue value = isLeaving() ? RubyValue() : evaluatePart(*pair, 1);
    if (isLeaving())
      return {};
    map.set(key, std::move(value));
  }
  return map;
}

RubyValue RubyInterpreter::evaluateConstant(const RubyNode &node) {
  std::string name = node.text;
  if (!node.parts.empty()) {
    RubyValue outer = evaluatePart(node, 0);
    if (isLeaving())
      return {};
    name = toText(outer) + "::" + name;
  } else if (RubyValue *variable = findVariable(name)) {
    return *variable;
  }
  auto known = globals.find(name);
  if (known != globals.end())
    return known->second;
  return RubyValue::named(RubyValue::Kind::Class, name);
}

RubyValue RubyInterpreter::evaluateName(const RubyNode &node) {
  if (RubyValue *variable = findVariable(node.text))
    return *variable;
  if (methods.count(node.text) || findFunction(node.text))
    return evaluateCall(node);
  // Assigned in a branch that was not taken.
  return raise(node, "NameError",
               "undefined local variable or method '" + node.text + "'");
}

/// The block of a call: one that is written there, or a value that is given.
RubyValue RubyInterpreter::blockOf(const RubyNode &node) {
  if (!node.block)
    return {};
  RubyValue value = evaluate(*node.block);
  if (value.is(RubyValue::Kind::Symbol))
    return RubyValue::named(RubyValue::Kind::Proc, value.asText());
  return value;
}

RubyValue RubyInterpreter::evaluateCall(const RubyNode &node) {
  bool hasReceiver = !node.parts.empty() && node.parts[0];
  RubyValue self = hasReceiver ? evaluate(*node.parts[0]) : RubyValue();
  if (isLeaving() || (node.isFlag && self.isNil()))
    return {};
  std::vector<RubyValue> arguments;
  llvm::ArrayRef<RubyNodePtr> given(node.parts);
  if (!given.empty() && !evaluateItems(given.drop_front(), arguments))
    return {};
  RubyValue block = blockOf(node);
  if (isLeaving() || !takeStep(node))
    return {};
  RubyValue result;
  if (hasReceiver) {
    result = callMethod(self, node.text, std::move(arguments), block, node);
  } else if (const RubyNode *method = methods.lookup(node.text)) {
    if (++depth > maxDepth)
      return unsupported(node, "calls as deep as this");
    auto inner = makeScope();
    inner->block = block;
    llvm::SaveAndRestore keep(scope, inner);
    if (bind(method->parameters, std::move(arguments), true, node))
      result = evaluatePart(*method, 0);
    --depth;
    if (leaving == Leaving::Return) {
      leaving = Leaving::No;
      result = carried;
    }
  } else if (RubyMethod function = findFunction(node.text)) {
    result = function({*this, node.text, self, arguments, block, node});
  } else {
    return unsupported(node, "'" + node.text + "'");
  }
  if (leaving == Leaving::Break && node.block) {
    leaving = Leaving::No;
    return carried;
  }
  return result;
}

RubyValue RubyInterpreter::callMethod(const RubyValue &self, StringRef name,
                                      std::vector<RubyValue> arguments,
                                      const RubyValue &block,
                                      const RubyNode &node) {
  using VKind = RubyValue::Kind;
  RubyCall call{*this, name, self, arguments, block, node};
  RubyMethod method = nullptr;
  switch (self.kind()) {
  case VKind::String:
    method = findTextMethod(name);
    break;
  case VKind::Array:
  case VKind::Range:
    method = findListMethod(name);
    break;
  case VKind::Hash:
    method = findMapMethod(name);
    break;
  case VKind::Object:
    method = findObjectMethod(self, name);
    break;
  case VKind::Class:
    method = findModuleMethod(self.asText(), name);
    break;
  case VKind::Proc:
    if (name == "call" || name == "[]" || name == "()")
      return callProc(self, std::move(arguments), node);
    break;
  default:
    method = findScalarMethod(name);
    break;
  }
  if (!method)
    method = findAnyMethod(name);
  if (method)
    return method(call);
  if (self.isNil())
    return raise(node, "NoMethodError",
                 ("undefined method '" + name + "' for nil").str());
  return unsupported(node, ("'" + name + "' of " + classOf(self)).str());
}

RubyValue RubyInterpreter::callProc(const RubyValue &proc,
                                    std::vector<RubyValue> arguments,
                                    const RubyNode &node) {
  if (!proc.is(RubyValue::Kind::Proc))
    return unsupported(node, "a block that is none");
  RubyData &data = proc.data();
  if (!data.node) {
    if (arguments.empty())
      return unsupported(node, "this block");
    RubyValue self = arguments.front();
    arguments.erase(arguments.begin());
    return callMethod(self, data.text, std::move(arguments), {}, node);
  }
  if (++depth > maxDepth)
    return unsupported(node, "calls as deep as this");
  auto inner = makeScope();
  inner->outer = data.scope;
  inner->block = data.scope ? data.scope->block : RubyValue();
  bool isLambda = data.node->text == "lambda";
  RubyValue result;
  {
    llvm::SaveAndRestore keep(scope, inner);
    if (takeStep(node) &&
        bind(data.node->parameters, std::move(arguments), isLambda, node))
      result = evaluatePart(*data.node, 0);
  }
  --depth;
  if (leaving == Leaving::Next || (isLambda && leaving == Leaving::Return)) {
    leaving = Leaving::No;
    return carried;
  }
  return result;
}

/// Sets the parameters in the innermost scope.
bool RubyInterpreter::bind(llvm::ArrayRef<RubyParameter> parameters,
                           std::vector<RubyValue> arguments, bool isLambda,
                           const RubyNode &node) {
  using PKind = RubyParameter::Kind;
  size_t positional = llvm::count_if(parameters, [](const auto &parameter) {
    return parameter.kind == PKind::Plain || parameter.kind == PKind::Nested ||
           parameter.kind == PKind::Splat;
  });
  // A block takes a list apart.
  if (!isLambda && positional > 1 && arguments.size() == 1 &&
      arguments[0].isList())
    arguments = std::vector<RubyValue>(arguments[0].items());
  bool hasKeys = llvm::any_of(parameters, [](const auto &parameter) {
    return parameter.kind == PKind::Key;
  });
  RubyValue keys;
  if (hasKeys && !arguments.empty() && arguments.back().isMap()) {
    keys = arguments.back();
    arguments.pop_back();
  }
  size_t required = llvm::count_if(parameters, [](const auto &parameter) {
    return parameter.kind == PKind::Plain && !parameter.defaultValue;
  });
  if (isLambda && arguments.size() < required) {
    raise(node, "ArgumentError", "wrong number of arguments");
    return false;
  }
  size_t next = 0, left = positional;
  for (const RubyParameter &parameter : parameters) {
    RubyValue value;
    switch (parameter.kind) {
    case PKind::Block:
      value = scope->block;
      break;
    case PKind::Splat: {
      size_t after = left - 1;
      value = RubyValue::list();
      while (next + after < arguments.size())
        value.items().push_back(arguments[next++]);
      --left;
      break;
    }
    case PKind::Key: {
      const RubyValue *found =
          keys.isMap() ? keys.find(RubyValue::symbol(parameter.name)) : nullptr;
      if (found)
        value = *found;
      else if (parameter.defaultValue)
        value = evaluate(*parameter.defaultValue);
      break;
    }
    case PKind::Nested: {
      RubyValue list = next < arguments.size() ? arguments[next] : RubyValue();
      ++next;
      --left;
      if (!bind(parameter.parts,
                list.isList() ? list.items() : std::vector<RubyValue>{list},
                false, node))
        return false;
      continue;
    }
    case PKind::Plain:
      if (next < arguments.size())
        value = arguments[next];
      else if (parameter.defaultValue)
        value = evaluate(*parameter.defaultValue);
      ++next;
      --left;
      break;
    }
    if (isLeaving())
      return false;
    scope->variables[parameter.name] = std::move(value);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// All nodes
//===----------------------------------------------------------------------===//

RubyValue RubyInterpreter::evaluate(const RubyNode &node) {
  if (isLeaving())
    return {};
  if (++depth > maxDepth * 4)
    return unsupported(node, "expressions as deep as this");
  struct Deeper {
    unsigned &depth;
    ~Deeper() { --depth; }
  } deeper{depth};
  switch (node.kind) {
  case Kind::Text:
    *output += node.text;
    if (output->size() > maxOutput)
      return unsupported(node, "a file of more than 16 MiB");
    return {};
  case Kind::Output: {
    RubyValue value = evaluatePart(node, 0);
    if (!isLeaving())
      *output += toText(value);
    return {};
  }
  case Kind::Nil:
    return {};
  case Kind::Self:
    return RubyValue::object("Context");
  case Kind::True:
  case Kind::False:
    return RubyValue::boolean(node.kind == Kind::True);
  case Kind::Integer:
    return RubyValue::integer(node.number);
  case Kind::Float:
    return RubyValue::real(node.real);
  case Kind::String:
  case Kind::Symbol:
  case Kind::Regexp:
    return evaluateText(node);
  case Kind::Array: {
    RubyValue list = RubyValue::list();
    evaluateItems(node.parts, list.items());
    return list;
  }
  case Kind::Hash:
    return evaluateMap(node);
  case Kind::Range: {
    RubyValue range = RubyValue::named(RubyValue::Kind::Range, "");
    range.items() = {evaluatePart(node, 0), evaluatePart(node, 1)};
    range.data().isFlag = node.isFlag;
    return range;
  }
  case Kind::Name:
    return evaluateName(node);
  case Kind::Variable: {
    auto known = globals.find(node.text);
    return known == globals.end() ? RubyValue() : known->second;
  }
  case Kind::Constant:
    return evaluateConstant(node);
  case Kind::Call:
    return evaluateCall(node);
  case Kind::And:
  case Kind::Or: {
    RubyValue left = evaluatePart(node, 0);
    bool isDone = left.isTruthy() == (node.kind == Kind::Or);
    return isDone || isLeaving() ? left : evaluatePart(node, 1);
  }
  case Kind::Not: {
    RubyValue inner = evaluatePart(node, 0);
    return RubyValue::boolean(!inner.isTruthy());
  }
  case Kind::Defined: {
    const RubyNode &inner = *node.parts[0];
    bool isKnown = inner.kind != Kind::Name || findVariable(inner.text) ||
                   methods.count(inner.text) || findFunction(inner.text);
    return isKnown ? RubyValue::text("expression") : RubyValue();
  }
  case Kind::Assign:
    return evaluateAssign(node);
  case Kind::MultiAssign: {
    RubyValue value = evaluate(*node.parts.back());
    if (!isLeaving())
      assignAll(llvm::ArrayRef(node.parts).drop_back(), value);
    return value;
  }
  case Kind::If: {
    bool holds = evaluatePart(node, 0).isTruthy();
    return isLeaving() ? RubyValue() : evaluatePart(node, holds ? 1 : 2);
  }
  case Kind::Case:
    return evaluateCase(node);
  case Kind::While:
  case Kind::For:
    return evaluateLoop(node);
  case Kind::Begin:
    return evaluateGuarded(node);
  case Kind::Def:
    methods[node.text] = &node;
    return RubyValue::symbol(node.text);
  case Kind::Lambda: {
    RubyValue proc = RubyValue::named(RubyValue::Kind::Proc, "");
    proc.data().node = &node;
    proc.data().scope = scope;
    return proc;
  }
  case Kind::Return:
  case Kind::Next:
  case Kind::Break: {
    RubyValue value = evaluatePart(node, 0);
    if (isLeaving())
      return {};
    carried = std::move(value);
    leaving = node.kind == Kind::Return ? Leaving::Return
              : node.kind == Kind::Next ? Leaving::Next
                                        : Leaving::Break;
    return {};
  }
  case Kind::Yield: {
    std::vector<RubyValue> arguments;
    if (!evaluateItems(node.parts, arguments))
      return {};
    return callProc(scope->block, std::move(arguments), node);
  }
  case Kind::Body:
    return evaluateBody(node);
  case Kind::Pair:
  case Kind::Splat:
  case Kind::DoubleSplat:
  case Kind::When:
  case Kind::Rescue:
    break;
  }
  return unsupported(node, "this code");
}

void RubyInterpreter::reportRaised() {
  const RubyValue *message = carried.find("message");
  std::string text = message ? toText(*message) : classOf(carried);
  if (carried.isObject("UnknownProperty") || carried.isObject("UnknownLink"))
    diags.report(raisedAt, diag::TemplateValueMissing, text, context.job,
                 context.group);
  else
    diags.report(raisedAt, diag::TemplateRaises, context.job, context.group,
                 text);
}

bool RubyInterpreter::run(const RubyNode &program, std::string &into) {
  output = &into;
  scope = makeScope();
  evaluate(program);
  if (leaving == Leaving::Raise)
    reportRaised();
  // Blocks know their scopes, and scopes their blocks.
  for (std::weak_ptr<RubyScope> &made : scopes)
    if (std::shared_ptr<RubyScope> left = made.lock()) {
      left->variables.clear();
      left->block = {};
    }
  bool isGood = leaving == Leaving::No || leaving == Leaving::Return;
  return isGood;
}
