//===- Render.cpp - Files of jobs -----------------------------------------===//

#include "toscac/Sema/Bosh/Render.h"

#include "TemplateEvaluator.h"
#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/Files.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

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

private:
  const Template *templateOf(const JobSpec &spec, const TemplateFile &file);
  void renderJob(uint32_t group, uint32_t job);
  void renderFile(const TemplateContext &context, const TemplateFile &file);

  const Deployment &deployment;
  const Links &links;
  SourceManager &sources;
  DiagnosticEngine &diags;
  /// Read once for all groups; null where it cannot be.
  llvm::DenseMap<const TemplateFile *, std::unique_ptr<Template>> templates;
  std::map<std::pair<uint32_t, uint32_t>, std::map<StringRef, const Link *>>
      consumed;
  std::vector<RenderedFile> files;
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

const Template *Renderer::templateOf(const JobSpec &spec,
                                     const TemplateFile &file) {
  auto [at, isNew] = templates.try_emplace(&file);
  if (!isNew)
    return at->second.get();
  llvm::SmallString<128> path(spec.folder);
  llvm::sys::path::append(path, "templates", file.source.text);
  if (!staysInside(file.target.text) || !staysInside(file.source.text)) {
    diags.report(file.target.range, diag::ManifestShape,
                 "the place of a template", "inside the folder of the job");
    return nullptr;
  }
  if (!llvm::sys::fs::exists(path)) {
    diags.report(file.source.range, diag::TemplateNotFound, spec.name,
                 file.source.text);
    return nullptr;
  }
  auto text = readFile(path, diags);
  if (!text)
    return nullptr;
  FileId source = sources.add(path.str().str(), std::move(text));
  if (!source.isValid()) {
    diags.report({}, diag::TooMuchSource, path);
    return nullptr;
  }
  auto parsed =
      std::make_unique<Template>(parseTemplate(sources, source, diags));
  if (parsed->valid)
    templates[&file] = std::move(parsed);
  return templates[&file].get();
}

void Renderer::renderFile(const TemplateContext &context,
                          const TemplateFile &file) {
  const Template *parsed = templateOf(*context.job.spec, file);
  if (!parsed)
    return;
  RenderedFile rendered;
  if (!TemplateEvaluator(context, diags)
           .render(parsed->items, rendered.content)) {
    // The next instance would only say the same.
    templates[&file].reset();
    return;
  }
  const Instance &instance = context.group.instances[context.instance];
  llvm::SmallString<128> path(context.group.group->name.text);
  llvm::sys::path::append(path, std::to_string(instance.index),
                          context.job.job->name.text, file.target.text);
  rendered.path = path.str().str();
  files.push_back(std::move(rendered));
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
    TemplateContext context{deployment, links, placed, placedJob, i, {}};
    context.consumed = consumed[{group, job}];
    for (const TemplateFile &file : placedJob.spec->templates)
      renderFile(context, file);
  }
}

std::vector<RenderedFile> Renderer::render() {
  for (const Link &link : links.links)
    if (!link.content.isNil() || !link.byInstance.empty())
      consumed[{link.group, link.job}][link.spec->name.text] = &link;
  size_t errors = diags.numErrors();
  for (uint32_t group = 0; group != links.groups.size(); ++group)
    for (uint32_t job = 0; job != links.groups[group].jobs.size(); ++job)
      renderJob(group, job);
  if (diags.numErrors() != errors)
    files.clear();
  return std::move(files);
}

std::vector<RenderedFile> bosh::renderJobs(const Deployment &deployment,
                                           const Links &links,
                                           SourceManager &sources,
                                           DiagnosticEngine &diags) {
  return Renderer(deployment, links, sources, diags).render();
}
