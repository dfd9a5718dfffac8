//===- BindCondition.cpp - Expressions of machines ------------------------===//
///
/// \file
/// An expression is first bound: each query gets its canonical path, and with
/// it the type and the cell that it reads. Then it is typed, and what is
/// compared with a cell must be among the cell's values.
///
//===----------------------------------------------------------------------===//

#include "BindCondition.h"

#include "TOSCA/Types/Expressions.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/DiagnosticsValue.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Value/CheckExpr.h"
#include "toscac/Value/Functions.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

class Binder {
public:
  Binder(const EventScope &scope, const Scope &layer,
         const Flat::Members *inputs)
      : scope(scope), program(scope.program), layer(layer), inputs(inputs) {}

  const Expr *bind(const syntax::Node &node, const Type &wanted);

private:
  /// What a query reads.
  struct Read {
    const Type *type = nullptr;
    /// A cell, and its values.
    const Flat *cell = nullptr;
    ArrayRef<Value> domain;
  };

  Expr bind(const Expr &expr);
  Expr bindState(const Expr &expr);
  Expr bindQuery(const Expr &expr);
  Expr bindLoop(const Expr &expr);
  Expr rebuild(const Expr &expr, ArrayRef<Expr> children);
  Expr readCell(const Expr &expr, WalkedPath &path);
  Expr readValue(const Expr &expr, WalkedPath &path);
  /// The interface and cell \p name at \p path, where no interface is named.
  std::string stepInstead(StringRef name, ArrayRef<StringRef> known);
  const Flat *findOnlyInterface(const WalkedPath &path, StringRef name,
                                SourceRange range);
  Expr finish(const Expr &expr, const WalkedPath &path, Read read);

  void checkCompared(const Expr &expr);
  void checkAgainst(const Expr &query, const Expr &values);

  const EventScope &scope;
  Program &program;
  const Scope &layer;
  const Flat::Members *inputs;
  PathVariables variables;
  /// By the children of the query, which no two queries share.
  llvm::DenseMap<const Expr *, Read> reads;
  bool valid = true;
};

} // namespace

Expr Binder::rebuild(const Expr &expr, ArrayRef<Expr> children) {
  ArrayRef<Expr> saved = program.arena.save(children);
  if (expr.is(ExprKind::List))
    return Expr::list(saved, expr.range());
  if (expr.is(ExprKind::Map))
    return Expr::map(saved, expr.range());
  if (expr.isCall(Function::Custom))
    return Expr::customCall(expr.name(), saved, expr.range());
  return Expr::call(expr.function(), saved, expr.range());
}

Expr Binder::bind(const Expr &expr) {
  if (expr.children().empty())
    return expr;
  if (isLoop(expr))
    return bindLoop(expr);
  if (expr.isCall(Function::GetState))
    return bindState(expr);
  if (expr.isCall(Function::GetAttribute) || expr.isCall(Function::GetProperty))
    return bindQuery(expr);
  SmallVector<Expr> children;
  for (const Expr &child : expr.children())
    children.push_back(bind(child));
  return rebuild(expr, children);
}

Expr Binder::finish(const Expr &expr, const WalkedPath &path, Read read) {
  ArrayRef<Expr> words = program.arena.save(ArrayRef<Expr>(path.words));
  if (read.type && path.isList)
    read.type = &listOf(*read.type, program.arena);
  reads[words.data()] = read;
  Function function = expr.isCall(Function::GetProperty)
                          ? Function::GetProperty
                          : Function::GetAttribute;
  return Expr::call(function, words, expr.range());
}

/// `$get_state: [ cell ]` reads the machine's own interface.
Expr Binder::bindState(const Expr &expr) {
  StringRef name = stepText(expr.children().front());
  SourceRange range = expr.children().front().range();
  const Flat *cell =
      scope.interface ? findCell(*scope.interface, name) : nullptr;
  if (!cell) {
    SmallVector<StringRef> known;
    if (scope.interface)
      known = namesOf(scope.interface->members(Key::Attributes));
    program.diags.report(range, diag::UnknownCell, name,
                         describeInterface(scope.interface),
                         didYouMean(name, known));
    valid = false;
    return expr;
  }
  program.use(range, cell);
  WalkedPath path;
  for (StringRef word :
       {StringRef("SELF"), StringRef("INTERFACE"), scope.interface->name.str()})
    path.words.push_back(scope.word(word, range));
  llvm::append_range(path.words, expr.children());
  const Type &type = typeOf(program, *cell);
  return finish(expr, path, {&type, cell, finiteDomain(program, type)});
}

