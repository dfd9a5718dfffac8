//===- ParseEntity.cpp - Syntax tree to AST, by the tables ----------------===//
///
/// \file
/// One function reads every entity: it looks each key up in the entity's table
/// and reads the value by the shape found there.
///
//===----------------------------------------------------------------------===//

#include "ParseEntity.h"

#include "CheckVersion.h"
#include "UnknownKeyname.h"
#include "toscac/Basic/DiagnosticsParse.h"
#include "llvm/ADT/SmallVector.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

using FieldList = llvm::SmallVector<Field, 16>;
using Entities = llvm::SmallVector<Entity, 8>;
/// Keynames that were probably meant by unknown ones: they are not missing.
using Misspelt = llvm::SmallVector<StringRef, 2>;

class EntityParser {
public:
  /// \p dialect is null for TOSCA 2.0. The file \p isForeign if somebody else
  /// may own it.
  EntityParser(const EarlierVersion *dialect, bool isForeign,
               llvm::ArrayRef<std::string> extensions,
               llvm::BumpPtrAllocator &arena, NameTable &names,
               DiagnosticEngine &diags)
      : dialect(dialect), isForeign(isForeign), extensions(extensions),
        arena(arena), names(names), diags(diags) {}

  Entity parse(EntityKind kind, const Node &node, const Node *nameNode);

private:
  void parseFields(Entity &entity, const Node &map, FieldList &fields,
                   Misspelt &misspelt);
  void parseField(Entity &entity, const KeyRule &rule, const Entry &entry,
                  FieldList &fields);
  void parseMisspelt(Entity &entity, const Node &map, const Entry &entry,
                     FieldList &fields, Misspelt &misspelt);
  bool parseShort(Entity &entity, const Node &node);
  bool parseUnknownKey(Entity &entity, const Entry &entry,
                       Entities &operations);
  void addOperations(const Entities &operations, const Node &map,
                     FieldList &fields);
  bool parseValue(const Subject &subject, Shape shape, Field &field);
  bool parseMap(const Subject &subject, Shape shape, Field &field);
  bool parseList(const Subject &subject, Shape shape, Field &field);
  bool parseNamedList(const Subject &subject, Shape shape, Field &field);
  bool parseReaction(const Subject &subject, Shape shape, Field &field);

  void warnOfOldKeyname(const Entity &entity, const KeyRule &rule,
                        const Entry &entry);
  void reportUnknown(const Entity &entity, const Node &key, Misspelt &misspelt);
  void checkMandatory(const Entity &entity, const Misspelt &misspelt);
  void checkConstraints(const Entity &entity, const Misspelt &misspelt);
  void checkActivity(const Entity &entity);

  const EntityRule &rule(EntityKind kind) const {
    return dialect ? dialect->entities[static_cast<size_t>(kind)]
                   : tosca::rule(kind);
  }
  bool fits(EntityKind kind, const Node &node) const;
  bool mayBeEmpty(EntityKind kind) const;
  bool isEmptyOperation(EntityKind kind, const Node &node) const;

  template <typename List>
  auto store(const List &list) {
    return llvm::ArrayRef(list).copy(arena);
  }

