//===- CompileConditions.cpp - Terms from expressions ---------------------===//

#include "Conditions.h"

#include "GraphEnvironment.h"
#include "toscac/Value/Evaluate.h"
#include "toscac/Value/Functions.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace toscac::plan {

/// Compiles one condition.
class ConditionCompiler {
public:
  ConditionCompiler(Conditions &result, ir::EntityKind self)
      : result(result), self(self) {}

  TermId compile(const Expr &expr);

private:
  TermId compileNew(const Expr &expr);

  /// What a sub-expression asks for.
  struct Reads {
    llvm::SmallVector<const Expr *, 2> cells;
    /// A property, an attribute, an index: known for an entity, not before.
    bool hasOther = false;
    bool hasLoop = false;
  };
  void collect(const Expr &expr, Reads &reads);
  bool isCell(const Expr &query);

  TermId add(Term term);
  TermId add(Term::Kind kind, ArrayRef<TermId> children);
  TermId compileLogic(const Expr &expr, Term::Kind kind);
  TermId compileXor(const Expr &expr);
  TermId compileLoop(const Expr &expr, Quorum quorum);
  /// A comparison of a `$count`, as loops; nothing if it is of another form.
  TermId compileCount(const Expr &expr, const Reads &reads);
  TermId countAtLeast(const Expr &count, const Expr &bound, int64_t more,
                      TermId otherwise);
  /// `$has_entry` and its kind over a list of cells, as loops; nothing if it
  /// is of another form.
  std::optional<ArrayRef<Value>> wantedEntries(const Expr &wanted, bool isList);
  TermId compileEntries(const Expr &expr);
  TermId someEntry(const Expr &query, const Expr &test);
  TermId compileAtom(const Expr &expr, const Expr &query);
  TermId addAtom(const Expr &test, const CellRef &cell);
  Expr withoutPath(const Expr &test);
  TermId compileOther(const Expr &expr, const Reads &reads);
  void collectCells(const Expr &expr, std::vector<CellRef> &cells);

  /// The loop's variable and what it runs over.
  bool enterLoop(const Expr &expr);
  bool readRoute(ArrayRef<Expr> words, ir::Reference &reference, Route &route);
  std::optional<CellRef> readCell(const Expr &query);
  struct Variable {
    Name name;
    Route route;
    ir::EntityKind kind;
  };
  const Variable *findVariable(Name name, uint32_t &depth) const;

  Conditions &result;
  ir::EntityKind self;
  llvm::SmallVector<Variable, 2> variables;
};

} // namespace toscac::plan

/// Whether \p expr, an argument of a query, is the word \p word.
static bool isWord(const Expr &expr, llvm::StringRef word) {
  return expr.isLiteral() && expr.value().isString() &&
         expr.value().asString() == word;
}

bool ConditionCompiler::isCell(const Expr &query) {
  return query.isCall(Function::GetAttribute) &&
         llvm::any_of(query.children(), [](const Expr &word) {
           return isWord(word, "INTERFACE");
         });
}

void ConditionCompiler::collect(const Expr &expr, Reads &reads) {
  if (isCell(expr)) {
    reads.cells.push_back(&expr);
    return;
  }
  if (expr.isCall()) {
    reads.hasLoop |= isLoop(expr);
    switch (expr.function()) {
    case Function::GetInput:
    case Function::GetProperty:
    case Function::GetAttribute:
    case Function::GetArtifact:
    case Function::NodeIndex:
    case Function::RelationshipIndex:
    case Function::AvailableAllocation:
    case Function::GetState:
    case Function::Custom:
      reads.hasOther = true;
      break;
    default:
      break;
    }
  }
  for (const Expr &child : expr.children())
    collect(child, reads);
}

TermId ConditionCompiler::add(Term term) {
  result.terms.push_back(term);
  return {uint32_t(result.terms.size() - 1)};
}

TermId ConditionCompiler::add(Term::Kind kind, ArrayRef<TermId> children) {
  Term term{kind, uint32_t(result.children.size()), uint32_t(children.size())};
  result.children.insert(result.children.end(), children.begin(),
                         children.end());
  return add(term);
}

TermId ConditionCompiler::compile(const Expr &expr) {
  if (!variables.empty())
    return compileNew(expr);
  // Machines that differ in their handlers only have the same conditions.
  std::string text;
  llvm::raw_string_ostream(text) << unsigned(self) << expr;
  if (TermId known = result.termsByText.lookup(text))
    return known;
  return result.termsByText[text] = compileNew(expr);
}

