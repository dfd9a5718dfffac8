//===- ReadExpr.cpp - Expressions of the graph's text form ----------------===//

#include "ExprReader.h"

#include "toscac/Value/Functions.h"
#include "toscac/Value/ParseLiteral.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/xxhash.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;

bool ExprReader::readExpr(const Expr *&expr) {
  Expr content = Expr::literal({});
  if (!readExpr(content, 0))
    return false;
  expr = arena.make(content);
  return true;
}

bool ExprReader::readCondition(const Expr *&expr) {
  keepsLists = true;
  bool good = readExpr(expr);
  keepsLists = false;
  return good;
}

bool ExprReader::readLiteral(Value &value) {
  Expr content = Expr::literal({});
  if (!readExpr(content, 0))
    return false;
  if (!content.isLiteral()) {
    diags.report(content.range(), diag::IrNotLiteral);
    return false;
  }
  value = content.value();
  return true;
}

bool ExprReader::readSharedExpr(const Expr *&expr) {
  constexpr size_t longest = 32;
  Token token = lexer.peek();
  if (token.kind == TokenKind::Punctuation || token.text.size() > longest)
    return readExpr(expr);
  Shared &shared =
      sharedLiterals[llvm::xxh3_64bits(token.text) % sharedLiterals.size()];
  if (shared.expr && shared.text == token.text) {
    expr = shared.expr;
    advance();
    return true;
  }
  if (!readExpr(expr))
    return false;
  shared = {token.text, expr};
  return true;
}

bool ExprReader::readWords(llvm::SmallVectorImpl<Expr> &words) {
  return readItems(words, 0);
}

bool ExprReader::readExpr(Expr &expr, unsigned depth) {
  if (depth > ValueArena::maxDepth) {
    diags.report(here(), diag::IrTooDeep, ValueArena::maxDepth);
    return false;
  }
  switch (lexer.peek().kind) {
  case TokenKind::String:
    return readString(expr);
  case TokenKind::Number:
    return readNumber(expr);
  case TokenKind::Word:
    return readWord(expr);
  case TokenKind::Punctuation:
    if (isAt("["))
      return readListExpr(expr, depth);
    if (isAt("{"))
      return readMap(expr, depth);
    break;
  case TokenKind::Ordinal:
  case TokenKind::End:
  case TokenKind::Unknown:
    break;
  }
  return fail("a value");
}

/// A dollar sign at the start of a string is written twice; false if it is not.
static bool removeDollar(StringRef &text) {
  if (!text.consume_front("$"))
    return true;
  return text.starts_with("$");
}

bool ExprReader::readString(Expr &expr) {
  SourceRange range = here();
  StringRef text;
  if (!readRaw(text))
    return false;
  if (llvm::is_contained(variables, text)) {
    expr = Expr::variable(names.intern(text), range);
    return true;
  }
  if (!removeDollar(text)) {
    diags.report(range, diag::IrSingleDollar, text);
    return false;
  }
  expr = Expr::literal(arena.string(text), range);
  return true;
}

bool ExprReader::readNumber(Expr &expr) {
  SourceRange range = here();
  StringRef text = lexer.peek().text;
  bool isInteger = text.find_first_of(".eE") == StringRef::npos;
  OrProblem<Value> number = isInteger ? parseInteger(text) : parseFloat(text);
  if (!number) {
    report(diags, number.problem(), range);
    return false;
  }
  advance();
  expr = Expr::literal(*number, range);
  return true;
}

bool ExprReader::readWord(Expr &expr) {
  SourceRange range = here();
  if (consume("true"))
    expr = Expr::literal(Value::boolean(true), range);
  else if (consume("false"))
    expr = Expr::literal(Value::boolean(false), range);
  else if (consume("null"))
    expr = Expr::literal(Value(), range);
  else
    return fail("a value");
  return true;
}

bool ExprReader::readItems(llvm::SmallVectorImpl<Expr> &items, unsigned depth) {
  return readList([&] {
    return readExpr(items.emplace_back(Expr::literal({})), depth + 1);
  });
}

static bool isLiteral(const Expr &expr) { return expr.isLiteral(); }

