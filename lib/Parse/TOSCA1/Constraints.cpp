//===- Constraints.cpp - Constraints as conditions ------------------------===//
///
/// \file
/// TOSCA 1.3 §3.6.3 to §3.6.5 and §3.6.25. A constraint leaves out what it is
/// about: a value, a property of the node that a filter looks for, an attribute
/// of the target of a step. In a condition of TOSCA 2.0 that is an argument.
///
//===----------------------------------------------------------------------===//

#include "Modernize.h"

#include "toscac/Basic/DiagnosticsParse.h"
#include "toscac/Basic/Suggest.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;
using syntax::ScalarType;

namespace {

/// The operators of constraint clauses, and how they are said today.
struct Operator {
  StringRef name;
  /// The comparison; empty where there is none.
  StringRef function;
  bool ofLength = false;
};

constexpr Operator operators[] = {
    {"equal", "equal"},
    {"greater_than", "greater_than"},
    {"greater_or_equal", "greater_or_equal"},
    {"less_than", "less_than"},
    {"less_or_equal", "less_or_equal"},
    {"in_range", ""},
    {"valid_values", "valid_values"},
    {"length", "equal", true},
    {"min_length", "greater_or_equal", true},
    {"max_length", "less_or_equal", true},
    {"pattern", "matches"},
    // A schema in another language is not looked at.
    {"schema", ""},
};

const Operator *findOperator(StringRef name) {
  const Operator *found = llvm::find_if(
      operators, [&](const Operator &each) { return each.name == name; });
  return found == std::end(operators) ? nullptr : found;
}

/// What a built-in type allows: an order, and which form its values have.
struct BuiltInType {
  StringRef name;
  bool isOrdered;
  bool isMeasured;
  bool (*fits)(const Node &);
};

template <ScalarType... types>
bool isOneOf(const Node &node) {
  return node.isScalar() && ((node.scalarType() == types) || ...);
}

constexpr BuiltInType builtInTypes[] = {
    {"string", true, true, isOneOf<ScalarType::String>},
    {"integer", true, false, isOneOf<ScalarType::Integer>},
    {"float", true, false, isOneOf<ScalarType::Integer, ScalarType::Float>},
    {"boolean", false, false, isOneOf<ScalarType::Boolean>},
    {"timestamp", true, false, isOneOf<ScalarType::String>},
    {"null", false, false,
     [](const Node &node) {
       return node.isNull() || isOneOf<ScalarType::Null>(node);
     }},
    {"version", true, false, isOneOf<ScalarType::String>},
    {"range", false, false, [](const Node &node) { return node.isSequence(); }},
    {"list", false, true, [](const Node &node) { return node.isSequence(); }},
    {"map", false, true, [](const Node &node) { return node.isMapping(); }},
    {"scalar-unit.size", true, false, isOneOf<ScalarType::String>},
    {"scalar-unit.time", true, false, isOneOf<ScalarType::String>},
    {"scalar-unit.frequency", true, false, isOneOf<ScalarType::String>},
    {"scalar-unit.bitrate", true, false, isOneOf<ScalarType::String>},
};

/// Null for declared types, which Sema knows.
const BuiltInType *findBuiltInType(StringRef name) {
  const BuiltInType *found = llvm::find_if(
      builtInTypes, [&](const BuiltInType &type) { return type.name == name; });
  return found == std::end(builtInTypes) ? nullptr : found;
}

class ConstraintReader {
public:
  ConstraintReader(const Node &subject, const OlderValue &value,
                   llvm::SmallVectorImpl<Node> &into)
      : subject(subject), value(value), build(value.build), into(into) {}

  bool readAll(const Node &node);

private:
  bool read(const Entry &clause);
  bool readRange(const Entry &clause);
  bool checkType(const Entry &clause, const Operator &op);

  const Node &subject;
  const OlderValue &value;
  const NodeBuilder &build;
  llvm::SmallVectorImpl<Node> &into;
};

} // namespace

