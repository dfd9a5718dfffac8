//===- toscac/Value/ReadJSON.h - Values and expressions in JSON -*- C++ -*-===//
///
/// \file
/// Reads what writeJSON() wrote: values, expressions, and objects of which the
/// caller knows the keys. Nothing that is read refers to the text.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_VALUE_READJSON_H
#define TOSCAC_VALUE_READJSON_H

#include "toscac/Value/Expr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>

namespace toscac {

class JSONReader;

/// The expression that \p plain, a value as it stands in JSON, means: a map
/// with the one key `$f` is a call, and strings and keys that start with two
/// dollar signs lose one.
llvm::Expected<Expr> toExpr(const Value &plain, NameTable &names,
                            ValueArena &arena);

/// A value in the text that is being read. Each may be asked once; what has
/// another kind gives nothing, and is an error of the text.
class JSONField {
public:
  /// The text of a string, without escapes; good until the reader reads again.
  std::optional<llvm::StringRef> string();
  /// The same, for as long as the arena lives; stored once however often read.
  std::optional<llvm::StringRef> name();
  std::optional<int64_t> integer();
  /// 0 .. 2^32 - 1
  std::optional<uint32_t> index();
  std::optional<bool> boolean();
  bool indices(llvm::SmallVectorImpl<uint32_t> &result);
  bool names(llvm::SmallVectorImpl<llvm::StringRef> &result);
  /// Anything, as a value: maps with keys `$f` are maps.
  std::optional<Value> value();
  /// A value in which calls may stand.
  const Expr *expr();
  /// The JSON itself; good until the reader reads again.
  std::optional<llvm::StringRef> raw();
  bool isNull();
  using Visit = llvm::function_ref<bool(llvm::StringRef key, JSONField &value)>;
  /// Shows each member of an object, until \p visit returns false.
  bool fields(Visit visit);
  /// Shows each element of a list.
  bool elements(llvm::function_ref<bool(JSONField &element)> visit);

private:
  friend class JSONReader;
  struct Access;
  JSONField(JSONReader &reader, void *content)
      : reader(reader), content(content) {}

  JSONReader &reader;
  /// A simdjson::ondemand::value, whose header others shall not need.
  void *content;
};

/// Owns the buffers of the parser; one reads any number of texts, one after the
/// other: not while fields() shows members of another.
class JSONReader {
public:
  /// Values are made in \p arena, names of custom functions and variables in
  /// \p names.
  JSONReader(ValueArena &arena, NameTable &names);
  JSONReader(const JSONReader &) = delete;
  JSONReader &operator=(const JSONReader &) = delete;
  ~JSONReader();

  /// From now on values are made in \p arena.
  void useArena(ValueArena &arena);

  llvm::Expected<Value> value(llvm::StringRef json);
  llvm::Expected<const Expr *> expr(llvm::StringRef json);
  /// Shows each member of the object \p json. \p visit returns false where a
  /// member is not what it should be; the error names its key.
  llvm::Error fields(llvm::StringRef json, JSONField::Visit visit);

private:
  friend class JSONField;
  struct Parser;
  llvm::Error readOnly(llvm::StringRef json,
                       llvm::function_ref<bool(JSONField &)> read);

  ValueArena *arena;
  NameTable &names;
  std::unique_ptr<Parser> parser;
};

} // namespace toscac

#endif
