//===- ParseEntity.cpp - Syntax tree to AST, by the tables ----------------===//
///
/// \file
/// One function reads every entity: it looks each key up in the entity's table
/// and reads the value by the shape found there.
///
//===----------------------------------------------------------------------===//

#include "ParseEntity.h"

#include "llvm/ADT/SmallVector.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

using Fields = llvm::SmallVector<Field, 16>;
using Entities = llvm::SmallVector<Entity, 8>;

class EntityParser {
public:
  EntityParser(llvm::BumpPtrAllocator &arena, NameTable &names,
               DiagnosticEngine &diags)
      : arena(arena), names(names), diags(diags) {}

  Entity parse(EntityKind kind, const Node &node, const Node *nameNode);

private:
  void parseFields(Entity &entity, const Node &map, Fields &fields);
  void parseField(Entity &entity, const KeyRule &rule, const Entry &entry,
                  Fields &fields);
  bool parseShort(Entity &entity, const Node &node);
  bool parseUnknownKey(Entity &entity, const Entry &entry, Fields &operations);
  bool parseValue(const Subject &subject, Shape shape, Field &field);
  bool parseMap(const Subject &subject, Shape shape, Field &field);
  bool parseList(const Subject &subject, Shape shape, Field &field);
  bool parseNamedList(const Subject &subject, Shape shape, Field &field);
  bool parseReaction(const Subject &subject, Shape shape, Field &field);

  void warnOfOldKeyname(const Entity &entity, const KeyRule &rule,
                        const Node &key);
  void reportUnknown(const Entity &entity, const Node &key);
  bool reportMissingDash(const Node &node);
  void checkMandatory(const Entity &entity);
  void checkConstraints(const Entity &entity);
  void checkActivity(const Entity &entity);

  template <typename List>
  auto store(const List &list) {
    return llvm::ArrayRef(list).copy(arena);
  }

  llvm::BumpPtrAllocator &arena;
  NameTable &names;
  DiagnosticEngine &diags;
};

} // namespace

/// Interfaces of earlier versions hold operations without `operations:`.
static bool mayHoldOperations(EntityKind kind) {
  return kind == EntityKind::InterfaceType ||
         kind == EntityKind::InterfaceDefinition ||
         kind == EntityKind::InterfaceAssignment;
}

/// Definitions that need no keyname are often only announced: `create:`.
static bool mayBeEmpty(EntityKind kind) {
  return llvm::all_of(rule(kind).keys, [](const KeyRule &keyRule) {
    return keyRule.presence == Presence::Optional;
  });
}

Entity EntityParser::parse(EntityKind kind, const Node &node,
                           const Node *nameNode) {
  Entity entity{kind};
  entity.node = &node;
  if (nameNode) {
    entity.nameNode = nameNode;
    entity.valid = checkName(*nameNode, diags);
    if (nameNode->isScalar())
      entity.name = names.intern(nameNode->text());
  }
  if (parseShort(entity, node))
    return entity;
  if (node.isNull() && nameNode && mayBeEmpty(kind))
    return entity;
  if (!node.isMapping()) {
    entity.valid =
        reportShape(node, describe(entity), {ShapeKind::One, kind}, diags);
    return entity;
  }
  Fields fields;
  parseFields(entity, node, fields);
  entity.fields = store(fields);
  checkMandatory(entity);
  checkConstraints(entity);
  return entity;
}

/// Reads what stands in place of a map. Returns false if \p node is none.
bool EntityParser::parseShort(Entity &entity, const Node &node) {
  const ShortForm *form = rule(entity.kind).shortForm;
  if (!form || node.isNull())
    return false;
  switch (form->kind) {
  case ShortForm::Kind::Scalar:
    if (!node.isScalar())
      return false;
    break;
  case ShortForm::Kind::Path:
    if (!node.isScalar() && !node.isSequence())
      return false;
    break;
  case ShortForm::Kind::Value:
    if (node.isMapping() && !isCall(node))
      return false;
    break;
  }
  entity.isShort = true;
  Field field{form->key};
  field.value = &node;
  const KeyRule *keyRule = rule(entity.kind).find(word(form->key));
  field.valid = parseValue({form->key, entity}, keyRule->shape, field);
  entity.fields = store(llvm::ArrayRef(field));
  return true;
}

void EntityParser::parseFields(Entity &entity, const Node &map,
                               Fields &fields) {
  const EntityRule &table = rule(entity.kind);
  Fields operations;
  for (const Entry &entry : map.entries()) {
    const KeyRule *keyRule =
        entry.key.isScalar() ? table.find(entry.key.text()) : nullptr;
    if (keyRule)
      parseField(entity, *keyRule, entry, fields);
    else if (!parseUnknownKey(entity, entry, operations))
      reportUnknown(entity, entry.key);
  }
  llvm::append_range(fields, operations);
}

