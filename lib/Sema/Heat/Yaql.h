//===- Yaql.h - Queries over values that are known --------------*- C++ -*-===//
///
/// \file
/// The part of YAQL that templates use: paths, lists and maps, operators,
/// `let`, and the functions of the table in EvaluateYaql.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_HEAT_YAQL_H
#define TOSCAC_LIB_SEMA_HEAT_YAQL_H

#include "toscac/Value/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace toscac::heat {

/// A query. Methods are calls whose first argument is what they are called on.
/// Parts of the data that are not known yet: texts that stand for them, told
/// apart from all others by where they lie.
class OpenParts {
public:
  /// A text that stands for a part.
  Value add(const Expr *part, ValueArena &arena);
  /// What \p value stands for; null: it is known.
  const Expr *find(const Value &value) const;
  /// Whether something in \p value is not known.
  bool isIn(const Value &value) const;

private:
  llvm::DenseMap<const char *, const Expr *> parts;
};

struct Yaql {
  enum class Kind {
    Literal,
    /// `$`, `$name`, `$1`.
    Variable,
    /// A name by itself, as before `=>`.
    Word,
    /// `name(a, b)`, `a.name(b)`, and operators by their signs.
    Call,
    /// `a.name`; `a?.name` is null where `a` is.
    Part,
    PartOrNull,
    List,
    /// Of pairs.
    Map,
    /// `a => b`.
    Pair,
    /// `let(...) -> body`.
    Let
  };
  Kind kind;
  std::string name = {};
  Value literal = {};
  std::vector<Yaql> parts = {};
};

/// Nothing where \p text is not of the forms above.
std::optional<Yaql> parseYaql(llvm::StringRef text, ValueArena &arena);

/// What \p query gives for \p data, which `$` is. Nothing where it cannot be
/// told here: a function is not known, a value does not fit, or it takes too
/// long.
std::optional<Value> evaluateYaql(const Yaql &query, const Value &data,
                                  ValueArena &arena,
                                  const OpenParts *open = nullptr);

} // namespace toscac::heat

#endif
