//===- ApplyOps.cpp - Operations on manifests -----------------------------===//
///
/// \file
/// Nodes are never changed, since aliases share them: an operation copies the
/// collections on the way from the root to its place, and nothing else.
///
//===----------------------------------------------------------------------===//

#include "ApplyOps.h"

#include "Fields.h"
#include "OpsPath.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Parse/Bosh/Load.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

enum class OpKind : uint8_t { Replace, Remove, Test, Find };

/// Why a path cannot be followed.
struct Obstacle {
  StringRef path;
  std::string reason;
  /// What stands there instead.
  SourceRange place;
  /// Whether the last step alone has nothing to lead to.
  bool isAbsence = false;
};

class Patch {
public:
  Patch(OpKind kind, llvm::ArrayRef<PathStep> steps, const Node *value,
        llvm::BumpPtrAllocator &arena)
      : kind(kind), steps(steps), value(value), arena(arena) {}

  /// \p node, which the first \p at steps lead to, after the operation.
  std::optional<Node> apply(const Node &node, size_t at);

  std::optional<Obstacle> obstacle;
  /// Where the path led; null where an optional step led nowhere.
  std::optional<Node> found;

private:
  std::optional<Node> applyAtKey(const Node &node, size_t at);
  std::optional<Node> applyInList(const Node &node, size_t at);
  std::optional<Node> applyToItem(const Node &node, size_t index, size_t at);
  std::optional<Node> appendTo(const Node &node, size_t at);
  std::optional<size_t> itemIndex(const Node &list, int64_t index, size_t at);
  std::vector<size_t> matches(const Node &list, const PathStep &step) const;
  std::optional<Node> missing(size_t at) const;
  std::nullopt_t fail(size_t at, const Node &node, const llvm::Twine &reason,
                      bool isAbsence = false);
  bool isLast(size_t at) const { return at + 1 == steps.size(); }

  Node list(const Node &old, llvm::ArrayRef<Node> items) {
    return rebuilt(old, Node::sequence(old.range(), items.copy(arena)));
  }
  Node map(const Node &old, llvm::ArrayRef<Entry> entries) {
    return rebuilt(old, Node::mapping(old.range(), entries.copy(arena)));
  }
  static Node rebuilt(const Node &old, Node node) {
    node.setTag(old.tag());
    return node;
  }

  OpKind kind;
  llvm::ArrayRef<PathStep> steps;
  const Node *value;
  llvm::BumpPtrAllocator &arena;
};

/// Reads and applies operations.
class OpsRunner {
public:
  OpsRunner(Node &document, llvm::BumpPtrAllocator &arena,
            DiagnosticEngine &diags)
      : document(document), arena(arena), diags(diags) {}

  void run(const Node &node);

private:
  void test(const Node &node, const Patch &patch, const Node *expected,
            StringRef path);
  void report(const Node &node, SourceRange path, const Obstacle &obstacle);

  Node &document;
  llvm::BumpPtrAllocator &arena;
  DiagnosticEngine &diags;
};

} // namespace

static StringRef describeKind(const Node &node) {
  switch (node.kind()) {
  case syntax::NodeKind::Null:
    return "nothing";
  case syntax::NodeKind::Scalar:
    return "a single value";
  case syntax::NodeKind::Sequence:
    return "a list";
  case syntax::NodeKind::Mapping:
    return "a map";
  }
  llvm_unreachable("all kinds are handled");
}

//===----------------------------------------------------------------------===//
// Following a path
//===----------------------------------------------------------------------===//

std::nullopt_t Patch::fail(size_t at, const Node &node,
                           const llvm::Twine &reason, bool isAbsence) {
  obstacle = {steps[at].path, reason.str(), node.range(),
              isAbsence && isLast(at)};
  return std::nullopt;
}

std::optional<Node> Patch::apply(const Node &node, size_t at) {
  if (at == steps.size()) {
    found = node;
    return kind == OpKind::Replace ? *value : node;
  }
  return steps[at].kind == PathStep::Key ? applyAtKey(node, at)
                                         : applyInList(node, at);
}

/// An empty collection of the kind that the step \p at needs.
std::optional<Node> Patch::missing(size_t at) const {
  SourceRange place = value ? value->range() : SourceRange();
  switch (steps[at].kind) {
  case PathStep::Key:
    return Node::mapping(place, {});
  case PathStep::Match:
  case PathStep::End:
    return Node::sequence(place, {});
  case PathStep::Index:
    return std::nullopt;
  }
  llvm_unreachable("all steps are handled");
}