bool ConstraintReader::readAll(const Node &node) {
  if (node.isMapping())
    return llvm::all_of(node.entries(),
                        [&](const Entry &clause) { return read(clause); });
  if (!node.isSequence()) {
    value.wrong(node, "", "a list of maps from an operator to its argument");
    return false;
  }
  bool valid = true;
  for (const Node &item : node.items()) {
    if (item.isMapping() && item.entries().size() == 1) {
      valid &= read(item.entries().front());
      continue;
    }
    value.wrong(item, "each item of ",
                "a map from one operator to its argument");
    valid = false;
  }
  return valid;
}

/// TOSCA 1.3 §3.6.3: which operators go with the type that is constrained, and
/// of which form the values are that are listed.
bool ConstraintReader::checkType(const Entry &clause, const Operator &op) {
  const BuiltInType *type = findBuiltInType(value.ownerType());
  if (!type)
    return true;
  bool isOrder = op.name == "in_range" || op.function.contains("er_") ||
                 op.function.starts_with("less");
  bool isOfStrings = op.name == "pattern" || op.name == "schema";
  bool isCollection = type->name == "list" || type->name == "map";
  bool hasOrder =
      type->isOrdered || (type->name == "range" && op.name == "in_range");
  bool allowed = op.ofLength   ? type->isMeasured
                 : isOfStrings ? type->name == "string"
                 : isOrder     ? hasOrder
                               : op.name != "equal" || !isCollection;
  if (!allowed) {
    value.diags.report(clause.key.range(), diag::ConstraintOnType, op.name,
                       type->name);
    return false;
  }
  bool isList = op.name == "valid_values" && clause.value.isSequence();
  if (!isList && op.name != "equal")
    return true;
  llvm::ArrayRef<Node> wanted =
      isList ? clause.value.items() : llvm::ArrayRef<Node>(clause.value);
  for (const Node &item : wanted) {
    Node modern = value.modernArgument(item);
    if (isCall(modern) || type->fits(modern))
      continue;
    value.wrong(item, ("'" + op.name + "' in ").str(),
                ("a value of type '" + type->name + "'").str());
    return false;
  }
  return true;
}

bool ConstraintReader::readRange(const Entry &clause) {
  const Node &bounds = clause.value;
  if (!bounds.isSequence() || bounds.items().size() != 2) {
    value.wrong(bounds, "'in_range' in ", "[ lower bound, upper bound ]");
    return false;
  }
  auto isBound = [](const Node &node) {
    return !node.isScalar() || node.text() != "UNBOUNDED";
  };
  Node lower = value.modernArgument(bounds.items()[0]);
  Node upper = value.modernArgument(bounds.items()[1]);
  if (isBound(lower))
    into.push_back(
        build.call("greater_or_equal", {subject, lower}, clause.key.range()));
  if (isBound(upper))
    into.push_back(
        build.call("less_or_equal", {subject, upper}, clause.key.range()));
  return true;
}

bool ConstraintReader::read(const Entry &clause) {
  StringRef name = clause.key.isScalar() ? clause.key.text() : StringRef();
  const Operator *op = findOperator(name);
  if (!op) {
    llvm::SmallVector<StringRef, 16> known;
    for (const Operator &each : operators)
      known.push_back(each.name);
    value.diags.report(clause.key.range(), diag::UnknownConstraint, name,
                       didYouMean(name, known));
    return false;
  }
  if (!checkType(clause, *op))
    return false;
  // No function looks into a range.
  bool isOfRange = name == "in_range" && value.ownerType() == "range";
  if (name == "schema" || isOfRange)
    return true;
  if (name == "in_range")
    return readRange(clause);
  SourceRange range = clause.key.range();
  // The whole string has to match (TOSCA 1.3 §3.6.3).
  if (name == "pattern" && clause.value.isScalar()) {
    Node whole =
        build.string("^(" + clause.value.text() + ")$", clause.value.range());
    into.push_back(build.call("matches", {subject, whole}, range));
    return true;
  }
  Node operand = op->ofLength ? build.call("length", subject, range) : subject;
  into.push_back(build.call(
      op->function, {operand, value.modernArgument(clause.value)}, range));
  return true;
}

