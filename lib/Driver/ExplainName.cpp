//===- ExplainName.cpp - What --explain says of a name --------------------===//

#include "ExplainName.h"

#include "toscac/Basic/DiagnosticTable.h"
#include "toscac/Parse/TOSCA/Grammar.h"
#include "toscac/Parse/TOSCA/PrintGrammar.h"
#include "toscac/Value/Functions.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::raw_ostream;
using llvm::StringRef;

static bool explainFunction(StringRef name, raw_ostream &os) {
  name.consume_front("$");
  std::optional<Function> function = findFunction(name);
  if (!function)
    return false;
  const FunctionInfo &row = info(*function);
  os << '$' << row.name << " (function)\n\nIt takes "
     << unsigned(row.minArguments);
  if (row.maxArguments == FunctionInfo::unbounded)
    os << " or more";
  else if (row.maxArguments != row.minArguments)
    os << " to " << unsigned(row.maxArguments);
  os << (row.maxArguments == 1 ? " argument" : " arguments") << ": { $"
     << row.name << ": [ … ] }\n";
  if (row.section != "-")
    os << "\nSee TOSCA 2.0, section " << row.section << ".\n";
  return true;
}

namespace {

struct Role {
  StringRef mark;
  const char *meaning;
};

} // namespace

static constexpr Role roles[] = {
#define OPERATION_ROLE(FIELD, MARK) {MARK, "names an operation of the type"},
#define CELL_ROLE(FIELD, MARK) {MARK, "names an attribute of the type"},
#define VALUE_ROLE(FIELD, MARK, CELL)                                          \
  {MARK, "names a value of the attribute that another role names"},
#include "toscac/IR/Roles.def"
};

/// `intent.deploy` and its kind.
static constexpr Role families[] = {
#define ROLE_FAMILY(MARK) {MARK, "says something of what follows the dot"},
#include "toscac/IR/Roles.def"
};

static bool explainRole(StringRef name, raw_ostream &os) {
  const Role *found =
      llvm::find_if(roles, [&](const Role &role) { return role.mark == name; });
  if (found == std::end(roles)) {
    StringRef family = name.split('.').first;
    found = llvm::find_if(
        families, [&](const Role &role) { return role.mark == family; });
    if (found == std::end(families))
      return false;
  }
  os << name << " (role)\n\nIn the metadata of an interface type, it "
     << found->meaning
     << ";\nby such roles the compiler finds its way in a life cycle.\n\n"
        "See docs/WritingProfiles.md.\n";
  return true;
}

bool toscac::explainName(StringRef name, raw_ostream &os) {
  bool found = false;
  for (auto page :
       {explain, tosca::explainKeyname, explainFunction, explainRole}) {
    std::string text;
    llvm::raw_string_ostream one(text);
    if (!page(name, one))
      continue;
    os << (found ? "\n----\n\n" : "") << text;
    found = true;
  }
  return found;
}

std::vector<StringRef> toscac::explainedNames() {
  llvm::SetVector<StringRef> names;
  for (StringRef name : diagnosticNames())
    names.insert(name);
  for (const tosca::EntityRule &rule : tosca::allEntities())
    for (const tosca::KeyRule &key : rule.keys)
      names.insert(tosca::word(key.key));
  for (StringRef name : functionNames())
    names.insert(name);
  for (const Role &role : roles)
    names.insert(role.mark);
  return {names.begin(), names.end()};
}
