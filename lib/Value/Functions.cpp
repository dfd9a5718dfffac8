//===- Functions.cpp - Signatures of built-ins ----------------------------===//

#include "toscac/Value/Functions.h"

#include "llvm/ADT/StringMap.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::StringRef;

static constexpr KindSet bit(TypeKind kind) {
  return static_cast<KindSet>(1u << static_cast<unsigned>(kind));
}

/// The words of the columns Max and Arguments.
namespace kinds {
constexpr uint8_t Unbounded = FunctionInfo::unbounded;
constexpr KindSet Boolean = bit(TypeKind::Boolean);
constexpr KindSet Integer = bit(TypeKind::Integer);
constexpr KindSet Float = bit(TypeKind::Float);
constexpr KindSet String = bit(TypeKind::String);
constexpr KindSet List = bit(TypeKind::List);
constexpr KindSet Map = bit(TypeKind::Map) | bit(TypeKind::Record);
constexpr KindSet Number = Integer | Float;
constexpr KindSet Quantity = Number | bit(TypeKind::Scalar);
constexpr KindSet Divisible = Integer | bit(TypeKind::Scalar);
/// A part of a path.
constexpr KindSet Step = String | Integer;
constexpr KindSet Ordered =
    Quantity | String | bit(TypeKind::Timestamp) | bit(TypeKind::Version);
constexpr KindSet Sequence = String | List;
constexpr KindSet Collection = List | Map;
constexpr KindSet Measured = Sequence | Map | bit(TypeKind::Bytes);
constexpr KindSet Everything = 0xFFFF;
} // namespace kinds

namespace {
struct Kinds {
  KindSet sets[3] = {};
  uint8_t size = 0;
  template <typename... Sets>
  constexpr Kinds(Sets... all) : sets{KindSet(all)...}, size(sizeof...(Sets)) {}
};
} // namespace

static constexpr FunctionInfo makeInfo(StringRef name, StringRef section,
                                       uint8_t min, uint8_t max, Kinds kinds,
                                       Relation relation, ResultRule result,
                                       FunctionForm form) {
  return {name,
          section,
          min,
          max,
          {kinds.sets[0], kinds.sets[1], kinds.sets[2]},
          kinds.size,
          relation,
          result,
          form};
}

static ArrayRef<FunctionInfo> allFunctions() {
  using namespace kinds;
  static constexpr FunctionInfo table[] = {
#define FUNCTION(ID, NAME, SECTION, MIN, MAX, ARGUMENTS, RELATION, RESULT,     \
                 FORM)                                                         \
  makeInfo(NAME, SECTION, MIN, MAX, Kinds ARGUMENTS, Relation::RELATION,       \
           ResultRule::RESULT, FunctionForm::FORM),
#include "toscac/Value/Functions.def"
  };
  return table;
}

const FunctionInfo &toscac::info(Function function) {
  assert(function != Function::Custom && "custom functions have no row");
  return allFunctions()[static_cast<size_t>(function)];
}

std::optional<Function> toscac::findFunction(StringRef name) {
  static const llvm::StringMap<Function> byName = [] {
    llvm::StringMap<Function> result;
    for (auto [i, function] : llvm::enumerate(allFunctions()))
      result[function.name] = static_cast<Function>(i);
    return result;
  }();
  auto found = byName.find(name);
  if (found == byName.end())
    return std::nullopt;
  return found->second;
}

ArrayRef<StringRef> toscac::functionNames() {
  static const StringRef names[] = {
#define FUNCTION(ID, NAME, ...) NAME,
#include "toscac/Value/Functions.def"
  };
  return names;
}