TermId ConditionCompiler::compileNew(const Expr &expr) {
  Reads reads;
  collect(expr, reads);
  if (reads.cells.empty())
    return compileOther(expr, reads);
  bool sameCell = llvm::all_equal(llvm::map_range(reads.cells, [](auto *cell) {
    std::string text;
    llvm::raw_string_ostream(text) << *cell;
    return text;
  }));
  if (sameCell && !reads.hasOther && !reads.hasLoop)
    if (TermId atom = compileAtom(expr, *reads.cells.front()))
      return atom;
  if (expr.isCall(Function::And))
    return compileLogic(expr, Term::Kind::And);
  if (expr.isCall(Function::Or))
    return compileLogic(expr, Term::Kind::Or);
  if (expr.isCall(Function::Not))
    return compileLogic(expr, Term::Kind::Not);
  if (expr.isCall(Function::Xor))
    return compileXor(expr);
  if (expr.isCall(Function::ForEach))
    if (TermId loop = compileLoop(expr, Quorum::all()))
      return loop;
  if (TermId count = compileCount(expr, reads))
    return count;
  if (TermId entries = compileEntries(expr))
    return entries;
  return compileOther(expr, reads);
}

TermId ConditionCompiler::compileLogic(const Expr &expr, Term::Kind kind) {
  llvm::SmallVector<TermId, 4> parts;
  for (const Expr &child : expr.children())
    parts.push_back(compile(child));
  return add(kind, parts);
}

TermId ConditionCompiler::compileXor(const Expr &expr) {
  TermId a = compile(expr.children()[0]), b = compile(expr.children()[1]);
  TermId notA = add(Term::Kind::Not, a), notB = add(Term::Kind::Not, b);
  TermId onlyA = add(Term::Kind::And, {a, notB});
  TermId onlyB = add(Term::Kind::And, {notA, b});
  return add(Term::Kind::Or, {onlyA, onlyB});
}

const ConditionCompiler::Variable *
ConditionCompiler::findVariable(Name name, uint32_t &depth) const {
  for (depth = variables.size(); depth != 0; --depth)
    if (variables[depth - 1].name == name)
      return &variables[depth - 1];
  return nullptr;
}

static bool hasLiteralIndices(ArrayRef<ir::PathStep> steps) {
  return llvm::all_of(steps, [](const ir::PathStep &step) {
    return !step.index || ir::literalIndex(*step.index);
  });
}

/// Two routes with the same text lead to the same entities.
static void printRoute(llvm::raw_ostream &os, const Route &route) {
  for (const ir::PathStep &step : route.fromSelf) {
    os << ' ' << unsigned(step.kind) << step.name.str() << ' ';
    if (step.index)
      os << *step.index;
  }
}

/// Reads a path; false if it is none, or depends on more than the graph.
bool ConditionCompiler::readRoute(ArrayRef<Expr> words,
                                  ir::Reference &reference, Route &route) {
  ir::EntityKind start = self;
  const Variable *variable = nullptr;
  if (!words.empty() && words.front().is(ExprKind::Variable)) {
    variable = findVariable(words.front().name(), route.origin);
    if (!variable)
      return false;
    start = variable->kind;
  }
  if (!ir::readReference(words, start, result.names, reference) ||
      !hasLiteralIndices(reference.steps))
    return false;
  route.self = self;
  route.steps = result.arena.save(ArrayRef<ir::PathStep>(reference.steps));
  llvm::SmallVector<ir::PathStep, 8> full;
  if (variable)
    full.append(variable->route.fromSelf.begin(),
                variable->route.fromSelf.end());
  full.append(reference.steps.begin(), reference.steps.end());
  route.fromSelf = result.arena.save(ArrayRef<ir::PathStep>(full));
  return true;
}

std::optional<CellRef> ConditionCompiler::readCell(const Expr &query) {
  ir::Reference reference;
  CellRef cell;
  if (!readRoute(query.children(), reference, cell.route) ||
      reference.place != ir::Reference::Place::Interface ||
      reference.firstKey != query.children().size())
    return std::nullopt;
  cell.interface = reference.part;
  cell.cell = reference.name;
  return cell;
}