  const EarlierVersion *dialect;
  bool isForeign;
  llvm::ArrayRef<std::string> extensions;
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

/// Whether \p node has the form of \p form's entity in short.
static bool fits(const ShortForm &form, const Node &node) {
  switch (form.kind) {
  case ShortForm::Kind::Scalar:
    return node.isString() && !node.text().empty();
  case ShortForm::Kind::Path:
    return node.isScalar() || node.isSequence();
  case ShortForm::Kind::Value:
    return !node.isMapping() || isCall(node);
  }
  llvm_unreachable("all forms are handled");
}

/// Whether \p node can be read as an entity of \p kind, short or long.
bool EntityParser::fits(EntityKind kind, const Node &node) const {
  const ShortForm *form = rule(kind).shortForm;
  return node.isMapping() || (form && !node.isNull() && ::fits(*form, node));
}

/// Types of NFV announce an operation by `instantiate: []`.
bool EntityParser::isEmptyOperation(EntityKind kind, const Node &node) const {
  return dialect && node.isSequence() && node.items().empty() &&
         (kind == EntityKind::OperationDefinition ||
          kind == EntityKind::OperationAssignment);
}

/// Definitions that need no keyname are often only announced: `create:`.
bool EntityParser::mayBeEmpty(EntityKind kind) const {
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
  // A signature that is not refined is left empty (TOSCA 2.0 §10.4).
  bool mayBeNull = nameNode || kind == EntityKind::Signature;
  if ((node.isNull() || isEmptyOperation(kind, node)) && mayBeNull &&
      mayBeEmpty(kind))
    return entity;
  if (!node.isMapping()) {
    std::string form = describe(Shape{ShapeKind::One, kind});
    // `create: install.sh` right below `interfaces`.
    if (mayHoldOperations(kind) && node.isScalar() && nameNode)
      form += " ('operations: { … }')";
    entity.valid = reportShape(node, describe(entity), form, diags);
    return entity;
  }
  FieldList fields;
  Misspelt misspelt;
  parseFields(entity, node, fields, misspelt);
  if (dialect)
    completeFields(entity.kind, node, arena, fields);
  entity.fields = store(fields);
  checkMandatory(entity, misspelt);
  checkConstraints(entity, misspelt);
  bool allKnown = fields.size() == node.entries().size();
  if (kind == EntityKind::Activity && allKnown)
    checkActivity(entity);
  return entity;
}

/// Whether \p node is a map without any keyname of \p rule: a value, where one
/// may stand in place of a definition.
static bool isBareMap(const EntityRule &rule, const Node &node) {
  return node.isMapping() && !node.entries().empty() &&
         rule.kind == EntityKind::PropertyDefinition &&
         llvm::none_of(node.entries(), [&](const Entry &entry) {
           return entry.key.isScalar() && rule.find(entry.key.text());
         });
}

/// Reads what stands in place of a map. Returns false if \p node is none.
bool EntityParser::parseShort(Entity &entity, const Node &node) {
  const ShortForm *form = rule(entity.kind).shortForm;
  if (!form || node.isNull())
    return false;
  bool isOlder = dialect && form->kind == ShortForm::Kind::Value &&
                 (isOlderCall(node) || isBareMap(rule(entity.kind), node));
  if (!isOlder && !::fits(*form, node))
    return false;
  entity.isShort = true;
  const KeyRule *keyRule = rule(entity.kind).find(word(form->key));
  Field field{keyRule->meaning};
  field.value = &node;
  if (dialect)
    field.value = modernize(*keyRule, node, {form->key, entity}, arena, diags);
  field.valid = parseValue({form->key, entity}, keyRule->shape, field);
  entity.fields = store(llvm::ArrayRef(field));
  return true;
}

void EntityParser::parseFields(Entity &entity, const Node &map,
                               FieldList &fields, Misspelt &misspelt) {
  const EntityRule &table = rule(entity.kind);
  Entities operations;
  bool isAfterDash = false;
  const Node *skipped = nullptr;
  for (const auto &[index, entry] : llvm::enumerate(map.entries())) {
    const KeyRule *keyRule =
        entry.key.isScalar() ? table.find(entry.key.text()) : nullptr;
    // `-item: …` in the column of the list is a key of the map around it.
    const Node *next = index + 1 < map.entries().size()
                           ? &map.entries()[index + 1].key
                           : nullptr;
    if (std::exchange(isAfterDash, false) && isDashedKey(entry.key)) {
      reportDash(entry.key, diags);
      isAfterDash = true;
      continue;
    }
    isAfterDash = keyRule && entry.value.isNull() && next && isDashedKey(*next);
    if (isAfterDash) {
      misspelt.push_back(word(keyRule->key));
      continue;
    }
    if (keyRule && entry.value.isNull() && next && !isForeign &&
        reportOutdented(describe(entity), table, *keyRule, *next, diags)) {
      misspelt.push_back(word(keyRule->key));
      skipped = next;
      continue;
    }
    if (&entry.key == skipped)
      continue;
    if (keyRule)
      parseField(entity, *keyRule, entry, fields);
    else if (!parseUnknownKey(entity, entry, operations))
      parseMisspelt(entity, map, entry, fields, misspelt);
  }
  if (!operations.empty())
    addOperations(operations, map, fields);
}

/// Adds operations that stand directly in the interface \p map to those under
/// `operations`.
void EntityParser::addOperations(const Entities &operations, const Node &map,
                                 FieldList &fields) {
  Field *field = llvm::find_if(
      fields, [](const Field &field) { return field.key == Key::Operations; });
  if (field == fields.end()) {
    fields.push_back({Key::Operations});
    field = &fields.back();
    field->keyNode = operations.front().nameNode;
    field->value = &map;
  }
  Entities all(field->entities.begin(), field->entities.end());
  llvm::append_range(all, operations);
  field->entities = store(all);
}

void EntityParser::parseField(Entity &entity, const KeyRule &keyRule,
                              const Entry &entry, FieldList &fields) {
  warnOfOldKeyname(entity, keyRule, entry);
  if (dialect && isLeftOut(keyRule, entry.value))
    return;
  Field field{keyRule.meaning};
  field.keyNode = &entry.key;
  field.value = &entry.value;
  Subject subject{keyRule.key, entity};
  const Node *modern =
      dialect ? modernize(keyRule, entry.value, subject, arena, diags)
              : nullptr;
  if (modern)
    field.value = modern;
  field.valid =
      (modern || !dialect) && parseValue(subject, keyRule.shape, field);
  const Field *other = llvm::find_if(fields, [&](const Field &other) {
    return other.key == field.key && entity.kind != EntityKind::Reaction;
  });
  if (other != fields.end())
    diags.report(entry.key.range(), diag::ConflictingKeynames, describe(entity),
                 other->keyNode->text(), word(keyRule.key));
  else if (keyRule.status != KeyRule::Status::Dropped &&
           keyRule.status != KeyRule::Status::Unused)
    fields.push_back(field);
}

/// What stands under a misspelt keyname is read as if it were spelt right, so
/// that nothing else is wrong because of it.
void EntityParser::parseMisspelt(Entity &entity, const Node &map,
                                 const Entry &entry, FieldList &fields,
                                 Misspelt &misspelt) {
  reportUnknown(entity, entry.key, misspelt);
  Suggestion name = nearestKeyname(
      rule(entity.kind), entry.key.isString() ? entry.key.text() : "");
  const KeyRule *meant = name.name && !map.find(*name.name)
                             ? rule(entity.kind).find(*name.name)
                             : nullptr;
  bool isRead = meant && meant->status == KeyRule::Status::Current &&
                llvm::none_of(fields, [&](const Field &field) {
                  return field.key == meant->meaning;
                });
  if (!isRead)
    return;
  DiagnosticEngine found;
  FieldList read;
  EntityParser(dialect, isForeign, extensions, arena, names, found)
      .parseField(entity, *meant, entry, read);
  // Of another form, it was hardly meant.
  if (read.empty() || !read.front().valid)
    return;
  diags.take(std::move(found));
  fields.push_back(read.front());
}

/// An unknown key of an interface is an operation in the old form, unless it is
/// a misspelt keyname.
bool EntityParser::parseUnknownKey(Entity &entity, const Entry &entry,
                                   Entities &operations) {
  if (!mayHoldOperations(entity.kind) || !entry.key.isString())
    return false;
  llvm::SmallVector<StringRef, 32> keynames;
  for (EntityKind kind : {entity.kind, EntityKind::InterfaceDefinition})
    for (const KeyRule &keyRule : rule(kind).keys)
      keynames.push_back(word(keyRule.key));
  if (nearestName(entry.key.text(), keynames))
    return false;
  if (!dialect)
    diags.report(entry.key.range(), diag::DeprecatedOperations,
                 entry.key.text(), describe(entity));
  EntityKind kind = entity.kind == EntityKind::InterfaceAssignment
                        ? EntityKind::OperationAssignment
                        : EntityKind::OperationDefinition;
  operations.push_back(parse(kind, entry.value, &entry.key));
  return true;
}

//===----------------------------------------------------------------------===//
// Values that hold entities
//===----------------------------------------------------------------------===//

bool EntityParser::parseValue(const Subject &subject, Shape shape,
                              Field &field) {
  switch (shape.kind) {
  case ShapeKind::One:
    if (!fits(shape.entity, *field.value))
      return reportShape(*field.value, subject.str(), describe(shape), diags);
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
    return reportShape(*field.value, subject.str(), describe(shape), diags);
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
  else if (reportMissingDash(*field.value, diags))
    return false;
  else
    return reportShape(*field.value, subject.str(), describe(shape), diags);
  // TOSCA 2.0 §10.4: at least one signature.
  if (items.empty() && subject.key == Key::Signatures)
    return reportShape(*field.value, subject.str(), describe(shape), diags);
  bool valid = true;
  Entities entities;
  for (const Node &item : items) {
    bool isEmptySignature =
        shape.entity == EntityKind::Signature && item.isNull();
    if (isEmptySignature || fits(shape.entity, item))
      entities.push_back(parse(shape.entity, item, /*nameNode=*/nullptr));
    else
      valid = reportShape(item, "each item of " + subject.str(),
                          describe(Shape{ShapeKind::One, shape.entity}), diags);
  }
  field.entities = store(entities);
  return valid;
}

bool EntityParser::parseNamedList(const Subject &subject, Shape shape,
                                  Field &field) {
  if (!field.value->isSequence())
    return reportMissingDash(*field.value, diags)
               ? false
               : reportShape(*field.value, subject.str(), describe(shape),
                             diags);
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
      valid = reportShape(
          item, "each item of " + subject.str(),
          ("a map from one name to its " + rule(shape.entity).noun).str(),
          diags);
    }
  }
  field.entities = store(entities);
  return valid;
}

