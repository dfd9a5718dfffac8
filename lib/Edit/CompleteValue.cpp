//===- CompleteValue.cpp - What may stand in a value ----------------------===//

#include "CompleteValue.h"

#include "Cursor.h"
#include "Signatures.h"
#include "toscac/Value/Functions.h"
#include "toscac/Value/Type.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::edit;
using llvm::StringRef;
using syntax::Node;
using tosca::ShapeKind;

bool edit::takesExpression(ShapeKind shape) {
  switch (shape) {
  case ShapeKind::Value:
  case ShapeKind::Values:
  case ShapeKind::Condition:
  case ShapeKind::Conditions:
  case ShapeKind::Constraints:
  case ShapeKind::Count:
  case ShapeKind::Allocation:
  case ShapeKind::Path:
  case ShapeKind::Paths:
  case ShapeKind::EventPath:
  case ShapeKind::Cells:
    return true;
  default:
    return false;
  }
}

Completion edit::describePart(const sema::Flat &part, Key key) {
  Completion item;
  item.label = sema::nameOf(part).str();
  item.kind = key == Key::Operations || key == Key::Notifications
                  ? CompletionKind::Operation
                  : CompletionKind::Member;
  const Entity *nearest = sema::layersOf(part).front();
  item.detail = tosca::rule(nearest->kind).noun.str();
  if (const sema::TypeDecl *type = sema::typeOf(part))
    item.detail = sema::nameOf(*type).str();
  bool isNeeded = (key == Key::Properties || key == Key::Inputs) &&
                  sema::needsAssignment(part);
  if (isNeeded)
    item.detail += ", required";
  if (const Node *text = sema::valueOf(part, Key::Description);
      text && text->isScalar())
    item.documentation = text->text().str();
  item.rank = isNeeded ? 0 : 1;
  item.insert = item.label;
  return item;
}

std::optional<CallAround> edit::callAround(const Place &place) {
  for (const Node *key : llvm::reverse(place.keys)) {
    if (!key->isScalar() || !key->text().starts_with("$"))
      continue;
    for (size_t i = place.nodes.size(); i-- > 0;) {
      const Node &map = *place.nodes[i];
      if (!map.isMapping())
        continue;
      for (const syntax::Entry &entry : map.entries()) {
        if (&entry.key != key)
          continue;
        if (!entry.value.isSequence())
          return CallAround{key, llvm::ArrayRef<Node>(entry.value), 0};
        llvm::ArrayRef<Node> items = entry.value.items();
        size_t index = items.size();
        for (size_t j = 0; j < items.size(); ++j)
          if (llvm::is_contained(place.nodes, &items[j]))
            index = j;
        return CallAround{key, items, index};
      }
    }
  }
  return std::nullopt;
}

namespace {

class ValueCompleter {
public:
  explicit ValueCompleter(const ValuePlace &value)
      : outline(value.outline), place(value.place), context(value.context),
        mark(value.mark), isNewKey(value.isNewKey) {}

  std::vector<Completion> run();

private:
  void functions();
  void typed(const Type &type);
  void path(llvm::ArrayRef<Node> before, bool isEvent);
  void membersOf(const sema::Flat &flat, llvm::ArrayRef<Key> keys);
  void inputs();
  void cells();
  const sema::Flat *interfaceAround() const;
  void states(StringRef cell);
  StringRef comparedCell(const CallAround &call) const;
  const sema::Flat *step(const sema::Flat *at, llvm::ArrayRef<Node> &rest);
  const sema::Flat *targetOf(const sema::Flat &requirement) const;
  const sema::Flat *self() const;
  const sema::Flat *flatOfTemplate(StringRef name) const;
  const Type *wantedType() const;
  void word(StringRef text, StringRef detail,
            CompletionKind kind = CompletionKind::PathWord) {
    items.push_back({text.str(), kind, detail.str(), "", text.str()});
  }
  const Entity *service() const {
    llvm::ArrayRef<Entity> services =
        outline.root.entities(Key::ServiceTemplate);
    return services.empty() ? nullptr : &services.front();
  }