Expr Binder::bindLoop(const Expr &expr) {
  const Expr &variable = expr.children()[0], &list = expr.children()[1];
  TypedPlace elements;
  elements.isOpen = true;
  Expr path = list;
  if (list.is(ExprKind::List)) {
    WalkedPath walked =
        walkPath(scope, variables, list.children(), PathUse::Entities);
    valid &= walked.valid;
    if (walked.valid && !walked.rest.empty()) {
      program.diags.report(
          walked.rest.front().range(), diag::UnknownPathStep,
          toText(walked.rest.front()),
          didYouMean(stepText(walked.rest.front()),
                     {"RELATIONSHIP", "CAPABILITY", "SOURCE", "TARGET",
                      "EARLIER", "LATER", "NODE", "ALL"}));
      valid = false;
    }
    // Where the path is wrong, nothing is known of what it leads to.
    if (walked.valid)
      elements = walked.place;
    path = Expr::list(program.arena.save(ArrayRef<Expr>(walked.words)),
                      list.range());
  }
  variables.push_back({variable.name(), elements});
  Expr body = bind(expr.children()[2]);
  variables.pop_back();
  return rebuild(expr, {variable, path, body});
}

Expr Binder::bindQuery(const Expr &expr) {
  WalkedPath path = walkPath(scope, variables, expr.children(), PathUse::Value);
  if (!path.valid) {
    valid = false;
    return expr;
  }
  if (path.rest.empty()) {
    program.diags.report(expr.range(), diag::IncompletePath, "attribute");
    valid = false;
    return expr;
  }
  bool isInterface = stepText(path.rest.front()) == "INTERFACE";
  return isInterface ? readCell(expr, path) : readValue(expr, path);
}

/// At `INTERFACE name cell`.
Expr Binder::readCell(const Expr &expr, WalkedPath &path) {
  if (path.rest.size() < 3) {
    program.diags.report(path.rest.back().range(), diag::IncompletePath,
                         path.rest.size() == 1 ? "interface" : "attribute");
    valid = false;
    return expr;
  }
  const Expr &interfaceWord = path.rest[1], &cellWord = path.rest[2];
  StringRef name = stepText(interfaceWord), cell = stepText(cellWord);
  Read read;
  SmallVector<StringRef> interfaces, cells;
  const Flat *interface = nullptr;
  bool isBroken = false;
  for (const Candidate &candidate : path.place.candidates) {
    if (!candidate.flat)
      continue;
    isBroken |= !candidate.flat->valid;
    llvm::append_range(interfaces,
                       namesOf(candidate.flat->members(Key::Interfaces)));
    const Flat *found = findInterface(*candidate.flat, name);
    if (!found)
      continue;
    interface = found;
    llvm::append_range(cells, namesOf(found->members(Key::Attributes)));
    llvm::append_range(cells, namesOf(found->members(Key::Properties)));
    const Flat *definition = findCell(*found, cell);
    if (!definition || read.type)
      continue;
    read.type = &typeOf(program, *definition);
    read.domain = finiteDomain(program, *read.type);
    read.cell = definition;
    program.use(cellWord.range(), definition);
    program.use(interfaceWord.range(), found);
  }
  bool checkable =
      !path.place.isOpen && !path.place.candidates.empty() && !isBroken;
  if (checkable && !interface) {
    program.diags.report(interfaceWord.range(), diag::UnknownName, "interface",
                         name, didYouMean(name, interfaces));
    valid = false;
  } else if (checkable && !read.type) {
    program.diags.report(cellWord.range(), diag::UnknownCell, cell,
                         describeInterface(interface), didYouMean(cell, cells));
    valid = false;
  }
  path.words.push_back(path.rest.front());
  path.words.push_back(scope.word(interface ? interface->name.str() : name,
                                  interfaceWord.range()));
  llvm::append_range(path.words, path.rest.drop_front(2));
  // Parts of a cell have types of their own.
  return finish(expr, path, path.rest.size() > 3 ? Read() : read);
}

