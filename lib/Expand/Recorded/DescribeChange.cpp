//===- DescribeChange.cpp - How one value differs from another ------------===//

#include "DescribeChange.h"

#include "toscac/Basic/JSONWriter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::ArrayRef;
using llvm::StringRef;

/// What is longer is cut.
static constexpr size_t maxText = 80;
/// How many parts of an instance are named.
static constexpr size_t maxChanges = 4;

static std::string jsonOf(const Value &value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  writeJSON(json, value);
  return text;
}

bool expanding::isSame(const Value &a, const Value &b) {
  return a == b || jsonOf(a) == jsonOf(b);
}

static std::string textOf(const Value *value) {
  if (!value)
    return "none";
  std::string text;
  llvm::raw_string_ostream(text) << *value;
  if (text.size() <= maxText)
    return text;
  // Not within a character of several bytes.
  size_t end = maxText - 1;
  while (end > 0 && (text[end] & 0xC0) == 0x80)
    --end;
  return text.substr(0, end) + "…";
}

static std::string nameOf(const Value &key) {
  return key.isString() ? key.asString().str() : jsonOf(key);
}

void expanding::describeChange(const std::string &name, const Value *before,
                               const Value *now,
                               std::vector<std::string> &changes) {
  if (before && now ? isSame(*before, *now) : before == now)
    return;
  if (before && now && before->isMap() && now->isMap()) {
    auto describe = [&](const Value &key) {
      describeChange(name + "." + nameOf(key), before->find(key),
                     now->find(key), changes);
    };
    for (const MapEntry &entry : before->entries())
      describe(entry.key);
    for (const MapEntry &entry : now->entries())
      if (!before->find(entry.key))
        describe(entry.key);
    return;
  }
  bool isPairwise = before && now && before->isList() && now->isList() &&
                    before->items().size() == now->items().size();
  if (isPairwise) {
    for (auto [i, item] : llvm::enumerate(before->items()))
      describeChange(name + "[" + std::to_string(i) + "]", &item,
                     &now->items()[i], changes);
    return;
  }
  changes.push_back(name + ": " + textOf(before) + " -> " + textOf(now));
}

std::string expanding::joinChanges(ArrayRef<std::string> changes) {
  std::string text = llvm::join(
      changes.take_front(std::min(maxChanges, changes.size())), ", ");
  if (changes.size() > maxChanges)
    text += ", and " + std::to_string(changes.size() - maxChanges) + " more";
  return text;
}