  const Outline &outline;
  const Place &place;
  const Context &context;
  const Node &mark;
  bool isNewKey;
  std::vector<Completion> items;
};

} // namespace

//===----------------------------------------------------------------------===//
// Functions and values of a type
//===----------------------------------------------------------------------===//

void ValueCompleter::functions() {
  auto add = [&](StringRef name) {
    std::string text = "$" + name.str();
    Completion item{text, CompletionKind::Function,      "function",
                    "",   text + (isNewKey ? ": " : ""), false,
                    2};
    if (auto signatures = signaturesOf(name, context); !signatures.empty()) {
      item.detail = std::move(signatures.front().label);
      item.documentation = std::move(signatures.front().documentation);
    }
    items.push_back(std::move(item));
  };
  // Those of other languages have a prefix; nobody writes them.
  for (StringRef name : functionNames())
    if (!name.contains('.'))
      add(name);
  for (const std::string &name : context.typeNames(EntityKind::Function))
    add(name);
}

static void addValidValues(const Type &type, std::vector<Completion> &into) {
  for (const Type *at = &type; at; at = at->parent)
    for (const Expr *validation : at->validations)
      if (validation->isCall(Function::ValidValues) &&
          validation->children().size() == 2)
        for (const Expr &value : validation->children()[1].children())
          if (value.isLiteral())
            into.push_back({toText(value), CompletionKind::Value, "valid value",
                            "", toText(value), false, 0});
}

void ValueCompleter::typed(const Type &type) {
  addValidValues(type, items);
  if (type.is(TypeKind::Boolean))
    for (StringRef text : {"true", "false"})
      items.push_back({text.str(), CompletionKind::Value, "boolean", "",
                       text.str(), false, 0});
  if (type.is(TypeKind::Scalar) && type.scalar)
    for (const Unit &unit : type.scalar->units)
      word(unit.name, "unit of " + typeName(type), CompletionKind::Unit);
  if (type.is(TypeKind::Record) && isNewKey)
    for (const auto &[name, property] : type.properties)
      items.push_back(
          {name.str(), CompletionKind::Member, typeName(*property->type), "",
           name.str() + ": ", false,
           property->required && !property->defaultValue ? 0u : 1u});
}

/// The type of the value that the mark is (part of); null if it is not known.
const Type *ValueCompleter::wantedType() const {
  const Field *field = place.field();
  const sema::Flat *flat = context.flatOf(place);
  if (!flat || place.keys.empty() || !context.file())
    return nullptr;
  const sema::Flat *part =
      sema::partOf(*flat, field->key, place.keys.front()->text());
  const Type *type = part ? context.valueType(*part) : nullptr;
  for (const Node *key : llvm::ArrayRef(place.keys).drop_front()) {
    if (!type)
      return nullptr;
    if (type->is(TypeKind::Record)) {
      const Property *property = type->findProperty(key->text());
      type = property ? property->type : nullptr;
    } else {
      type = type->entry;
    }
  }
  bool inList = place.nodes.size() > 1 &&
                place.nodes[place.nodes.size() - 2]->isSequence();
  return type && inList ? type->entry : type;
}

//===----------------------------------------------------------------------===//
// Paths
//===----------------------------------------------------------------------===//

void ValueCompleter::inputs() {
  if (const Entity *owner = service())
    for (const Entity &input : owner->entities(Key::Inputs))
      items.push_back({input.name.str().str(), CompletionKind::Input,
                       input.text(Key::Type).str(),
                       input.text(Key::Description).str(),
                       input.name.str().str(), false, 0});
}

void ValueCompleter::membersOf(const sema::Flat &flat,
                               llvm::ArrayRef<Key> keys) {
  for (Key key : keys)
    for (const sema::Flat *part : sema::partsOf(flat, key)) {
      Completion item = describePart(*part, key);
      item.rank = 0;
      items.push_back(std::move(item));
    }
}

