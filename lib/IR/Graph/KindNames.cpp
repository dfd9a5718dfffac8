//===- KindNames.cpp - Words for kinds in the text form -------------------===//

#include "toscac/IR/KindNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

/// In the order of TypeKind.
static constexpr StringRef kindNames[] = {
    "nil",     "boolean", "integer", "float", "string", "bytes", "timestamp",
    "version", "scalar",  "list",    "map",   "record", "any"};

/// In the order of TypeInfo::Kind.
static constexpr StringRef typeKindNames[] = {"node", "relationship",
                                              "capability", "group", "policy"};

/// In the order of PathStep::Kind.
static constexpr StringRef pathStepNames[] = {
    "RELATIONSHIP", "CAPABILITY", "SOURCE",  "TARGET",  "NODE",
    "SERVICE",      "INSIDE",     "OUTSIDE", "EARLIER", "LATER"};

/// In the order of HandlerPlace.
static constexpr StringRef placeNames[] = {"ORCHESTRATOR", "SELF", "HOST",
                                           "SOURCE", "TARGET"};

template <typename Kind, size_t N>
static std::optional<Kind> find(const StringRef (&names)[N], StringRef name) {
  const auto *found = llvm::find(names, name);
  if (found == std::end(names))
    return std::nullopt;
  return static_cast<Kind>(found - names);
}

StringRef ir::nameOf(TypeKind kind) {
  return kindNames[static_cast<size_t>(kind)];
}

std::optional<TypeKind> ir::findKind(StringRef name) {
  return find<TypeKind>(kindNames, name);
}

StringRef ir::nameOf(TypeInfo::Kind kind) {
  return typeKindNames[static_cast<size_t>(kind)];
}

std::optional<TypeInfo::Kind> ir::findTypeKind(StringRef name) {
  return find<TypeInfo::Kind>(typeKindNames, name);
}

StringRef ir::nameOf(PathStep::Kind kind) {
  return pathStepNames[static_cast<size_t>(kind)];
}

StringRef ir::nameOf(HandlerPlace place) {
  return placeNames[static_cast<size_t>(place)];
}

std::optional<HandlerPlace> ir::findHandlerPlace(StringRef name) {
  return find<HandlerPlace>(placeNames, name);
}
