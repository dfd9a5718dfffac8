//===- UnknownKeyname.cpp - What a keyname may have meant -----------------===//

#include "UnknownKeyname.h"

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
