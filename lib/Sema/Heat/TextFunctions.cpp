//===- TextFunctions.cpp - Functions that make texts ----------------------===//

#include "Composer.h"
#include "toscac/Basic/Digest.h"
#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::SmallVector;
using llvm::StringRef;
using Outcome = FunctionInfo::Outcome;

static Outcome wrong(std::string problem) { return {{}, std::move(problem)}; }

std::string heat::textOf(const Value &value) {
  if (value.isNil())
    return "";
  if (value.isString())
    return value.asString().str();
  std::string text;
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  writeJSON(json, value);
  return text;
}

bool heat::takeText(const Value &value, uint64_t &budget) {
  uint64_t own = value.isString() ? value.asString().size() : 1;
  if (own > budget)
    return false;
  budget -= own;
  if (value.isList())
    return llvm::all_of(value.items(), [&](const Value &item) {
      return takeText(item, budget);
    });
  return !value.isMap() ||
         llvm::all_of(value.entries(), [&](const MapEntry &entry) {
           return takeText(entry.key, budget) && takeText(entry.value, budget);
         });
}

static Outcome tooLong() {
  return {{},
          "makes a text of more than " + std::to_string(maxText) + " bytes"};
}

Outcome heat::keepText(const Value &argument, ValueArena &) {
  return {argument};
}

Outcome heat::notHere(const Value &, ValueArena &) {
  Outcome outcome;
  outcome.isLater = true;
  return outcome;
}

/// Nothing, or the empty text to which a path leads that leads nowhere.
static bool isNoList(const Value &part) {
  return part.isNil() || (part.isString() && part.asString().empty()) ||
         (part.isMap() && part.entries().empty());
}

Outcome heat::joinList(const Value &argument, ValueArena &arena) {
  constexpr const char *form = "takes a delimiter and one or more lists";
  if (!argument.isList() || argument.items().size() < 2 ||
      !argument.items()[0].isString())
    return wrong(form);
  std::vector<std::string> texts;
  uint64_t budget = maxText;
  for (const Value &part : argument.items().drop_front()) {
    if (isNoList(part))
      continue;
    if (!part.isList())
      return wrong(form);
    for (const Value &item : part.items()) {
      if (!takeText(item, budget) || !takeText(argument.items()[0], budget))
        return tooLong();
      texts.push_back(textOf(item));
    }
  }
  return {arena.string(llvm::join(texts, argument.items()[0].asString()))};
}

Outcome heat::splitText(const Value &argument, ValueArena &arena) {
  llvm::ArrayRef<Value> parts =
      argument.isList() ? argument.items() : llvm::ArrayRef<Value>();
  bool isRight = (parts.size() == 2 || parts.size() == 3) &&
                 parts[0].isString() && !parts[0].asString().empty();
  if (!isRight)
    return wrong("takes a delimiter, a text and perhaps an index");
  SmallVector<StringRef> texts;
  std::string text = textOf(parts[1]);
  StringRef(text).split(texts, parts[0].asString());
  if (parts.size() == 2) {
    SmallVector<Value> items;
    for (StringRef item : texts)
      items.push_back(arena.string(item));
    return {arena.list(items)};
  }
  int64_t index;
  if (StringRef(textOf(parts[2])).getAsInteger(10, index) || index < 0 ||
      index >= int64_t(texts.size()))
    return wrong("has " + std::to_string(texts.size()) +
                 " parts; the index must be one of them");
  return {arena.string(texts[index])};
}

Outcome heat::splitForm(const Value &argument, ValueArena &arena) {
  if (!argument.isList() || argument.items().size() != 2)
    return wrong("takes a delimiter and a text");
  return splitText(argument, arena);
}

/// What replaces what, longest first: a key that is part of another must not
/// be found in it.
static SmallVector<MapEntry> byLength(const Value &parameters) {
  SmallVector<MapEntry> entries(parameters.entries());
  llvm::sort(entries, [](const MapEntry &a, const MapEntry &b) {
    std::string left = textOf(a.key), right = textOf(b.key);
    return left.size() != right.size() ? left.size() > right.size()
                                       : left < right;
  });
  return entries;
}

/// Calls \p plain for what stands between keys and \p replaced for each key
/// that is found. What replaces a key is not searched again.
static void scanText(StringRef text, llvm::ArrayRef<MapEntry> entries,
                     llvm::function_ref<void(StringRef)> plain,
                     llvm::function_ref<void(const MapEntry &)> replaced) {
  std::vector<std::string> keys;
  for (const MapEntry &entry : entries)
    keys.push_back(textOf(entry.key));
  size_t start = 0, at = 0;
  while (at < text.size()) {
    auto key = llvm::find_if(keys, [&](const std::string &candidate) {
      return !candidate.empty() && text.substr(at).starts_with(candidate);
    });
    if (key == keys.end()) {
      ++at;
      continue;
    }
    plain(text.slice(start, at));
    replaced(entries[key - keys.begin()]);
    at += key->size();
    start = at;
  }
  plain(text.drop_front(start));
}

