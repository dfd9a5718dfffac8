//===- MergeValues.cpp - One value from several environments --------------===//
///
/// \file
/// `parameter_merge_strategies`: texts and lists grow, numbers are added, maps
/// take over each other's keys. Merging deeply does the same inside of maps.
///
//===----------------------------------------------------------------------===//

#include "Composer.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::SmallVector;
using llvm::StringRef;

static Value joinLists(const Value &before, const Value &after,
                       ValueArena &arena) {
  SmallVector<Value> items(before.items());
  items.append(after.items().begin(), after.items().end());
  return arena.list(items);
}

static Value joinTexts(const Value &before, const Value &after,
                       ValueArena &arena) {
  return arena.string((before.asString() + after.asString()).str());
}

static Value mergeKeys(const Value &before, const Value &after, bool isDeep,
                       ValueArena &arena);

/// What stands under a key of both maps.
static Value mergeInside(const Value &before, const Value &after,
                         ValueArena &arena) {
  if (before.isMap() && after.isMap())
    return mergeKeys(before, after, /*isDeep=*/true, arena);
  if (before.isList() && after.isList())
    return joinLists(before, after, arena);
  if (before.isString() && after.isString())
    return joinTexts(before, after, arena);
  return after;
}

static Value mergeKeys(const Value &before, const Value &after, bool isDeep,
                       ValueArena &arena) {
  SmallVector<MapEntry> entries(before.entries());
  for (const MapEntry &entry : after.entries()) {
    if (entry.value.isNil())
      continue;
    auto known = llvm::find_if(
        entries, [&](const MapEntry &other) { return other.key == entry.key; });
    if (known == entries.end())
      entries.push_back(entry);
    else
      known->value =
          isDeep ? mergeInside(known->value, entry.value, arena) : entry.value;
  }
  return arena.map(entries);
}

static Value addNumbers(const Value &before, const Value &after) {
  int64_t sum;
  if (before.isInteger() && after.isInteger() &&
      !llvm::AddOverflow(before.asInteger(), after.asInteger(), sum))
    return Value::integer(sum);
  return Value::real(before.asNumber() + after.asNumber());
}

static Value mergeTwo(const Value &before, const Value &after, bool isDeep,
                      ValueArena &arena) {
  if (before.isNumber())
    return addNumbers(before, after);
  if (before.isString())
    return joinTexts(before, after, arena);
  if (before.isMap() && after.isMap())
    return mergeKeys(before, after, isDeep, arena);
  if (before.isList() && after.isList())
    return joinLists(before, after, arena);
  return after;
}

std::optional<Value> Composer::mergeGiven(const Parameter &parameter,
                                          const GivenValue &given,
                                          const Stack &stack) {
  if (parameter.type == ParameterType::Boolean) {
    diags.report(given.parts.back()->range(), diag::MergeType,
                 parameter.name.text, stack.file->path, word(parameter.type));
    return std::nullopt;
  }
  bool isDeep = given.strategy == MergeStrategy::DeepMerge;
  std::optional<Value> merged;
  for (const syntax::Node *part : given.parts) {
    if (part->isNull())
      continue;
    bool isText = part->isScalar() && parameter.type == ParameterType::String;
    auto value = toType(parameter,
                        isText ? arena.string(part->text()) : plainValue(*part),
                        part->range(), stack);
    if (!value)
      return std::nullopt;
    merged = merged ? mergeTwo(*merged, *value, isDeep, arena) : *value;
  }
  return merged ? merged : Value();
}