std::optional<Node> Patch::applyAtKey(const Node &node, size_t at) {
  const PathStep &step = steps[at];
  if (!node.isMapping())
    return fail(at, node, "there is " + describeKind(node) + ", and no map");
  std::vector<Entry> entries = node.entries().vec();
  auto entry = llvm::find_if(entries, [&](const Entry &each) {
    return each.key.isString() && each.key.text() == step.key;
  });
  if (entry != entries.end()) {
    if (kind == OpKind::Remove && isLast(at)) {
      entries.erase(entry);
      return map(node, entries);
    }
    std::optional<Node> below = apply(entry->value, at + 1);
    if (!below)
      return std::nullopt;
    entry->value = *below;
    return map(node, entries);
  }
  if (!step.isOptional) {
    llvm::SmallVector<StringRef> keys;
    for (const Entry &each : entries)
      if (each.key.isString())
        keys.push_back(each.key.text());
    auto nearest = nearestName(step.key, keys);
    return fail(at, node,
                "there is no key '" + llvm::Twine(step.key) + "'" +
                    (nearest ? "; did you mean '" + nearest->str() + "'?"
                     : kind == OpKind::Replace
                         ? "; '" + step.key + "?' would add it"
                         : ""),
                /*isAbsence=*/true);
  }
  if (kind == OpKind::Remove || (kind != OpKind::Replace && isLast(at)))
    return node;
  std::optional<Node> inner = isLast(at) ? Node() : missing(at + 1);
  if (!inner)
    return fail(at + 1, node, "there is no list yet that has items");
  std::optional<Node> below = apply(*inner, at + 1);
  if (!below)
    return std::nullopt;
  Node key = Node::scalar(value ? value->range() : node.range(),
                          StringRef(step.key).copy(arena),
                          syntax::ScalarStyle::DoubleQuoted);
  entries.push_back({key, *below});
  return map(node, entries);
}

/// The number of the item that a step means, counted from the end where it is
/// negative.
std::optional<size_t> Patch::itemIndex(const Node &list, int64_t index,
                                       size_t at) {
  auto size = static_cast<int64_t>(list.items().size());
  int64_t shifted = index + steps[at].shift;
  if (shifted < size && shifted >= -size)
    return static_cast<size_t>(shifted < 0 ? shifted + size : shifted);
  return fail(at, list,
              "there is no item " + llvm::Twine(shifted) + " in a list of " +
                  llvm::Twine(size),
              /*isAbsence=*/true);
}

std::vector<size_t> Patch::matches(const Node &list,
                                   const PathStep &step) const {
  std::vector<size_t> result;
  for (auto [i, item] : llvm::enumerate(list.items())) {
    const Node *name = item.isMapping() ? item.find(step.key) : nullptr;
    if (name && name->isString() && name->text() == step.value)
      result.push_back(i);
  }
  return result;
}

std::optional<Node> Patch::applyInList(const Node &node, size_t at) {
  const PathStep &step = steps[at];
  if (!node.isSequence())
    return fail(at, node, "there is " + describeKind(node) + ", and no list");
  if (step.kind == PathStep::End) {
    if (kind != OpKind::Replace)
      return fail(at, node, "behind the last item there is nothing");
    return appendTo(node, at);
  }
  int64_t index = step.index;
  if (step.kind == PathStep::Match) {
    std::vector<size_t> found = matches(node, step);
    if (found.empty() && step.isOptional)
      return kind == OpKind::Replace ? appendTo(node, at) : node;
    if (found.size() != 1)
      return fail(at, node,
                  (found.empty()
                       ? "no item has '"
                       : llvm::Twine(found.size()) + " items have '") +
                      step.key + "' " + step.value,
                  /*isAbsence=*/found.empty());
    index = static_cast<int64_t>(found.front());
  }
  auto item = itemIndex(node, index, at);
  return item ? applyToItem(node, *item, at) : std::nullopt;
}

std::optional<Node> Patch::applyToItem(const Node &node, size_t index,
                                       size_t at) {
  std::vector<Node> items = node.items().vec();
  auto place = items.begin() + static_cast<std::ptrdiff_t>(index);
  PathStep::Insertion insertion = steps[at].insertion;
  if (insertion != PathStep::None && kind != OpKind::Replace)
    return fail(at, node, "':before' and ':after' are for what is added");
  if (insertion != PathStep::None) {
    items.insert(insertion == PathStep::After ? place + 1 : place, *value);
  } else if (kind == OpKind::Remove && isLast(at)) {
    items.erase(place);
  } else {
    std::optional<Node> below = apply(*place, at + 1);
    if (!below)
      return std::nullopt;
    *place = *below;
  }
  return list(node, items);
}