enum class Strictness { Lenient, Strict, VeryStrict };

static Outcome replaceIn(const Value &text, const Value &parameters,
                         Strictness strictness, ValueArena &arena) {
  SmallVector<MapEntry> entries = byLength(parameters);
  std::string result;
  llvm::DenseSet<const void *> used;
  uint64_t budget = maxText;
  if (!takeText(text, budget) || !takeText(parameters, budget))
    return tooLong();
  std::string source = textOf(text);
  scanText(
      source, entries, [&](StringRef part) { result += part; },
      [&](const MapEntry &entry) {
        if (result.size() <= maxText)
          result += textOf(entry.value);
        used.insert(&entry);
      });
  if (result.size() > maxText)
    return tooLong();
  for (const MapEntry &entry : entries) {
    if (strictness != Strictness::Lenient && !used.contains(&entry))
      return wrong("has a parameter '" + textOf(entry.key) +
                   "' that its template does not contain");
    if (strictness == Strictness::VeryStrict && textOf(entry.value).empty())
      return wrong("has an empty value for '" + textOf(entry.key) + "'");
  }
  return {arena.string(result)};
}

static Outcome replaceNamed(const Value &argument, Strictness strictness,
                            ValueArena &arena) {
  const Value *text = argument.isMap() ? argument.find("template") : nullptr;
  const Value *parameters =
      argument.isMap() ? argument.find("params") : nullptr;
  if (!text || !parameters || !parameters->isMap() || text->isMap() ||
      text->isList())
    return wrong("takes a map with 'template', a text, and 'params', a map");
  return replaceIn(*text, *parameters, strictness, arena);
}

Outcome heat::replaceText(const Value &argument, ValueArena &arena) {
  return replaceNamed(argument, Strictness::Lenient, arena);
}
Outcome heat::replaceStrictly(const Value &argument, ValueArena &arena) {
  return replaceNamed(argument, Strictness::Strict, arena);
}
Outcome heat::replaceVeryStrictly(const Value &argument, ValueArena &arena) {
  return replaceNamed(argument, Strictness::VeryStrict, arena);
}

Outcome heat::replaceForm(const Value &argument, ValueArena &arena) {
  if (!argument.isList() || argument.items().size() != 2 ||
      !argument.items()[0].isMap())
    return wrong("takes a map and a text");
  return replaceIn(argument.items()[1], argument.items()[0],
                   Strictness::Lenient, arena);
}

Outcome heat::digest(const Value &argument, ValueArena &arena) {
  if (!argument.isList() || argument.items().size() != 2 ||
      !argument.items()[0].isString() || !argument.items()[1].isString())
    return wrong("takes the name of an algorithm and a text");
  static constexpr StringRef known[] = {"md5",    "sha1",   "sha224",
                                        "sha256", "sha384", "sha512"};
  StringRef algorithm = argument.items()[0].asString();
  if (!llvm::is_contained(known, algorithm.lower()))
    return wrong("knows the algorithms " +
                 llvm::join(llvm::ArrayRef(known), ", ") + ", not '" +
                 algorithm.str() + "'");
  auto hex = hexDigest(algorithm, argument.items()[1].asString());
  return hex ? Outcome{arena.string(*hex)} : notHere(argument, arena);
}

/// Bytes that a part of a URL cannot have become `%XX`.
static std::string escapeURL(StringRef text, StringRef allowed) {
  std::string result;
  for (char c : text)
    if (llvm::isAlnum(c) || StringRef("-._~").contains(c) ||
        allowed.contains(c))
      result += c;
    else
      result += "%" + llvm::utohexstr(static_cast<uint8_t>(c),
                                      /*LowerCase=*/false, /*Width=*/2);
  return result;
}

static std::string queryOf(const Value &query) {
  if (!query.isMap())
    return textOf(query);
  std::vector<std::string> pairs;
  for (const MapEntry &entry : query.entries())
    pairs.push_back(escapeURL(textOf(entry.key), "") + "=" +
                    escapeURL(textOf(entry.value), ""));
  return llvm::join(pairs, "&");
}

