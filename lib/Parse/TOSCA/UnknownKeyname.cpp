//===- UnknownKeyname.cpp - What a keyname may have meant -----------------===//

#include "UnknownKeyname.h"

#include "toscac/Basic/DiagnosticsParse.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::StringRef;

Suggestion tosca::nearestKeyname(const EntityRule &entity, StringRef keyname) {
  llvm::SmallVector<StringRef, 16> keynames;
  for (const KeyRule &keyRule : entity.keys)
    if (keyRule.status != KeyRule::Status::Dropped)
      keynames.push_back(word(keyRule.key));
  Suggestion meant(keyname, keynames);
  const KeyRule *found = entity.kind == EntityKind::File && meant.name
                             ? entity.find(*meant.name)
                             : nullptr;
  if (found && found->status == KeyRule::Status::Deprecated)
    meant.name = word(found->meaning);
  return meant;
}

bool tosca::isExtension(const EntityRule &entity, StringRef keyname,
                        llvm::ArrayRef<std::string> extensions) {
#define EXTENSION(ENTITY, KEYNAME)                                             \
  if (entity.kind == EntityKind::ENTITY && keyname == KEYNAME)                 \
    return true;
#include "Extensions.def"
  std::string noun = llvm::join(llvm::split(entity.noun, ' '), "_");
  return llvm::any_of(extensions, [&](StringRef each) {
    return each.consume_front(noun) && each.consume_front(".") &&
           each == keyname;
  });
}

std::string tosca::whereItBelongs(
    const EntityRule &entity, StringRef keyname,
    llvm::function_ref<const EntityRule &(EntityKind)> ruleOf) {
  auto below = [](Key key) { return ("below '" + word(key) + "'").str(); };
  // What holds the templates has changed its name.
  if (entity.kind == EntityKind::File &&
      (keyname.contains("template") || keyname.contains("topology")))
    for (Key key : {Key::ServiceTemplate, Key::TopologyTemplate})
      if (entity.find(word(key)) && word(key) != keyname)
        return "; node templates stand " + below(key);
  for (const KeyRule &keyRule : entity.keys)
    if (keyRule.shape.kind == ShapeKind::One &&
        keyRule.status == KeyRule::Status::Current &&
        ruleOf(keyRule.shape.entity).find(keyname))
      return "; it belongs " + below(keyRule.key);
  const KeyRule *properties = entity.find(word(Key::Properties));
  if (properties && properties->shape.kind == ShapeKind::Values)
    return "; a value of a property stands " + below(Key::Properties);
  return "";
}

bool tosca::reportOutdented(StringRef entity, const EntityRule &table,
                            const KeyRule &empty, const syntax::Node &next,
                            DiagnosticEngine &diags) {
  bool holdsMore = empty.shape.kind == ShapeKind::Map ||
                   empty.shape.kind == ShapeKind::Values;
  if (!holdsMore || !next.isString() || table.find(next.text()) ||
      nearestKeyname(table, next.text()).name)
    return false;
  diags.report(next.range(), diag::UnknownKeyname, entity, next.text(),
               ("; indent it, if it belongs to '" + word(empty.key) +
                "' above, which is empty")
                   .str());
  return true;
}

bool tosca::isDashedKey(const syntax::Node &key) {
  return key.isPlain() && key.text().starts_with("-") &&
         key.scalarType() == syntax::ScalarType::String;
}

bool tosca::reportMissingDash(const syntax::Node &node,
                              DiagnosticEngine &diags) {
  if (!node.isMapping() || node.entries().empty())
    return false;
  const syntax::Node &key = node.entries().front().key;
  if (!isDashedKey(key))
    return false;
  reportDash(key, diags);
  return true;
}

void tosca::reportDash(const syntax::Node &key, DiagnosticEngine &diags) {
  diags.report(key.range(), diag::MissingDashBlank, key.text())
      .safeFixIt(key.range(), ("- " + key.text().drop_front()).str());
}