const Flat *Binder::findOnlyInterface(const WalkedPath &path, StringRef name,
                                      SourceRange range) {
  const Flat *found = nullptr;
  auto consider = [&](const Flat &interface) {
    if (!findCell(interface, name))
      return true;
    bool same = !found || found->name == interface.name;
    found = &interface;
    return same;
  };
  bool unique = true;
  // What stands at the machine itself is looked up at home first.
  bool isOwn = path.steps.empty() && stepText(path.words.front()) == "SELF";
  if (isOwn && scope.interface && findCell(*scope.interface, name))
    return scope.interface;
  for (const Candidate &candidate : path.place.candidates)
    if (candidate.flat)
      for (const auto &[key, interface] :
           candidate.flat->members(Key::Interfaces))
        unique &= consider(*interface);
  EntityKind kind = path.place.kind == Origin::Relationship
                        ? EntityKind::RelationshipType
                        : EntityKind::NodeType;
  if (!found && (path.place.isOpen || path.place.candidates.empty()))
    for (const TypeDecl &type : program.types)
      if (type.kind == kind && type.flat)
        for (const auto &[key, interface] : type.flat->members(Key::Interfaces))
          unique &= consider(*interface);
  if (unique)
    return found;
  program.diags.report(range, diag::AmbiguousInterface, "attribute", name);
  valid = false;
  return nullptr;
}

/// What to write for \p name, which is none of \p known: a step in capitals, or
/// a variable that is there.
std::string Binder::stepInstead(StringRef name, ArrayRef<StringRef> known) {
  static constexpr StringRef steps[] = {
      "SELF",  "SOURCE",    "TARGET", "CAPABILITY", "EARLIER",
      "LATER", "INTERFACE", "NODE",   "SERVICE",    "RELATIONSHIP"};
  for (StringRef step : steps)
    if (step.equals_insensitive(name))
      return ("; did you mean '" + step + "'?").str();
  if (!name.starts_with("@"))
    return didYouMean(name, known);
  std::string list;
  for (const auto &[variable, place] : variables)
    list += (list.empty() ? "'" : ", '") + variable.str().str() + "'";
  return list.empty() ? "; no variable is bound here"
                      : "; the variables here are " + list;
}

/// An attribute or property of the entity, or a cell without its interface.
Expr Binder::readValue(const Expr &expr, WalkedPath &path) {
  const Expr &word = path.rest.front();
  StringRef name = stepText(word);
  Read read;
  bool isValue = false;
  SmallVector<StringRef> known;
  for (const Candidate &candidate : path.place.candidates) {
    if (!candidate.flat)
      continue;
    const Flat *definition = findCell(*candidate.flat, name);
    isValue |= definition != nullptr;
    if (definition && !read.type) {
      program.use(word.range(), definition);
      read.type = &typeOf(program, *definition);
    }
    for (Key key : {Key::Attributes, Key::Properties})
      llvm::append_range(known, namesOf(candidate.flat->members(key)));
    for (const auto &[key, interface] :
         candidate.flat->members(Key::Interfaces))
      llvm::append_range(known, namesOf(interface->members(Key::Attributes)));
  }
  bool isIndex = name == "node_index" || name == "relationship_index";
  if (isIndex)
    read.type = &builtinType(TypeKind::Integer);
  if (isValue || isIndex || path.inCapability || name.empty() ||
      name == "CAPABILITY") {
    llvm::append_range(path.words, path.rest);
    return finish(expr, path,
                  path.rest.size() > 1 || path.inCapability ? Read() : read);
  }
  const Flat *interface = findOnlyInterface(path, name, word.range());
  bool checkable = !path.place.isOpen && !path.place.candidates.empty();
  if (!interface && checkable && valid) {
    if (scope.interface)
      llvm::append_range(known,
                         namesOf(scope.interface->members(Key::Attributes)));
    program.diags.report(word.range(), diag::UnknownName, "attribute", name,
                         stepInstead(name, known));
    valid = false;
  }
  if (interface) {
    path.words.push_back(scope.word("INTERFACE", word.range()));
    path.words.push_back(scope.word(interface->name.str(), word.range()));
    read.cell = findCell(*interface, name);
    program.use(word.range(), read.cell);
    read.type = &typeOf(program, *read.cell);
    read.domain = finiteDomain(program, *read.type);
  }
  llvm::append_range(path.words, path.rest);
  return finish(expr, path, path.rest.size() > 1 ? Read() : read);
}

