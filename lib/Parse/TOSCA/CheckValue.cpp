//===- CheckValue.cpp - Function calls in values --------------------------===//
///
/// \file
/// Finds function calls by the algorithm of TOSCA 2.0 §10.1 and reports what
/// looks like one but is none. What a function means is Sema's matter.
///
//===----------------------------------------------------------------------===//

#include "ParseEntity.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Node;

/// Functions that earlier versions wrote without a dollar sign.
static bool isOldFunction(StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases("get_input", "get_property", "get_attribute", true)
      .Default(false);
}

static bool isDollarWord(const Node &node) {
  return node.isScalar() && node.text().starts_with("$") &&
         !node.text().starts_with("$$");
}

bool tosca::isCall(const Node &node) {
  if (node.isScalar())
    return isDollarWord(node);
  if (!node.isMapping() || node.entries().size() != 1)
    return false;
  const Node &key = node.entries().front().key;
  return isDollarWord(key) || (key.isScalar() && isOldFunction(key.text()));
}

/// A dollar sign with a name behind it; `$keygen$1` is a second call of
/// `$keygen` in one map.
static bool checkFunctionName(const Node &word, DiagnosticEngine &diags) {
  StringRef name = word.text().drop_front().split('$').first;
  if (!name.empty() && !name.contains(' '))
    return true;
  diags.report(word.range(), diag::BadFunctionName, word.text());
  return false;
}

bool tosca::isOldIndex(const Node &node) {
  return node.isPlain() &&
         (node.text() == "NODE_INDEX" || node.text() == "INDEX");
}

static void checkOldIndex(const Node &node, DiagnosticEngine &diags) {
  if (!isOldIndex(node))
    return;
  diags
      .report(node.range(), diag::DeprecatedFunction, node.text(),
              "$node_index")
      .safeFixIt(node.range(), "$node_index");
}

bool tosca::checkArguments(const Node &arguments, DiagnosticEngine &diags) {
  checkOldIndex(arguments, diags);
  if (arguments.isSequence())
    for (const Node &item : arguments.items())
      checkOldIndex(item, diags);
  return checkValue(arguments, diags);
}

static bool checkCallOrMap(const Node &map, DiagnosticEngine &diags) {
  if (isCall(map)) {
    const auto &[function, arguments] = map.entries().front();
    if (!isDollarWord(function)) {
      std::string present = ("$" + function.text()).str();
      diags
          .report(function.range(), diag::DeprecatedFunction, function.text(),
                  present)
          .safeFixIt(function.range(), present);
    } else if (!checkFunctionName(function, diags)) {
      return false;
    }
    return checkArguments(arguments, diags);
  }
  bool valid = true;
  for (const auto &[key, value] : map.entries()) {
    if (isDollarWord(key)) {
      // Once for a map, however many calls it has.
      if (valid)
        diags.report(key.range(), diag::MalformedFunction, key.text());
      valid = false;
    } else if (!key.isScalar()) {
      valid &= checkValue(key, diags);
    }
    valid &= checkValue(value, diags);
  }
  return valid;
}

bool tosca::checkValue(const Node &node, DiagnosticEngine &diags) {
  if (node.isMapping())
    return checkCallOrMap(node, diags);
  if (node.isScalar())
    return !isDollarWord(node) || checkFunctionName(node, diags);
  bool valid = true;
  if (node.isSequence())
    for (const Node &item : node.items())
      valid &= checkValue(item, diags);
  return valid;
}
