//===- MachineCells.cpp - The variables of machines -----------------------===//

#include "MachineCells.h"

#include "Expressions.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using syntax::Node;

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

/// The values in \p clause, a validation of the form
/// `$valid_values: [ $value, [ … ] ]`; nothing if it is another.
static std::optional<SmallVector<Value>> listedValues(const Expr &clause) {
  bool lists = clause.isCall(Function::ValidValues) &&
               clause.children().size() == 2 &&
               clause.children()[0].isCall(Function::Value) &&
               clause.children()[0].children().empty();
  if (!lists)
    return std::nullopt;
  const Expr &list = clause.children()[1];
  SmallVector<Value> values;
  if (list.isLiteral() && list.value().isList()) {
    llvm::append_range(values, list.value().items());
    return values;
  }
  for (const Expr &item : list.children()) {
    if (!item.isLiteral())
      return std::nullopt;
    values.push_back(item.value());
  }
  return values;
}

ArrayRef<Value> sema::finiteDomain(Program &program, const Type &type) {
  std::optional<SmallVector<Value>> domain;
  for (const Type *at = &type; at; at = at->parent)
    for (const Expr *clause : at->validations) {
      auto values = listedValues(*clause);
      if (!values)
        continue;
      if (!domain)
        domain = values;
      else
        llvm::erase_if(*domain, [&](const Value &value) {
          return !llvm::is_contained(*values, value);
        });
    }
  if (!domain && type.is(TypeKind::Boolean))
    domain = {Value::boolean(false), Value::boolean(true)};
  if (!domain)
    return {};
  return program.arena.save(ArrayRef<Value>(*domain));
}

/// The refinement of \p cell that took \p value away; null if none did.
static const Flat *findNarrowing(Program &program, const Flat &cell,
                                 const Value &value) {
  for (const Flat *at = &cell; at->base; at = at->base)
    if (llvm::is_contained(finiteDomain(program, typeOf(program, *at->base)),
                           value))
      return at;
  return nullptr;
}

bool sema::checkInDomain(Program &program, const Value &value,
                         SourceRange range, ArrayRef<Value> domain,
                         const Flat &cell) {
  if (domain.empty() || llvm::is_contained(domain, value))
    return true;
  StringRef name = cell.name.str();
  if (const Flat *narrowing = findNarrowing(program, cell, value)) {
    program.diags
        .report(narrowing->range(), diag::NarrowedCell, name, toText(value))
        .note(range, diag::NeededHere, toText(value));
    return false;
  }
  SmallVector<StringRef> known;
  std::string all;
  for (const Value &item : domain) {
    if (item.isString())
      known.push_back(item.asString());
    all += (all.empty() ? "" : ", ") + toText(item);
  }
  std::string hint =
      value.isString() ? suggest(value.asString(), known) : std::string();
  program.diags.report(range, diag::ValueOutsideDomain, toText(value), name,
                       hint.empty() ? ", which can be " + all : hint);
  return false;
}

//===----------------------------------------------------------------------===//
// Cells
//===----------------------------------------------------------------------===//

/// What templates assign to the cell \p name.
static const Node *assignedValue(ArrayRef<const Entity *> assignments, Key key,
                                 StringRef name) {
  for (const Entity *assignment : assignments) {
    const Field *field = assignment->find(key);
    const Node *value = field && field->valid && field->value->isMapping()
                            ? field->value->find(name)
                            : nullptr;
    if (value)
      return value;
  }
  return nullptr;
}

/// The value that \p cell begins with.
static void setInitial(const EventScope &scope, const Flat &definition,
                       const Type &type, Key key,
                       ArrayRef<const Entity *> assignments, ir::Cell &cell) {
  StringRef name = definition.name.str();
  const Scope *layer = definition.layers.front().scope;
  const Node *node = nullptr;
  if (Flat::Found fixed = definition.find(Key::Value)) {
    node = fixed.field->value;
    layer = fixed.scope;
  } else if (const Node *assigned = assignedValue(assignments, key, name)) {
    node = assigned;
    layer = &scope.service->scope;
  } else if (Flat::Found found = definition.find(Key::Default)) {
    node = found.field->value;
    layer = found.scope;
  }
  if (!node) {
    if (cell.domain.empty())
      return;
    cell.initial = cell.domain.front();
    // Properties that nobody gives a value are the matter of templates.
    if (key == Key::Attributes)
      scope.program.diags.report(definition.range(), diag::CellWithoutDefault,
                                 name, toText(cell.initial));
    return;
  }
  const Expr *value = bindValue(scope, *layer, *node, type);
  if (value && value->isLiteral())
    cell.initial = value->value();
  else if (value)
    scope.program.diags.report(node->range(), diag::CellStartsLate, name);
}

