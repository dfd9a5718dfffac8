//===- ScalarTypes.cpp - Units of scalar types ----------------------------===//
///
/// \file
/// TOSCA 2.0 §9.1.2.2.
///
//===----------------------------------------------------------------------===//

#include "DataTypes.h"

#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Value/CheckValue.h"
#include "toscac/Value/Environment.h"
#include "toscac/Value/ParseLiteral.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Node;

namespace {

class ScalarBuilder {
public:
  ScalarBuilder(Program &program, const Flat &flat, const Type &parent)
      : program(program), flat(flat), parent(parent) {}

  const ScalarDefinition *build();

private:
  using Units = llvm::SmallVector<Unit, 16>;

  const Type &numberType();
  Units collect(Key key, const Type &number);
  void checkMultipliers(const Units &units, const Units &prefixes);
  StringRef canonicalUnit(llvm::ArrayRef<Unit> all);

  Program &program;
  const Flat &flat;
  const Type &parent;
};

bool isOne(const Value &number) { return number.asNumber() == 1; }

} // namespace

const Type &ScalarBuilder::numberType() {
  Flat::Found field = flat.find(Key::DataType);
  if (!field)
    return builtinType(TypeKind::Float);
  const TypeDecl *decl =
      resolve(program, *field.scope, EntityKind::DataType, *field.field->value);
  if (!decl)
    return builtinType(TypeKind::Float);
  const Type &type = typeOf(program, *decl);
  if (type.is(TypeKind::Integer) || type.is(TypeKind::Float))
    return type;
  program.diags.report(field.field->value->range(), diag::ScalarOfNoNumber,
                       decl->name.str());
  return builtinType(TypeKind::Float);
}

/// The entries of all layers; a derived type may add some.
ScalarBuilder::Units ScalarBuilder::collect(Key key, const Type &number) {
  Units result;
  Environment nothing;
  for (const Layer &layer : llvm::reverse(flat.layers)) {
    const Field *field = layer.entity->find(key);
    if (!field || !field->valid)
      continue;
    for (const syntax::Entry &entry : field->value->entries()) {
      auto multiplier = parseNumber(entry.value.text());
      if (!multiplier) {
        report(program.diags, multiplier.problem(), entry.value.range());
        continue;
      }
      auto report = [&](llvm::ArrayRef<PathStep>, const Problem &) {
        program.diags.report(entry.value.range(), diag::BadMultiplier,
                             entry.key.text(), typeName(number));
      };
      checkValue(*multiplier, number, nothing, program.arena, report);
      StringRef name = entry.key.isScalar() ? entry.key.text() : "";
      if (llvm::none_of(result, [&](const Unit &u) { return u.name == name; }))
        result.push_back({name, *multiplier});
    }
  }
  return result;
}

void ScalarBuilder::checkMultipliers(const Units &units,
                                     const Units &prefixes) {
  if (!flat.find(Key::Units)) {
    program.diags.report(flat.range(), diag::MissingKeyname, flat.describe(),
                         tosca::word(Key::Units));
    return;
  }
  if (llvm::none_of(units, [](const Unit &u) { return isOne(u.multiplier); }))
    program.diags.report(flat.find(Key::Units).field->range(),
                         diag::NoUnitOfOne, flat.name.str());
  if (!prefixes.empty() && units.size() > 1)
    program.diags.report(flat.find(Key::Prefixes).field->range(),
                         diag::PrefixesOfManyUnits, flat.name.str());
}

StringRef ScalarBuilder::canonicalUnit(llvm::ArrayRef<Unit> all) {
  auto isBase = [](const Unit &u) { return isOne(u.multiplier); };
  Flat::Found field = flat.find(Key::CanonicalUnit);
  if (field && field.field->valid) {
    const Node &node = *field.field->value;
    const Unit *unit = llvm::find_if(
        all, [&](const Unit &u) { return u.name == node.text(); });
    if (unit == all.end()) {
      llvm::SmallVector<StringRef> names;
      for (const Unit &u : all)
        names.push_back(u.name);
      program.diags.report(node.range(), diag::UnknownCanonicalUnit,
                           node.text(), flat.name.str(),
                           didYouMean(node.text(), names));
    } else if (!isOne(unit->multiplier)) {
      program.diags.report(node.range(), diag::CanonicalUnitNotOne,
                           node.text());
    }
    return node.text();
  }
  if (llvm::count_if(all, isBase) > 1)
    program.diags.report(flat.range(), diag::ManyUnitsOfOne, flat.name.str());
  const Unit *base = llvm::find_if(all, isBase);
  return base == all.end() ? StringRef() : base->name;
}

const ScalarDefinition *ScalarBuilder::build() {
  const Type &number = numberType();
  Units units = collect(Key::Units, number);
  Units prefixes = collect(Key::Prefixes, number);
  checkMultipliers(units, prefixes);
  if (units.empty())
    return parent.scalar;
  llvm::ArrayRef<Unit> all = combineUnits(units, prefixes, program.arena);
  auto isBase = [](const Unit &u) { return isOne(u.multiplier); };
  // A unit is written with one of the prefixes; that may be "".
  if (llvm::any_of(units, isBase) && llvm::none_of(all, isBase))
    program.diags.report(flat.find(Key::Prefixes).field->range(),
                         diag::NoUnitOfOne, flat.name.str());
  ScalarDefinition definition{&number, all, canonicalUnit(all)};
  return program.arena.make(definition);
}

const ScalarDefinition *sema::buildScalar(Program &program, const Flat &flat,
                                          const Type &parent) {
  return ScalarBuilder(program, flat, parent).build();
}
