//===- ResolveType.cpp - What a type name stands for ----------------------===//

#include "ResolveType.h"

#include "toscac/Basic/DiagnosticsHeat.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Sema/Choose.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::heat;
using llvm::StringRef;

/// All names, so that a name that is not found can be compared with them.
static const llvm::StringSet<> &builtinTypes() {
  static const llvm::StringSet<> types = [] {
    llvm::StringSet<> result;
    auto add = [&](StringRef prefix, StringRef names) {
      for (StringRef name : llvm::split(names, ' '))
        result.insert((prefix + name).str());
    };
#define TYPES(PREFIX, NAMES) add(PREFIX, NAMES);
#include "ResourceTypes.def"
    return result;
  }();
  return types;
}

bool heat::isBuiltinType(StringRef name) {
  return builtinTypes().contains(name);
}

/// The names of the resources that lead to \p resource, and its own. Members of
/// a group are named by their index.
static llvm::SmallVector<StringRef> namesOf(const StackResource &resource) {
  llvm::SmallVector<StringRef> names;
  if (const StackResource *facade = resource.stack->facade)
    names = namesOf(*facade);
  names.push_back(resource.definition->name.text);
  if (!resource.index.empty())
    names.push_back(resource.index);
  return names;
}

static bool nameFits(StringRef pattern, StringRef name) {
  if (pattern == name)
    return true;
  auto glob = llvm::GlobPattern::create(pattern);
  if (!glob) {
    llvm::consumeError(glob.takeError());
    return false;
  }
  return glob->match(name);
}

/// The sections for the resource at the end of \p names below \p registry,
/// those with its very name first.
static void findSections(const Registry &registry,
                         llvm::ArrayRef<StringRef> names,
                         std::vector<const Registry *> &found) {
  if (names.empty()) {
    found.push_back(&registry);
    return;
  }
  auto exact = registry.resources.find(names.front());
  if (exact != registry.resources.end())
    findSections(*exact->second, names.drop_front(), found);
  for (const auto &[pattern, section] : registry.resources)
    if (pattern != names.front() && nameFits(pattern, names.front()))
      findSections(*section, names.drop_front(), found);
}

/// Whether \p resource is inside of a template that \p entry led to.
static bool isInUse(const RegistryEntry &entry, const StackResource &resource) {
  const StackResource *at = resource.stack->facade;
  while (at && at->entry != &entry)
    at = at->stack->facade;
  return at;
}

/// The entry for \p type in one section. Patterns stand for types only.
static const RegistryEntry *findIn(const Registry &registry, StringRef type,
                                   const StackResource &resource,
                                   bool takesPatterns) {
  auto exact = registry.entries.find(type);
  // As in Heat: a template that stands for one of its types can use the type.
  bool isOriginal = exact != registry.entries.end() && isBuiltinType(type) &&
                    isInUse(exact->second, resource);
  if (exact != registry.entries.end() && !isOriginal)
    return &exact->second;
  const RegistryEntry *best = nullptr;
  if (!takesPatterns)
    return nullptr;
  for (const auto &[key, entry] : registry.entries) {
    bool fits = key.ends_with("*") && type.starts_with(key.drop_back()) &&
                !namesTemplate(entry.targets.front().text);
    if (fits && (!best || key.size() > best->key.text.size()))
      best = &entry;
  }
  return best;
}

TypeResolver::Found TypeResolver::find(StringRef type,
                                       const StackResource &resource,
                                       bool takesPatterns) const {
  std::vector<const Registry *> sections;
  findSections(environment.registry, namesOf(resource), sections);
  sections.push_back(&environment.registry);
  for (const Registry *section : sections)
    if (const RegistryEntry *entry =
            findIn(*section, type, resource, takesPatterns))
      return {entry, type.drop_front(
                         std::min(type.size(), entry->key.text.size() - 1))};
  return {};
}

bool TypeResolver::openTemplate(std::string path, SourceRange place,
                                StackResource &resource) {
  File *file = library.open(path, place);
  resource.implementation = {file, std::move(path)};
  return file && file->capabilities;
}

bool TypeResolver::reportUnknown(StringRef type, const StackResource &resource,
                                 llvm::ArrayRef<StringRef> followed) {
  auto report =
      diags.report(resource.definition->type.range, diag::UnknownResourceType,
                   resource.path, resource.definition->type.text);
  for (size_t i = 1; i < followed.size(); ++i)
    report.note({}, diag::AliasLeadsHere, followed[i - 1], followed[i]);
  std::vector<StringRef> known;
  for (const auto &builtin : builtinTypes())
    known.push_back(builtin.getKey());
  for (const auto &entry : environment.registry.entries) {
    known.push_back(entry.first);
    bool isPattern =
        entry.first.ends_with("*") && type.starts_with(entry.first.drop_back());
    if (isPattern && namesTemplate(entry.second.targets.front().text))
      report.note(entry.second.key.range, diag::PatternToTemplate, type);
  }
  llvm::sort(known);
  Suggestion(type, known).noteOn(report);
  return false;
}

bool TypeResolver::followTarget(StringRef target, const RegistryEntry &entry,
                                SourceRange place, StackResource &resource,
                                Followed &followed) {
  if (namesTemplate(target)) {
    resource.entry = &entry;
    return openTemplate(joinPath(entry.folder, target), place, resource);
  }
  return follow(target, resource, followed);
}