//===----------------------------------------------------------------------===//
// What is compared
//===----------------------------------------------------------------------===//

/// \p values is a literal, or a list of them.
void Binder::checkAgainst(const Expr &query, const Expr &values) {
  auto read = reads.find(query.children().data());
  if (!query.isCall() || read == reads.end())
    return;
  const Read &cell = read->second;
  auto check = [&](const Value &value, SourceRange range) {
    valid &= !cell.cell ||
             checkInDomain(program, value, range, cell.domain, *cell.cell);
  };
  if (values.is(ExprKind::List)) {
    for (const Expr &item : values.children())
      if (item.isLiteral())
        check(item.value(), item.range());
  } else if (values.isLiteral() && values.value().isList()) {
    for (const Value &item : values.value().items())
      check(item, values.range());
  } else if (values.isLiteral()) {
    check(values.value(), values.range());
  }
}

void Binder::checkCompared(const Expr &expr) {
  for (const Expr &child : expr.children())
    checkCompared(child);
  if (!expr.isCall() || expr.children().size() != 2)
    return;
  const Expr &first = expr.children()[0], &second = expr.children()[1];
  switch (expr.function()) {
  case Function::Equal:
    checkAgainst(second, first);
    [[fallthrough]];
  case Function::ValidValues:
  case Function::HasEntry:
  case Function::HasAnyEntry:
  case Function::HasAllEntries:
    return checkAgainst(first, second);
  default:
    return;
  }
}

const Expr *Binder::bind(const syntax::Node &node, const Type &wanted) {
  const Expr *written = toExpr(program, layer, node, BooleanWords::Any);
  if (!written)
    return nullptr;
  const Expr *bound = program.arena.make(bind(*written));
  if (valid)
    checkCompared(*bound);
  if (!valid)
    return nullptr;
  ExprContext context{layer};
  context.service = scope.service;
  context.workflowInputs = inputs;
  auto typeOfCall = [&](const Expr &call,
                        ArrayRef<const Type *> types) -> const Type * {
    auto read = reads.find(call.children().data());
    if (read != reads.end())
      return read->second.type;
    return call.isCall(Function::Custom)
               ? typeOfCustomCall(program, context, call, types)
               : typeOfQuery(program, context, call);
  };
  auto report = [&](const Problem &problem) {
    toscac::report(program.diags, problem, bound->range());
  };
  size_t errors = program.diags.numErrors();
  const Type *type = inferType(*bound, typeOfCall, program.arena, report);
  if (!type || program.diags.numErrors() != errors)
    return nullptr;
  if (bound->isCall()) {
    if (compatible(*type, wanted) != Fit::Never)
      return bound;
    // In the words of the user, who may have written `$get_state`.
    report(problem(written->range(), diag::WrongExprType,
                   written->functionName(),
                   "a value of type '" + typeName(*type) + "'",
                   "one of type '" + typeName(wanted) + "'"));
    return nullptr;
  }
  Environment nothing;
  return checkExpr(*bound, wanted, typeOfCall, nothing, program.arena, report);
}

const Expr *sema::bindCondition(const EventScope &scope, const Scope &layer,
                                const syntax::Node &node) {
  return bindValue(scope, layer, node, builtinType(TypeKind::Boolean));
}

const Expr *sema::bindValue(const EventScope &scope, const Scope &layer,
                            const syntax::Node &node, const Type &type,
                            const Flat::Members *inputs) {
  return Binder(scope, layer, inputs).bind(node, type);
}
