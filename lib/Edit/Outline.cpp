//===- Outline.cpp - A file while it is written ---------------------------===//

#include "toscac/Edit/Outline.h"

#include "toscac/Basic/Diagnostics.h"
#include "toscac/Driver/Check.h"
#include "toscac/Parse/ReadYAML.h"
#include "toscac/Parse/TOSCA/Parse.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;
using syntax::Node;
using tosca::Entity;
using tosca::EntityKind;
using tosca::Field;
using tosca::Key;

/// The place of the first error; nothing if there is none.
static std::optional<size_t> firstError(const DiagnosticEngine &diags,
                                        SourceLoc begin) {
  std::optional<size_t> first;
  for (const Diagnostic &diagnostic : diags.all())
    if (diagnostic.severity == Severity::Error && diagnostic.range.isValid()) {
      size_t at = diagnostic.range.begin.raw - begin.raw;
      first = std::min(first.value_or(at), at);
    }
  return first;
}

/// Blanks the line with the byte \p at, or, where nothing is left on it, the
/// nearest one before that has something. False if there is none.
static bool blankLine(std::string &text, size_t at) {
  at = std::min(at, text.size());
  while (true) {
    size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    size_t end = std::min(text.find('\n', begin), text.size());
    bool hasContent = StringRef(text).slice(begin, end).trim().size() > 0;
    std::fill(text.begin() + begin, text.begin() + end, ' ');
    if (hasContent)
      return true;
    if (begin == 0)
      return false;
    at = begin - 1;
  }
}

Outline::Outline(std::string given) : text(std::move(given)), lines(text) {
  language = knownLanguage(text);
  repaired = text;
  // An error is mostly on the line that is written at the moment; what remains
  // broken after some rounds is read up to where it breaks.
  constexpr unsigned maxRounds = 40;
  for (unsigned round = 0;; ++round) {
    DiagnosticEngine diags;
    read(diags);
    if (tree.valid || round == maxRounds)
      break;
    std::optional<size_t> at = firstError(diags, sources.begin(tree.file));
    isRepaired = true;
    if (!at || !blankLine(repaired, *at))
      break;
  }
  if (!isTosca() || !tree.root.isMapping())
    return;
  DiagnosticEngine ignored;
  root = tosca::parseFile(tree, SourceRange(), nullptr, names, ignored);
  StringRef version = root.text(Key::ToscaDefinitionsVersion);
  dialect = tosca::findEarlierVersion(version);
}

void Outline::read(DiagnosticEngine &diags) {
  sources = SourceManager();
  FileId file =
      sources.add("", llvm::MemoryBuffer::getMemBufferCopy(repaired, ""));
  base = sources.begin(file).raw;
  YAMLDialect reader = isTosca()                     ? YAMLDialect::Strict
                       : *language == Language::BOSH ? YAMLDialect::GoYAML
                                                     : YAMLDialect::PyYAML;
  tree = readYAML(sources, file, diags, reader);
}

const tosca::EntityRule &Outline::rule(EntityKind kind) const {
  return dialect ? dialect->entities[static_cast<size_t>(kind)]
                 : tosca::rule(kind);
}

const Entity *Place::enclosing(EntityKind kind) const {
  for (const Step &step : llvm::reverse(steps))
    if (step.entity->kind == kind)
      return step.entity;
  return nullptr;
}

namespace {

class PlaceFinder {
public:
  PlaceFinder(SourceLoc at, Place &place) : at(at), place(place) {}

  void enter(const Entity &entity) {
    place.steps.push_back({&entity});
    for (const Field &field : entity.fields) {
      bool onKey = field.keyNode && contains(field.keyNode->range());
      if (!onKey && !contains(field.value->range()) &&
          !llvm::any_of(field.entities,
                        [&](const Entity &e) { return holds(e); }))
        continue;
      place.steps.back().field = &field;
      if (onKey) {
        place.nodes.push_back(field.keyNode);
        return;
      }
      for (const Entity &inner : field.entities)
        if (holds(inner) && inner.node != entity.node)
          return enter(inner);
      return descend(*field.value);
    }
    if (entity.nameNode && contains(entity.nameNode->range()))
      place.nodes.push_back(entity.nameNode);
    else if (entity.node)
      descend(*entity.node);
  }

private:
  bool contains(SourceRange range) const {
    return range.begin <= at && at <= range.end;
  }
  bool holds(const Entity &entity) const {
    return (entity.nameNode && contains(entity.nameNode->range())) ||
           (entity.node && contains(entity.node->range()));
  }
  /// Aliases hold what stands elsewhere.
  void descend(const Node &node) {
    if (!contains(node.range()))
      return;
    place.nodes.push_back(&node);
    if (node.isAlias())
      return;
    if (node.isSequence())
      for (const Node &item : node.items())
        if (contains(item.range()))
          return descend(item);
    if (node.isMapping())
      for (const syntax::Entry &entry : node.entries()) {
        if (contains(entry.key.range()) && !entry.key.isMapping())
          return place.nodes.push_back(&entry.key);
        if (contains(entry.value.range())) {
          place.keys.push_back(&entry.key);
          return descend(entry.value);
        }
      }
  }

  SourceLoc at;
  Place &place;
};

} // namespace

Place edit::findPlace(const Outline &outline, size_t offset) {
  Place place;
  SourceLoc at = outline.sources.begin(outline.tree.file).advanced(offset);
  PlaceFinder(at, place).enter(outline.root);
  return place;
}