/// What holds the expression: a template, or the type that defines it.
const sema::Flat *ValueCompleter::self() const {
  for (size_t count = place.steps.size(); count > 0; --count) {
    EntityKind kind = place.steps[count - 1].entity->kind;
    bool isOwner = kind == EntityKind::NodeTemplate ||
                   kind == EntityKind::RelationshipTemplate ||
                   kind == EntityKind::NodeType ||
                   kind == EntityKind::RelationshipType ||
                   kind == EntityKind::InterfaceType ||
                   kind == EntityKind::Group || kind == EntityKind::Policy;
    if (isOwner)
      return context.flatOf(place, count);
  }
  return nullptr;
}

const sema::Flat *ValueCompleter::flatOfTemplate(StringRef name) const {
  if (const Entity *owner = service())
    for (Key key : {Key::NodeTemplates, Key::RelationshipTemplates})
      for (const Entity &entity : owner->entities(key))
        if (entity.name.str() == name)
          if (const sema::TypeDecl *type = context.typeOfTemplate(entity))
            return sema::flatOf(*type);
  return nullptr;
}

const sema::Flat *
ValueCompleter::targetOf(const sema::Flat &requirement) const {
  const sema::TypeDecl *node =
      sema::typeUnder(requirement, Key::Node, EntityKind::NodeType);
  return node ? sema::flatOf(*node) : nullptr;
}

/// Takes a step of a path; null where nothing is known of where it leads.
const sema::Flat *ValueCompleter::step(const sema::Flat *at,
                                       llvm::ArrayRef<Node> &rest) {
  auto text = [&] {
    return !rest.empty() && rest.front().isScalar() ? rest.front().text()
                                                    : StringRef();
  };
  StringRef word = text();
  rest = rest.drop_front();
  Key key = word == "RELATIONSHIP" ? Key::Requirements
            : word == "CAPABILITY" ? Key::Capabilities
            : word == "INTERFACE"  ? Key::Interfaces
                                   : Key::Type;
  if (key == Key::Type || rest.empty())
    return nullptr;
  const sema::Flat *part = sema::partOf(*at, key, text());
  rest = rest.drop_front();
  while (!rest.empty() && rest.front().isScalar() &&
         (text() == "ALL" ||
          rest.front().scalarType() == syntax::ScalarType::Integer))
    rest = rest.drop_front();
  if (part && key == Key::Requirements && text() == "TARGET") {
    rest = rest.drop_front();
    return targetOf(*part);
  }
  return part;
}

/// What may follow the steps \p before.
void ValueCompleter::path(llvm::ArrayRef<Node> before, bool isEvent) {
  if (before.empty()) {
    word("SELF", "what this belongs to");
    if (const Entity *owner = service())
      for (Key key : {Key::NodeTemplates, Key::RelationshipTemplates})
        for (const Entity &entity : owner->entities(key))
          items.push_back({entity.name.str().str(), CompletionKind::Template,
                           entity.text(Key::Type).str(), "",
                           entity.name.str().str()});
  }
  const sema::Flat *at = self();
  if (!before.empty()) {
    StringRef first = before.front().isScalar() ? before.front().text() : "";
    if (first == "SELF")
      before = before.drop_front();
    else if (const sema::Flat *named = flatOfTemplate(first)) {
      at = named;
      before = before.drop_front();
    }
  }
  while (at && before.size() > 1)
    at = step(at, before);
  StringRef last =
      !before.empty() && before.front().isScalar() ? before.front().text() : "";
  if (at && last == "RELATIONSHIP")
    return membersOf(*at, {Key::Requirements});
  if (at && last == "CAPABILITY")
    return membersOf(*at, {Key::Capabilities});
  if (at && last == "INTERFACE")
    return membersOf(*at, {Key::Interfaces});
  if (at && last == "OPERATION")
    return membersOf(*at, {Key::Operations});
  if (at && isEvent)
    membersOf(*at, {Key::Operations, Key::Notifications});
  else if (at)
    membersOf(*at, {Key::Properties, Key::Attributes});
  for (StringRef text : {"RELATIONSHIP", "CAPABILITY", "INTERFACE", "SOURCE",
                         "TARGET", "NODE", "ALL"})
    word(text, "step of a path");
}

