//===- CheckNodes.cpp - Rules on single nodes -----------------------------===//
///
/// \file
/// What YAML and TOSCA ask of a node beyond its syntax.
///
//===----------------------------------------------------------------------===//

#include "CheckNodes.h"

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::syntax;
using llvm::StringRef;

void syntax::checkTaggedScalar(const Node &node, DiagnosticEngine &diags) {
  auto is = [&](ScalarType type) { return resolvePlain(node.text()) == type; };
  auto expect = [&](bool holds, StringRef what) {
    if (!holds)
      diags.report(node.range(), diag::TagMismatch, what);
  };
  switch (node.tag()) {
  case Tag::None:
  case Tag::Str:
    return;
  case Tag::Null:
    return expect(is(ScalarType::Null), "null");
  case Tag::Bool:
    return expect(is(ScalarType::Boolean), "a boolean");
  case Tag::Int:
    return expect(is(ScalarType::Integer), "an integer");
  case Tag::Float:
    return expect(is(ScalarType::Float) || is(ScalarType::Integer), "a float");
  case Tag::Seq:
    return expect(false, "a list");
  case Tag::Map:
    return expect(false, "a map");
  }
}

void syntax::checkOldSpelling(const Node &node, DiagnosticEngine &diags) {
  StringRef text = node.text();
  if (text.size() > 1 && text[0] == '0' && llvm::all_of(text, llvm::isDigit)) {
    auto report = diags.report(node.range(), diag::LeadingZero, text);
    bool octal = text.find_first_of("89") == StringRef::npos;
    if (octal && text.find_first_not_of('0') != StringRef::npos)
      report.fixIt(node.range(), ("0o" + text.ltrim('0')).str());
    return;
  }
  if (text.size() < 2 || text.size() > 3 ||
      !StringRef("yYnNoO").contains(text[0]))
    return;
  StringRef boolean = llvm::StringSwitch<StringRef>(text)
                          .Cases("yes", "Yes", "YES", "true")
                          .Cases("on", "On", "ON", "true")
                          .Cases("no", "No", "NO", "false")
                          .Cases("off", "Off", "OFF", "false")
                          .Default("");
  if (!boolean.empty())
    diags.report(node.range(), diag::OldBoolean, text, boolean)
        .fixIt(node.range(), boolean.str());
}

StringRef syntax::keyText(const Node &key, StringRef source, SourceLoc base) {
  return key.isScalar() ? key.text()
                        : source.slice(key.range().begin.raw - base.raw,
                                       key.range().end.raw - base.raw);
}

void syntax::forEachRepeatedKey(
    llvm::ArrayRef<Entry> entries, StringRef source, SourceLoc base,
    llvm::function_ref<void(size_t later, size_t first)> visit) {
  auto same = [&](const Node &a, const Node &b) {
    if (a.kind() != b.kind() ||
        keyText(a, source, base) != keyText(b, source, base))
      return false;
    return !a.isScalar() || a.scalarType() == b.scalarType();
  };
  // For the few keys of a typical map, comparing beats hashing.
  if (entries.size() <= 8) {
    for (size_t i = 1; i < entries.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (same(entries[i].key, entries[j].key)) {
          visit(i, j);
          break;
        }
    return;
  }
  llvm::DenseMap<StringRef, size_t> first(entries.size());
  for (auto [i, entry] : llvm::enumerate(entries)) {
    auto [found, isNew] =
        first.try_emplace(keyText(entry.key, source, base), i);
    if (!isNew && same(entry.key, entries[found->second].key))
      visit(i, found->second);
  }
}
