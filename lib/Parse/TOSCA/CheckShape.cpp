//===- CheckShape.cpp - The shapes of single values -----------------------===//
///
/// \file
/// One function per shape that holds no entities.
///
//===----------------------------------------------------------------------===//

#include "ParseEntity.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;
using syntax::ScalarType;

bool tosca::reportShape(const Node &node, StringRef what, StringRef expected,
                        DiagnosticEngine &diags) {
  if (node.isNull())
    diags.report(node.range(), diag::EmptyValue, what, expected);
  else
    diags.report(node.range(), diag::WrongShape, what, expected,
                 describe(node));
  return false;
}

bool tosca::checkName(const Node &key, DiagnosticEngine &diags) {
  if (key.isString() && !key.text().empty())
    return true;
  auto report = diags.report(key.range(), diag::BadName, describe(key));
  if (key.isScalar() && !key.text().empty())
    report.safeFixIt(key.range(), ("\"" + key.text() + "\"").str());
  return false;
}

namespace {

/// Where a shape is checked: the subject of messages and where they go.
struct Context {
  const Subject &subject;
  ShapeKind shape;
  DiagnosticEngine &diags;

  bool wrong(const Node &node) const {
    return reportShape(node, subject.str(), describe({shape}), diags);
  }
  /// \p node is a part of the value: "each item", "each step".
  bool wrongPart(const Node &node, StringRef part, StringRef expected) const {
    std::string what = (part + " of " + subject.str()).str();
    return reportShape(node, what, expected, diags);
  }
  /// \p entry is one of a map, with a value that is not \p expected.
  bool wrongEntry(const Entry &entry, StringRef expected) const {
    std::string part = "each entry";
    if (entry.key.isScalar())
      part = ("'" + entry.key.text() + "'").str();
    return wrongPart(entry.value, part, expected);
  }
};

/// Whether \p check holds for all of \p range; all of them are checked.
template <typename Range, typename Check>
bool checkAll(Range &&range, Check check) {
  bool valid = true;
  for (const auto &element : range)
    valid &= check(element);
  return valid;
}

bool isName(const Node &node) {
  return node.isString() && !node.text().empty();
}

bool checkNames(const Node &node, const Context &context) {
  if (!node.isSequence())
    return context.wrong(node);
  return checkAll(node.items(), [&](const Node &item) {
    return isName(item) ||
           context.wrongPart(item, "each item", describe({ShapeKind::Name}));
  });
}

/// `<major>.<minor>[.<fix>[.<qualifier>[-<build>]]]`
bool isVersion(StringRef text) {
  auto isNumber = [](StringRef part) {
    return !part.empty() && llvm::all_of(part, llvm::isDigit);
  };
  auto [major, rest] = text.split('.');
  auto [minor, afterMinor] = rest.split('.');
  if (!isNumber(major) || !isNumber(minor))
    return false;
  if (!rest.contains('.'))
    return true;
  auto [fix, qualifier] = afterMinor.split('.');
  if (!isNumber(fix))
    return false;
  if (!afterMinor.contains('.'))
    return true;
  auto [name, build] = qualifier.split('-');
  return !name.empty() && (!qualifier.contains('-') || isNumber(build));
}

bool checkVersion(const Node &node, const Context &context) {
  if (!node.isScalar())
    return context.wrong(node);
  if (!isVersion(node.text())) {
    context.diags.report(node.range(), diag::BadVersion, node.text(), "");
    return false;
  }
  if (node.isString())
    return true;
  context.diags
      .report(node.range(), diag::BadVersion, node.text(),
              "; YAML reads this one as a number, so quote it")
      .safeFixIt(node.range(), ("\"" + node.text() + "\"").str());
  return false;
}

bool checkDefinitionsVersion(const Node &node, const Context &context) {
  if (!node.isScalar())
    return context.wrong(node);
  StringRef text = node.text();
  if (text == "tosca_2_0" || findEarlierVersion(text))
    return true;
  context.diags.report(node.range(), diag::UnknownToscaVersion, text)
      .fixIt(node.range(), nearestVersion(text).str());
  return false;
}

/// Blocks that only carry an anchor may be empty.
bool checkDsl(const Node &node, const Context &context) {
  if (!node.isMapping())
    return context.wrong(node);
  return checkAll(node.entries(), [&](const Entry &entry) {
    if (!entry.value.isNull() || entry.value.isAnchored())
      return true;
    return context.wrongEntry(entry, "a block to reuse");
  });
}

bool checkValues(const Node &node, const Context &context) {
  if (!node.isMapping())
    return context.wrong(node);
  return checkAll(node.entries(), [&](const Entry &entry) {
    bool goodKey = checkName(entry.key, context.diags);
    return checkValue(entry.value, context.diags) && goodKey;
  });
}

bool isCondition(const Node &node) {
  return isCall(node) ||
         (node.isScalar() && node.scalarType() == ScalarType::Boolean);
}

bool checkCondition(const Node &node, const Context &context) {
  // A map of several calls gets the better message of checkValue.
  bool valid = !node.isMapping() || checkValue(node, context.diags);
  if (!isCondition(node))
    return valid ? context.wrong(node) : false;
  return node.isMapping() ? valid : checkValue(node, context.diags);
}

bool checkConditions(const Node &node, const Context &context) {
  if (!node.isSequence())
    return context.wrong(node);
  return checkAll(node.items(), [&](const Node &item) {
    bool valid = checkValue(item, context.diags);
    if (!valid || isCondition(item))
      return valid;
    return context.wrongPart(item, "each item",
                             describe({ShapeKind::Condition}));
  });
}

/// The form of earlier versions leaves the value out: `- greater_than: 3`.
bool checkConstraints(const Node &node, const Context &context) {
  if (!node.isSequence())
    return checkCondition(node, context);
  return checkAll(node.items(), [&](const Node &item) {
    if (!item.isMapping() || item.entries().size() != 1)
      return context.wrongPart(item, "each item",
                               "a map from one operator to its argument");
    return checkValue(item.entries().front().value, context.diags);
  });
}

bool isCount(const Node &node) {
  return node.isScalar() && node.scalarType() == ScalarType::Integer &&
         !node.text().starts_with("-");
}

/// Checks \p node, which messages call \p what.
bool checkCount(const Node &node, StringRef what, const Context &context) {
  if (isCall(node))
    return checkValue(node, context.diags);
  if (isCount(node))
    return true;
  if (node.isNull())
    return reportShape(node, what, describe({ShapeKind::Count}), context.diags);
  bool negative = node.isScalar() && node.text().starts_with("-");
  context.diags.report(node.range(), diag::BadCount, what,
                       negative ? node.text() : describe(node));
  return false;
}

bool checkCountRange(const Node &node, const Context &context) {
  if (!node.isSequence())
    return context.wrong(node);
  auto isUnbounded = [](const Node &bound) {
    return bound.isString() && bound.text() == "UNBOUNDED";
  };
  llvm::ArrayRef<Node> bounds = node.items();
  bool good = bounds.size() == 2 && isCount(bounds[0]) &&
              (isCount(bounds[1]) || isUnbounded(bounds[1]));
  uint64_t min = 0, max = 0;
  if (good && isCount(bounds[1]) && !bounds[0].text().getAsInteger(0, min) &&
      !bounds[1].text().getAsInteger(0, max))
    good = min <= max;
  if (!good)
    context.diags.report(node.range(), diag::BadCountRange,
                         context.subject.str());
  return good;
}

bool checkNumbers(const Node &node, const Context &context) {
  if (!node.isMapping())
    return context.wrong(node);
  return checkAll(node.entries(), [&](const Entry &entry) {
    const Node &number = entry.value;
    if (number.isScalar() && (number.scalarType() == ScalarType::Integer ||
                              number.scalarType() == ScalarType::Float))
      return true;
    return context.wrongEntry(entry, "a number");
  });
}

bool checkNodeReference(const Node &node, const Context &context) {
  if (isName(node))
    return true;
  if (!node.isSequence() || node.items().size() != 2 ||
      !isName(node.items()[0]))
    return context.wrong(node);
  const Node &index = node.items()[1];
  if (!isCall(index) && !isOldIndex(index))
    return checkCount(index, "the index in " + context.subject.str(), context);
  return checkArguments(node, context.diags);
}

bool checkAllocation(const Node &node, const Context &context) {
  if (!node.isMapping())
    return context.wrong(node);
  const Node *nested = node.find("properties");
  if (!nested || node.entries().size() != 1 || !nested->isMapping() ||
      isCall(*nested))
    return checkValues(node, context);
  context.diags.report(node.entries().front().key.range(),
                       diag::DeprecatedAllocation);
  return checkValues(*nested, context);
}

bool checkPath(const Node &node, const Context &context) {
  if (!node.isSequence() || node.items().empty())
    return context.wrong(node);
  bool valid = checkAll(node.items(), [&](const Node &step) {
    return step.isScalar() || isCall(step) ||
           context.wrongPart(step, "each step",
                             "a name, an index or a function call");
  });
  return checkArguments(node, context.diags) && valid;
}

bool checkPaths(const Node &node, const Context &context) {
  if (!node.isMapping())
    return context.wrong(node);
  return checkAll(node.entries(), [&](const Entry &entry) {
    bool goodKey = checkName(entry.key, context.diags);
    if (!isName(entry.value) &&
        (!entry.value.isSequence() || entry.value.items().empty()))
      return context.wrongEntry(entry, describe({ShapeKind::Path}));
    return (isName(entry.value) || checkPath(entry.value, context)) && goodKey;
  });
}

bool checkCells(const Node &node, const Context &context) {
  if (node.isMapping() && !node.entries().empty())
    return checkValues(node, context);
  if (node.isSequence() && node.items().size() == 2 && isName(node.items()[0]))
    return checkValue(node.items()[1], context.diags);
  return context.wrong(node);
}

bool checkNameMappings(const Node &node, const Context &context) {
  if (!node.isMapping())
    return context.wrong(node);
  return checkAll(node.entries(), [&](const Entry &entry) {
    bool goodKey =
        entry.key.isSequence() || checkName(entry.key, context.diags);
    return (isName(entry.value) ||
            context.wrongEntry(entry, describe({ShapeKind::Name}))) &&
           goodKey;
  });
}

bool isNamePair(const Node &node) {
  return node.isSequence() && node.items().size() == 2 &&
         llvm::all_of(node.items(), isName);
}

bool checkCapabilityMappings(const Node &node, const Context &context) {
  if (!node.isMapping())
    return context.wrong(node);
  return checkAll(node.entries(), [&](const Entry &entry) {
    bool goodKey = checkName(entry.key, context.diags);
    return (isNamePair(entry.value) ||
            context.wrongEntry(entry, "[ node template, capability ]")) &&
           goodKey;
  });
}

/// A selectable node, a pair of node and requirement, or a list of these.
bool isRequirementTarget(const Node &node) {
  if (isName(node) || isNamePair(node))
    return true;
  return node.isSequence() && !node.items().empty() &&
         llvm::all_of(node.items(), [](const Node &item) {
           return isName(item) || isNamePair(item);
         });
}

/// A requirement, or [ requirement, count ] where count may be UNBOUNDED.
bool isRequirementKey(const Node &key) {
  if (isName(key))
    return true;
  return key.isSequence() && key.items().size() == 2 &&
         isName(key.items()[0]) &&
         (isCount(key.items()[1]) || key.items()[1].text() == "UNBOUNDED");
}

bool checkRequirementMappings(const Node &node, const Context &context) {
  if (!node.isSequence())
    return context.wrong(node);
  return checkAll(node.items(), [&](const Node &item) {
    if (!item.isMapping())
      return context.wrongPart(item, "each item",
                               "a map from one requirement to its targets");
    if (item.entries().size() != 1) {
      context.diags.report(item.range(), diag::NotOneEntry,
                           word(context.subject.key), item.entries().size());
      return false;
    }
    const Entry &entry = item.entries().front();
    bool goodKey = isRequirementKey(entry.key) ||
                   context.wrongPart(entry.key, "each key",
                                     "a requirement or [ requirement, count ]");
    bool goodTarget =
        isRequirementTarget(entry.value) ||
        context.wrongEntry(entry, "a node template, [ node template, "
                                  "requirement ] or a list of these");
    return goodKey && goodTarget;
  });
}

bool checkInterfaceMappings(const Node &node, const Context &context) {
  if (!node.isMapping())
    return context.wrong(node);
  return checkAll(node.entries(), [&](const Entry &interface) {
    if (!interface.value.isMapping())
      return context.wrongEntry(interface,
                                "a map from operations to workflows");
    return checkAll(interface.value.entries(), [&](const Entry &operation) {
      return isName(operation.value) ||
             context.wrongEntry(operation, describe({ShapeKind::Name}));
    });
  });
}

} // namespace