/// The interface that the mark is in, by its type; null if that is not known.
const sema::Flat *ValueCompleter::interfaceAround() const {
  for (size_t count = place.steps.size(); count > 0; --count) {
    EntityKind kind = place.steps[count - 1].entity->kind;
    bool isInterface = kind == EntityKind::InterfaceType ||
                       kind == EntityKind::InterfaceDefinition ||
                       kind == EntityKind::InterfaceAssignment;
    if (isInterface)
      return context.flatOf(place, count);
  }
  return nullptr;
}

void ValueCompleter::cells() {
  if (const sema::Flat *flat = interfaceAround())
    membersOf(*flat, {Key::Attributes});
}

/// What \p cell can hold.
void ValueCompleter::states(StringRef cell) {
  const sema::Flat *flat = interfaceAround();
  const sema::Flat *part =
      flat ? sema::partOf(*flat, Key::Attributes, cell) : nullptr;
  if (const Type *type = part ? context.valueType(*part) : nullptr)
    typed(*type);
}

/// The cell that the mark is compared with in \p call; empty: none.
StringRef ValueCompleter::comparedCell(const CallAround &call) const {
  for (const Node &argument : call.arguments) {
    const Node *path =
        argument.isMapping() ? argument.find("$get_state") : nullptr;
    if (path && path->isSequence() && !path->items().empty())
      path = &path->items().back();
    if (path && path->isScalar())
      return path->text();
  }
  return "";
}

//===----------------------------------------------------------------------===//
// All
//===----------------------------------------------------------------------===//

std::vector<Completion> ValueCompleter::run() {
  const Field &field = *place.field();
  if (std::optional<CallAround> call = callAround(place)) {
    StringRef name = call->name->text().drop_front();
    llvm::ArrayRef<Node> before = call->arguments.take_front(
        std::min(call->index, call->arguments.size()));
    if (name == "get_input" && before.empty())
      inputs();
    else if (name == "get_property" || name == "get_attribute" ||
             name == "get_artifact" || name == "available_allocation")
      path(before, /*isEvent=*/false);
    else if (name == "get_state")
      cells();
    else {
      states(comparedCell(*call));
      functions();
    }
    return std::move(items);
  }
  const tosca::KeyRule *rule =
      outline.rule(place.entity()->kind).find(tosca::word(field.key));
  ShapeKind shape = rule ? rule->shape.kind : ShapeKind::Value;
  if (shape == ShapeKind::EventPath) {
    bool inList = field.value->isSequence();
    llvm::ArrayRef<Node> before;
    if (inList)
      before = field.value->items().take_until(
          [&](const Node &item) { return &item == &mark; });
    if (before.empty())
      for (size_t count = place.steps.size(); count > 0; --count)
        if (const sema::Flat *flat = context.flatOf(place, count))
          membersOf(*flat, {Key::Operations});
    if (inList)
      path(before, /*isEvent=*/true);
    return std::move(items);
  }
  if (shape == ShapeKind::Cells && place.keys.empty()) {
    cells();
    for (Completion &item : items)
      if (isNewKey)
        item.insert += ": ";
    return std::move(items);
  }
  if (shape == ShapeKind::Cells)
    states(place.keys.back()->text());
  if (const Type *type = wantedType())
    typed(*type);
  functions();
  return std::move(items);
}

std::vector<Completion> edit::completeValue(const ValuePlace &value) {
  return ValueCompleter(value).run();
}