bool ExprReader::readListExpr(Expr &expr, unsigned depth) {
  SourceRange start = here();
  SmallVector<Expr> items;
  if (!readItems(items, depth))
    return false;
  if (keepsLists || !llvm::all_of(items, isLiteral)) {
    expr = Expr::list(arena.save(ArrayRef<Expr>(items)), since(start));
    return true;
  }
  SmallVector<Value> values;
  for (const Expr &item : items)
    values.push_back(item.value());
  expr = Expr::literal(arena.list(values), since(start));
  return true;
}

/// A text that tells \p key from all others.
static std::string identify(const Expr &key) {
  if (key.isLiteral() && key.value().isString())
    return key.value().asString().str();
  std::string text(1, '\0');
  llvm::raw_string_ostream(text) << key;
  return text;
}

/// \p children are keys and values in turn.
bool ExprReader::makeMap(ArrayRef<Expr> children, SourceRange range,
                         Expr &expr) {
  llvm::StringSet<> keys;
  for (size_t i = 0; i < children.size(); i += 2)
    if (!keys.insert(identify(children[i])).second) {
      diags.report(children[i].range(), diag::IrRepeatedKey,
                   toText(children[i]));
      return false;
    }
  if (!llvm::all_of(children, isLiteral)) {
    expr = Expr::map(arena.save(children), range);
    return true;
  }
  SmallVector<MapEntry> entries;
  for (size_t i = 0; i < children.size(); i += 2)
    entries.push_back({children[i].value(), children[i + 1].value()});
  expr = Expr::literal(arena.map(entries), range);
  return true;
}

/// The key of an entry, with its colon.
bool ExprReader::readKey(Expr &key) {
  SourceRange range = here();
  StringRef text;
  if (lexer.peek().kind != TokenKind::String)
    return fail("a key in double quotes");
  if (!readRaw(text))
    return false;
  key = Expr::literal(arena.string(text), range);
  return expect(":");
}

/// The name that a key with a single dollar sign calls, or nothing.
static std::optional<StringRef> calledBy(const Expr &key) {
  StringRef text = key.value().asString();
  if (!text.consume_front("$") || text.starts_with("$"))
    return std::nullopt;
  return text;
}

bool ExprReader::readMap(Expr &expr, unsigned depth) {
  SourceRange start = here();
  advance();
  SmallVector<Expr> children;
  while (!isAt("}")) {
    if (!children.empty() && !expect(","))
      return false;
    Expr key = Expr::literal({}), value = key;
    if (!readKey(key))
      return false;
    if (std::optional<StringRef> name = calledBy(key)) {
      if (children.empty())
        return name->starts_with(":") ? readTyped(*name, expr, depth)
                                      : readCall(*name, start, expr, depth);
      diags.report(key.range(), diag::IrSingleDollar, *name);
      return false;
    }
    StringRef text = key.value().asString();
    if (removeDollar(text))
      key = Expr::literal(Value::string(text), key.range());
    if (!readExpr(value, depth + 1))
      return false;
    children.append({key, value});
  }
  advance();
  return makeMap(children, since(start), expr);
}

/// An argument that is no list is the only one.
bool ExprReader::readCall(StringRef name, SourceRange start, Expr &expr,
                          unsigned depth) {
  std::optional<Function> function = findFunction(name);
  SmallVector<Expr> arguments;
  bool good;
  if (function && isLoop(*function))
    good = readLoop(arguments, depth);
  else if (isAt("["))
    good = readItems(arguments, depth);
  else
    good = readExpr(arguments.emplace_back(Expr::literal({})), depth + 1);
  if (!good || !expect("}"))
    return false;
  ArrayRef<Expr> saved = arena.save(ArrayRef<Expr>(arguments));
  expr = function ? Expr::call(*function, saved, since(start))
                  : Expr::customCall(names.intern(name), saved, since(start));
  return true;
}

/// The variable is known in the last argument.
bool ExprReader::readLoop(llvm::SmallVectorImpl<Expr> &arguments,
                          unsigned depth) {
  if (!expect("["))
    return false;
  SourceRange place = here();
  Name variable;
  Expr elements = Expr::literal({}), body = elements;
  if (!readName(variable) || !expect(",") || !readExpr(elements, depth + 1) ||
      !expect(","))
    return false;
  variables.push_back(variable.str());
  bool good = readExpr(body, depth + 1);
  variables.pop_back();
  arguments.append({Expr::variable(variable, place), elements, body});
  return good && expect("]");
}

