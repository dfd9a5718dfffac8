//===- Render.cpp - Files of jobs -----------------------------------------===//

#include "toscac/Sema/Bosh/Render.h"

#include "Ruby/RubyInterpreter.h"
#include "Values.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

namespace {

class Renderer {
public:
  Renderer(const Deployment &deployment, const Links &links,
           SourceManager &sources, DiagnosticEngine &diags)
      : deployment(deployment), links(links), sources(sources), diags(diags) {}

  std::vector<RenderedFile> render();
  std::vector<RenderTask> collectTasks();

private:
  FileId sourceOf(const JobSpec &spec, const TemplateFile &file);
  const Template *templateOf(const JobSpec &spec, const TemplateFile &file);
  void visitJobs();
  void renderJob(uint32_t group, uint32_t job);
  RubyContext contextFor(const PlacedGroup &group, const PlacedJob &job,
                         size_t instance,
                         const std::map<StringRef, const Link *> &links);
  void renderFile(const PlacedGroup &group, const PlacedJob &job,
                  size_t instance, const RubyContext &context,
                  const TemplateFile &file);

  const Deployment &deployment;
  const Links &links;
  SourceManager &sources;
  DiagnosticEngine &diags;
  /// Read once for all groups; null where it cannot be.
  llvm::DenseMap<const TemplateFile *, std::unique_ptr<Template>> templates;
  std::map<std::pair<uint32_t, uint32_t>, std::map<StringRef, const Link *>>
      consumed;
  /// Read once for all groups; invalid where it cannot be.
  llvm::DenseMap<const TemplateFile *, FileId> files;
  std::vector<RenderedFile> rendered;
  /// What Ruby is to do instead; null: nothing.
  std::vector<RenderTask> *tasks = nullptr;
};

} // namespace

/// Whether \p way stays inside the folder that it starts from.
static bool staysInside(StringRef way) {
  if (way.empty() || llvm::sys::path::is_absolute(way))
    return false;
  return llvm::none_of(llvm::split(way, '/'), [](StringRef part) {
    return part == ".." || part == "." || part.empty();
  });
}

/// Invalid after a report.
FileId Renderer::sourceOf(const JobSpec &spec, const TemplateFile &file) {
  auto [at, isNew] = files.try_emplace(&file);
  if (!isNew)
    return at->second;
  llvm::SmallString<128> path(spec.folder);
  llvm::sys::path::append(path, "templates", file.source.text);
  if (!staysInside(file.target.text) || !staysInside(file.source.text)) {
    diags.report(file.target.range, diag::ManifestShape,
                 "the place of a template", "inside the folder of the job");
    return {};
  }
  if (!llvm::sys::fs::exists(path)) {
    diags.report(file.source.range, diag::TemplateNotFound, spec.name,
                 file.source.text);
    return {};
  }
  auto text = readFile(path, diags);
  if (!text)
    return {};
  FileId source = sources.add(path.str().str(), std::move(text));
  if (!source.isValid())
    diags.report({}, diag::TooMuchSource, path);
  return files[&file] = source;
}

/// Null after a report.
const Template *Renderer::templateOf(const JobSpec &spec,
                                     const TemplateFile &file) {
  auto [at, isNew] = templates.try_emplace(&file);
  if (!isNew)
    return at->second.get();
  FileId source = sourceOf(spec, file);
  if (!source.isValid())
    return nullptr;
  auto parsed =
      std::make_unique<Template>(parseTemplate(sources, source, diags));
  if (parsed->program)
    templates[&file] = std::move(parsed);
  return templates[&file].get();
}

/// What the manifest says of the properties that the job declares, or their
/// defaults; of a job that declares none, all.
static Value jobProperties(const Deployment &deployment,
                           const PlacedGroup &group, const PlacedJob &placed,
                           ValueArena &arena) {
  const Job &job = *placed.job;
  const JobSpec &spec = *placed.spec;
  llvm::SmallVector<const syntax::Node *> maps = {
      group.group->properties, deployment.manifest.properties};
  if (job.properties)
    maps = {job.properties};
  if (spec.properties.empty())
    return maps.front() ? toValue(*maps.front(), arena) : arena.map({});
  std::vector<StringRef> names;
  for (const auto &property : spec.properties)
    names.push_back(property.getKey());
  llvm::sort(names);
  NestedMap all;
  for (StringRef name : names) {
    std::optional<Value> value = findPath(maps, name, arena);
    const syntax::Node *byDefault = spec.properties.lookup(name);
    if ((!value || value->isNil()) && byDefault)
      value = toValue(*byDefault, arena);
    if (value && !value->isNil())
      all.set(name, *value);
  }
  return all.toValue(arena);
}