SmallVector<ir::Cell> sema::buildCells(const EventScope &scope,
                                       const Flat &interface,
                                       ArrayRef<const Entity *> assignments) {
  SmallVector<ir::Cell> cells;
  for (Key key : {Key::Attributes, Key::Properties})
    for (const auto &[name, definition] : interface.members(key)) {
      const Type &type = typeOf(scope.program, *definition);
      ir::Cell cell;
      cell.name = definition->name;
      cell.type = type.kind;
      cell.domain = finiteDomain(scope.program, type);
      cell.range = definition->range();
      setInitial(scope, *definition, type, key, assignments, cell);
      cells.push_back(cell);
    }
  return cells;
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

static std::optional<uint32_t> findCell(ArrayRef<ir::Cell> cells,
                                        const llvm::Twine &name) {
  std::string wanted = name.str();
  for (auto [i, cell] : llvm::enumerate(cells))
    if (cell.name.str() == wanted)
      return i;
  return std::nullopt;
}

namespace {

class MarkReader {
public:
  MarkReader(const EventScope &scope, const Flat &interface,
             ArrayRef<ir::Cell> cells, ArrayRef<ir::Operation> operations,
             MachineMarks &marks)
      : scope(scope), interface(interface), cells(cells),
        operations(operations), marks(marks) {}

  void read(const Node &key, const Node &value, const Scope &layer);

private:
  void readIntent(const Node &key, StringRef rest, const Value &value,
                  SourceRange range);
  void addIntent(StringRef workflow, uint32_t cell, uint32_t goal,
                 const Value &value, SourceRange range);
  void readMark(const Node &key, StringRef cell, const Value &value,
                SourceRange range,
                llvm::SmallVectorImpl<ir::FailureMark> &into);
  void readUpdate(const Node &value);
  const Flat &definitionOf(uint32_t cell) const {
    return *findCell(interface, cells[cell].name.str());
  }

  const EventScope &scope;
  const Flat &interface;
  ArrayRef<ir::Cell> cells;
  ArrayRef<ir::Operation> operations;
  MachineMarks &marks;
};

} // namespace

void MarkReader::read(const Node &key, const Node &value, const Scope &layer) {
  StringRef name = key.text();
  if (name == "update" && value.isScalar())
    return readUpdate(value);
  bool isIntent = name.consume_front("intent.");
  bool isFailure = !isIntent && name.consume_front("failed.");
  bool isHealth = !isIntent && !isFailure && name.consume_front("healthy.");
  if (!isIntent && !isFailure && !isHealth)
    return;
  const Expr *written = toExpr(scope.program, layer, value, BooleanWords::Any);
  if (!written || !written->isLiteral())
    return;
  if (isIntent)
    readIntent(key, name, written->value(), value.range());
  else
    readMark(key, name, written->value(), value.range(),
             isFailure ? marks.failures : marks.health);
}

void MarkReader::addIntent(StringRef workflow, uint32_t cell, uint32_t goal,
                           const Value &value, SourceRange range) {
  // A mark of a derived type counts more.
  for (const ir::Intent &known : marks.intents)
    if (known.workflow.str() == workflow && known.cell == cell)
      return;
  if (checkInDomain(scope.program, value, range, cells[cell].domain,
                    definitionOf(cell)))
    marks.intents.push_back(
        {scope.program.names.intern(workflow), cell, value, goal});
}

/// `intent.deploy` sets `desired_state` or, where there is none, every cell
/// `desired_X` beside a cell X; `intent.deploy.X` sets that one.
void MarkReader::readIntent(const Node &key, StringRef rest, const Value &value,
                            SourceRange range) {
  auto [workflow, only] = rest.split('.');
  bool hasState = findCell(cells, "desired_state") && findCell(cells, "state");
  if (only.empty() && hasState)
    only = "state";
  bool any = false;
  for (auto [i, cell] : llvm::enumerate(cells)) {
    StringRef goalName = cell.name.str();
    if (!goalName.consume_front("desired_") ||
        (!only.empty() && goalName != only))
      continue;
    std::optional<uint32_t> goal = findCell(cells, goalName);
    if (!goal)
      continue;
    addIntent(workflow, i, *goal, value, range);
    any = true;
  }
  std::string wanted = only.empty() ? "state" : only.str();
  if (!any)
    scope.program.diags.report(key.range(), diag::IntentWithoutCell, key.text(),
                               "desired_" + wanted, wanted);
}

void MarkReader::readMark(const Node &key, StringRef name, const Value &value,
                          SourceRange range,
                          llvm::SmallVectorImpl<ir::FailureMark> &into) {
  std::optional<uint32_t> cell = findCell(cells, name);
  if (!cell) {
    SmallVector<StringRef> known;
    for (const ir::Cell &other : cells)
      known.push_back(other.name.str());
    scope.program.diags.report(key.range(), diag::UnknownCell, name,
                               describeInterface(&interface),
                               suggest(name, known));
    return;
  }
  if (checkInDomain(scope.program, value, range, cells[*cell].domain,
                    definitionOf(*cell)))
    into.push_back({*cell, value});
}

/// `update: modify` names the operation that takes over changed properties.
void MarkReader::readUpdate(const Node &value) {
  SmallVector<StringRef> known;
  for (auto [i, operation] : llvm::enumerate(operations)) {
    known.push_back(operation.name.str());
    if (operation.name.str() == value.text())
      marks.update = i;
  }
  if (!marks.update)
    scope.program.diags.report(value.range(), diag::UnknownUpdateOperation,
                               value.text(), describeInterface(&interface),
                               suggest(value.text(), known));
}

MachineMarks sema::buildMarks(const EventScope &scope, const Flat &interface,
                              ArrayRef<ir::Cell> cells,
                              ArrayRef<ir::Operation> operations) {
  MachineMarks marks;
  MarkReader reader(scope, interface, cells, operations, marks);
  llvm::StringSet<> seen;
  const TypeDecl *type = interface.type;
  auto readMetadata = [&](const Entity &entity, const Scope &layer) {
    const Node *metadata = entity.value(Key::Metadata);
    if (!metadata || !metadata->isMapping())
      return;
    for (const syntax::Entry &entry : metadata->entries())
      if (entry.key.isScalar() && seen.insert(entry.key.text()).second)
        reader.read(entry.key, entry.value, layer);
  };
  if (interface.kind == EntityKind::InterfaceType)
    for (const Layer &layer : interface.layers)
      readMetadata(*layer.entity, *layer.scope);
  for (; type && type->entity; type = type->parent)
    readMetadata(*type->entity, *type->scope);
  return marks;
}

SmallVector<ir::Promise> sema::buildPromises(const EventScope &scope,
                                             const Flat &interface) {
  SmallVector<ir::Promise> promises;
  auto readMetadata = [&](const Entity &entity, const Scope &layer) {
    const Node *metadata = entity.value(Key::Metadata);
    if (!metadata || !metadata->isMapping())
      return;
    for (const syntax::Entry &entry : metadata->entries()) {
      StringRef name = entry.key.isScalar() ? entry.key.text() : "";
      bool isAlways = name.consume_front("always.");
      if (!isAlways && !name.consume_front("goal."))
        continue;
      const Expr *condition = bindCondition(scope, layer, entry.value);
      if (condition)
        promises.push_back(
            {isAlways ? ir::Promise::Kind::Always : ir::Promise::Kind::Goal,
             scope.program.names.intern(name), condition, entry.key.range()});
    }
  };
  if (interface.kind != EntityKind::InterfaceType && interface.type &&
      interface.type->flat)
    for (const Layer &layer : llvm::reverse(interface.type->flat->layers))
      readMetadata(*layer.entity, *layer.scope);
  for (const Layer &layer : llvm::reverse(interface.layers))
    readMetadata(*layer.entity, *layer.scope);
  return promises;
}