void EntityParser::parseField(Entity &entity, const KeyRule &keyRule,
                              const Entry &entry, Fields &fields) {
  warnOfOldKeyname(entity, keyRule, entry.key);
  Field field{keyRule.meaning};
  field.keyNode = &entry.key;
  field.value = &entry.value;
  field.valid = parseValue({keyRule.key, entity}, keyRule.shape, field);
  bool spelledTwice = llvm::any_of(fields, [&](const Field &other) {
    return other.key == field.key && entity.kind != EntityKind::Reaction;
  });
  if (spelledTwice)
    diags.report(entry.key.range(), diag::ConflictingKeynames, describe(entity),
                 word(keyRule.meaning), word(keyRule.key));
  else if (keyRule.status != KeyRule::Status::Dropped)
    fields.push_back(field);
}

/// An unknown key of an interface is an operation in the old form, unless it is
/// a misspelt keyname.
bool EntityParser::parseUnknownKey(Entity &entity, const Entry &entry,
                                   Fields &operations) {
  if (!mayHoldOperations(entity.kind) || !entry.key.isString())
    return false;
  llvm::SmallVector<StringRef, 16> keynames;
  for (const KeyRule &keyRule : rule(entity.kind).keys)
    keynames.push_back(word(keyRule.key));
  if (nearestName(entry.key.text(), keynames))
    return false;
  diags.report(entry.key.range(), diag::DeprecatedOperations, entry.key.text(),
               describe(entity));
  EntityKind kind = entity.kind == EntityKind::InterfaceAssignment
                        ? EntityKind::OperationAssignment
                        : EntityKind::OperationDefinition;
  Field field{Key::Operations};
  field.keyNode = &entry.key;
  field.value = &entry.value;
  field.entities = store(llvm::ArrayRef(parse(kind, entry.value, &entry.key)));
  operations.push_back(field);
  return true;
}

//===----------------------------------------------------------------------===//
// Values that hold entities
//===----------------------------------------------------------------------===//

bool EntityParser::parseValue(const Subject &subject, Shape shape,
                              Field &field) {
  switch (shape.kind) {
  case ShapeKind::One:
    if (field.value->isNull())
      return reportShape(*field.value, subject.str(), shape, diags);
    field.entities = store(llvm::ArrayRef(
        parse(shape.entity, *field.value, /*nameNode=*/nullptr)));
    return field.entities.front().valid;
  case ShapeKind::Map:
    return parseMap(subject, shape, field);
  case ShapeKind::List:
    return parseList(subject, shape, field);
  case ShapeKind::NamedList:
    return parseNamedList(subject, shape, field);
  case ShapeKind::Reaction:
    return parseReaction(subject, shape, field);
  default:
    return checkShape(*field.value, shape.kind, subject, diags);
  }
}

bool EntityParser::parseMap(const Subject &subject, Shape shape, Field &field) {
  if (!field.value->isMapping())
    return reportShape(*field.value, subject.str(), shape, diags);
  Entities entities;
  for (const Entry &entry : field.value->entries())
    entities.push_back(parse(shape.entity, entry.value, &entry.key));
  field.entities = store(entities);
  return true;
}

bool EntityParser::parseList(const Subject &subject, Shape shape,
                             Field &field) {
  llvm::ArrayRef<Node> items;
  if (field.value->isSequence())
    items = field.value->items();
  else if (subject.key == Key::Trigger && field.value->isMapping())
    items = *field.value;
  else if (reportMissingDash(*field.value))
    return false;
  else
    return reportShape(*field.value, subject.str(), shape, diags);
  Entities entities;
  for (const Node &item : items) {
    entities.push_back(parse(shape.entity, item, /*nameNode=*/nullptr));
    if (shape.entity == EntityKind::Activity)
      checkActivity(entities.back());
  }
  field.entities = store(entities);
  return true;
}

bool EntityParser::parseNamedList(const Subject &subject, Shape shape,
                                  Field &field) {
  if (!field.value->isSequence())
    return reportMissingDash(*field.value)
               ? false
               : reportShape(*field.value, subject.str(), shape, diags);
  bool valid = true;
  Entities entities;
  for (const Node &item : field.value->items()) {
    if (item.isMapping() && item.entries().size() == 1) {
      const Entry &entry = item.entries().front();
      entities.push_back(parse(shape.entity, entry.value, &entry.key));
    } else if (item.isMapping()) {
      diags.report(item.range(), diag::NotOneEntry, word(subject.key),
                   item.entries().size());
      valid = false;
    } else {
      valid = reportShape(item, "each item of " + subject.str(),
                          {ShapeKind::Map, shape.entity}, diags);
    }
  }
  field.entities = store(entities);
  return valid;
}

