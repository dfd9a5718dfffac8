//===- MachineCells.cpp - The variables of machines -----------------------===//

#include "MachineCells.h"

#include "TOSCA/Types/Expressions.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
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
      value.isString() ? didYouMean(value.asString(), known) : std::string();
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
  /// Of the cells that marks have named.
  void readValue(const Node &key, const Node &value, const Scope &layer);

private:
  void readIntent(const Node &key, StringRef rest, const Value &value,
                  SourceRange range, const Scope &layer);
  void addIntent(ir::Intent intent, SourceRange range);
  void readMark(const Node &key, StringRef cell, const Value &value,
                SourceRange range,
                llvm::SmallVectorImpl<ir::FailureMark> &into);
  void readObserved(const Node &key, StringRef cell, const Node &value);
  void readOperation(const Node &value, std::optional<uint32_t> &role);
  void readCell(const Node &value, std::optional<uint32_t> &role);
  std::optional<uint32_t> findMarked(StringRef name, SourceRange place) const;
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
#define OPERATION_ROLE(field, mark)                                            \
  if (name == (mark))                                                          \
    return readOperation(value, marks.roles.field);
#define CELL_ROLE(field, mark)                                                 \
  if (name == (mark))                                                          \
    return readCell(value, marks.roles.field);
#include "toscac/IR/Roles.def"
  if (name.consume_front("observed."))
    return readObserved(key, name, value);
  bool isIntent = name.consume_front("intent.");
  bool isFailure = !isIntent && name.consume_front("failed.");
  bool isHealth = !isIntent && !isFailure && name.consume_front("healthy.");
  if (!isIntent && !isFailure && !isHealth)
    return;
  const Expr *written = toExpr(scope.program, layer, value, BooleanWords::Any);
  if (!written || !written->isLiteral())
    return;
  if (isIntent)
    readIntent(key, name, written->value(), value.range(), layer);
  else
    readMark(key, name, written->value(), value.range(),
             isFailure ? marks.failures : marks.health);
}

void MarkReader::addIntent(ir::Intent intent, SourceRange range) {
  // A mark of a derived type counts more.
  for (const ir::Intent &known : marks.intents)
    if (known.workflow == intent.workflow && known.cell == intent.cell)
      return;
  if (checkInDomain(scope.program, intent.value, range,
                    cells[intent.cell].domain, definitionOf(intent.cell)))
    marks.intents.push_back(intent);
}

/// `intent.W` sets `desired_state` or, where there is none, every cell
/// `desired_X` beside a cell X; `intent.W.X` sets that one.
void MarkReader::readIntent(const Node &key, StringRef rest, const Value &value,
                            SourceRange range, const Scope &layer) {
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
    addIntent({scope.program.names.intern(workflow), uint32_t(i), value, *goal,
               workflowRoles(scope.program, layer).wayOf(workflow)},
              range);
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
  std::optional<uint32_t> cell = findMarked(name, key.range());
  if (!cell)
    return;
  if (checkInDomain(scope.program, value, range, cells[*cell].domain,
                    definitionOf(*cell)))
    into.push_back({*cell, value});
}

std::optional<uint32_t> MarkReader::findMarked(StringRef name,
                                               SourceRange place) const {
  std::optional<uint32_t> cell = findCell(cells, name);
  SmallVector<StringRef> known;
  for (const ir::Cell &other : cells)
    known.push_back(other.name.str());
  if (!cell)
    scope.program.diags.report(place, diag::UnknownCell, name,
                               describeInterface(&interface),
                               didYouMean(name, known));
  return cell;
}

/// `[ SELF, INTERFACE, interface, cell ]` gets the output.
void MarkReader::readObserved(const Node &key, StringRef name,
                              const Node &value) {
  std::optional<uint32_t> cell = findMarked(name, key.range());
  if (!cell || !value.isScalar())
    return;
  NameTable &names = scope.program.names;
  Name target[] = {names.intern("SELF"), names.intern("INTERFACE"),
                   interface.name, cells[*cell].name};
  marks.observed.push_back({names.intern(value.text()), cells[*cell].type,
                            scope.program.arena.save(ArrayRef<Name>(target)),
                            key.range()});
}

void MarkReader::readCell(const Node &value, std::optional<uint32_t> &role) {
  if (value.isScalar())
    role = findMarked(value.text(), value.range());
}

void MarkReader::readOperation(const Node &value,
                               std::optional<uint32_t> &role) {
  SmallVector<StringRef> known;
  const Flat *named =
      value.isScalar() ? findOperation(interface, value.text()) : nullptr;
  for (auto [i, operation] : llvm::enumerate(operations)) {
    known.push_back(operation.name.str());
    if (named && operation.name == named->name)
      role = i;
  }
  if (!role && value.isScalar())
    scope.program.diags.report(value.range(), diag::UnknownUpdateOperation,
                               value.text(), describeInterface(&interface),
                               didYouMean(value.text(), known));
}

void MarkReader::readValue(const Node &key, const Node &value,
                           const Scope &layer) {
  StringRef name = key.text();
  std::optional<Value> *role = nullptr;
  std::optional<uint32_t> of;
#define VALUE_ROLE(field, mark, cell)                                          \
  if (name == (mark)) {                                                        \
    role = &marks.roles.field;                                                 \
    of = marks.roles.cell;                                                     \
  }
#include "toscac/IR/Roles.def"
  if (!role || !of)
    return;
  const Expr *written = toExpr(scope.program, layer, value, BooleanWords::Any);
  if (written && written->isLiteral() &&
      checkInDomain(scope.program, written->value(), value.range(),
                    cells[*of].domain, definitionOf(*of)))
    *role = written->value();
}

MachineMarks sema::buildMarks(const EventScope &scope, const Flat &interface,
                              ArrayRef<ir::Cell> cells,
                              ArrayRef<ir::Operation> operations) {
  MachineMarks marks;
  MarkReader reader(scope, interface, cells, operations, marks);
  auto readAll = [&](auto readOne) {
    llvm::StringSet<> seen;
    auto readMetadata = [&](const Entity &entity, const Scope &layer) {
      const Node *metadata = entity.value(Key::Metadata);
      if (!metadata || !metadata->isMapping())
        return;
      for (const syntax::Entry &entry : metadata->entries())
        if (entry.key.isScalar() && seen.insert(entry.key.text()).second)
          (reader.*readOne)(entry.key, entry.value, layer);
    };
    if (interface.kind == EntityKind::InterfaceType)
      for (const Layer &layer : interface.layers)
        readMetadata(*layer.entity, *layer.scope);
    for (const TypeDecl *type = interface.type; type && type->entity;
         type = type->parent) {
      readMetadata(*type->entity, *type->scope);
      for (const TypeDecl *machine = type->bound; machine && machine->entity;
           machine = machine->parent)
        readMetadata(*machine->entity, *machine->scope);
    }
  };
  readAll(&MarkReader::read);
  readAll(&MarkReader::readValue);
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
