//===- ReadExpr.cpp - Expressions from their plain form -------------------===//

#include "toscac/Value/Functions.h"
#include "toscac/Value/ReadJSON.h"

using namespace toscac;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;

namespace {

class ExprReader {
public:
  ExprReader(NameTable &names, ValueArena &arena)
      : names(names), arena(arena) {}

  Expected<Expr> read(const Value &plain);

private:
  Expected<Expr> readList(llvm::ArrayRef<Value> items);
  Expected<Expr> readMap(const Value &plain);
  Expected<Expr> readCall(StringRef name, const Value &arguments);
  Expr readString(StringRef text);

  NameTable &names;
  ValueArena &arena;
  /// Of the enclosing loops.
  SmallVector<StringRef, 2> variables;
};

} // namespace

static bool isFunctionKey(const Value &key) {
  return key.isString() && key.asString().starts_with("$") &&
         !key.asString().starts_with("$$");
}

static StringRef withoutDollar(StringRef text) {
  return text.starts_with("$$") ? text.drop_front() : text;
}

Expr ExprReader::readString(StringRef text) {
  if (llvm::is_contained(variables, text))
    return Expr::variable(names.intern(text));
  return Expr::literal(Value::string(withoutDollar(text)));
}

Expected<Expr> ExprReader::readList(llvm::ArrayRef<Value> items) {
  SmallVector<Expr> result;
  for (const Value &item : items) {
    Expected<Expr> expr = read(item);
    if (!expr)
      return expr;
    result.push_back(*expr);
  }
  return Expr::list(arena.save(llvm::ArrayRef<Expr>(result)));
}

Expected<Expr> ExprReader::readCall(StringRef name, const Value &arguments) {
  std::optional<Function> builtin = findFunction(name);
  llvm::ArrayRef<Value> items =
      arguments.isList() ? arguments.items() : llvm::ArrayRef(arguments);
  size_t outer = variables.size();
  if (builtin && isLoop(*builtin)) {
    if (items.empty() || !items[0].isString())
      return llvm::createStringError("$" + name + " has no variable");
    variables.push_back(items[0].asString());
  }
  Expected<Expr> list = readList(items);
  variables.truncate(outer);
  if (!list)
    return list;
  if (builtin)
    return Expr::call(*builtin, list->children());
  return Expr::customCall(names.intern(name), list->children());
}

Expected<Expr> ExprReader::readMap(const Value &plain) {
  llvm::ArrayRef<MapEntry> entries = plain.entries();
  if (llvm::any_of(entries, [](const MapEntry &entry) {
        return isFunctionKey(entry.key);
      })) {
    if (entries.size() > 1)
      return llvm::createStringError("a function call has no other keys");
    return readCall(entries[0].key.asString().drop_front(), entries[0].value);
  }
  SmallVector<Expr> children;
  for (const auto &[key, value] : entries) {
    Expected<Expr> expr = read(value);
    if (!expr)
      return expr;
    bool isString = key.isString();
    children.push_back(Expr::literal(
        isString ? Value::string(withoutDollar(key.asString())) : key));
    children.push_back(*expr);
  }
  return Expr::map(arena.save(llvm::ArrayRef<Expr>(children)));
}

Expected<Expr> ExprReader::read(const Value &plain) {
  if (plain.isMap())
    return readMap(plain);
  if (plain.isList())
    return readList(plain.items());
  return plain.isString() ? readString(plain.asString()) : Expr::literal(plain);
}

Expected<Expr> toscac::toExpr(const Value &plain, NameTable &names,
                              ValueArena &arena) {
  return ExprReader(names, arena).read(plain);
}