/// Adds an item, which the rest of the path leads into.
std::optional<Node> Patch::appendTo(const Node &node, size_t at) {
  std::vector<Node> items = node.items().vec();
  const PathStep &step = steps[at];
  if (isLast(at)) {
    items.push_back(*value);
    return list(node, items);
  }
  auto text = [&](const std::string &word) {
    return Node::scalar(value->range(), StringRef(word).copy(arena),
                        syntax::ScalarStyle::DoubleQuoted);
  };
  Entry name{text(step.key), text(step.value)};
  std::optional<Node> below = apply(map(*value, name), at + 1);
  if (!below)
    return std::nullopt;
  items.push_back(*below);
  return list(node, items);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

/// Whether two values are equal; the order of keys means nothing.
static bool isEqualValue(const Node &a, const Node &b) {
  if (a.kind() != b.kind())
    return false;
  switch (a.kind()) {
  case syntax::NodeKind::Null:
    return true;
  case syntax::NodeKind::Scalar:
    return a.scalarType() == b.scalarType() && a.text() == b.text();
  case syntax::NodeKind::Sequence:
    return llvm::equal(a.items(), b.items(), isEqualValue);
  case syntax::NodeKind::Mapping:
    break;
  }
  if (a.entries().size() != b.entries().size())
    return false;
  return llvm::all_of(a.entries(), [&](const Entry &entry) {
    return llvm::any_of(b.entries(), [&](const Entry &other) {
      return isEqualValue(entry.key, other.key) &&
             isEqualValue(entry.value, other.value);
    });
  });
}

void OpsRunner::report(const Node &node, SourceRange path,
                       const Obstacle &obstacle) {
  auto report =
      diags.report(path, diag::OpsPathLost, obstacle.path, obstacle.reason);
  if (obstacle.place.isValid() && obstacle.place.begin.raw)
    report.note(obstacle.place, diag::OpsPathLostHere);
  if (const Node *reason = node.find("error"); reason && reason->isScalar())
    report.note(reason->range(), diag::OpsReason, reason->text());
}

void OpsRunner::test(const Node &node, const Patch &patch, const Node *expected,
                     StringRef path) {
  const Node *absent = node.find("absent");
  bool wantsNone = absent && absent->isScalar() && absent->text() == "true";
  SourceRange place = node.find("path")->range();
  if (wantsNone) {
    if (patch.found)
      diags
          .report(place, diag::OpsTestFailed, path,
                  "has a value, and should have none")
          .note(patch.found->range(), diag::OpsPathLostHere);
    else if (patch.obstacle && !patch.obstacle->isAbsence)
      report(node, place, *patch.obstacle);
    return;
  }
  if (patch.obstacle)
    return report(node, place, *patch.obstacle);
  Node actual = patch.found.value_or(Node());
  if (!isEqualValue(actual, *expected))
    diags
        .report(expected->range(), diag::OpsTestFailed, path,
                "has another value")
        .note(actual.range().isValid() ? actual.range() : place,
              diag::OpsPathLostHere);
}

void OpsRunner::run(const Node &node) {
  Fields fields(node, "an operation", diags);
  if (!fields.isValid())
    return;
  StringRef type = fields.requiredWord("type").text;
  auto kind = llvm::StringSwitch<std::optional<OpKind>>(type)
                  .Case("replace", OpKind::Replace)
                  .Case("remove", OpKind::Remove)
                  .Case("test", OpKind::Test)
                  .Default(std::nullopt);
  if (!kind) {
    if (!type.empty())
      diags.report(node.find("type")->range(), diag::ManifestShape,
                   "'type' of an operation", "replace, remove or test");
    return;
  }
  const Node *path = node.find("path");
  if (!path || !path->isScalar()) {
    fields.requiredWord("path");
    return;
  }
  const Node *value = node.find("value");
  bool needsValue = *kind == OpKind::Replace ||
                    (*kind == OpKind::Test && !node.find("absent"));
  if (needsValue && (!value || value->isNull())) {
    fields.requiredWord("value");
    return;
  }
  if (*kind == OpKind::Remove && value)
    diags.report(value->range(), diag::ManifestShape,
                 "what a remove operation has beside its path", "no value");
  std::vector<PathStep> steps;
  if (auto problem = parseOpsPath(path->text(), steps)) {
    diags.report(path->range(), diag::OpsPathInvalid, path->text(), *problem);
    return;
  }
  if (*kind == OpKind::Remove && steps.empty()) {
    diags.report(path->range(), diag::OpsPathInvalid, path->text(),
                 "the whole manifest cannot be removed");
    return;
  }
  Patch patch(*kind, steps, value, arena);
  std::optional<Node> changed = patch.apply(document, 0);
  if (*kind == OpKind::Test)
    return test(node, patch, value, path->text());
  if (changed)
    document = *changed;
  else
    report(node, path->range(), *patch.obstacle);
}

void bosh::applyOps(const Node &ops, Node &document,
                    llvm::BumpPtrAllocator &arena, DiagnosticEngine &diags) {
  if (ops.isNull())
    return;
  if (!ops.isSequence()) {
    diags.report(ops.range(), diag::ManifestShape, "a file of operations",
                 "a list");
    return;
  }
  OpsRunner runner(document, arena, diags);
  for (const Node &op : ops.items())
    runner.run(op);
}

std::optional<Node> bosh::findByPath(const Node &document, StringRef path,
                                     DiagnosticEngine &diags) {
  std::vector<PathStep> steps;
  if (auto problem = parseOpsPath(path, steps)) {
    diags.report({}, diag::OpsPathInvalid, path, *problem);
    return std::nullopt;
  }
  llvm::BumpPtrAllocator scratch;
  Patch patch(OpKind::Find, steps, nullptr, scratch);
  if (patch.apply(document, 0))
    return patch.found.value_or(Node());
  diags.report({}, diag::OpsPathLost, patch.obstacle->path,
               patch.obstacle->reason);
  return std::nullopt;
}
