//===- Describe.cpp - What is this ----------------------------------------===//

#include "toscac/Edit/Describe.h"

#include "Context.h"
#include "Places.h"
#include "Resolve.h"
#include "Signatures.h"
#include "toscac/Edit/Navigate.h"
#include "toscac/Value/Type.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;
using syntax::Node;

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

static std::optional<int64_t> integerOf(const Node &node) {
  int64_t number;
  if (node.isScalar() && !node.text().getAsInteger(10, number))
    return number;
  return std::nullopt;
}

/// How many instances the value of a `count` gives with the defaults of the
/// inputs, as far as the file alone tells.
static std::optional<int64_t> countOf(const Node &value, const Outline &outline,
                                      const Checked &checked) {
  if (std::optional<int64_t> number = integerOf(value))
    return number;
  if (checked.hasInputs())
    return std::nullopt;
  const Node *input = nullptr;
  if (value.isMapping() && value.entries().size() == 1)
    input = value.find("$get_input") ? value.find("$get_input")
                                     : value.find("get_input");
  if (input && input->isSequence() && input->items().size() == 1)
    input = &input->items()[0];
  if (!input || !input->isScalar())
    return std::nullopt;
  for (const Entity &service : outline.root.entities(Key::ServiceTemplate))
    for (const Entity &declared : service.entities(Key::Inputs))
      if (declared.name.str() == input->text())
        for (Key key : {Key::Value, Key::Default})
          if (const Node *given = declared.value(key))
            return integerOf(*given);
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Hover
//===----------------------------------------------------------------------===//

namespace {

class Describer {
public:
  Describer(const Checked &checked, const Document &document)
      : checked(checked), context(checked, document) {}

  std::string describe(const Entity &entity);

private:
  void line(const std::string &text) { page += text + "\n\n"; }
  void header(const Entity &entity);
  void type(const sema::TypeDecl &type);
  void members(const sema::Flat &flat, Key key, StringRef title);
  void source(const Entity &entity, llvm::ArrayRef<Key> keys);
  std::string memberLine(const sema::Flat &part, Key key);

  const Checked &checked;
  Context context;
  std::string page;
};

} // namespace

void Describer::header(const Entity &entity) {
  std::string text = "**" + tosca::rule(entity.kind).noun.str() + "** `" +
                     entity.name.str().str() + "`";
  if (const Node *type = entity.value(Key::Type); type && type->isScalar())
    text += ": `" + type->text().str() + "`";
  if (const Node *parent = entity.value(Key::DerivedFrom);
      parent && parent->isScalar())
    text += ", derived from `" + parent->text().str() + "`";
  line(text);
  if (StringRef description = entity.text(Key::Description).trim();
      !description.empty())
    line(description.str());
}

/// `in B, kB, MB, …`; empty for values without a unit.
static std::string describeUnits(const Type &type) {
  constexpr size_t enough = 6;
  if (!type.is(TypeKind::Scalar) || !type.scalar)
    return "";
  std::string text;
  llvm::ArrayRef<Unit> units = type.scalar->units;
  for (const Unit &unit : units.take_front(enough))
    text += (text.empty() ? "in `" : ", `") + unit.name.str() + "`";
  return text + (units.size() > enough ? ", …" : "");
}

static std::string before(StringRef lead, const std::string &text) {
  return text.empty() ? "" : lead.str() + text;
}

/// `- size: scalar, in B, kB, required, default 10 GB. Text`
std::string Describer::memberLine(const sema::Flat &part, Key key) {
  std::string text = "- `" + sema::nameOf(part).str() + "`";
  if (const Type *type = context.valueType(part))
    text += ": " + typeName(*type) + before(", ", describeUnits(*type));
  else if (const sema::TypeDecl *own = sema::typeOf(part))
    text += ": " + sema::nameOf(*own).str();
  if (const Node *node = sema::valueOf(part, Key::Node);
      key == Key::Requirements && node && node->isScalar())
    text += " → " + node->text().str();
  if (key == Key::Properties && sema::needsAssignment(part))
    text += ", required";
  for (Key value : {Key::Default, Key::Value})
    if (const Node *given = sema::valueOf(part, value))
      text += (value == Key::Default ? ", default `" : ", always `") +
              shortText(*given, checked->sources()) + "`";
  if (const Node *description = sema::valueOf(part, Key::Description);
      description && description->isScalar())
    text += " – " + shortText(*description, checked->sources());
  return text + "\n";
}

void Describer::members(const sema::Flat &flat, Key key, StringRef title) {
  std::vector<const sema::Flat *> parts = sema::partsOf(flat, key);
  llvm::erase_if(parts, [](const sema::Flat *part) {
    return sema::nameOf(*part).empty();
  });
  if (parts.empty())
    return;
  page += title.str() + "\n\n";
  for (const sema::Flat *part : parts)
    page += memberLine(*part, key);
  page += "\n";
}

void Describer::type(const sema::TypeDecl &type) {
  const sema::Flat *flat = sema::flatOf(type);
  if (!flat)
    return;
  members(*flat, Key::Properties, "Properties, with those inherited");
  members(*flat, Key::Attributes, "Attributes");
  members(*flat, Key::Capabilities, "Capabilities");
  members(*flat, Key::Requirements, "Requirements");
  members(*flat, Key::Interfaces, "Interfaces");
  members(*flat, Key::Operations, "Operations");
}

/// The keynames \p keys of the entity as they are written.
void Describer::source(const Entity &entity, llvm::ArrayRef<Key> keys) {
  std::string text;
  for (const Field &field : entity.fields)
    if (llvm::is_contained(keys, field.key))
      text += tosca::word(field.key).str() + ": " +
              shortText(*field.value, checked->sources()) + "\n";
  if (!text.empty())
    line("```yaml\n" + text + "```");
}

std::string Describer::describe(const Entity &entity) {
  header(entity);
  bool isType = tosca::rule(entity.kind).id.ends_with("Type");
  const sema::TypeDecl *named =
      isType ? context.findType(entity.kind, entity.name.str())
             : context.typeOfTemplate(entity);
  switch (entity.kind) {
  case EntityKind::PropertyDefinition:
  case EntityKind::AttributeDefinition:
  case EntityKind::ParameterDefinition:
  case EntityKind::OutputDefinition:
    source(entity, {Key::Default, Key::Value, Key::Required, Key::Validation,
                    Key::EntrySchema});
    break;
  case EntityKind::OperationDefinition:
  case EntityKind::OperationAssignment:
  case EntityKind::NotificationDefinition:
    source(entity,
           {Key::Precondition, Key::OnEntry, Key::SetState, Key::OnSuccess,
            Key::OnFailure, Key::Implementation, Key::Handlers, Key::Inputs});
    break;
  case EntityKind::RequirementDefinition:
    source(entity,
           {Key::Node, Key::Capability, Key::Relationship, Key::CountRange});
    break;
  case EntityKind::NodeTemplate:
  case EntityKind::RelationshipTemplate:
    source(entity, {Key::Count, Key::Properties, Key::Directives});
    break;
  default:
    break;
  }
  if (named)
    type(*named);
  return std::move(page);
}

/// `3 instances with the defaults of the inputs`
static std::string describeCount(int64_t count, const Checked &checked) {
  return std::to_string(count) + (count == 1 ? " instance" : " instances") +
         (checked.hasInputs() ? " with the inputs that are given"
                              : " with the defaults of the inputs");
}

/// The keyname at the place, by the tables of the grammar.
static std::optional<Hover>
describeKeyname(const Outline &outline, const Place &place, StringRef count) {
  const Field *field = place.field();
  if (!field || !field->keyNode || place.nodes.empty() ||
      place.nodes.back() != field->keyNode)
    return std::nullopt;
  const tosca::EntityRule &rule = outline.rule(place.entity()->kind);
  const tosca::KeyRule *key = rule.find(field->keyNode->text());
  if (!key)
    return std::nullopt;
  std::string text = "**keyname** `" + field->keyNode->text().str() + "` of " +
                     rule.noun.str();
  if (key->presence == tosca::Presence::Mandatory)
    text += ", mandatory";
  text += "\n\n";
  if (key->section == "event")
    text += "Part of the grammar of events.\n";
  else
    text += (outline.dialect ? "TOSCA 1.3" : "TOSCA 2.0") +
            (", section " + key->section + "\n").str();
  if (!count.empty())
    text += ("\n" + count + "\n").str();
  return Hover{outline.range(field->keyNode->range()), text};
}

/// What the property of a template gets that is assigned around the place, if
/// that has to be worked out.
static std::string describeValue(const Checked &checked, const Place &place) {
  const Entity *node = place.entity();
  const Field *field = place.field();
  if (!node || node->kind != EntityKind::NodeTemplate || !field ||
      field->key != Key::Properties || !field->value->isMapping() ||
      place.nodes.empty())
    return "";
  const Node &name =
      place.keys.empty() ? *place.nodes.back() : *place.keys.front();
  const Node *value =
      name.isScalar() ? field->value->find(name.text()) : nullptr;
  bool isWritten =
      value && value->isScalar() && !value->text().starts_with("$");
  if (!value || isWritten)
    return "";
  std::string text = resolvedValue(checked, node->name.str(), name.text());
  return text.empty() ? "" : "Here: " + text + "\n\n";
}

/// The ways to call the function \p name.
static std::string describeCalls(StringRef name, const Context &context) {
  std::string text;
  for (const Signature &signature : signaturesOf(name, context))
    text += "`" + signature.label + "`" +
            (signature.documentation.empty()
                 ? "\n\n"
                 : "\n\n" + signature.documentation + "\n\n");
  return text;
}

/// The function that is built in and whose name is at the place.
static std::string describeFunction(const Place &place,
                                    const Context &context) {
  StringRef name;
  if (!place.nodes.empty() && place.nodes.back()->isScalar())
    name = place.nodes.back()->text();
  if (!name.consume_front("$"))
    return "";
  std::string calls = describeCalls(name, context);
  return calls.empty() ? "" : "**function** " + calls;
}

/// The units of the property, attribute or input \p name that is defined or
/// given a value at the place.
static std::string describeUnits(const Place &place, const Context &context,
                                 StringRef name) {
  const sema::Flat *flat = context.flatOf(place);
  bool isDefinition = place.entity() && place.entity()->name.str() == name;
  if (flat && !isDefinition && place.field())
    flat = sema::partOf(*flat, place.field()->key, name);
  const Type *type = flat ? context.valueType(*flat) : nullptr;
  std::string units = type ? describeUnits(*type) : "";
  return units.empty() ? "" : "Values are " + units + "\n\n";
}

/// What the compiler works out for the declaration at the place.
static std::string describeResult(const Checked &checked, const Place &place,
                                  const Entity &declaration,
                                  const Context &context) {
  switch (declaration.kind) {
  case EntityKind::Function:
    return describeCalls(declaration.name.str(), context);
  case EntityKind::OperationDefinition:
  case EntityKind::OperationAssignment:
    return transitionsOf(checked, place, declaration.name.str());
  case EntityKind::NodeTemplate:
    if (auto count = instancesOf(checked, declaration.name.str()))
      return describeCount(*count, checked) + "\n\n";
    return "";
  default:
    return describeUnits(place, context, declaration.name.str()) +
           describeValue(checked, place);
  }
}

/// How many instances \p node has by its `count`; a service that is large need
/// not be expanded where the file tells.
static std::optional<int64_t> instancesAt(const Checked &checked,
                                          const Entity &node,
                                          const Outline &outline) {
  const Field *count = node.find(Key::Count);
  if (!count)
    return std::nullopt;
  if (auto number = countOf(*count->value, outline, checked))
    return number;
  if (node.kind == EntityKind::NodeTemplate)
    return instancesOf(checked, node.name.str());
  return std::nullopt;
}

std::optional<Hover> edit::describe(Workspace &workspace, Document &document,
                                    TextPosition at) {
  const Outline &outline = workspace.outline(document);
  size_t offset = outline.lines.offset(at);
  Place place = findPlace(outline, offset);
  std::string count;
  if (place.field() && place.field()->key == Key::Count) {
    const Checked &checked = workspace.names(document);
    if (auto number = instancesAt(checked, *place.entity(), outline))
      count = describeCount(*number, checked);
  }
  if (auto keyname = describeKeyname(outline, place, count))
    return keyname;
  const Checked &checked = workspace.names(document);
  Context context(checked, document);
  std::optional<NameAt> name = findName(checked, document.path, offset);
  if (name && name->declaration)
    return Hover{
        Places(checked->sources()).range(name->range),
        Describer(checked, document).describe(*name->declaration) +
            describeResult(checked, place, *name->declaration, context)};
  std::string text =
      describeFunction(place, context) + describeValue(checked, place);
  if (text.empty())
    return std::nullopt;
  return Hover{outline.range(place.nodes.back()->range()), text};
}

//===----------------------------------------------------------------------===//
// Hints
//===----------------------------------------------------------------------===//

namespace {

class HintCollector {
public:
  HintCollector(const Outline &outline, const Checked &checked,
                const Context &context, TextRange range)
      : outline(outline), checked(checked), context(context), range(range) {}

  void add(const Entity &node);
  std::vector<Hint> hints;

private:
  void put(const Node &after, std::string label) {
    TextPosition at = outline.range(after.range()).end;
    if (range.start.line <= at.line && at.line <= range.end.line)
      hints.push_back({at, std::move(label)});
  }

  const Outline &outline;
  const Checked &checked;
  const Context &context;
  TextRange range;
};

} // namespace

void HintCollector::add(const Entity &node) {
  const Field *count = node.find(Key::Count);
  if (count && count->keyNode && !integerOf(*count->value))
    if (auto number = instancesAt(checked, node, outline))
      put(*count->keyNode, " = " + std::to_string(*number));
  const sema::TypeDecl *type = context.typeOfTemplate(node);
  const sema::Flat *flat = type ? sema::flatOf(*type) : nullptr;
  if (!flat)
    return;
  for (const Entity &requirement : node.entities(Key::Requirements)) {
    const sema::Flat *definition =
        sema::partOf(*flat, Key::Requirements, requirement.name.str());
    if (!definition || !requirement.nameNode ||
        requirement.find(Key::Relationship))
      continue;
    const sema::Flat *made = sema::partOf(*definition, Key::Relationship, "");
    if (const sema::TypeDecl *kind = made ? sema::typeOf(*made) : nullptr)
      put(*requirement.nameNode, " " + sema::nameOf(*kind).str());
  }
  for (const Entity &interface : node.entities(Key::Interfaces)) {
    const sema::Flat *definition =
        sema::partOf(*flat, Key::Interfaces, interface.name.str());
    if (!definition || !interface.nameNode)
      continue;
    std::string inherited;
    for (const sema::Flat *operation :
         sema::partsOf(*definition, Key::Operations)) {
      StringRef name = sema::nameOf(*operation);
      bool isHere = llvm::any_of(
          interface.entities(Key::Operations),
          [&](const Entity &own) { return own.name.str() == name; });
      if (!isHere)
        inherited += (inherited.empty() ? "" : ", ") + name.str();
    }
    if (!inherited.empty())
      put(*interface.nameNode, " inherits " + inherited);
  }
}

std::vector<Hint> edit::hintsIn(Workspace &workspace, Document &document,
                                TextRange range) {
  const Outline &outline = workspace.outline(document);
  const Checked &checked = workspace.names(document);
  Context context(checked, document);
  HintCollector collector(outline, checked, context, range);
  for (const Entity &service : outline.root.entities(Key::ServiceTemplate))
    for (const Entity &node : service.entities(Key::NodeTemplates))
      collector.add(node);
  return std::move(collector.hints);
}
