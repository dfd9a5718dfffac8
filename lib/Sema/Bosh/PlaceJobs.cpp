//===- PlaceJobs.cpp - Which jobs run in which group ----------------------===//

#include "Resolution.h"

#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using syntax::Node;

namespace {

class Placer {
public:
  explicit Placer(Resolution &resolution);
  void place();

private:
  PlacedJob bind(const Job &job);
  StringRef releaseOf(const Job &job);
  void reportUnknown(const Job &job, StringRef release);
  void checkProperties(const Job &job, const JobSpec &spec, const Node &map,
                       const std::string &prefix);
  void placeAddon(const Addon &addon);
  bool matches(const Placement &placement, const PlacedGroup &group) const;

  Resolution &resolution;
  llvm::DenseMap<StringRef, const Release *> releases;
  llvm::DenseMap<std::pair<StringRef, StringRef>, const JobSpec *> specs;
};

} // namespace

Placer::Placer(Resolution &resolution) : resolution(resolution) {
  for (const Release &release : resolution.deployment.releases) {
    releases[release.name] = &release;
    for (const JobSpec &spec : release.jobs)
      specs[{release.name, spec.name}] = &spec;
  }
}

/// As written; where nothing is, the only one there is.
StringRef Placer::releaseOf(const Job &job) {
  if (!job.release.isEmpty())
    return job.release.text;
  if (resolution.deployment.releases.size() == 1)
    return resolution.deployment.releases.front().name;
  if (!job.name.isEmpty())
    resolution.diags.report(job.name.range, diag::ManifestKeyMissing,
                            ("job '" + job.name.text + "'").str(), "release");
  return {};
}

void Placer::reportUnknown(const Job &job, StringRef release) {
  resolution.hasUnknownJobs = true;
  const Release *found = releases.lookup(release);
  bool isReleaseWritten = !found && !job.release.isEmpty();
  auto report = resolution.diags.report(
      isReleaseWritten ? job.release.range : job.name.range, diag::JobUnknown,
      release, job.name.text);
  if (!found) {
    std::vector<StringRef> known;
    for (const Release &other : resolution.deployment.releases)
      if (!other.jobs.empty())
        known.push_back(other.name);
    Suggestion(release, known).noteOn(report);
    report.note({}, diag::NoSuchRelease,
                resolution.deployment.releaseFolder + "/" + release.str() +
                    "/jobs");
    return;
  }
  std::vector<StringRef> names;
  for (const JobSpec &spec : found->jobs)
    names.push_back(spec.name);
  Suggestion(job.name.text, names).noteOn(report);
}

/// Properties are declared by their paths, inner ones or outer ones.
void Placer::checkProperties(const Job &job, const JobSpec &spec,
                             const Node &map, const std::string &prefix) {
  std::vector<StringRef> known;
  for (const auto &property : spec.properties)
    known.push_back(property.getKey());
  llvm::sort(known);
  for (const syntax::Entry &entry : map.entries()) {
    if (!entry.key.isScalar())
      continue;
    std::string path = prefix + entry.key.text().str();
    if (spec.properties.contains(path))
      continue;
    bool hasInner = llvm::any_of(
        known, [&](StringRef name) { return name.starts_with(path + "."); });
    if (hasInner && entry.value.isMapping())
      checkProperties(job, spec, entry.value, path + ".");
    else if (!hasInner)
      resolution.diags.report(entry.key.range(), diag::JobPropertyUndeclared,
                              job.name.text, path, didYouMean(path, known));
  }
}

PlacedJob Placer::bind(const Job &job) {
  StringRef release = releaseOf(job);
  const JobSpec *spec = specs.lookup({release, job.name.text});
  if (!spec && !release.empty() && !job.name.isEmpty())
    reportUnknown(job, release);
  if (spec && job.properties)
    checkProperties(job, *spec, *job.properties, "");
  return {&job, spec, release};
}

bool Placer::matches(const Placement &placement,
                     const PlacedGroup &placed) const {
  const InstanceGroup &group = *placed.group;
  auto names = [](const auto &list, StringRef name) {
    return !list || llvm::is_contained(*list, name);
  };
  auto namesOne = [](const auto &list, const auto &words) {
    return !list || llvm::any_of(words, [&](const auto &word) {
      return llvm::is_contained(*list, word);
    });
  };
  auto texts = [](const Word &word) { return word.text; };
  auto networks = [](const NetworkUse &use) { return use.name.text; };
  bool hasJob =
      !placement.jobs || llvm::any_of(placed.jobs, [&](const PlacedJob &job) {
        return llvm::any_of(*placement.jobs, [&](const auto &pair) {
          return pair.first == job.job->name.text &&
                 (pair.second.empty() || pair.second == job.release);
        });
      });
  bool rightKind = !placement.isErrand || *placement.isErrand == group.isErrand;
  return hasJob && rightKind &&
         names(placement.deployments, resolution.links.deployment) &&
         names(placement.groups, group.name.text) &&
         namesOne(placement.zones, llvm::map_range(group.zones, texts)) &&
         namesOne(placement.networks,
                  llvm::map_range(group.networks, networks));
}

void Placer::placeAddon(const Addon &addon) {
  std::vector<PlacedJob> jobs;
  for (const Job &job : addon.jobs)
    jobs.push_back(bind(job));
  for (PlacedGroup &group : resolution.links.groups) {
    if ((addon.include && !matches(*addon.include, group)) ||
        (addon.exclude && matches(*addon.exclude, group)))
      continue;
    for (const PlacedJob &job : jobs) {
      bool isThere = llvm::any_of(group.jobs, [&](const PlacedJob &other) {
        return other.job->name.text == job.job->name.text;
      });
      if (isThere)
        resolution.diags.report(job.job->name.range, diag::ManifestNameRepeated,
                                "jobs of a group", job.job->name.text);
      else
        group.jobs.push_back(job);
    }
  }
}

void Placer::place() {
  const Manifest &manifest = resolution.deployment.manifest;
  for (const InstanceGroup &group : manifest.groups) {
    PlacedGroup &placed = resolution.links.groups.emplace_back();
    placed.group = &group;
    for (const Job &job : group.jobs)
      placed.jobs.push_back(bind(job));
  }
  for (const Addon &addon : manifest.addons)
    placeAddon(addon);
}

void bosh::placeJobs(Resolution &resolution) { Placer(resolution).place(); }