bool TypeResolver::follow(StringRef type, StackResource &resource,
                          Followed &followed) {
  if (llvm::is_contained(followed, type)) {
    diags.report(resource.definition->type.range, diag::TemplateRecursion, type,
                 resource.path,
                 llvm::join(followed, " is ") + " is " + type.str());
    return false;
  }
  followed.push_back(type);
  // `OS::*: OS::Heat::None` is about what templates say, not about itself.
  bool takesPatterns = followed.size() == 1 || !isBuiltinType(type);
  Found found = find(type, resource, takesPatterns);
  if (!found.entry) {
    resource.implementation = {nullptr, type.str()};
    return isBuiltinType(type) || reportUnknown(type, resource, followed);
  }
  if (found.entry->isList)
    return choose(*found.entry, resource, followed);
  const Word &target = found.entry->targets.front();
  StringRef name = target.text;
  std::string replaced;
  if (found.entry->key.text.ends_with("*") && name.ends_with("*")) {
    replaced = (name.drop_back() + found.rest).str();
    name = library.save(replaced);
  }
  return followTarget(name, *found.entry, target.range, resource, followed);
}

static std::vector<sema::Tag> tagsOf(llvm::ArrayRef<Capability> capabilities) {
  std::vector<sema::Tag> tags;
  for (const Capability &capability : capabilities) {
    sema::Tag &tag = tags.emplace_back();
    tag.key = capability.key.text;
    for (const syntax::Node *value : capability.values)
      tag.values.push_back(value->text());
  }
  return tags;
}

std::vector<sema::Tagged> heat::taggedCandidates(const Choice &choice) {
  std::vector<sema::Tagged> candidates;
  for (const Choice::Candidate &candidate : choice.candidates)
    candidates.push_back(
        {candidate.name, candidate.file && candidate.file->capabilities
                             ? tagsOf(*candidate.file->capabilities)
                             : std::vector<sema::Tag>()});
  return candidates;
}

/// Reads the candidates of a list; false if one of them is no template.
bool TypeResolver::openCandidates(const RegistryEntry &entry, Choice &choice) {
  bool areUsable = true;
  for (const Word &target : entry.targets) {
    const File *file = nullptr;
    std::string name = target.text.str();
    if (namesTemplate(target.text)) {
      name = joinPath(entry.folder, target.text);
      file = library.open(name, target.range);
      areUsable &= file && file->capabilities;
    }
    choice.candidates.push_back({file, name, false, ""});
  }
  return areUsable;
}

/// Says that not exactly one candidate is left, and why of each.
void TypeResolver::reportChoice(const StackResource &resource,
                                llvm::ArrayRef<sema::Tag> required) {
  const Choice &choice = *resource.choice;
  std::vector<std::string> all, fitting;
  for (const Choice::Candidate &candidate : choice.candidates) {
    all.push_back("'" + candidate.name + "'");
    if (candidate.fits)
      fitting.push_back(all.back());
  }
  SourceRange place = resource.definition->type.range;
  StringRef type = choice.entry->key.text;
  std::string words = sema::toText(required);
  auto report =
      fitting.empty()
          ? diags.report(place, diag::CapabilityNoMatch, llvm::join(all, ", "),
                         resource.path, type, words)
          : diags.report(place, diag::CapabilityAmbiguous,
                         llvm::join(fitting, ", "), resource.path, type,
                         required.empty() ? "no environment has 'requires'"
                                          : "all that is required is " + words);
  std::vector<sema::Tagged> tagged = taggedCandidates(choice);
  for (size_t i = 0; i != choice.candidates.size(); ++i) {
    const Choice::Candidate &candidate = choice.candidates[i];
    SourceRange range = choice.entry->targets[i].range;
    if (!candidate.fits) {
      report.note(range, diag::CandidateMisfits, candidate.name,
                  candidate.reason);
      continue;
    }
    std::vector<sema::Tag> own = sema::distinguishingTags(tagged, i);
    bool helps = required.empty() && !own.empty();
    report.note(range, diag::CandidateFits, candidate.name,
                helps ? candidate.reason + "; 'requires: { " +
                            sema::toText(own) + " }' would choose it"
                      : candidate.reason);
  }
}

bool TypeResolver::choose(const RegistryEntry &entry, StackResource &resource,
                          Followed &followed) {
  Choice &choice = resource.choice.emplace(Choice{&entry, {}});
  if (!openCandidates(entry, choice))
    return false;
  std::vector<sema::Tagged> candidates = taggedCandidates(choice);
  std::vector<sema::Tag> required = tagsOf(environment.required);
  const Word *chosen = nullptr;
  size_t numFitting = 0;
  for (auto [candidate, target, verdict] :
       llvm::zip(choice.candidates, entry.targets,
                 sema::judge(required, candidates))) {
    candidate.fits = verdict.fits;
    candidate.reason = verdict.reason;
    numFitting += verdict.fits;
    if (verdict.fits)
      chosen = &target;
  }
  if (numFitting == 1)
    return followTarget(chosen->text, entry, chosen->range, resource, followed);
  reportChoice(resource, required);
  return false;
}

bool TypeResolver::resolve(StackResource &resource) {
  const Word &type = resource.definition->type;
  if (namesTemplate(type.text)) {
    StringRef folder = llvm::sys::path::parent_path(resource.stack->file->path);
    return openTemplate(joinPath(folder, type.text), type.range, resource);
  }
  llvm::SmallVector<StringRef> followed;
  return follow(type.text, resource, followed);
}