/// `on_success` and its kind: a map, or a list whose items are parts of that
/// map or triggers. Nothing stands for a reaction that does nothing.
bool EntityParser::parseReaction(const Subject &subject, Shape shape,
                                 Field &field) {
  const Node &node = *field.value;
  if (!node.isMapping() && !node.isSequence() && !node.isNull())
    return reportShape(node, subject.str(), describe(shape), diags);
  Entity reaction{EntityKind::Reaction};
  reaction.node = &node;
  FieldList fields;
  Misspelt misspelt;
  if (node.isMapping())
    parseFields(reaction, node, fields, misspelt);
  else if (node.isSequence())
    for (const Node &item : node.items()) {
      if (!item.isMapping()) {
        reaction.valid = reportShape(
            item, "each item of " + subject.str(),
            "a map of 'set' and 'triggers', or an event trigger", diags);
      } else if (item.find(word(Key::Event))) {
        Field trigger{Key::Triggers};
        trigger.value = &item;
        trigger.entities = store(
            llvm::ArrayRef(parse(EntityKind::EventTrigger, item, nullptr)));
        fields.push_back(trigger);
      } else {
        parseFields(reaction, item, fields, misspelt);
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
                                    const KeyRule &keyRule,
                                    const Entry &entry) {
  SourceRange place = entry.key.range();
  if (keyRule.status == KeyRule::Status::Dropped)
    diags.report(place, diag::DroppedKeyname,
                 Subject{keyRule.key, entity}.str());
  if (keyRule.status != KeyRule::Status::Deprecated)
    return;
  StringRef present = word(keyRule.meaning);
  auto report =
      diags.report(place, diag::DeprecatedKeyname, word(keyRule.key), present);
  // Lists of constraints and preconditions have no equal in TOSCA 2.0.
  bool sameShape =
      keyRule.shape.kind == rule(entity.kind).find(present)->shape.kind;
  if (sameShape || !entry.value.isSequence())
    report.safeFixIt(place, present.str());
}

void EntityParser::reportUnknown(const Entity &entity, const Node &key,
                                 Misspelt &misspelt) {
  if (!checkName(key, diags))
    return;
  Suggestion meant = nearestKeyname(rule(entity.kind), key.text());
  if (isForeign) {
    diags.report(key.range(), diag::ForeignKeyname, describe(entity),
                 key.text(), meant.clause());
    return;
  }
  if (!meant.name && isExtension(rule(entity.kind), key.text(), extensions)) {
    diags.report(key.range(), diag::VendorKeyname, describe(entity),
                 key.text());
    return;
  }
  auto ruleOf = [&](EntityKind kind) -> const EntityRule & {
    return rule(kind);
  };
  auto report = diags.report(
      key.range(), diag::UnknownKeyname, describe(entity), key.text(),
      meant.name ? meant.clause()
                 : whereItBelongs(rule(entity.kind), key.text(), ruleOf));
  meant.fixIn(report, key.range());
  if (meant.name)
    misspelt.push_back(*meant.name);
}

void EntityParser::checkMandatory(const Entity &entity,
                                  const Misspelt &misspelt) {
  // All that a copy does not say, it has from what it copies.
  bool isCopy = entity.find(Key::Copy);
  for (const KeyRule &keyRule : rule(entity.kind).keys)
    if (keyRule.presence == Presence::Mandatory && !isCopy &&
        !entity.find(keyRule.meaning) &&
        !(dialect && keyRule.key == Key::ToscaDefinitionsVersion) &&
        !llvm::is_contained(misspelt, word(keyRule.key)))
      diags.report(placeForKeyname(entity), diag::MissingKeyname,
                   describe(entity), word(keyRule.key));
}

void EntityParser::checkConstraints(const Entity &entity,
                                    const Misspelt &misspelt) {
  for (const KeyConstraint &constraint : rule(entity.kind).constraints) {
    const Field *first = entity.find(constraint.first);
    const Field *second = entity.find(constraint.second);
    StringRef firstWord = word(constraint.first);
    StringRef secondWord = word(constraint.second);
    bool meant = llvm::is_contained(misspelt, firstWord) ||
                 llvm::is_contained(misspelt, secondWord);
    switch (constraint.kind) {
    case KeyConstraint::Kind::OneOf:
      if (!first && !second && !meant)
        diags.report(entity.range(), diag::NeitherKeyname, describe(entity),
                     firstWord, secondWord);
      [[fallthrough]];
    case KeyConstraint::Kind::NotBoth:
      if (first && second)
        diags.report(second->range(), diag::ConflictingKeynames,
                     describe(entity), firstWord, secondWord);
      break;
    case KeyConstraint::Kind::Needs:
      if (first && !second && !meant)
        diags.report(first->range(), diag::KeynameNeeds, firstWord,
                     describe(entity), secondWord);
      break;
    }
  }
}

void EntityParser::checkActivity(const Entity &entity) {
  if (entity.fields.size() != 1)
    diags.report(entity.range(), diag::NotOneActivity, entity.fields.size());
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

Entity tosca::parseFile(const syntax::Tree &tree, SourceRange importedAt,
                        const EarlierVersion *importer, NameTable &names,
                        DiagnosticEngine &diags,
                        llvm::ArrayRef<std::string> extensions) {
  bool isTosca = checkIsTosca(tree.root, importedAt, importer, diags);
  // Only earlier versions have this keyname, so that the rest can be read.
  bool isOlder = !isTosca && tree.root.isMapping() &&
                 tree.root.find(word(Key::TopologyTemplate)) &&
                 versionOf(tree.root).empty();
  if (isOlder)
    importer = findEarlierVersion("tosca_simple_yaml_1_3");
  if (!isTosca && !isOlder) {
    Entity invalid{EntityKind::File};
    invalid.node = &tree.root;
    invalid.valid = false;
    return invalid;
  }
  StringRef version = versionOf(tree.root);
  const EarlierVersion *dialect =
      version.empty() ? importer : findEarlierVersion(nearestVersion(version));
  EntityParser parser(dialect, dialect && importedAt.isValid(), extensions,
                      *tree.arena, names, diags);
  return parser.parse(EntityKind::File, tree.root, /*nameNode=*/nullptr);
}
