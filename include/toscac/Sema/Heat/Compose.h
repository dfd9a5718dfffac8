//===- toscac/Sema/Heat/Compose.h - A stack with all it is made of --------===//
///
/// \file
/// Follows a template over the types of its resources to the templates that
/// they stand for, chosen by the registry and by what the environments require
/// (seed 004). Only what is used is looked at: resources whose condition does
/// not hold, and candidates that are not chosen, lead nowhere.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_HEAT_COMPOSE_H
#define TOSCAC_SEMA_HEAT_COMPOSE_H

#include "toscac/Parse/Heat/Library.h"
#include "toscac/Value/Expr.h"

namespace toscac::heat {

struct Stack;

/// What the type of a resource stands for.
struct Implementation {
  /// The template; null for a type of Heat's own.
  File *file = nullptr;
  /// The name of the type, or of the template as shown.
  std::string name;
};

/// A choice among the candidates of a registry entry.
struct Choice {
  const RegistryEntry *entry;
  struct Candidate {
    /// Null: a type.
    const File *file;
    std::string name;
    bool fits;
    /// Why, in words.
    std::string reason;
  };
  std::vector<Candidate> candidates;
};

struct StackResource {
  const Resource *definition;
  /// The stack in which it stands.
  Stack *stack;
  /// `/controller/port`; `/web[*]` is any member of a group, `/web/2` one.
  std::string path;
  /// Its type is known.
  bool isResolved = false;
  bool isComposed = false;
  /// Members of a group know their place.
  std::string index;
  std::string indexVariable;
  Implementation implementation;
  /// The entry of the registry that led to a template; null: none did.
  const RegistryEntry *entry = nullptr;
  /// Where the registry had a list.
  std::optional<Choice> choice;
  /// The template's resources; null for a type of Heat's own.
  std::unique_ptr<Stack> nested;
  /// Of a group.
  std::vector<std::unique_ptr<StackResource>> members;
  /// Definitions of members stand in a property of the group.
  std::optional<Resource> ownDefinition;

  /// Members of one kind.
  bool isGroup() const {
    return !implementation.file &&
           implementation.name == "OS::Heat::ResourceGroup";
  }
  /// Members of kinds that a list names.
  bool isChain() const {
    return !implementation.file &&
           implementation.name == "OS::Heat::ResourceChain";
  }
  bool hasMembers() const { return isGroup() || isChain(); }
};

/// The value of a parameter, evaluated when it is asked for.
struct ParameterValue {
  const Parameter *definition;
  /// Where it was given; null for none, and for values from outside.
  const syntax::Node *node = nullptr;
  /// The resource whose properties have it; null: an environment, or the
  /// default.
  const StackResource *giver = nullptr;
  /// Several environments give parts of it, of which `node` is the last.
  const GivenValue *merged = nullptr;
  /// Text of the command line.
  std::optional<llvm::StringRef> text;
  /// What an earlier composition had, where nobody gives one; null: nothing.
  const Value *earlier = nullptr;
  bool isDefault = false;

  /// As it is, and as it may be shown; null until it is evaluated.
  const Expr *value = nullptr;
  const Expr *shown = nullptr;
  bool isEvaluating = false;
  bool isWrong = false;
};

/// A template in use.
struct Stack {
  File *file;
  const Template *source;
  /// `/controller`; empty for the whole.
  std::string path;
  /// What `OS::stack_name` is.
  std::string name;
  /// The resource that the template implements; null for the whole.
  const StackResource *facade = nullptr;
  llvm::MapVector<llvm::StringRef, ParameterValue> parameters;
  /// Those whose conditions hold, in their order.
  std::vector<std::unique_ptr<StackResource>> resources;

  StackResource *find(llvm::StringRef name) const;
};

/// What to compose.
struct ComposeInput {
  File &file;
  const Environment &environment;
  /// `NAME=VALUE`: parameters from the command line, stronger than those of
  /// environments.
  llvm::ArrayRef<std::string> parameters;
  /// Parameters of an earlier composition, weaker than all others: a map, or
  /// nil.
  Value earlier = {};
  /// Only checks are wanted, so parameters of the whole may be without a value.
  bool mayLackValues = false;
};

/// Where choices lead, without a look at values: what depends on a parameter
/// that nobody gave counts as true, and a group has one member, `[*]`.
std::unique_ptr<Stack> compose(const ComposeInput &input, Library &library,
                               NameTable &names, ValueArena &arena,
                               DiagnosticEngine &diags);

/// Prints the composition: a JSON object from paths of resources to templates
/// and types.
void printComposition(const Stack &stack, llvm::raw_ostream &os);

} // namespace toscac::heat

#endif
