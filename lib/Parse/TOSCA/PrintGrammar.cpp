//===- PrintGrammar.cpp - The grammar as text -----------------------------===//

#include "toscac/Parse/TOSCA/PrintGrammar.h"

#include "ParseEntity.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::tosca;
using llvm::raw_ostream;
using llvm::StringRef;

/// `§7.2`, or a word for what is not of TOSCA 2.0.
static std::string describeSection(StringRef section) {
  if (section == "event")
    return "event handling";
  if (section == "1.x")
    return "TOSCA 1.x";
  return ("§" + section).str();
}

static std::string describePresence(const KeyRule &rule) {
  std::string meaning = ("`" + word(rule.meaning) + "`").str();
  switch (rule.status) {
  case KeyRule::Status::Other:
    return "same as " + meaning;
  case KeyRule::Status::Deprecated:
    return "deprecated: " + meaning;
  case KeyRule::Status::Dropped:
  case KeyRule::Status::Unused:
    return "ignored";
  case KeyRule::Status::Current:
    break;
  }
  switch (rule.presence) {
  case Presence::Mandatory:
    return "mandatory";
  case Presence::Inherited:
    return "mandatory unless refined";
  case Presence::Optional:
    return "optional";
  }
  llvm_unreachable("all kinds of presence are handled");
}

static void printConstraint(const KeyConstraint &constraint, raw_ostream &os) {
  StringRef first = word(constraint.first);
  StringRef second = word(constraint.second);
  switch (constraint.kind) {
  case KeyConstraint::Kind::OneOf:
    os << "Exactly one of `" << first << "` and `" << second << "`.\n";
    return;
  case KeyConstraint::Kind::NotBoth:
    os << "Not both `" << first << "` and `" << second << "`.\n";
    return;
  case KeyConstraint::Kind::Needs:
    os << '`' << first << "` only together with `" << second << "`.\n";
    return;
  }
}

static void printEntity(const EntityRule &entity, raw_ostream &os) {
  os << "### " << entity.id << "\n\n";
  os << "The " << entity.noun << " (" << describeSection(entity.section)
     << ").\n";
  if (entity.shortForm)
    os << "In short: the value of `" << word(entity.shortForm->key)
       << "` alone.\n";
  for (const KeyConstraint &constraint : entity.constraints)
    printConstraint(constraint, os);
  os << "\n| Keyname | Presence | Value | Section |\n| --- | --- | --- | --- "
        "|\n";
  for (const KeyRule &rule : entity.keys)
    os << "| `" << word(rule.key) << "` | " << describePresence(rule) << " | "
       << describe(rule.shape) << " | " << describeSection(rule.section)
       << " |\n";
  os << '\n';
}

void tosca::printGrammar(raw_ostream &os) {
  for (const EntityRule &entity : allEntities())
    printEntity(entity, os);
}

bool tosca::explainKeyname(StringRef keyname, raw_ostream &os) {
  bool isKnown = false;
  for (const EntityRule &entity : allEntities()) {
    const KeyRule *key = entity.find(keyname);
    if (!key)
      continue;
    if (!isKnown)
      os << keyname << " (keyname)\n";
    isKnown = true;
    std::string presence = describePresence(*key);
    llvm::erase(presence, '`');
    os << "\n  of " << entity.noun << ": " << presence << "; "
       << describe(key->shape) << " (" << describeSection(key->section)
       << ")\n";
  }
  return isKnown;
}