/// Whether the path leads to more than one entity.
static bool isList(ArrayRef<ir::PathStep> steps) {
  return llvm::any_of(steps,
                      [](const ir::PathStep &step) { return step.isList(); });
}

bool ConditionCompiler::enterLoop(const Expr &expr) {
  const Expr &variable = expr.children()[0], &path = expr.children()[1];
  ArrayRef<Expr> words = path.children();
  llvm::SmallVector<Expr, 8> literals;
  if (path.isLiteral() && path.value().isList()) {
    for (const Value &word : path.value().items())
      literals.push_back(Expr::literal(word));
    words = result.arena.save(ArrayRef<Expr>(literals));
  }
  Route route;
  ir::Reference reference;
  if (!readRoute(words, reference, route) || reference.name || reference.part)
    return false;
  variables.push_back({variable.name(), route, reference.end});
  return true;
}

TermId ConditionCompiler::compileLoop(const Expr &expr, Quorum quorum) {
  if (!isLoop(expr) || !enterLoop(expr))
    return {};
  size_t numOthers = result.others.size();
  Loop loop{variables.back().route, uint32_t(variables.size()),
            compile(expr.children()[2]), quorum};
  variables.pop_back();
  // The evaluator knows no elements of our loops.
  if (result.others.size() != numOthers) {
    result.others.resize(numOthers);
    return {};
  }
  result.loops.push_back(loop);
  return add({Term::Kind::Loop, uint32_t(result.loops.size() - 1)});
}

/// At least as many elements as \p bound and \p more say.
TermId ConditionCompiler::countAtLeast(const Expr &count, const Expr &bound,
                                       int64_t more, TermId otherwise) {
  if (bound.isLiteral())
    return compileLoop(count,
                       Quorum::atLeast(bound.value().asInteger() + more));
  TermId term = compileLoop(count, Quorum::atLeast(more));
  if (term) {
    result.loops.back().more = &bound;
    result.loops.back().otherwise = otherwise;
  }
  return term;
}

/// The bound is an integer, or a value that the entity has. What it is may turn
/// out only when the plan runs: the evaluator knows it then.
TermId ConditionCompiler::compileCount(const Expr &expr, const Reads &reads) {
  if (!expr.isCall() || expr.children().size() != 2)
    return {};
  bool isFirst = expr.children()[0].isCall(Function::Count);
  const Expr &count = expr.children()[isFirst ? 0 : 1];
  const Expr &bound = expr.children()[isFirst ? 1 : 0];
  if (!count.isCall(Function::Count))
    return {};
  Reads bounds;
  collect(bound, bounds);
  constexpr int64_t most = std::numeric_limits<int32_t>::max();
  if (bound.isLiteral() ? !bound.value().isInteger() ||
                              std::abs(bound.value().asInteger()) > most
                        : !bounds.cells.empty() || !variables.empty())
    return {};
  TermId otherwise = bound.isLiteral() ? TermId() : compileOther(expr, reads);
  auto atLeast = [&](int64_t more) {
    return countAtLeast(count, bound, more, otherwise);
  };
  auto negated = [&](TermId term) {
    return term ? add(Term::Kind::Not, term) : term;
  };
  switch (expr.function()) {
  case Function::GreaterOrEqual:
    return isFirst ? atLeast(0) : negated(atLeast(1));
  case Function::GreaterThan:
    return isFirst ? atLeast(1) : negated(atLeast(0));
  case Function::LessOrEqual:
    return isFirst ? negated(atLeast(1)) : atLeast(0);
  case Function::LessThan:
    return isFirst ? negated(atLeast(0)) : atLeast(1);
  case Function::Equal: {
    TermId enough = atLeast(0), tooMany = atLeast(1);
    if (!enough || !tooMany)
      return {};
    return add(Term::Kind::And, {enough, negated(tooMany)});
  }
  default:
    return {};
  }
}

std::optional<Quorum> Conditions::quorumOf(uint32_t loop,
                                           ir::EntityId self) const {
  const Expr *more = loops[loop].more;
  if (!more)
    return loops[loop].quorum;
  auto [known, isNew] = quorums.try_emplace({loop, self.index});
  if (!isNew)
    return known->second;
  GraphEnvironment environment(
      layout, self, [](CellId) -> const Value * { return nullptr; }, names);
  ValueArena values;
  Evaluation bound = evaluate(*more, environment, values);
  if (bound.isKnown() && bound.value().isInteger())
    known->second = Quorum::atLeast(
        std::clamp<int64_t>(bound.value().asInteger(), -1, ~0u) +
        loops[loop].quorum.number);
  return known->second;
}

