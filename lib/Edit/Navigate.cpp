//===- Navigate.cpp - From names to what they mean ------------------------===//

#include "toscac/Edit/Navigate.h"

#include "Places.h"
#include "toscac/Parse/TOSCA/Load.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;
using tosca::Entity;
using tosca::Field;
using tosca::Key;

static llvm::ArrayRef<NameUse> usesOf(const Checked &checked) {
  const Analysis *analysis = checked->analysis();
  return analysis ? analysis->names().uses() : llvm::ArrayRef<NameUse>();
}

static bool contains(SourceRange range, SourceLoc at) {
  return range.begin <= at && at <= range.end;
}

/// The declaration in \p entity, or below it, whose name is at \p at.
static const Entity *findDeclaration(const Entity &entity, SourceLoc at) {
  for (const Field &field : entity.fields)
    for (const Entity &inner : field.entities) {
      if (inner.nameNode && contains(inner.nameNode->range(), at))
        return &inner;
      if (inner.node && contains(inner.node->range(), at))
        if (const Entity *found = findDeclaration(inner, at))
          return found;
    }
  return nullptr;
}

std::optional<NameAt> edit::findName(const Checked &checked, StringRef path,
                                     size_t offset) {
  const tosca::File *file = checked.find(path);
  if (!file)
    return std::nullopt;
  SourceLoc at = checked->sources().begin(file->source).advanced(offset);
  std::optional<NameAt> best;
  for (const NameUse &use : usesOf(checked))
    if (contains(use.range, at) &&
        (!best || use.range.size() < best->range.size()))
      best = NameAt{use.range, use.declaration};
  if (best)
    return best;
  if (const Entity *declared = findDeclaration(file->root, at))
    return NameAt{declared->nameNode->range(), declared};
  return std::nullopt;
}

static Location locationOf(const Checked &checked, SourceRange range) {
  return Places(checked->sources()).location(range);
}

static std::optional<NameAt> nameAt(Workspace &workspace, Document &document,
                                    TextPosition at) {
  size_t offset = workspace.outline(document).lines.offset(at);
  return findName(workspace.names(document), document.path, offset);
}

std::vector<Location> edit::findDefinitions(Workspace &workspace,
                                            Document &document,
                                            TextPosition at) {
  std::optional<NameAt> name = nameAt(workspace, document, at);
  if (name && name->declaration)
    return {locationOf(workspace.names(document), name->declaration->range())};
  // The name of a file leads to it.
  for (const Link &link : findLinks(workspace, document))
    if (link.range.start <= at && at <= link.range.end)
      return {{link.target, {}}};
  return {};
}

std::vector<Location> edit::findTypeDefinitions(Workspace &workspace,
                                                Document &document,
                                                TextPosition at) {
  std::optional<NameAt> name = nameAt(workspace, document, at);
  const Entity *declaration = name ? name->declaration : nullptr;
  const syntax::Node *type =
      declaration ? declaration->value(Key::Type) : nullptr;
  const Checked &checked = workspace.names(document);
  if (type)
    for (const NameUse &use : usesOf(checked))
      if (use.range == type->range())
        return {locationOf(checked, use.declaration->range())};
  return findDefinitions(workspace, document, at);
}

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

/// All places where the name that is declared at \p declared stands, in
/// whatever refinement, and which of them declare it.
struct Occurrences {
  std::vector<SourceRange> uses;
  std::vector<SourceRange> declarations;
};

