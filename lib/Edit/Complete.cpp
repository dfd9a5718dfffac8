//===- Complete.cpp - What may stand here ---------------------------------===//

#include "toscac/Edit/Complete.h"

#include "CompleteValue.h"
#include "Context.h"
#include "Cursor.h"
#include "toscac/Parse/TOSCA/Load.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;
using syntax::Node;
using tosca::KeyRule;
using tosca::Presence;
using tosca::ShapeKind;

namespace {

class Completer {
public:
  Completer(Workspace &workspace, Document &document, const Marked &marked,
            StringRef indent)
      : workspace(workspace), document(document), marked(marked),
        outline(*marked.outline), place(marked.place),
        context(workspace.recentNames(document), document), indent(indent) {}

  std::vector<Completion> run();

private:
  void keynames(const Entity &entity);
  void namesUnder(const Place::Step &owner, size_t depth);
  void scalar(const Entity &entity, const Field &field);
  void types(EntityKind kind, const sema::TypeDecl *ancestor);
  void templates(StringRef section);
  void requirementTargets();
  void imports(Key key);
  void entitySnippet(EntityKind kind, bool isListItem);
  std::string afterKey(tosca::Shape shape) const;
  void add(Completion completion) { items.push_back(std::move(completion)); }
  void word(StringRef text, StringRef detail) {
    add({text.str(), CompletionKind::Value, detail.str(), "", text.str()});
  }
  /// The entities beside the mark that have names already.
  llvm::StringSet<> taken(const Field &field) const;

  Workspace &workspace;
  Document &document;
  const Marked &marked;
  const Outline &outline;
  const Place &place;
  Context context;
  StringRef indent;
  std::vector<Completion> items;
};

} // namespace

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// What follows a new key, so that the cursor is where its value goes.
std::string Completer::afterKey(tosca::Shape shape) const {
  std::string inner = ("\n" + indent + "  ").str();
  switch (shape.kind) {
  case ShapeKind::Map:
  case ShapeKind::Values:
  case ShapeKind::Metadata:
  case ShapeKind::Reaction:
    return ":" + inner;
  case ShapeKind::One:
    return outline.rule(shape.entity).shortForm ? ": " : ":" + inner;
  case ShapeKind::List:
  case ShapeKind::NamedList:
    return ":" + inner + "- ";
  default:
    return ": ";
  }
}

void Completer::keynames(const Entity &entity) {
  llvm::StringSet<> there;
  if (entity.node && entity.node->isMapping())
    for (const syntax::Entry &entry : entity.node->entries())
      if (entry.key.isScalar())
        there.insert(entry.key.text());
  const tosca::EntityRule &rule = outline.rule(entity.kind);
  for (const KeyRule &key : rule.keys) {
    bool isOld = key.status == KeyRule::Status::Deprecated ||
                 key.status == KeyRule::Status::Dropped ||
                 key.status == KeyRule::Status::Unused ||
                 key.status == KeyRule::Status::Other;
    if (isOld || there.contains(tosca::word(key.key)))
      continue;
    bool isMandatory = key.presence == Presence::Mandatory;
    Completion item;
    item.label = tosca::word(key.key).str();
    item.kind = CompletionKind::Keyname;
    item.detail = (isMandatory ? "mandatory keyname of " : "keyname of ") +
                  rule.noun.str();
    item.documentation = "Section " + key.section.str();
    item.insert = item.label + (marked.isNewKey   ? afterKey(key.shape)
                                : marked.hasColon ? ""
                                                  : ": ");
    item.rank = isMandatory                                               ? 0
                : item.label == "description" || item.label == "metadata" ? 3
                                                                          : 1;
    add(std::move(item));
  }
}

llvm::StringSet<> Completer::taken(const Field &field) const {
  llvm::StringSet<> names;
  for (const Entity &entity : field.entities)
    names.insert(entity.name.str());
  if (field.value->isMapping())
    for (const syntax::Entry &entry : field.value->entries())
      if (entry.key.isScalar())
        names.insert(entry.key.text());
  return names;
}

/// A name, a mandatory keyname and what else every such entity has.
void Completer::entitySnippet(EntityKind kind, bool isListItem) {
  const tosca::EntityRule &rule = outline.rule(kind);
  std::string body;
  unsigned place = 2;
  std::string inner = ("\n" + indent + (isListItem ? "    " : "  ")).str();
  for (const KeyRule &key : rule.keys)
    if (key.presence == Presence::Mandatory ||
        (key.presence == Presence::Inherited && key.key == Key::Type))
      body +=
          inner + tosca::word(key.key).str() + ": $" + std::to_string(place++);
  if (body.empty())
    body = inner + "$2";
  add({"new " + rule.noun.str(), CompletionKind::Snippet, "", "",
       "${1:name}:" + body, /*isSnippet=*/true, /*rank=*/2});
}