bool tosca::addConstraints(const Node &node, const Node &subject,
                           const OlderValue &value,
                           llvm::SmallVectorImpl<Node> &into) {
  return ConstraintReader(subject, value, into).readAll(node);
}

const Node *tosca::modernizeConstraints(const OlderValue &value) {
  llvm::SmallVector<Node> conditions;
  Node subject = value.build.plain("$value", value.node.range());
  if (!value.node.isNull() &&
      !addConstraints(value.node, subject, value, conditions))
    return nullptr;
  return value.build.save(value.build.all(conditions, value.node.range()));
}

//===----------------------------------------------------------------------===//
// Node filters
//===----------------------------------------------------------------------===//

namespace {

/// Entries of a list of maps with one entry each, or of a map.
llvm::SmallVector<Entry> entriesOf(const Node &node) {
  llvm::SmallVector<Entry> entries;
  if (node.isMapping())
    llvm::append_range(entries, node.entries());
  if (node.isSequence())
    for (const Node &item : node.items())
      if (item.isMapping())
        llvm::append_range(entries, item.entries());
  return entries;
}

class FilterReader {
public:
  explicit FilterReader(const OlderValue &value)
      : value(value), build(value.build) {}

  const Node *read();

private:
  /// In a requirement, SELF is the relationship that it makes.
  llvm::SmallVector<Node, 4> start(SourceRange range) const {
    EntityKind owner = value.subject.owner.kind;
    llvm::SmallVector<Node, 4> path = {build.plain("SELF", range)};
    if (owner == EntityKind::RequirementDefinition ||
        owner == EntityKind::RequirementAssignment)
      path.push_back(build.plain("TARGET", range));
    return path;
  }
  bool readFilter(const Node &node);
  bool readProperties(const Node &properties, llvm::ArrayRef<Node> owner);
  bool readCapabilities(const Node &capabilities);
  bool readProperty(const Entry &property, llvm::ArrayRef<Node> owner);

  const OlderValue &value;
  const NodeBuilder &build;
  llvm::SmallVector<Node> conditions;
};

} // namespace

/// A value in place of constraints must be equal to it.
bool FilterReader::readProperty(const Entry &property,
                                llvm::ArrayRef<Node> owner) {
  SourceRange range = property.key.range();
  llvm::SmallVector<Node, 4> path(owner.begin(), owner.end());
  path.push_back(property.key);
  Node subject = build.call("get_property", path, range);
  auto isClause = [](const Node &node) {
    return node.isMapping() && node.entries().size() == 1 &&
           node.entries()[0].key.isScalar() &&
           findOperator(node.entries()[0].key.text());
  };
  const Node &wanted = property.value;
  bool isList = wanted.isSequence() && llvm::all_of(wanted.items(), isClause);
  if (isList || isClause(wanted))
    return addConstraints(wanted, subject, value, conditions);
  conditions.push_back(
      build.call("equal", {subject, value.modernArgument(wanted)}, range));
  return true;
}

bool FilterReader::readProperties(const Node &properties,
                                  llvm::ArrayRef<Node> owner) {
  bool valid = true;
  for (const Entry &property : entriesOf(properties))
    valid &= readProperty(property, owner);
  return valid;
}

bool FilterReader::readCapabilities(const Node &capabilities) {
  bool valid = true;
  for (const auto &[name, filter] : entriesOf(capabilities)) {
    const Node *properties =
        filter.isMapping() ? filter.find("properties") : nullptr;
    llvm::SmallVector<Node, 4> owner = start(name.range());
    owner.push_back(build.plain("CAPABILITY", name.range()));
    owner.push_back(name);
    if (properties)
      valid &= readProperties(*properties, owner);
  }
  return valid;
}