Outcome heat::makeURL(const Value &argument, ValueArena &arena) {
  static constexpr StringRef keys[] = {"scheme", "username", "password",
                                       "host",   "port",     "path",
                                       "query",  "fragment"};
  if (!argument.isMap())
    return wrong("takes a map with the parts of a URL");
  for (const MapEntry &entry : argument.entries())
    if (!llvm::is_contained(keys, textOf(entry.key)))
      return wrong("has no part '" + textOf(entry.key) + "'; parts are " +
                   llvm::join(llvm::ArrayRef(keys), ", "));
  auto part = [&](StringRef key) {
    const Value *value = argument.find(key);
    return value ? textOf(*value) : std::string();
  };
  std::string url = part("scheme").empty() ? "" : part("scheme") + ":";
  std::string host = part("host");
  if (!host.empty()) {
    url += "//";
    if (!part("username").empty()) {
      url += escapeURL(part("username"), "");
      if (!part("password").empty())
        url += ":" + escapeURL(part("password"), "");
      url += "@";
    }
    bool isIPv6 = StringRef(host).contains(':') && host[0] != '[';
    url += isIPv6 ? "[" + host + "]" : host;
    if (!part("port").empty())
      url += ":" + part("port");
  }
  std::string path = part("path");
  if (!host.empty() && !path.empty() && path[0] != '/')
    url += "/";
  url += escapeURL(path, "/:@!$&'()*+,;=%");
  if (const Value *query = argument.find("query"))
    if (std::string text = queryOf(*query); !text.empty())
      url += "?" + text;
  if (!part("fragment").empty())
    url += "#" + escapeURL(part("fragment"), "/?:@!$&'()*+,;=%");
  return {arena.string(url)};
}

//===----------------------------------------------------------------------===//
// With parts that are known only when the stack runs
//===----------------------------------------------------------------------===//

/// Items of a list, whether it is a literal or not; nothing for all else.
static std::optional<SmallVector<const Expr *>> itemsOf(Composer &composer,
                                                        const Expr &list) {
  SmallVector<const Expr *> items;
  if (list.isLiteral() && list.value().isList()) {
    for (const Value &item : list.value().items())
      items.push_back(composer.literal(item, list.range()));
    return items;
  }
  if (!list.is(ExprKind::List))
    return std::nullopt;
  for (const Expr &item : list.children())
    items.push_back(&item);
  return items;
}

/// \p part of a text: what is known as text, and what will be one. Null for
/// lists and maps of which only parts are known.
static const Expr *textPart(Composer &composer, const Expr &part) {
  if (part.isLiteral())
    return composer.literal(composer.arena.string(textOf(part.value())),
                            part.range());
  return part.isCall() ? &part : nullptr;
}

const Expr *heat::joinParts(Composer &composer, const Expr &argument,
                            SourceRange range) {
  auto parts = itemsOf(composer, argument);
  if (!parts || parts->size() < 2 || !parts->front()->isLiteral())
    return nullptr;
  SmallVector<const Expr *> items;
  for (const Expr *part : llvm::drop_begin(*parts)) {
    if (part->isLiteral() && isNoList(part->value()))
      continue;
    auto more = itemsOf(composer, *part);
    if (!more)
      return nullptr;
    for (const Expr *item : *more) {
      items.push_back(textPart(composer, *item));
      if (!items.back())
        return nullptr;
    }
  }
  return composer.call(Function::Join,
                       {composer.list(items, range), parts->front()}, range);
}

/// The value of \p key in a map expression, or null.
static const Expr *findEntry(Composer &composer, const Expr &map,
                             StringRef key) {
  if (map.isLiteral()) {
    const Value *value = map.value().isMap() ? map.value().find(key) : nullptr;
    return value ? composer.literal(*value, map.range()) : nullptr;
  }
  if (!map.is(ExprKind::Map))
    return nullptr;
  for (size_t i = 0; i < map.children().size(); i += 2) {
    const Expr &candidate = map.children()[i];
    if (candidate.isLiteral() && candidate.value().isString() &&
        candidate.value().asString() == key)
      return &map.children()[i + 1];
  }
  return nullptr;
}

const Expr *heat::replaceParts(Composer &composer, const Expr &argument,
                               SourceRange range) {
  const Expr *text = findEntry(composer, argument, "template");
  const Expr *parameters = findEntry(composer, argument, "params");
  if (!text || !text->isLiteral() || !parameters ||
      !parameters->is(ExprKind::Map) || isCallAsWritten(*parameters))
    return nullptr;
  // Entries of a map without values; each key leads to its place.
  SmallVector<MapEntry> keys;
  for (size_t i = 0; i < parameters->children().size(); i += 2) {
    if (!parameters->children()[i].isLiteral())
      return nullptr;
    keys.push_back(
        {parameters->children()[i].value(), Value::integer(int64_t(i) + 1)});
  }
  SmallVector<const Expr *> pieces;
  std::string source = textOf(text->value());
  scanText(
      source, byLength(composer.arena.map(keys)),
      [&](StringRef part) {
        if (!part.empty())
          pieces.push_back(
              composer.literal(composer.arena.string(part), text->range()));
      },
      [&](const MapEntry &entry) {
        const Expr &value = parameters->children()[entry.value.asInteger()];
        pieces.push_back(textPart(composer, value));
      });
  if (llvm::is_contained(pieces, nullptr))
    return nullptr;
  if (pieces.empty())
    return composer.literal(Value::string(""), range);
  return composer.call(Function::Concat, pieces, range);
}