static Occurrences findOccurrences(const Checked &checked, const NameAt &name) {
  llvm::ArrayRef<NameUse> uses = usesOf(checked);
  llvm::DenseSet<uint32_t> meant;
  meant.insert(name.range.begin.raw);
  if (name.declaration)
    meant.insert(name.declaration->range().begin.raw);
  // Refinements lead up and down; chains of them are short.
  constexpr unsigned maxDepth = 100;
  llvm::DenseSet<uint32_t> declaring;
  for (const NameUse &use : uses)
    declaring.insert(use.declaration->range().begin.raw);
  for (unsigned round = 0; round < maxDepth; ++round) {
    size_t before = meant.size();
    for (const NameUse &use : uses) {
      uint32_t from = use.range.begin.raw;
      uint32_t to = use.declaration->range().begin.raw;
      if (meant.contains(to) && declaring.contains(from))
        meant.insert(from);
      if (meant.contains(from))
        meant.insert(to);
    }
    if (meant.size() == before)
      break;
  }
  std::vector<std::pair<SourceLoc, SourceLoc>> found, declared;
  for (const NameUse &use : uses) {
    SourceRange range = use.declaration->range();
    if (!meant.contains(range.begin.raw))
      continue;
    found.push_back({use.range.begin, use.range.end});
    declared.push_back({range.begin, range.end});
  }
  if (declared.empty() && name.declaration)
    declared.push_back(
        {name.declaration->range().begin, name.declaration->range().end});
  auto unique = [](auto &list) {
    llvm::sort(list);
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  unique(found);
  unique(declared);
  Occurrences result;
  for (auto [begin, end] : declared)
    result.declarations.push_back({begin, end});
  for (auto [begin, end] : found)
    if (!llvm::is_contained(declared, std::pair(begin, end)))
      result.uses.push_back({begin, end});
  return result;
}

/// Of a use like `ns:Type` or `$name`, the part that is the name.
static std::optional<SourceRange> partThatIs(StringRef name, SourceRange range,
                                             const SourceManager &sources) {
  StringRef text = sources.text(range);
  size_t at = text.rfind(name);
  if (at == StringRef::npos)
    return std::nullopt;
  StringRef after = text.drop_front(at + name.size());
  bool isEnd = after.empty() || after == "'" || after == "\"";
  bool isStart = at == 0 || StringRef(":.$'\"").contains(text[at - 1]);
  if (!isEnd || !isStart)
    return std::nullopt;
  SourceLoc begin = range.begin.advanced(at);
  return SourceRange(begin, begin.advanced(name.size()));
}

/// The same name in the check of all files.
static std::optional<NameAt> nameInAll(Workspace &workspace,
                                       const Document &document,
                                       const NameAt &name,
                                       const Checked &checked) {
  const SourceManager &sources = checked->sources();
  return findName(workspace.everything(), document.path,
                  sources.offsetInFile(name.range.begin));
}

std::vector<Location> edit::findReferences(Workspace &workspace,
                                           Document &document, TextPosition at,
                                           bool withDeclarations) {
  std::optional<NameAt> name = nameAt(workspace, document, at);
  if (!name)
    return {};
  const Checked *checked = &workspace.names(document);
  if (auto inAll = nameInAll(workspace, document, *name, *checked)) {
    name = inAll;
    checked = &workspace.everything();
  }
  Occurrences found = findOccurrences(*checked, *name);
  std::vector<Location> result;
  Places places((*checked)->sources());
  if (withDeclarations)
    for (SourceRange range : found.declarations)
      result.push_back(places.location(range));
  for (SourceRange range : found.uses)
    result.push_back(places.location(range));
  llvm::sort(result);
  return result;
}

std::vector<TextRange> edit::findHighlights(Workspace &workspace,
                                            Document &document,
                                            TextPosition at) {
  std::optional<NameAt> name = nameAt(workspace, document, at);
  if (!name)
    return {};
  const Checked &checked = workspace.names(document);
  Occurrences found = findOccurrences(checked, *name);
  std::vector<TextRange> result;
  Places places(checked->sources());
  for (SourceRange range :
       llvm::concat<SourceRange>(found.declarations, found.uses)) {
    Location location = places.location(range);
    if (location.path == document.path)
      result.push_back(location.range);
  }
  llvm::sort(result);
  return result;
}

//===----------------------------------------------------------------------===//
// Renaming
//===----------------------------------------------------------------------===//

static bool isPlainName(StringRef name) {
  return !name.empty() && (llvm::isAlpha(name.front()) || name[0] == '_') &&
         llvm::all_of(name, [](char c) {
           return llvm::isAlnum(c) || c == '_' || c == '-' || c == '.';
         });
}

/// Whether an entity beside \p declared, below \p entity, is called \p name.
static bool hasSibling(const Entity &entity, const Entity &declared,
                       StringRef name) {
  for (const Field &field : entity.fields) {
    bool isHere = llvm::any_of(field.entities, [&](const Entity &inner) {
      return inner.nameNode == declared.nameNode;
    });
    if (isHere)
      return llvm::any_of(field.entities, [&](const Entity &inner) {
        return inner.name.str() == name;
      });
    for (const Entity &inner : field.entities)
      if (hasSibling(inner, declared, name))
        return true;
  }
  return false;
}

static bool mayChange(Workspace &workspace, StringRef path) {
  return workspace.find(path) ||
         llvm::any_of(workspace.folders(), [&](StringRef folder) {
           return path.consume_front(folder) && path.starts_with("/");
         });
}

Renaming edit::prepareRename(Workspace &workspace, Document &document,
                             TextPosition at) {
  Renaming result;
  std::optional<NameAt> name = nameAt(workspace, document, at);
  if (!name || !name->declaration || !name->declaration->name) {
    result.problem = "nothing that can be renamed is here";
    return result;
  }
  const Checked &checked = workspace.names(document);
  result.name = name->declaration->name.str().str();
  auto part = partThatIs(result.name, name->range, checked->sources());
  if (!part) {
    result.problem = "'" + result.name + "' has another name here";
    return result;
  }
  result.range = locationOf(checked, *part).range;
  for (SourceRange range : findOccurrences(checked, *name).declarations) {
    std::string path = locationOf(checked, range).path;
    if (!mayChange(workspace, path))
      result.problem = "'" + result.name + "' is declared in " + path +
                       ", which does not belong to the folders that are open";
  }
  return result;
}

Renaming edit::rename(Workspace &workspace, Document &document, TextPosition at,
                      StringRef newName) {
  Renaming result = prepareRename(workspace, document, at);
  if (!result.problem.empty())
    return result;
  if (!isPlainName(newName)) {
    result.problem =
        "'" + newName.str() +
        "' cannot be a name: letters, digits, '_', '-' and '.' can";
    return result;
  }
  std::optional<NameAt> name = nameAt(workspace, document, at);
  const Checked *checked = &workspace.names(document);
  if (auto inAll = nameInAll(workspace, document, *name, *checked)) {
    name = inAll;
    checked = &workspace.everything();
  }
  const SourceManager &sources = (*checked)->sources();
  Occurrences found = findOccurrences(*checked, *name);
  for (SourceRange range : found.declarations)
    for (const auto &file : (*checked)->package().files)
      if (const Entity *declared = findDeclaration(file->root, range.begin);
          declared && hasSibling(file->root, *declared, newName)) {
        result.problem =
            "something beside it is called '" + newName.str() + "' already";
        return result;
      }
  std::map<std::string, std::vector<TextEdit>> byFile;
  Places places(sources);
  for (SourceRange range :
       llvm::concat<SourceRange>(found.declarations, found.uses)) {
    auto part = partThatIs(result.name, range, sources);
    // Paths that were made of old forms stand for a whole call.
    if (!part)
      continue;
    Location location = places.location(*part);
    if (!mayChange(workspace, location.path)) {
      result.problem = "'" + result.name + "' is used in " + location.path +
                       ", which does not belong to the folders that are open";
      return result;
    }
    byFile[location.path].push_back({location.range, newName.str()});
  }
  for (auto &[path, edits] : byFile) {
    llvm::sort(edits);
    edits.erase(std::unique(edits.begin(), edits.end()), edits.end());
    result.edits.push_back({path, std::move(edits)});
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

/// Files that the entity, or what is in it, names.
static void addArtifacts(const Entity &entity, const tosca::File &file,
                         Places &places, std::vector<Link> &into) {
  for (const Field &field : entity.fields) {
    bool namesFile = field.key == Key::File || field.key == Key::Primary ||
                     field.key == Key::Execute;
    if (namesFile && field.value->isScalar() &&
        entity.kind != tosca::EntityKind::Import) {
      auto target = tosca::locate(field.value->text(), file);
      if (target && target->volume->files->exists(target->path))
        into.push_back({places.range(field.value->range()), target->path});
    }
    for (const Entity &inner : field.entities)
      addArtifacts(inner, file, places, into);
  }
}

std::vector<Link> edit::findLinks(Workspace &workspace, Document &document) {
  const Checked &checked = workspace.names(document);
  const tosca::File *file = checked.find(document.path);
  std::vector<Link> links;
  if (!file)
    return links;
  Places places(checked->sources());
  for (const tosca::Import &import : file->imports) {
    const syntax::Node *named = import.definition->value(Key::Url);
    if (!named)
      named = import.definition->value(Key::Profile);
    if (named && import.definition != &file->root)
      links.push_back({places.range(named->range()),
                       checked->package().files[import.target]->path});
  }
  addArtifacts(file->root, *file, places, links);
  // The short form of an artifact is read as an entity of its own, too.
  llvm::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}