/// `not for each element: not test`, where \p test reads the query's cell.
TermId ConditionCompiler::someEntry(const Expr &query, const Expr &test) {
  std::optional<CellRef> cell = readCell(query);
  if (!cell)
    return {};
  ir::Reference reference;
  Route route;
  // The loop runs over what the path leads to; the cell is then the element's.
  readRoute(query.children(), reference, route);
  variables.push_back({result.names.intern("@entry"), route, reference.end});
  CellRef element = *cell;
  element.route.origin = variables.size();
  element.route.steps = {};
  TermId atom = addAtom(test, element);
  Loop loop{route, uint32_t(variables.size()), add(Term::Kind::Not, atom)};
  variables.pop_back();
  result.loops.push_back(loop);
  TermId all = add({Term::Kind::Loop, uint32_t(result.loops.size() - 1)});
  return add(Term::Kind::Not, all);
}

/// The literals that \p wanted, one of them or a list, has; none if it has
/// others. A list is one value or, as it was written, a list of values.
std::optional<ArrayRef<Value>>
ConditionCompiler::wantedEntries(const Expr &wanted, bool isList) {
  if (!isList && wanted.isLiteral())
    return ArrayRef<Value>(wanted.value());
  if (isList && wanted.isLiteral() && wanted.value().isList())
    return wanted.value().items();
  if (!isList || !wanted.is(ExprKind::List) ||
      !llvm::all_of(wanted.children(),
                    [](const Expr &entry) { return entry.isLiteral(); }))
    return std::nullopt;
  llvm::SmallVector<Value, 4> values;
  for (const Expr &entry : wanted.children())
    values.push_back(entry.value());
  return result.arena.save(ArrayRef<Value>(values));
}

TermId ConditionCompiler::compileEntries(const Expr &expr) {
  bool all = expr.isCall(Function::HasAllEntries);
  bool any = expr.isCall(Function::HasAnyEntry);
  if (!all && !any && !expr.isCall(Function::HasEntry))
    return {};
  const Expr &query = expr.children()[0], &wanted = expr.children()[1];
  std::optional<ArrayRef<Value>> entries = wantedEntries(wanted, all || any);
  if (!isCell(query) || !entries)
    return {};
  llvm::SmallVector<TermId, 4> parts;
  for (const Value &entry : *entries) {
    Expr arguments[] = {query, Expr::literal(entry)};
    const Expr *test = result.arena.make(
        Expr::call(Function::Equal,
                   result.arena.save(ArrayRef<Expr>(arguments)), expr.range()));
    TermId part = someEntry(query, *test);
    if (!part)
      return {};
    parts.push_back(part);
  }
  return add(any ? Term::Kind::Or : Term::Kind::And, parts);
}

namespace {
/// Answers the only query of a test.
class OneValue : public Environment {
public:
  explicit OneValue(std::optional<Value> value) : value(value) {}
  Evaluation attribute(const Query &) override {
    if (value)
      return *value;
    return Evaluation::nothing();
  }

private:
  std::optional<Value> value;
};
} // namespace

static bool isTrueFor(const Expr &test, std::optional<Value> value,
                      DiagnosticEngine &diags) {
  OneValue environment(value);
  ValueArena arena;
  Evaluation answer = evaluate(test, environment, arena);
  // Of a cell that is not there, nothing holds.
  if (answer.isFailed() && value)
    report(diags, answer.problem(), test.range());
  return answer.isKnown() && answer.value().isTrue();
}

bool Conditions::ask(Atom &atom, ValueId value) {
  if (!value)
    return atom.whereNothing;
  // Callers that need the exact answer ask before.
  if (value == atRunTime)
    return true;
  if (atom.answers.size() <= value.index)
    atom.answers.resize(values.size(), -1);
  bool answer = isTrueFor(*atom.test, values[value], diags);
  atom.answers[value.index] = answer;
  return answer;
}

TermId ConditionCompiler::compileAtom(const Expr &expr, const Expr &query) {
  std::optional<CellRef> cell = readCell(query);
  if (!cell || isList(cell->route.steps))
    return {};
  return addAtom(expr, *cell);
}