/// Names that the type of \p owner, the entity number \p depth of the place,
/// has under its field.
void Completer::namesUnder(const Place::Step &owner, size_t depth) {
  Key key = owner.field->key;
  llvm::StringSet<> there = taken(*owner.field);
  const sema::Flat *flat = context.flatOf(place, depth);
  const KeyRule *rule = outline.rule(owner.entity->kind).find(tosca::word(key));
  bool isList = rule && rule->shape.kind == ShapeKind::NamedList;
  if (flat)
    for (const sema::Flat *part : sema::partsOf(*flat, key)) {
      StringRef name = sema::nameOf(*part);
      if (name.empty() || (there.contains(name) && !isList))
        continue;
      Completion item = describePart(*part, key);
      item.insert = name.str();
      if (marked.isNewKey || isList) {
        bool isScalar = key == Key::Properties || key == Key::Attributes ||
                        key == Key::Inputs || key == Key::Requirements;
        item.insert += isScalar ? ": " : (":\n" + indent + "  ").str();
      }
      add(std::move(item));
    }
  if (!rule)
    return;
  bool hasEntities = rule->shape.kind == ShapeKind::Map || isList;
  if (hasEntities && marked.isNewKey)
    entitySnippet(rule->shape.entity, isList);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

void Completer::types(EntityKind kind, const sema::TypeDecl *ancestor) {
  for (const std::string &name : context.typeNames(kind)) {
    const sema::TypeDecl *type = context.findType(kind, name);
    if (!type || (ancestor && !sema::isDerivedFrom(*type, *ancestor)))
      continue;
    const Entity *entity = sema::entityOf(*type);
    add({name, CompletionKind::Type, tosca::rule(kind).noun.str(),
         entity ? entity->text(Key::Description).str() : "built in", name});
  }
}

static const Entity *serviceOf(const Outline &outline) {
  llvm::ArrayRef<Entity> services = outline.root.entities(Key::ServiceTemplate);
  return services.empty() ? nullptr : &services.front();
}

void Completer::templates(StringRef section) {
  const Entity *service = serviceOf(outline);
  if (!service)
    return;
  for (const Field &field : service->fields)
    if (section == tosca::word(field.key))
      for (const Entity &entity : field.entities)
        if (!entity.name.str().contains(mark))
          add({entity.name.str().str(), CompletionKind::Template,
               entity.text(Key::Type).str(),
               entity.text(Key::Description).str(), entity.name.str().str()});
}

/// Templates first that can fulfil the requirement.
void Completer::requirementTargets() {
  const sema::Flat *requirement = context.flatOf(place);
  const sema::TypeDecl *node =
      requirement
          ? sema::typeUnder(*requirement, Key::Node, EntityKind::NodeType)
          : nullptr;
  const sema::TypeDecl *capability =
      requirement ? sema::typeUnder(*requirement, Key::Capability,
                                    EntityKind::CapabilityType)
                  : nullptr;
  auto fits = [&](const Entity &entity) {
    const sema::TypeDecl *type = context.typeOfTemplate(entity);
    const sema::Flat *flat = type ? sema::flatOf(*type) : nullptr;
    if (!flat)
      return true;
    if (node && !sema::isDerivedFrom(*type, *node))
      return false;
    return !capability ||
           llvm::any_of(sema::partsOf(*flat, Key::Capabilities),
                        [&](const sema::Flat *offered) {
                          const sema::TypeDecl *own = sema::typeOf(*offered);
                          return own && sema::isDerivedFrom(*own, *capability);
                        });
  };
  if (const Entity *service = serviceOf(outline))
    for (const Entity &entity : service->entities(Key::NodeTemplates))
      if (fits(entity) && &entity != place.enclosing(EntityKind::NodeTemplate))
        add({entity.name.str().str(), CompletionKind::Template,
             entity.text(Key::Type).str(), "", entity.name.str().str(), false,
             0});
  types(EntityKind::NodeType, node);
}

/// Files beside the document, and profiles by name.
void Completer::imports(Key key) {
  if (key == Key::Profile) {
    for (const std::string &name :
         profileNames(workspace.recentNames(document)->settings()))
      add({name, CompletionKind::File, "profile", "", name});
    return;
  }
  auto files = workspace.overlay();
  StringRef folder = llvm::sys::path::parent_path(document.path);
  std::error_code error;
  constexpr size_t enough = 200;
  for (llvm::vfs::directory_iterator entry = files->dir_begin(folder, error);
       !error && entry != llvm::vfs::directory_iterator() &&
       items.size() < enough;
       entry.increment(error)) {
    StringRef name = llvm::sys::path::filename(entry->path());
    bool isYAML = name.ends_with(".yaml") || name.ends_with(".yml");
    if (isYAML && entry->path() != document.path)
      add({name.str(), CompletionKind::File, "file", "", name.str()});
  }
  llvm::sort(items, [](const Completion &a, const Completion &b) {
    return a.label < b.label;
  });
}

void Completer::scalar(const Entity &entity, const Field &field) {
  if (entity.kind == EntityKind::Import)
    return imports(field.key);
  if (entity.kind == EntityKind::RequirementAssignment &&
      field.key == Key::Node)
    return requirementTargets();
  if (entity.kind == EntityKind::RequirementAssignment &&
      field.key == Key::Relationship)
    templates("relationship_templates");
  bool takesTemplates =
      (field.key == Key::Members || field.key == Key::Targets) &&
      (entity.kind == EntityKind::Group || entity.kind == EntityKind::Policy);
  if (takesTemplates || field.key == Key::Target) {
    templates("node_templates");
    templates("groups");
    return;
  }
  if (field.key == Key::Copy)
    return templates(tosca::word(entity.kind == EntityKind::NodeTemplate
                                     ? Key::NodeTemplates
                                     : Key::RelationshipTemplates));
  if (field.key == Key::ToscaDefinitionsVersion)
    for (StringRef version :
         {"tosca_2_0", "tosca_simple_yaml_1_3", "tosca_simple_yaml_1_2"})
      word(version, "version of the language");
  static constexpr StringRef ofNodes[] = {"create", "select", "substitute"};
  static constexpr StringRef ofRequirements[] = {"internal", "external"};
  if (field.key == Key::Directives)
    for (StringRef directive : entity.kind == EntityKind::NodeTemplate
                                   ? llvm::ArrayRef(ofNodes)
                                   : llvm::ArrayRef(ofRequirements))
      word(directive, "directive");
  if (auto kind = typeKindUnder(entity.kind, field.key)) {
    // A refinement may only narrow the type.
    const sema::Flat *flat = context.flatOf(place);
    bool isRefined = flat && field.key == Key::Type &&
                     !tosca::rule(entity.kind).id.ends_with("Template") &&
                     *kind != EntityKind::DataType &&
                     sema::layersOf(*flat).size() > 1;
    return types(*kind, isRefined ? sema::typeOf(*flat) : nullptr);
  }
  const KeyRule *rule = outline.rule(entity.kind).find(tosca::word(field.key));
  if (rule && rule->shape.kind == ShapeKind::Boolean)
    for (StringRef text : {"true", "false"})
      word(text, "boolean");
}

std::vector<Completion> Completer::run() {
  const Entity *entity = place.entity();
  const Field *field = place.field();
  size_t depth = place.steps.size();
  if (!entity)
    return {};
  if (entity->nameNode == marked.node && depth > 1) {
    const Place::Step &owner = place.steps[depth - 2];
    // Operations may stand in an interface without `operations:`.
    if (owner.field->keyNode == marked.node)
      keynames(*owner.entity);
    namesUnder(owner, depth - 1);
    return std::move(items);
  }
  if (!field) {
    bool isKeyOfIt =
        entity->node && entity->node->isMapping() &&
        llvm::any_of(entity->node->entries(), [&](const syntax::Entry &entry) {
          return &entry.key == marked.node;
        });
    if (isKeyOfIt)
      keynames(*entity);
    return std::move(items);
  }
  if (field->keyNode == marked.node) {
    keynames(*entity);
    return std::move(items);
  }
  const KeyRule *rule =
      outline.rule(entity->kind).find(tosca::word(field->key));
  ShapeKind shape = rule ? rule->shape.kind : ShapeKind::Text;
  bool isNameOfValue = shape == ShapeKind::Values && place.keys.empty();
  bool isNamedItem = shape == ShapeKind::NamedList || shape == ShapeKind::Map;
  if ((isNameOfValue && field->value->isMapping()) || isNamedItem) {
    namesUnder(place.steps.back(), depth);
    return std::move(items);
  }
  if (takesExpression(shape) || !place.keys.empty()) {
    ValuePlace value{outline, place, context, *marked.node, marked.isNewKey};
    return completeValue(value);
  }
  scalar(*entity, *field);
  return std::move(items);
}

Completions edit::complete(Workspace &workspace, Document &document,
                           TextPosition at) {
  const std::string &text = document.text();
  Lines lines(text);
  size_t offset = lines.offset(at);
  WordAt word = wordAt(text, offset);
  Completions result;
  result.replaced = lines.range(word.begin, word.end);
  StringRef line = lines.line(result.replaced.start.line);
  size_t lineBegin = lines.lineStart(result.replaced.start.line);
  // Comments are for people.
  size_t comment = line.find("#");
  if (comment != StringRef::npos && lineBegin + comment < offset &&
      (comment == 0 || line[comment - 1] == ' '))
    return result;
  std::string indent(word.begin - lineBegin, ' ');
  llvm::StringSet<> known;
  for (const Marked &marked : placeMark(text, word)) {
    if (!marked.outline->isTosca())
      continue;
    for (Completion &item :
         Completer(workspace, document, marked, indent).run())
      if (known.insert(item.label).second)
        result.items.push_back(std::move(item));
  }
  llvm::stable_sort(result.items, [](const Completion &a, const Completion &b) {
    return a.rank < b.rank;
  });
  return result;
}
