//===- TemplateEvaluator.cpp - What expressions in templates mean ---------===//

#include "TemplateEvaluator.h"

#include "Values.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using Kind = TemplateExpr::Kind;

/// Larger files are a loop gone wrong.
static constexpr size_t maxOutput = size_t(16) << 20;

std::nullopt_t TemplateEvaluator::unsupported(const TemplateExpr &expr,
                                              StringRef what) {
  diags.report(expr.range, diag::TemplateNotSupported, what);
  return std::nullopt;
}

std::nullopt_t TemplateEvaluator::missing(const TemplateExpr &expr,
                                          StringRef what) {
  diags.report(expr.range, diag::TemplateValueMissing, what,
               context.job.job->name.text, context.group.group->name.text);
  return std::nullopt;
}

/// As Ruby prints them; lists and maps as JSON, which is YAML, too.
static void print(const Value &value, std::string &output) {
  if (value.isNil())
    return;
  if (value.isString()) {
    output += value.asString();
    return;
  }
  llvm::raw_string_ostream os(output);
  JSONWriter json(os);
  writeJSON(json, value);
}

//===----------------------------------------------------------------------===//
// Where values come from
//===----------------------------------------------------------------------===//

const Value &TemplateEvaluator::contentOf(const Link &link) const {
  return link.byInstance.empty() ? link.content
                                 : link.byInstance[context.instance];
}

/// The one text that \p expr has as its first argument.
std::optional<StringRef>
TemplateEvaluator::textArgument(const TemplateExpr &expr) {
  if (!expr.arguments.empty() && expr.arguments.front().kind == Kind::String)
    return StringRef(expr.arguments.front().text);
  unsupported(expr, "an argument that is no text");
  return std::nullopt;
}

/// A property of the job: what the manifest says, else its default.
std::optional<Value> TemplateEvaluator::findProperty(StringRef path) {
  const Job &job = *context.job.job;
  const syntax::Node *outer = context.deployment.manifest.properties;
  std::optional<Value> found =
      job.properties
          ? findPath({job.properties}, path, arena)
          : findPath({context.group.group->properties, outer}, path, arena);
  if (found && !found->isNil())
    return found;
  const JobSpec &spec = *context.job.spec;
  auto declared = spec.properties.find(path);
  if (declared == spec.properties.end() || !declared->second)
    return std::nullopt;
  Value value = toValue(*declared->second, arena);
  return value.isNil() ? std::nullopt : std::optional(value);
}

/// A property that a link exposes.
std::optional<Value> TemplateEvaluator::findLinked(const Link &link,
                                                   StringRef path) {
  const Value *at = contentOf(link).find("properties");
  for (StringRef key : llvm::split(path, '.'))
    at = at && at->isMap() ? at->find(key) : nullptr;
  return at && !at->isNil() ? std::optional(*at) : std::nullopt;
}

/// \p found, or the second argument, or an error.
TemplateEvaluator::Result TemplateEvaluator::pick(std::optional<Value> found,
                                                  const TemplateExpr &expr) {
  if (found)
    return TemplateValue{*found};
  if (expr.arguments.size() == 2)
    return evaluate(expr.arguments[1]);
  return missing(expr, ("property '" + expr.arguments.front().text + "'"));
}

TemplateEvaluator::Result
TemplateEvaluator::ownProperty(const TemplateExpr &expr) {
  auto path = textArgument(expr);
  if (!path)
    return std::nullopt;
  return pick(findProperty(*path), expr);
}

TemplateEvaluator::Result TemplateEvaluator::ownLink(const TemplateExpr &expr) {
  auto name = textArgument(expr);
  if (!name)
    return std::nullopt;
  auto found = context.consumed.find(*name);
  if (found == context.consumed.end())
    return missing(expr, ("link '" + *name + "'").str());
  return TemplateValue{{}, found->second};
}