bool tosca::checkShape(const Node &node, ShapeKind shape,
                       const Subject &subject, DiagnosticEngine &diags) {
  Context context{subject, shape, diags};
  auto require = [&](bool holds) { return holds || context.wrong(node); };
  switch (shape) {
  case ShapeKind::Text:
    return require(node.isString());
  case ShapeKind::Name:
    return require(isName(node));
  case ShapeKind::Names:
    return checkNames(node, context);
  case ShapeKind::NameOrNames:
    return isName(node) || checkNames(node, context);
  case ShapeKind::Boolean:
    return require(node.isScalar() && node.scalarType() == ScalarType::Boolean);
  case ShapeKind::Version:
    return checkVersion(node, context);
  case ShapeKind::DefinitionsVersion:
    return checkDefinitionsVersion(node, context);
  case ShapeKind::Metadata:
    return require(node.isMapping());
  case ShapeKind::Dsl:
    return checkDsl(node, context);
  case ShapeKind::Value:
    return checkValue(node, diags);
  case ShapeKind::Values:
    return checkValues(node, context);
  case ShapeKind::Condition:
    return checkCondition(node, context);
  case ShapeKind::Conditions:
    return checkConditions(node, context);
  case ShapeKind::Constraints:
    return checkConstraints(node, context);
  case ShapeKind::Count:
    return checkCount(node, subject.str(), context);
  case ShapeKind::CountRange:
    return checkCountRange(node, context);
  case ShapeKind::Numbers:
    return checkNumbers(node, context);
  case ShapeKind::NodeReference:
    return checkNodeReference(node, context);
  case ShapeKind::Allocation:
    return checkAllocation(node, context);
  case ShapeKind::Path:
    return checkPath(node, context);
  case ShapeKind::Paths:
    return checkPaths(node, context);
  case ShapeKind::EventPath:
    return isName(node) || checkPath(node, context);
  case ShapeKind::Cells:
    return checkCells(node, context);
  case ShapeKind::NameMappings:
    return checkNameMappings(node, context);
  case ShapeKind::CapabilityMappings:
    return checkCapabilityMappings(node, context);
  case ShapeKind::RequirementMappings:
    return checkRequirementMappings(node, context);
  case ShapeKind::InterfaceMappings:
    return checkInterfaceMappings(node, context);
  case ShapeKind::Reaction:
  case ShapeKind::One:
  case ShapeKind::Map:
  case ShapeKind::List:
  case ShapeKind::NamedList:
    break;
  }
  llvm_unreachable("shapes of entities are parsed, not checked");
}
