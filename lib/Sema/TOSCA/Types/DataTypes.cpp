//===- DataTypes.cpp - Declared data types as types of values -------------===//
///
/// \file
/// Types may refer to each other in a cycle (a tree has trees as children), so
/// all of them are made first and filled then, parents before children.
///
//===----------------------------------------------------------------------===//

#include "DataTypes.h"

#include "Expressions.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

const Type &sema::typeOf(Program &program, const TypeDecl &decl) {
  if (const Type *type = program.dataTypes.lookup(&decl))
    return *type;
  return builtinType(TypeKind::Any);
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

/// The validation clauses of every layer; all of them hold.
static llvm::ArrayRef<const Expr *> validationsOf(Program &program,
                                                  const Flat &definition) {
  llvm::SmallVector<const Expr *, 2> result;
  for (const Layer &layer : definition.layers)
    if (const Field *field = layer.entity->find(Key::Validation);
        field && field->valid)
      llvm::append_range(result,
                         toConditions(program, *layer.scope, *field->value));
  return program.arena.save(llvm::ArrayRef<const Expr *>(result));
}

static const Type *schemaType(Program &program, const Flat &definition,
                              Key key) {
  const Flat *schema = definition.nested(key);
  return schema ? &typeOf(program, *schema) : nullptr;
}

static const Type &makeType(Program &program, const Flat &definition) {
  if (!definition.type)
    return builtinType(TypeKind::Any);
  const Type &declared = typeOf(program, *definition.type);
  Type narrowed = declared;
  narrowed.parent = &declared;
  narrowed.anonymous = true;
  narrowed.range = definition.range();
  narrowed.validations = validationsOf(program, definition);
  if (const Type *entry = schemaType(program, definition, Key::EntrySchema))
    narrowed.entry = entry;
  if (const Type *key = schemaType(program, definition, Key::KeySchema))
    narrowed.key = key;
  bool same = narrowed.validations.empty() &&
              narrowed.entry == declared.entry && narrowed.key == declared.key;
  if (same)
    return declared;
  Type *type = program.arena.make(narrowed);
  program.narrowedTypes.push_back(type);
  return *type;
}

/// A definition may have been made before the type that it narrows was filled.
static void completeNarrowedTypes(Program &program) {
  for (Type *type : program.narrowedTypes) {
    type->properties = type->parent->properties;
    type->scalar = type->parent->scalar;
    if (!type->entry)
      type->entry = type->parent->entry;
    if (!type->key)
      type->key = type->parent->key;
  }
}

const Type &sema::typeOf(Program &program, const Flat &definition) {
  if (const Type *known = program.definitionTypes.lookup(&definition))
    return *known;
  const Type &type = makeType(program, definition);
  program.definitionTypes[&definition] = &type;
  return type;
}

//===----------------------------------------------------------------------===//
// Data types
//===----------------------------------------------------------------------===//

static Expr valueItself() { return Expr::call(Function::Value, {}); }

static llvm::ArrayRef<const Expr *> validation(Program &program,
                                               Function function,
                                               llvm::ArrayRef<Expr> arguments) {
  const Expr *clause =
      program.arena.make(Expr::call(function, program.arena.save(arguments)));
  return program.arena.save(llvm::ArrayRef<const Expr *>(clause));
}

/// The old range: [ lower, upper ], where either may be UNBOUNDED.
static const Type &makeRangeType(Program &program) {
  ValueArena &arena = program.arena;
  Type bound;
  bound.name = "range";
  bound.kind = TypeKind::Any;
  Expr least = Expr::literal(Value::integer(INT64_MIN));
  Expr choices[] = {
      Expr::call(
          Function::Equal,
          arena.save(llvm::ArrayRef<Expr>(
              {valueItself(), Expr::literal(Value::string("UNBOUNDED"))}))),
      Expr::call(Function::GreaterOrEqual,
                 arena.save(llvm::ArrayRef<Expr>({valueItself(), least})))};
  bound.validations = validation(program, Function::Or, choices);
  Type range;
  range.name = "range";
  range.kind = TypeKind::List;
  range.entry = arena.make(bound);
  Expr length = Expr::call(Function::Length,
                           arena.save(llvm::ArrayRef<Expr>(valueItself())));
  range.validations = validation(program, Function::Equal,
                                 {length, Expr::literal(Value::integer(2))});
  return *arena.make(range);
}

/// Old types as they were; sizes and times are not negative.
static const Type &builtInTypeOf(Program &program, StringRef name) {
  if (const Type *type = findBuiltinType(name))
    return *type;
  static constexpr std::pair<StringRef, double> sizes[] = {
      {"B", 1},
      {"kB", 1e3},
      {"KiB", 1024},
      {"MB", 1e6},
      {"MiB", 1048576},
      {"GB", 1e9},
      {"GiB", 1073741824},
      {"TB", 1e12},
      {"TiB", 1099511627776}};
  static constexpr std::pair<StringRef, double> times[] = {
      {"s", 1},     {"m", 60},    {"h", 3600}, {"d", 86400},
      {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  static constexpr std::pair<StringRef, double> frequencies[] = {
      {"Hz", 1}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9}};
  static constexpr std::pair<StringRef, double> rates[] = {
      {"bps", 1},
      {"Kbps", 1e3},
      {"Kibps", 1024},
      {"Mbps", 1e6},
      {"Mibps", 1048576},
      {"Gbps", 1e9},
      {"Gibps", 1073741824},
      {"Tbps", 1e12},
      {"Tibps", 1099511627776},
      {"Bps", 8},
      {"KBps", 8e3},
      {"KiBps", 8192},
      {"MBps", 8e6},
      {"MiBps", 8388608},
      {"GBps", 8e9},
      {"GiBps", 8589934592},
      {"TBps", 8e12},
      {"TiBps", 8796093022208}};
  llvm::ArrayRef<std::pair<StringRef, double>> table;
  if (name == "scalar-unit.size")
    table = sizes;
  else if (name == "scalar-unit.time")
    table = times;
  else if (name == "scalar-unit.frequency")
    table = frequencies;
  else if (name == "scalar-unit.bitrate")
    table = rates;
  else
    return makeRangeType(program);
  llvm::SmallVector<Unit> units;
  for (const auto &[unit, multiplier] : table)
    units.push_back({unit, Value::real(multiplier)});
  ScalarDefinition scalar{&builtinType(TypeKind::Float),
                          program.arena.save(llvm::ArrayRef<Unit>(units)),
                          units.front().name};
  Type type;
  type.name = name;
  type.kind = TypeKind::Scalar;
  type.parent = &builtinType(TypeKind::Scalar);
  type.scalar = program.arena.make(scalar);
  std::string nothing = ("0 " + units.front().name).str();
  type.validations =
      validation(program, Function::GreaterOrEqual,
                 {valueItself(), Expr::literal(program.arena.string(nothing))});
  return *program.arena.make(type);
}

/// Those of the parent with what the nearest layer of \p flat changes.
static LayeredMap<const Property *>
propertiesOf(Program &program, const Flat &flat, const Type &parent) {
  llvm::SmallVector<LayeredMap<const Property *>::Entry, 8> own;
  for (const Entity &entity :
       flat.layers.front().entity->entities(Key::Properties)) {
    StringRef name = entity.name.str();
    const Flat *definition = flat.member(Key::Properties, name);
    Property property{name, &typeOf(program, *definition)};
    property.range = definition->range();
    if (Flat::Found required = definition->find(Key::Required);
        required && required.field->valid)
      property.required =
          required.field->value->text().starts_with_insensitive("t");
    auto expression = [&](Key key) -> const Expr * {
      Flat::Found found = definition->find(key);
      return found ? toExpr(program, *found.scope, *found.field->value)
                   : nullptr;
    };
    property.defaultValue = expression(Key::Default);
    property.fixedValue = expression(Key::Value);
    own.emplace_back(name, program.arena.make(property));
  }
  return program.arena.change<const Property *>(parent.properties, own);
}

/// TOSCA 2.0 §9.2: which keynames go with what the type derives from.
static void checkForm(Program &program, const TypeDecl &decl,
                      const Type &type) {
  const Entity &entity = *decl.entity;
  auto misplaced = [&](Key key, StringRef reason) {
    if (const Field *field = entity.find(key))
      program.diags.report(field->range(), diag::MisplacedKeyname,
                           tosca::word(key), decl.name.str(), reason);
  };
  if (!type.is(TypeKind::Record) && decl.parent)
    misplaced(Key::Properties, "it derives from a built-in type");
  if (!type.is(TypeKind::Scalar))
    for (Key key :
         {Key::Units, Key::Prefixes, Key::CanonicalUnit, Key::DataType})
      misplaced(key, "it does not derive from 'scalar'");
  // Metadata says that a type is only there to be derived from.
  const syntax::Node *metadata = entity.value(Key::Metadata);
  bool isAbstract =
      metadata && metadata->isMapping() && metadata->find("abstract");
  bool hasContent = decl.parent || !type.properties.empty() || isAbstract ||
                    decl.scope->isOlder();
  if (!hasContent && decl.valid && !entity.find(Key::DerivedFrom))
    program.diags.report(entity.range(), diag::EmptyDataType, decl.name.str());
}

static void fill(Program &program, TypeDecl &decl, Type &type) {
  const Type &parent =
      decl.parent ? typeOf(program, *decl.parent) : builtinType(TypeKind::Any);
  bool isRoot = !decl.parent;
  type.kind = isRoot && !decl.entity->find(Key::DerivedFrom) ? TypeKind::Record
                                                             : parent.kind;
  type.parent = isRoot ? nullptr : &parent;
  type.entry = parent.entry;
  type.key = parent.key;
  type.scalar = parent.scalar;
  const Flat &flat = *decl.flat;
  if (const Type *entry = schemaType(program, flat, Key::EntrySchema))
    type.entry = entry;
  if (const Type *key = schemaType(program, flat, Key::KeySchema))
    type.key = key;
  type.properties = propertiesOf(program, flat, parent);
  if (const Field *field = decl.entity->find(Key::Validation);
      field && field->valid) {
    auto conditions = toConditions(program, *decl.scope, *field->value);
    type.validations =
        program.arena.save(llvm::ArrayRef<const Expr *>(conditions));
  }
  if (type.is(TypeKind::Scalar))
    type.scalar = buildScalar(program, flat, parent);
  checkForm(program, decl, type);
}

/// What messages call data types that share their names with others: as the
/// first file can name them.
static llvm::DenseMap<const TypeDecl *, std::string>
qualifyNames(const Program &program) {
  llvm::DenseMap<const TypeDecl *, std::string> shortest;
  auto isShared = [&](const TypeDecl &decl) {
    return decl.kind == EntityKind::DataType && !decl.isBuiltIn() &&
           program.namesakes.lookup(decl.name.str()) > 1;
  };
  if (llvm::none_of(program.types, isShared))
    return shortest;
  const Scope &scope = program.scopes.front();
  for (const std::string &name : scope.names(EntityKind::DataType)) {
    const TypeDecl *decl = scope.find(EntityKind::DataType, name);
    if (!decl || !isShared(*decl))
      continue;
    std::string &known = shortest[decl];
    if (known.empty() || name.size() < known.size())
      known = name;
  }
  return shortest;
}

void sema::buildDataTypes(Program &program) {
  llvm::SmallVector<std::pair<TypeDecl *, Type *>> made;
  auto qualified = qualifyNames(program);
  for (TypeDecl &decl : program.types) {
    if (decl.kind != EntityKind::DataType)
      continue;
    if (decl.isBuiltIn()) {
      program.dataTypes[&decl] = &builtInTypeOf(program, decl.name.str());
      continue;
    }
    Type *type = program.arena.make(Type());
    auto known = qualified.find(&decl);
    type->name = known == qualified.end() ? decl.name.str()
                                          : program.arena.save(known->second);
    type->range = decl.range();
    program.dataTypes[&decl] = type;
    made.emplace_back(&decl, type);
  }
  // Kinds first: a property may have a type that is declared further down.
  llvm::DenseSet<const TypeDecl *> filled;
  for (auto [decl, type] : made) {
    llvm::SmallVector<TypeDecl *, 8> chain;
    for (TypeDecl *at = decl; at && !at->isBuiltIn() && !filled.contains(at);
         at = at->parent)
      chain.push_back(at);
    for (TypeDecl *at : llvm::reverse(chain)) {
      Type &current = *const_cast<Type *>(program.dataTypes.lookup(at));
      const Type *parent = at->parent ? &typeOf(program, *at->parent) : nullptr;
      current.parent = parent;
      current.kind = parent                               ? parent->kind
                     : at->entity->find(Key::DerivedFrom) ? TypeKind::Any
                                                          : TypeKind::Record;
      filled.insert(at);
      program.dataTypeOrder.push_back(at);
    }
  }
  for (TypeDecl *decl : program.dataTypeOrder)
    fill(program, *decl, *const_cast<Type *>(program.dataTypes.lookup(decl)));
  completeNarrowedTypes(program);
}