/// `spec.index` and its kind.
TemplateEvaluator::Result
TemplateEvaluator::thisInstance(const TemplateExpr &expr) {
  const Instance &instance = context.group.instances[context.instance];
  StringRef name = expr.text;
  if (name == "index")
    return TemplateValue{Value::integer(instance.index)};
  if (name == "bootstrap")
    return TemplateValue{Value::boolean(instance.bootstrap)};
  if (name == "id")
    return TemplateValue{Value::string(instance.id)};
  if (name == "az")
    return TemplateValue{Value::string(instance.zone)};
  if (name == "name")
    return TemplateValue{Value::string(context.group.group->name.text)};
  if (name == "deployment")
    return TemplateValue{Value::string(context.links.deployment)};
  return unsupported(expr, ("'spec." + name + "'").str());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

TemplateEvaluator::Result
TemplateEvaluator::callOnLink(const Link &link, const TemplateExpr &expr) {
  StringRef name = expr.text;
  const Value &content = contentOf(link);
  if (name == "address")
    return TemplateValue{addressOf(link, arena)};
  if (name == "p") {
    auto path = textArgument(expr);
    if (!path)
      return std::nullopt;
    return pick(findLinked(link, *path), expr);
  }
  bool isMany = name == "nodes" || name == "instances";
  bool isOne = name == "node" || name == "instance";
  if (!isMany && !isOne)
    return unsupported(expr, ("'" + name + "' of a link").str());
  for (StringRef key : isMany ? std::array<StringRef, 2>{"nodes", "instances"}
                              : std::array<StringRef, 2>{"node", "instance"})
    if (const Value *found = content.find(key); found && !found->isNil())
      return TemplateValue{*found};
  return missing(
      expr, ("'" + name + "' of link '" + link.spec->name.text + "'").str());
}

TemplateEvaluator::Result
TemplateEvaluator::callOnMap(const Value &map, const TemplateExpr &expr) {
  static constexpr StringRef fields[] = {"name", "id",        "index",
                                         "az",   "bootstrap", "address"};
  if (!llvm::is_contained(fields, expr.text) || !expr.arguments.empty())
    return unsupported(expr, ("'" + expr.text + "' of an instance"));
  const Value *found = map.find(StringRef(expr.text));
  return TemplateValue{found ? *found : Value()};
}

TemplateEvaluator::Result TemplateEvaluator::mapList(const Value &list,
                                                     const TemplateExpr &expr) {
  std::vector<Value> items;
  bool isSymbol =
      expr.arguments.size() == 1 && expr.arguments[0].kind == Kind::Symbol;
  if (!isSymbol && !expr.body)
    return unsupported(expr, "this form of 'map'");
  for (const Value &item : list.items()) {
    Result mapped;
    if (isSymbol) {
      TemplateExpr field;
      field.kind = Kind::Call;
      field.text = expr.arguments[0].text;
      field.range = expr.arguments[0].range;
      mapped = callOn({item}, field);
    } else {
      TemplateValue &variable = variables[expr.parameter];
      TemplateValue outer = variable;
      variable = {item};
      mapped = evaluate(*expr.body);
      variables[expr.parameter] = outer;
    }
    if (!mapped || mapped->isLink())
      return std::nullopt;
    items.push_back(mapped->value);
  }
  return TemplateValue{arena.list(items)};
}

TemplateEvaluator::Result TemplateEvaluator::join(const Value &list,
                                                  const TemplateExpr &expr) {
  StringRef separator;
  if (!expr.arguments.empty()) {
    auto text = textArgument(expr);
    if (!text)
      return std::nullopt;
    separator = *text;
  }
  std::string result;
  for (auto [i, item] : llvm::enumerate(list.items())) {
    if (item.isList() || item.isMap())
      return unsupported(expr, "'join' of a list of instances");
    if (i > 0)
      result += separator;
    print(item, result);
  }
  return TemplateValue{arena.string(result)};
}

TemplateEvaluator::Result
TemplateEvaluator::callOnList(const Value &list, const TemplateExpr &expr) {
  StringRef name = expr.text;
  llvm::ArrayRef<Value> items = list.items();
  if (name == "map" || name == "collect")
    return mapList(list, expr);
  if (name == "join")
    return join(list, expr);
  if (!expr.arguments.empty() || expr.body)
    return unsupported(expr, ("this form of '" + name + "'").str());
  if (name == "size" || name == "length" || name == "count")
    return TemplateValue{Value::integer(items.size())};
  if (name != "first" && name != "last")
    return unsupported(expr, ("'" + name + "' of a list").str());
  if (items.empty())
    return TemplateValue{Value()};
  return TemplateValue{name == "first" ? items.front() : items.back()};
}

TemplateEvaluator::Result
TemplateEvaluator::callOn(const TemplateValue &receiver,
                          const TemplateExpr &expr) {
  if (receiver.isLink())
    return callOnLink(*receiver.link, expr);
  const Value &value = receiver.value;
  if (value.isList())
    return callOnList(value, expr);
  if (value.isMap())
    return callOnMap(value, expr);
  if (value.isNil())
    return missing(expr, ("a value to ask for '" + expr.text + "'"));
  if (expr.text != "to_s" || !expr.arguments.empty())
    return unsupported(expr, ("'" + expr.text + "' of a value"));
  std::string text;
  print(value, text);
  return TemplateValue{arena.string(text)};
}

TemplateEvaluator::Result
TemplateEvaluator::index(const TemplateValue &receiver,
                         const TemplateExpr &expr) {
  Result key = evaluate(expr.arguments.front());
  if (!key)
    return std::nullopt;
  const Value &value = receiver.value;
  if (value.isList() && key->value.isInteger()) {
    int64_t at = key->value.asInteger();
    bool exists = at >= 0 && uint64_t(at) < value.items().size();
    return TemplateValue{exists ? value.items()[at] : Value()};
  }
  if (value.isMap() && key->value.isString()) {
    const Value *found = value.find(key->value);
    return TemplateValue{found ? *found : Value()};
  }
  return unsupported(expr, "this index");
}

TemplateEvaluator::Result TemplateEvaluator::call(const TemplateExpr &expr) {
  if (!expr.receiver) {
    if (expr.text == "link" && expr.arguments.size() == 1)
      return ownLink(expr);
    if (expr.text == "p" && expr.arguments.size() <= 2)
      return ownProperty(expr);
    return unsupported(expr, ("'" + expr.text + "'"));
  }
  if (expr.receiver->kind == Kind::Name && expr.receiver->text == "spec" &&
      !variables.count("spec"))
    return thisInstance(expr);
  Result receiver = evaluate(*expr.receiver);
  if (!receiver)
    return std::nullopt;
  return callOn(*receiver, expr);
}

TemplateEvaluator::Result
TemplateEvaluator::evaluate(const TemplateExpr &expr) {
  switch (expr.kind) {
  case Kind::String:
    return TemplateValue{arena.string(expr.text)};
  case Kind::Integer:
    return TemplateValue{Value::integer(expr.number)};
  case Kind::Symbol:
    return unsupported(expr, "a symbol");
  case Kind::Name: {
    auto variable = variables.find(expr.text);
    if (variable != variables.end())
      return variable->second;
    return unsupported(expr, ("'" + expr.text + "'"));
  }
  case Kind::Index: {
    Result receiver = evaluate(*expr.receiver);
    if (!receiver)
      return std::nullopt;
    return index(*receiver, expr);
  }
  case Kind::Call:
    return call(expr);
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

bool TemplateEvaluator::renderEach(const TemplateItem &block, const Value &list,
                                   std::string &output) {
  bool hasNumber = block.expr.text == "each_with_index";
  if (block.parameters.size() != (hasNumber ? 2u : 1u)) {
    unsupported(block.expr, "this number of block variables");
    return false;
  }
  auto outer = variables;
  constexpr uint64_t maxTurns = 1000000;
  for (auto [i, item] : llvm::enumerate(list.items())) {
    if (++turns > maxTurns) {
      unsupported(block.expr, "more than a million turns of loops");
      return false;
    }
    variables[block.parameters[0]] = {item};
    if (hasNumber)
      variables[block.parameters[1]] = {Value::integer(i)};
    if (!render(block.items, output))
      return false;
  }
  variables = std::move(outer);
  return true;
}

/// Renders a block that is about \p value, or what stands in its place.
bool TemplateEvaluator::renderWith(const TemplateItem &block, Result value,
                                   std::string &output) {
  if (!value)
    return render(block.otherwise, output);
  auto outer = variables;
  if (!block.parameters.empty())
    variables[block.parameters[0]] = *value;
  bool good = render(block.items, output);
  variables = std::move(outer);
  return good;
}

bool TemplateEvaluator::renderBlock(const TemplateItem &block,
                                    std::string &output) {
  const TemplateExpr &expr = block.expr;
  bool isCall = expr.kind == Kind::Call;
  if (isCall && (expr.text == "if_link" || expr.text == "if_p") &&
      block.parameters.size() <= 1 && expr.arguments.size() == 1) {
    auto name = textArgument(expr);
    if (!name)
      return false;
    if (expr.text == "if_link" && !expr.receiver) {
      auto found = context.consumed.find(*name);
      bool isThere = found != context.consumed.end();
      return renderWith(
          block, isThere ? Result(TemplateValue{{}, found->second}) : Result(),
          output);
    }
    std::optional<Value> value;
    if (!expr.receiver) {
      value = findProperty(*name);
    } else {
      Result receiver = evaluate(*expr.receiver);
      if (!receiver || !receiver->isLink()) {
        if (receiver)
          unsupported(expr, "'if_p' of what is no link");
        return false;
      }
      value = findLinked(*receiver->link, *name);
    }
    return renderWith(block, value ? Result(TemplateValue{*value}) : Result(),
                      output);
  }
  bool isLoop = isCall && expr.receiver && expr.arguments.empty() &&
                (expr.text == "each" || expr.text == "each_with_index");
  if (!isLoop) {
    unsupported(expr, "this block");
    return false;
  }
  Result list = evaluate(*expr.receiver);
  if (!list)
    return false;
  if (!list->value.isList()) {
    unsupported(expr, "'each' of what is no list");
    return false;
  }
  return renderEach(block, list->value, output);
}

bool TemplateEvaluator::render(llvm::ArrayRef<TemplateItem> items,
                               std::string &output) {
  for (const TemplateItem &item : items) {
    if (item.kind == TemplateItem::Kind::Text) {
      output += item.text;
    } else if (item.kind == TemplateItem::Kind::Block) {
      if (!renderBlock(item, output))
        return false;
    } else {
      Result result = evaluate(item.expr);
      if (!result)
        return false;
      if (result->isLink()) {
        unsupported(item.expr, "a link as text");
        return false;
      }
      print(result->value, output);
    }
    if (output.size() > maxOutput) {
      diags.report(item.expr.range, diag::TemplateNotSupported,
                   "a file of more than 16 MiB");
      return false;
    }
  }
  return true;
}