/// The scalar type called \p name, with its canonical unit.
const Type *ExprReader::scalarType(StringRef name, StringRef canonicalUnit) {
  const Type *&type = scalarTypes[name];
  if (type)
    return type;
  Unit units[] = {{canonicalUnit, Value::integer(1)}};
  ScalarDefinition scalar{&builtinType(TypeKind::Float),
                          arena.save(ArrayRef<Unit>(units)), canonicalUnit};
  Type made;
  made.name = name;
  made.kind = TypeKind::Scalar;
  made.scalar = arena.make(scalar);
  return type = arena.make(made);
}

/// `["4 GB", "4000000000 B", "Size"]`: as written, in the canonical unit, and
/// the type.
bool ExprReader::makeScalar(const Value &parts, SourceRange range, Expr &expr) {
  auto isText = [](const Value &part) { return part.isString(); };
  if (!parts.isList() || parts.items().size() != 3 ||
      !llvm::all_of(parts.items(), isText))
    return false;
  auto [number, unit] = parts.items()[0].asString().split(' ');
  auto [canonical, canonicalUnit] = parts.items()[1].asString().split(' ');
  OrProblem<Value> written = parseNumber(number);
  OrProblem<Value> magnitude = parseNumber(canonical);
  if (!written || !magnitude)
    return false;
  const Type *type = scalarType(parts.items()[2].asString(), canonicalUnit);
  Value scalar = arena.scalar({*written, unit, *magnitude, type});
  expr = Expr::literal(scalar, range);
  return true;
}

/// `[[1, "one"], [2, "two"]]`: a map whose keys are no strings.
bool ExprReader::makePairs(const Expr &content, Expr &expr) {
  SmallVector<Expr> children;
  auto addValue = [&](const Value &pair) {
    if (!pair.isList() || pair.items().size() != 2)
      return false;
    for (const Value &part : pair.items())
      children.push_back(Expr::literal(part, content.range()));
    return true;
  };
  auto addPair = [&](const Expr &pair) {
    if (pair.isLiteral())
      return addValue(pair.value());
    children.append(pair.children().begin(), pair.children().end());
    return pair.is(ExprKind::List) && pair.children().size() == 2;
  };
  bool good = content.is(ExprKind::List)
                  ? llvm::all_of(content.children(), addPair)
                  : content.isLiteral() && content.value().isList() &&
                        llvm::all_of(content.value().items(), addValue);
  return good && makeMap(children, content.range(), expr);
}

/// Other values are written as strings.
static std::optional<OrProblem<Value>> parseTyped(StringRef type, Value value,
                                                  ValueArena &arena) {
  if (!value.isString())
    return std::nullopt;
  StringRef text = value.asString();
  if (type == ":string")
    return value;
  if (type == ":float")
    return parseFloat(text);
  if (type == ":timestamp")
    return parseTimestamp(text, arena);
  if (type == ":version")
    return parseVersion(text, arena);
  if (type == ":bytes")
    return parseBytes(text, arena);
  return std::nullopt;
}

/// A value that JSON has no form for.
bool ExprReader::readTyped(StringRef type, Expr &expr, unsigned depth) {
  Expr content = Expr::literal({});
  // Inside, a string is never a variable, and a list is a literal.
  llvm::SmallVector<StringRef, 2> hidden;
  if (type == ":string")
    std::swap(hidden, variables);
  bool keptLists = std::exchange(keepsLists, false);
  bool good = readExpr(content, depth + 1);
  keepsLists = keptLists;
  if (type == ":string")
    std::swap(hidden, variables);
  if (!good || !expect("}"))
    return false;
  size_t errorsBefore = diags.numErrors();
  if (type == ":map" && makePairs(content, expr))
    return true;
  if (content.isLiteral()) {
    if (type == ":scalar" && makeScalar(content.value(), content.range(), expr))
      return true;
    if (auto parsed = parseTyped(type, content.value(), arena)) {
      if (*parsed)
        expr = Expr::literal(**parsed, content.range());
      else
        report(diags, parsed->problem(), content.range());
      return bool(*parsed);
    }
  }
  if (diags.numErrors() == errorsBefore)
    diags.report(content.range(), diag::IrBadTypedValue, "$" + type.str());
  return false;
}