RubyContext
Renderer::contextFor(const PlacedGroup &group, const PlacedJob &job, size_t at,
                     const std::map<StringRef, const Link *> &given) {
  ValueArena arena;
  const Instance &instance = group.instances[at];
  RubyContext context;
  context.job = job.job->name.text;
  context.group = group.group->name.text;
  context.properties = toRuby(jobProperties(deployment, group, job, arena));
  context.links = RubyValue::map();
  for (auto [name, link] : given) {
    const Value &content =
        link->byInstance.empty() ? link->content : link->byInstance[at];
    RubyValue map = toRuby(content);
    if (map.isMap())
      map.set("address", toRuby(addressOf(*link, arena)));
    context.links.set(name, map);
  }
  RubyValue &spec = context.spec = RubyValue::map();
  RubyValue name = RubyValue::text(context.group);
  spec.set("deployment", RubyValue::text(links.deployment));
  spec.set("name", name);
  RubyValue jobMap = RubyValue::map();
  jobMap.set("name", name);
  spec.set("job", jobMap);
  spec.set("index", RubyValue::integer(instance.index));
  spec.set("bootstrap", RubyValue::boolean(instance.bootstrap));
  spec.set("id", RubyValue::text(instance.id));
  spec.set("az", instance.zone.empty() ? RubyValue()
                                       : RubyValue::text(instance.zone));
  RubyValue networks = RubyValue::map();
  for (auto [network, address] : instance.addresses) {
    RubyValue map = RubyValue::map();
    map.set("ip", RubyValue::text(address));
    networks.set(network, map);
    if (network == group.defaultNetwork || group.defaultNetwork.empty())
      for (StringRef key : {"ip", "address"})
        spec.set(key, RubyValue::text(address));
  }
  spec.set("networks", networks);
  spec.set("properties", context.properties);
  return context;
}

void Renderer::renderFile(const PlacedGroup &group, const PlacedJob &job,
                          size_t at, const RubyContext &context,
                          const TemplateFile &file) {
  llvm::SmallString<128> path(context.group);
  llvm::sys::path::append(path, std::to_string(group.instances[at].index),
                          context.job, file.target.text);
  if (tasks) {
    FileId source = sourceOf(*job.spec, file);
    RubyValue sees = RubyValue::map();
    sees.set("properties", context.properties);
    sees.set("links", context.links);
    sees.set("spec", context.spec);
    if (!source.isValid())
      return;
    RubyValue request = RubyValue::map();
    request.set("template", RubyValue::text(sources.text(source)));
    request.set("sees", sees);
    tasks->push_back({path.str().str(), source, context.job, context.group,
                      toJSON(request)});
    return;
  }
  const Template *parsed = templateOf(*job.spec, file);
  if (!parsed)
    return;
  // What a template changes is nothing to the next one.
  RubyContext own = context;
  for (RubyValue *part : {&own.properties, &own.links, &own.spec})
    *part = copyOf(*part, /*isDeep=*/true);
  std::string content;
  if (!RubyInterpreter(own, diags).run(*parsed->program, content))
    // The next instance would only say the same.
    templates[&file].reset();
  else
    rendered.push_back({path.str().str(), std::move(content)});
}

void Renderer::renderJob(uint32_t group, uint32_t job) {
  const PlacedGroup &placed = links.groups[group];
  const PlacedJob &placedJob = placed.jobs[job];
  if (!placedJob.spec || placedJob.spec->templates.empty())
    return;
  StringRef groupName = placed.group->name.text;
  StringRef jobName = placedJob.job->name.text;
  if (!staysInside(groupName) || !staysInside(jobName)) {
    diags.report(placed.group->name.range, diag::ManifestShape,
                 "the name of a group or job", "good as that of a folder");
    return;
  }
  for (size_t i = 0; i != placed.instances.size(); ++i) {
    RubyContext context =
        contextFor(placed, placedJob, i, consumed[{group, job}]);
    for (const TemplateFile &file : placedJob.spec->templates)
      renderFile(placed, placedJob, i, context, file);
  }
}

void Renderer::visitJobs() {
  for (const Link &link : links.links)
    if (!link.content.isNil() || !link.byInstance.empty())
      consumed[{link.group, link.job}][link.spec->name.text] = &link;
  for (uint32_t group = 0; group != links.groups.size(); ++group)
    for (uint32_t job = 0; job != links.groups[group].jobs.size(); ++job)
      renderJob(group, job);
}

std::vector<RenderedFile> Renderer::render() {
  visitJobs();
  return std::move(rendered);
}

std::vector<RenderTask> Renderer::collectTasks() {
  std::vector<RenderTask> collected;
  tasks = &collected;
  visitJobs();
  return collected;
}

std::vector<RenderedFile> bosh::renderJobs(const Deployment &deployment,
                                           const Links &links,
                                           SourceManager &sources,
                                           DiagnosticEngine &diags) {
  return Renderer(deployment, links, sources, diags).render();
}

std::vector<RenderTask> bosh::renderTasks(const Deployment &deployment,
                                          const Links &links,
                                          SourceManager &sources,
                                          DiagnosticEngine &diags) {
  return Renderer(deployment, links, sources, diags).collectTasks();
}