/// `on_success` and its kind: a map, or a list whose items are parts of that
/// map or triggers.
bool EntityParser::parseReaction(const Subject &subject, Shape shape,
                                 Field &field) {
  const Node &node = *field.value;
  if (!node.isMapping() && !node.isSequence())
    return reportShape(node, subject.str(), shape, diags);
  Entity reaction{EntityKind::Reaction};
  reaction.node = &node;
  Fields fields;
  if (node.isMapping())
    parseFields(reaction, node, fields);
  else
    for (const Node &item : node.items()) {
      if (!item.isMapping()) {
        reaction.valid =
            reportShape(item, "each item of " + subject.str(), shape, diags);
      } else if (item.find(word(Key::Event))) {
        Field trigger{Key::Triggers};
        trigger.value = &item;
        trigger.entities = store(
            llvm::ArrayRef(parse(EntityKind::EventTrigger, item, nullptr)));
        fields.push_back(trigger);
      } else {
        parseFields(reaction, item, fields);
      }
    }
  reaction.fields = store(fields);
  field.entities = store(llvm::ArrayRef(reaction));
  return reaction.valid;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void EntityParser::warnOfOldKeyname(const Entity &entity,
                                    const KeyRule &keyRule, const Node &key) {
  StringRef old = word(keyRule.key);
  if (keyRule.status == KeyRule::Status::Dropped)
    diags.report(key.range(), diag::DroppedKeyname,
                 Subject{keyRule.key, entity}.str());
  if (keyRule.status == KeyRule::Status::Deprecated)
    diags
        .report(key.range(), diag::DeprecatedKeyname, old,
                word(keyRule.meaning))
        .fixIt(key.range(), word(keyRule.meaning).str());
}

void EntityParser::reportUnknown(const Entity &entity, const Node &key) {
  if (!checkName(key, diags))
    return;
  llvm::SmallVector<StringRef, 16> keynames;
  for (const KeyRule &keyRule : rule(entity.kind).keys)
    if (keyRule.status != KeyRule::Status::Dropped)
      keynames.push_back(word(keyRule.key));
  auto nearest = nearestName(key.text(), keynames);
  std::string hint;
  if (nearest)
    hint = ("; did you mean '" + *nearest + "'?").str();
  auto report = diags.report(key.range(), diag::UnknownKeyname,
                             describe(entity), key.text(), hint);
  if (nearest)
    report.fixIt(key.range(), nearest->str());
}

/// `-event: …` is a map with a strange key where a list item was meant.
bool EntityParser::reportMissingDash(const Node &node) {
  if (!node.isMapping() || node.entries().empty())
    return false;
  const Node &key = node.entries().front().key;
  if (!key.isPlain() || !key.text().starts_with("-"))
    return false;
  diags.report(key.range(), diag::MissingDashBlank, key.text())
      .fixIt(key.range(), ("- " + key.text().drop_front()).str());
  return true;
}

void EntityParser::checkMandatory(const Entity &entity) {
  for (const KeyRule &keyRule : rule(entity.kind).keys)
    if (keyRule.presence == Presence::Mandatory && !entity.find(keyRule.key) &&
        entity.kind != EntityKind::File)
      diags.report(entity.range(), diag::MissingKeyname, describe(entity),
                   word(keyRule.key));
}

void EntityParser::checkConstraints(const Entity &entity) {
  for (const KeyConstraint &constraint : rule(entity.kind).constraints) {
    const Field *first = entity.find(constraint.first);
    const Field *second = entity.find(constraint.second);
    StringRef firstWord = word(constraint.first);
    StringRef secondWord = word(constraint.second);
    switch (constraint.kind) {
    case KeyConstraint::Kind::OneOf:
      if (!first && !second)
        diags.report(entity.range(), diag::NeitherKeyname, describe(entity),
                     firstWord, secondWord);
      [[fallthrough]];
    case KeyConstraint::Kind::NotBoth:
      if (first && second)
        diags.report(second->range(), diag::ConflictingKeynames,
                     describe(entity), firstWord, secondWord);
      break;
    case KeyConstraint::Kind::Needs:
      if (first && !second)
        diags.report(first->range(), diag::KeynameNeeds, firstWord,
                     describe(entity), secondWord);
      break;
    }
  }
}

void EntityParser::checkActivity(const Entity &entity) {
  if (entity.valid && entity.fields.size() != 1)
    diags.report(entity.range(), diag::NotOneActivity, entity.fields.size());
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// A file that does not say its version is no TOSCA file; that is said once,
/// and nothing else of it.
static bool checkIsTosca(const Node &root, DiagnosticEngine &diags) {
  if (root.isNull()) {
    diags.report(root.range(), diag::NotTosca, "the file is empty");
    return false;
  }
  StringRef keyname = word(Key::ToscaDefinitionsVersion);
  if (!root.isMapping() || !root.find(keyname)) {
    SourceRange place = root.range();
    if (root.isMapping() && !root.entries().empty())
      place = root.entries().front().key.range();
    diags.report(place, diag::NotTosca,
                 "'tosca_definitions_version' is missing");
    return false;
  }
  const Node &first = root.entries().front().key;
  if (!first.isScalar() || first.text() != keyname)
    diags.report(first.range(), diag::VersionNotFirst);
  return true;
}

Entity tosca::parseFile(const syntax::Tree &tree, NameTable &names,
                        DiagnosticEngine &diags) {
  if (!checkIsTosca(tree.root, diags)) {
    Entity invalid{EntityKind::File};
    invalid.node = &tree.root;
    invalid.valid = false;
    return invalid;
  }
  EntityParser parser(*tree.arena, names, diags);
  return parser.parse(EntityKind::File, tree.root, /*nameNode=*/nullptr);
}
