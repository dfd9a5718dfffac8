//===- Compose.cpp - A stack with all it is made of -----------------------===//

#include "toscac/Sema/Heat/Compose.h"
#include "toscac/Basic/Suggest.h"

#include "Composer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;
using syntax::Node;

StackResource *Stack::find(StringRef name) const {
  auto found = llvm::find_if(resources, [&](const auto &resource) {
    return resource->definition->name.text == name;
  });
  return found == resources.end() ? nullptr : found->get();
}

/// Whether \p file is in use around \p facade; that, or too many levels, is
/// reported.
static bool isEndless(Composer &composer, const File &file,
                      const StackResource *facade) {
  std::vector<std::string> chain = {file.path};
  // An entry for one of Heat's own types holds once: inside it is the original.
  bool isOnce =
      facade && facade->entry && isBuiltinType(facade->entry->key.text);
  const StackResource *at = facade;
  for (; at; at = at->stack->facade) {
    chain.push_back(at->stack->file->path);
    if (at->stack->file == &file && !isOnce) {
      std::reverse(chain.begin(), chain.end());
      composer.diags.report(facade->definition->type.range,
                            diag::TemplateRecursion, file.path, facade->path,
                            llvm::join(chain, " uses "));
      return true;
    }
  }
  if (!facade || chain.size() <= Composer::maxLevels)
    return false;
  composer.diags.report(facade->definition->type.range, diag::TooDeepStack,
                        facade->path, Composer::maxLevels);
  return true;
}

bool Composer::countResource(SourceRange place) {
  if (++numResources == maxResources + 1)
    diags.report(place, diag::TooLargeStack, input.file.path, maxResources);
  return numResources <= maxResources;
}

/// Adds the resources whose conditions hold.
static void addResources(Composer &composer, Stack &stack) {
  for (const Resource &definition : stack.source->resources) {
    Truth isThere = Truth::True;
    if (definition.condition)
      isThere = composer.evaluateCondition(*definition.condition, {stack});
    if (isThere == Truth::Unknown)
      composer.reportNotKnown(
          definition.condition->range(),
          ("resource '" + definition.name.text + "'").str());
    if (isThere == Truth::False)
      continue;
    if (!composer.countResource(definition.name.range))
      return;
    auto resource = std::make_unique<StackResource>();
    resource->definition = &definition;
    resource->stack = &stack;
    resource->path = stack.path + "/" + definition.name.text.str();
    stack.resources.push_back(std::move(resource));
  }
}

std::unique_ptr<Stack> Composer::composeStack(File &file,
                                              const StackResource *facade) {
  if (isEndless(*this, file, facade))
    return nullptr;
  auto stack = std::make_unique<Stack>();
  stack->file = &file;
  stack->source = &library.parse(file);
  if (file.isBroken)
    return nullptr;
  stack->facade = facade;
  stack->name = llvm::sys::path::stem(file.path).str();
  if (facade) {
    stack->path = facade->path;
    stack->name =
        facade->stack->name + "-" + facade->definition->name.text.str();
  }
  bindParameters(*stack);
  addResources(*this, *stack);
  for (auto &resource : stack->resources)
    resource->isResolved = resolver.resolve(*resource);
  for (auto &resource : stack->resources)
    composeResource(*resource);
  return stack;
}

/// How many members the group has; nothing after a report.
static std::optional<int64_t> countOf(Composer &composer,
                                      const StackResource &group) {
  const Node *node = group.definition->properties->find("count");
  if (!node)
    return 1;
  Scope scope{*group.stack, group.index.empty() ? nullptr : &group};
  scope.reveals = true;
  const Expr *count = composer.evaluate(*node, scope);
  if (!count)
    return std::nullopt;
  int64_t number = -1;
  if (count->isLiteral() &&
      StringRef(textOf(count->value())).getAsInteger(10, number))
    number = -1;
  if (number >= 0 && number <= Composer::maxMembers)
    return number;
  if (!count->isLiteral() && composer.isOpen)
    return 1;
  composer.diags.report(node->range(), diag::HeatCount, group.path,
                        Composer::maxMembers, toText(*count));
  return std::nullopt;
}

std::vector<std::string> heat::removedMembers(Composer &composer,
                                              const StackResource &group) {
  std::vector<std::string> names;
  const Node *properties = group.definition->properties;
  const Node *node = properties && properties->isMapping()
                         ? properties->find("removal_policies")
                         : nullptr;
  if (!node || node->isNull())
    return names;
  Scope scope{*group.stack, group.index.empty() ? nullptr : &group};
  scope.reveals = true;
  const Expr *policies = composer.evaluate(*node, scope);
  auto refuse = [&](const Value &found) {
    composer.diags.report(node->range(), diag::HeatShape,
                          "'removal_policies' of '" + group.path + "'",
                          "a list of maps with a list of members, "
                          "'resource_list'",
                          toText(found));
    return std::vector<std::string>();
  };
  // A list that is known only when the stack runs names nobody yet.
  if (!policies || !policies->isLiteral())
    return names;
  if (!policies->value().isList())
    return refuse(policies->value());
  for (const Value &policy : policies->value().items()) {
    const Value *list = policy.isMap() ? policy.find("resource_list") : nullptr;
    if (!list || !list->isList())
      return refuse(policy);
    for (const Value &name : list->items())
      names.push_back(textOf(name));
  }
  return names;
}

