//===- Secrets.cpp - Values that nobody shall see -------------------------===//

#include "Secrets.h"

#include "toscac/Value/Sealed.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/ScopedPrinter.h"
#include <cstdlib>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

/// Shorter texts would be found in everything.
static constexpr size_t shortest = 3;

void Secrets::addText(StringRef text) {
  if (text.empty() || !texts.insert(text.str()).second)
    return;
  automaton.reset();
  addEncodings(text);
  // A key of several lines may be printed by a program that adds to each.
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  constexpr size_t shortestLine = 8;
  if (lines.size() > 1)
    for (StringRef line : lines)
      if (line.trim().size() >= shortestLine)
        addEncodings(line.trim());
}

/// As programs write strings that have other characters than ASCII's.
static std::string asciiJSON(StringRef text) {
  std::string result;
  llvm::SmallVector<llvm::UTF16> units;
  if (!llvm::convertUTF8ToUTF16String(text, units))
    return result;
  for (llvm::UTF16 unit : units) {
    if (unit >= 0x80 || unit < 0x20)
      result += llvm::formatv("\\u{0:x-4}", unit).str();
    else if (unit == '"' || unit == '\\')
      (result += '\\') += static_cast<char>(unit);
    else
      result += static_cast<char>(unit);
  }
  return result;
}

static std::string percentEncoded(StringRef text, bool isUpper, bool isForm) {
  std::string result;
  for (unsigned char byte : text.bytes()) {
    if (llvm::isAlnum(byte) || StringRef("-._~").contains(byte))
      result += static_cast<char>(byte);
    else if (isForm && byte == ' ')
      result += '+';
    else
      result += "%" + llvm::toHex(StringRef(reinterpret_cast<char *>(&byte), 1),
                                  /*LowerCase=*/!isUpper);
  }
  return result;
}

/// What is left of \p text in base64 wherever it stands in a longer text:
/// without the digits that depend on what is before and after it.
static std::string insideBase64(StringRef text, size_t before) {
  std::string padded = std::string(before, '\0') + text.str();
  std::string digits = llvm::encodeBase64(padded);
  size_t first = (before * 8 + 5) / 6;
  size_t end = padded.size() * 8 / 6;
  return first < end ? digits.substr(first, end - first) : "";
}

void Secrets::addEncodings(StringRef text) {
  auto add = [&](StringRef form, size_t least = shortest) {
    if (form.size() >= least)
      patterns.insert(form.str());
  };
  add(text);
  add(StringRef(llvm::to_string(Value::string(text))).drop_front().drop_back());
  add(asciiJSON(text));
  for (bool isUpper : {false, true})
    for (bool isForm : {false, true})
      add(percentEncoded(text, isUpper, isForm));
  // As a shell quotes it.
  std::string quoted;
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  add(quoted);
  constexpr size_t leastDigits = 6;
  for (size_t before : {0, 1, 2}) {
    std::string digits = insideBase64(text, before);
    add(digits, leastDigits);
    // The other alphabet.
    for (char &c : digits)
      c = c == '+' ? '-' : c == '/' ? '_' : c;
    add(digits, leastDigits);
  }
}

void Secrets::add(const Value &value) {
  if (value.isMap()) {
    for (const MapEntry &entry : value.entries())
      add(entry.value);
  } else if (value.isList()) {
    for (const Value &item : value.items())
      add(item);
  } else if (value.isString()) {
    addText(value.asString());
  } else if (value.isNumber()) {
    addText(llvm::to_string(value));
  }
}

const SecretFilter &Secrets::filter() const {
  if (!automaton)
    automaton = std::make_unique<SecretFilter>(
        std::vector<std::string>(patterns.begin(), patterns.end()));
  return *automaton;
}

std::string Secrets::hidden(StringRef text) const {
  if (empty())
    return text.str();
  std::string result;
  llvm::raw_string_ostream os(result);
  SecretFilter::Stream stream(filter(), os);
  stream.write(text);
  stream.finish();
  return result;
}

bool Secrets::occursIn(const Value &value) const {
  if (empty())
    return false;
  if (value.isMap())
    return llvm::any_of(value.entries(), [&](const MapEntry &entry) {
      return occursIn(entry.key) || occursIn(entry.value);
    });
  if (value.isList())
    return llvm::any_of(value.items(),
                        [&](const Value &item) { return occursIn(item); });
  if (value.isNumber())
    return texts.contains(llvm::to_string(value));
  if (!value.isString())
    return false;
  return texts.contains(value.asString().str()) ||
         filter().matches(value.asString());
}

void Secrets::setKeySource(const RunOptions &options, StringRef file) {
  fetchKey = [given = options.secretKeyFile,
              made = file.str()]() -> llvm::Expected<SealingKey> {
    if (!given.empty())
      return SealingKey::read(given);
    if (const char *text = getenv("TOSCA_SECRET_KEY")) {
      llvm::Expected<SealingKey> key = SealingKey::fromText(text);
      if (!key)
        return llvm::createStringError("TOSCA_SECRET_KEY: " +
                                       llvm::toString(key.takeError()));
      return key;
    }
    // One that is made here would be of no use to others.
    if (made.empty())
      return llvm::createStringError(
          "all who share the store need the same key, in the file of "
          "--secret-key-file or in TOSCA_SECRET_KEY");
    return SealingKey::readOrMake(made);
  };
}

llvm::Expected<const SealingKey *> Secrets::key() {
  if (fetched)
    return &*fetched;
  llvm::Expected<SealingKey> found = fetchKey();
  if (!found)
    return found.takeError();
  fetched = *found;
  return &*fetched;
}

llvm::Expected<Value> Secrets::seal(const Value &value, ValueArena &arena) {
  llvm::Expected<const SealingKey *> with = key();
  if (!with)
    return with.takeError();
  Value text = arena.string((*with)->seal(llvm::to_string(value)));
  return arena.map(MapEntry{Value::string(sealedKey), text});
}

/// Strings and keys that start with a dollar sign get another: toExpr().
static Value escaped(const Value &text, ValueArena &arena) {
  if (!text.isString() || !text.asString().starts_with("$"))
    return text;
  return arena.string(("$" + text.asString()).str());
}

llvm::Expected<Value> Secrets::kept(const Value &value, bool isSecret,
                                    ValueArena &arena) {
  auto isSecretKey = [&](const MapEntry &entry) { return occursIn(entry.key); };
  if (isSecret || (value.isMap() && llvm::any_of(value.entries(), isSecretKey)))
    return seal(value, arena);
  if (value.isMap()) {
    llvm::SmallVector<MapEntry> entries;
    for (const MapEntry &entry : value.entries()) {
      llvm::Expected<Value> part = kept(entry.value, false, arena);
      if (!part)
        return part;
      entries.push_back({escaped(entry.key, arena), *part});
    }
    return arena.map(entries);
  }
  if (value.isList()) {
    llvm::SmallVector<Value> items;
    for (const Value &item : value.items()) {
      llvm::Expected<Value> part = kept(item, false, arena);
      if (!part)
        return part;
      items.push_back(*part);
    }
    return arena.list(items);
  }
  return occursIn(value) ? seal(value, arena) : escaped(value, arena);
}

llvm::Expected<Value> Secrets::opened(StringRef sealed, JSONReader &reader) {
  llvm::Expected<const SealingKey *> with = key();
  if (!with)
    return with.takeError();
  llvm::Expected<std::string> text = (*with)->open(sealed);
  if (!text)
    return text.takeError();
  llvm::Expected<Value> value = reader.value(*text);
  if (value)
    add(*value);
  return value;
}