const Node *FilterReader::read() {
  const Node &node = value.node;
  if (!node.isMapping())
    return node.isNull()
               ? build.save(build.plain("true", node.range()))
               : value.wrong(node, "",
                             "a map of 'properties' and 'capabilities'");
  return readFilter(node) ? build.save(build.all(conditions, node.range()))
                          : nullptr;
}

bool FilterReader::readFilter(const Node &node) {
  bool valid = true;
  for (const auto &[key, filter] : node.entries()) {
    StringRef keyname = key.isScalar() ? key.text() : StringRef();
    if (keyname == "properties")
      valid &= readProperties(filter, start(key.range()));
    else if (keyname == "capabilities")
      valid &= readCapabilities(filter);
    else if (keyname == "node_filter" && filter.isMapping())
      valid &= readFilter(filter);
    else if (keyname != "requirements")
      valid = value.wrong(key, "each keyname of ",
                          "'properties' or 'capabilities'");
  }
  return valid;
}

const Node *tosca::modernizeNodeFilter(const OlderValue &value) {
  return FilterReader(value).read();
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

namespace {

class AssertionReader {
public:
  explicit AssertionReader(const OlderValue &value)
      : value(value), build(value.build) {}

  bool readAll(const Node &node, llvm::SmallVectorImpl<Node> &into);

private:
  bool read(const Entry &entry, llvm::SmallVectorImpl<Node> &into);
  bool readTarget(const Node &node, const Node &target,
                  llvm::SmallVectorImpl<Node> &into);

  const OlderValue &value;
  const NodeBuilder &build;
  /// Whose attributes are meant.
  StringRef target = "SELF";
};

} // namespace

/// `{ target: node, condition: [ … ] }`
bool AssertionReader::readTarget(const Node &node, const Node &name,
                                 llvm::SmallVectorImpl<Node> &into) {
  const Node *condition = node.find("condition");
  if (!condition || !name.isScalar())
    return true;
  StringRef outer = std::exchange(target, name.text());
  bool valid = readAll(*condition, into);
  target = outer;
  return valid;
}

bool AssertionReader::read(const Entry &entry,
                           llvm::SmallVectorImpl<Node> &into) {
  StringRef name = entry.key.isScalar() ? entry.key.text() : StringRef();
  SourceRange range = entry.key.range();
  bool isLogic = name == "and" || name == "or" || name == "not";
  if (name == "assert" || isLogic) {
    llvm::SmallVector<Node> parts;
    if (!readAll(entry.value, parts))
      return false;
    if (name == "or" && parts.size() > 1)
      into.push_back(build.call("or", parts, range));
    else if (name == "not")
      into.push_back(build.call("not", build.all(parts, range), range));
    else if (!parts.empty())
      into.push_back(build.all(parts, range));
    return true;
  }
  Node attribute = build.call("get_attribute",
                              {build.plain(target, range), entry.key}, range);
  return addConstraints(entry.value, attribute, value, into);
}

bool AssertionReader::readAll(const Node &node,
                              llvm::SmallVectorImpl<Node> &into) {
  if (node.isSequence()) {
    bool valid = true;
    for (const Node &item : node.items())
      valid &= readAll(item, into);
    return valid;
  }
  if (!node.isMapping()) {
    value.wrong(node, "each item of ",
                "a map from an attribute to its constraints");
    return false;
  }
  if (const Node *name = node.find("target"))
    return readTarget(node, *name, into);
  bool valid = true;
  for (const Entry &entry : node.entries())
    valid &= read(entry, into);
  return valid;
}

const Node *tosca::modernizeConditions(const OlderValue &value, bool asList) {
  llvm::SmallVector<Node> conditions;
  if (!value.node.isNull() &&
      !AssertionReader(value).readAll(value.node, conditions))
    return nullptr;
  Node result = asList ? value.build.list(conditions, value.node.range())
                       : value.build.all(conditions, value.node.range());
  return value.build.save(result);
}