static void addMember(Composer &composer, StackResource &group,
                      const Resource &definition, StringRef variable,
                      std::string path, std::string index) {
  auto member = std::make_unique<StackResource>();
  member->ownDefinition = definition;
  member->definition = &*member->ownDefinition;
  member->stack = group.stack;
  member->path = std::move(path);
  member->index = std::move(index);
  member->indexVariable = variable.str();
  member->isResolved = composer.resolver.resolve(*member);
  group.members.push_back(std::move(member));
  composer.composeResource(*group.members.back());
}

/// What each member of a group is; nothing after a report.
static std::optional<Resource> memberDefinition(Composer &composer,
                                                const StackResource &group) {
  const Node *properties = group.definition->properties;
  const Node *node = properties && properties->isMapping()
                         ? properties->find("resource_def")
                         : nullptr;
  if (!node) {
    composer.diags.report(group.definition->name.range, diag::HeatMissingKey,
                          "group '" + group.path + "'", "resource_def");
    return std::nullopt;
  }
  const Node *type = node->isMapping() ? node->find("type") : nullptr;
  if (!type || !type->isScalar()) {
    composer.diags.report(node->range(), diag::HeatMissingKey,
                          "'resource_def' of '" + group.path + "'", "type");
    return std::nullopt;
  }
  Resource result;
  result.name = group.definition->name;
  result.type = {type->text(), type->range()};
  result.properties = node->find("properties");
  result.metadata = node->find("metadata");
  return result;
}

static void composeGroup(Composer &composer, StackResource &group) {
  auto definition = memberDefinition(composer, group);
  if (!definition)
    return;
  const Node *variable = group.definition->properties->find("index_var");
  StringRef name = variable && variable->isScalar() ? variable->text()
                                                    : StringRef("%index%");
  if (composer.detail == Detail::Types) {
    addMember(composer, group, *definition, name, group.path + "[*]", "0");
    return;
  }
  auto count = countOf(composer, group);
  if (!count)
    return;
  // Names of members that were removed are not given again.
  std::vector<std::string> removed = removedMembers(composer, group);
  llvm::StringSet<> isRemoved;
  isRemoved.insert(removed.begin(), removed.end());
  for (int64_t i = 0; int64_t(group.members.size()) != *count; ++i) {
    std::string index = std::to_string(i);
    if (isRemoved.contains(index))
      continue;
    if (!composer.countResource(group.definition->name.range))
      return;
    addMember(composer, group, *definition, name, group.path + "/" + index,
              index);
  }
}

/// One member for each type that `resources` lists. What is known only when
/// the stack runs has no members yet.
static void composeChain(Composer &composer, StackResource &chain) {
  const Node *properties = chain.definition->properties;
  bool isMap = properties && properties->isMapping();
  const Node *node = isMap ? properties->find("resources") : nullptr;
  if (!node) {
    composer.diags.report(chain.definition->name.range, diag::HeatMissingKey,
                          "chain '" + chain.path + "'", "resources");
    return;
  }
  Scope scope{*chain.stack, chain.index.empty() ? nullptr : &chain};
  scope.reveals = true;
  const Expr *types = composer.evaluate(*node, scope);
  if (!types || !types->isLiteral() || !types->value().isList())
    return;
  Resource definition;
  definition.name = chain.definition->name;
  definition.properties = properties->find("resource_properties");
  for (auto [i, type] : llvm::enumerate(types->value().items())) {
    if (!composer.countResource(chain.definition->name.range))
      return;
    definition.type = {composer.arena.save(textOf(type)), node->range()};
    std::string index = std::to_string(i);
    addMember(composer, chain, definition, "", chain.path + "/" + index, index);
  }
}

void Composer::composeResource(StackResource &resource) {
  if (resource.isComposed || !resource.isResolved)
    return;
  resource.isComposed = true;
  if (resource.implementation.file)
    resource.nested = composeStack(*resource.implementation.file, &resource);
  else if (resource.isGroup())
    composeGroup(*this, resource);
  else if (resource.isChain())
    composeChain(*this, resource);
}

std::unique_ptr<Stack> Composer::composeAll() {
  auto stack = composeStack(input.file, nullptr);
  std::vector<StringRef> declared = library.declaredKeys();
  for (const Capability &required : input.environment.required) {
    if (llvm::is_contained(declared, required.key.text))
      continue;
    auto report = diags.report(required.key.range, diag::RequirementUnused,
                               required.key.text);
    Suggestion(required.key.text, declared).noteOn(report);
  }
  return stack;
}

std::unique_ptr<Stack> heat::compose(const ComposeInput &input,
                                     Library &library, NameTable &names,
                                     ValueArena &arena,
                                     DiagnosticEngine &diags) {
  return Composer(input, Detail::Types, library, names, arena, diags)
      .composeAll();
}