/// \p test with a query that asks for nothing in particular: OneValue answers
/// it, and no variable is left in it.
Expr ConditionCompiler::withoutPath(const Expr &test) {
  static const Expr self = Expr::literal(Value::string("SELF"));
  if (isCell(test))
    return Expr::call(Function::GetAttribute, self, test.range());
  llvm::SmallVector<Expr, 4> children;
  for (const Expr &child : test.children())
    children.push_back(withoutPath(child));
  return withChildren(test, result.arena.save(ArrayRef<Expr>(children)));
}

TermId ConditionCompiler::addAtom(const Expr &test, const CellRef &cell) {
  std::string text;
  llvm::raw_string_ostream os(text);
  // The same words mean another cell in another loop.
  os << unsigned(self) << ' ' << cell.route.origin << test;
  for (const Variable &variable : variables)
    printRoute(os, variable.route);
  auto [found, isNew] =
      result.atomsByText.try_emplace(text, result.atoms.size());
  if (isNew) {
    Atom atom{cell, result.arena.make(withoutPath(test))};
    atom.whereNothing = isTrueFor(*atom.test, std::nullopt, result.diags);
    result.atoms.push_back(std::move(atom));
  }
  return add({Term::Kind::Atom, found->second});
}

/// All cells that \p expr may read, be it too many: an index that is not
/// known here counts as ALL.
void ConditionCompiler::collectCells(const Expr &expr,
                                     std::vector<CellRef> &cells) {
  if (isCell(expr)) {
    llvm::SmallVector<Expr, 8> words;
    for (const Expr &word : expr.children())
      words.push_back(word.isCall() ? Expr::literal(Value::string("ALL"))
                                    : word);
    ir::Reference reference;
    CellRef cell;
    if (readRoute(result.arena.save(ArrayRef<Expr>(words)), reference,
                  cell.route)) {
      cell.interface = reference.part;
      cell.cell = reference.name;
      cells.push_back(cell);
    }
    return;
  }
  bool entered = isLoop(expr) && enterLoop(expr);
  for (const Expr &child : expr.children())
    collectCells(child, cells);
  if (entered)
    variables.pop_back();
}

TermId ConditionCompiler::compileOther(const Expr &expr, const Reads &reads) {
  if (expr.isLiteral())
    return add({expr.value().isTrue() ? Term::Kind::True : Term::Kind::False});
  OtherTerm other{&expr, {}};
  collectCells(expr, other.reads);
  result.others.push_back(std::move(other));
  return add({reads.cells.empty() ? Term::Kind::Static : Term::Kind::General,
              uint32_t(result.others.size() - 1)});
}

Conditions::Conditions(const Layout &layout, ValueTable &values,
                       NameTable &names, DiagnosticEngine &diags)
    : layout(layout), values(values), names(names), diags(diags) {}

TermId Conditions::compile(const Expr *expr, ir::EntityKind self) {
  TermId &known = compiled[{expr, uint8_t(self)}];
  if (known)
    return known;
  if (!expr) {
    terms.push_back({Term::Kind::True});
    return known = {uint32_t(terms.size() - 1)};
  }
  TermId result = ConditionCompiler(*this, self).compile(*expr);
  return compiled[{expr, uint8_t(self)}] = result;
}

void Conditions::visitReads(TermId id,
                            llvm::function_ref<void(AtomId, bool wanted)> atom,
                            llvm::function_ref<void(const CellRef &)> other,
                            bool wanted) const {
  const Term &term = terms[id.index];
  switch (term.kind) {
  case Term::Kind::True:
  case Term::Kind::False:
  case Term::Kind::Static:
    return;
  case Term::Kind::And:
  case Term::Kind::Or:
  case Term::Kind::Not:
    for (TermId child : childrenOf(term))
      visitReads(child, atom, other, (term.kind == Term::Kind::Not) != wanted);
    return;
  case Term::Kind::Atom:
    return atom({term.first}, wanted);
  case Term::Kind::Loop: {
    const Loop &loop = loops[term.first];
    visitReads(loop.body, atom, other, wanted);
    if (loop.otherwise)
      visitReads(loop.otherwise, atom, other, wanted);
    return;
  }
  case Term::Kind::General:
    for (const CellRef &read : others[term.first].reads)
      other(read);
    return;
  }
}
