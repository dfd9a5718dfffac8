//===- Deployment.cpp - What a graph tells of its deployment --------------===//

#include "Deployment.h"

#include "Manifest.h"
#include "Paths.h"
#include "PlanInputs.h"
#include "ReadRecorded.h"
#include "toscac/Basic/Digest.h"
#include "toscac/Expand/SetGoal.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace toscac;
using llvm::StringRef;
namespace path = llvm::sys::path;

static void digestArtifacts(ir::Graph &graph) {
  for (ir::Artifact &artifact : graph.artifacts) {
    if (artifact.location.empty())
      continue;
    if (artifact.archive) {
      if (auto text = artifact.archive->getBufferForFile(artifact.location))
        artifact.sha256 =
            graph.arena.save(*hexDigest("sha256", (*text)->getBuffer()));
    } else if (auto digest = fileDigest(artifact.location)) {
      artifact.sha256 = graph.arena.save(*digest);
    } else {
      llvm::consumeError(digest.takeError());
    }
  }
}

/// What a profile brings along that lies beside the input is named like it.
static void nameArtifacts(ir::Graph &graph) {
  StringRef root = graph.deployment.root;
  for (ir::Artifact &artifact : graph.artifacts) {
    std::string file = absolutePath(artifact.location);
    if (artifact.file.starts_with("profile:") && !artifact.archive &&
        StringRef(file).starts_with((root + "/").str()))
      artifact.file = graph.arena.save(StringRef(relativePath(file, root)));
  }
}

/// The folder of the entry file, which may be in an archive.
static std::string rootOf(const Compilation &compilation) {
  const tosca::Package &package = compilation.package;
  StringRef entry = compilation.options.inputs.front();
  bool isProfile =
      compilation.blueprint || compilation.manifest || compilation.stack;
  if (!package.entries.empty() && !isProfile)
    entry = compilation.sources.name(
        package.files[package.entries.front()]->source);
  return absolutePath(path::parent_path(entry));
}

/// Where it comes from.
static void nameFiles(Compilation &compilation) {
  ir::Graph &graph = *compilation.graph;
  ir::Deployment &deployment = graph.deployment;
  deployment.name = graph.arena.save(deploymentName(compilation));
  deployment.root = graph.arena.save(rootOf(compilation));
  for (const auto &[name, digest] : inputsOfPlan(compilation, deployment.root))
    deployment.files.push_back(
        {graph.arena.save(name), graph.arena.save(digest)});
}

static void addSharedLinks(Compilation &compilation, ir::Graph &graph) {
  for (const bosh::SharedLink &link : sharedAfter(compilation))
    graph.shared.push_back({compilation.names.intern(link.name),
                            compilation.names.intern(link.type),
                            compilation.names.intern(link.provider),
                            graph.arena.make(Expr::literal(link.record)),
                            /*isRecord=*/true});
}

void toscac::describeDeployment(Compilation &compilation) {
  ir::Graph &graph = *compilation.graph;
  ir::Deployment &deployment = graph.deployment;
  const state::Deployment *recorded =
      compilation.deploymentChange ? compilation.deploymentChange->recorded
                                   : nullptr;
  nameFiles(compilation);
  nameArtifacts(graph);
  digestArtifacts(graph);
  if (compilation.manifest)
    addSharedLinks(compilation, graph);
  deployment.tellsShared = compilation.manifest || !graph.shared.empty() ||
                           (recorded && !recorded->shared.empty());
  if (recorded)
    deployment.state = graph.arena.save(state::digest(*recorded));
}

void toscac::completeDeployment(Compilation &compilation) {
  ir::Graph &graph = *compilation.graph;
  const PlanFlags &flags = compilation.options.plan;
  if (graph.deployment.name.empty())
    nameFiles(compilation);
  if (!graph.goal.workflow || !flags.workflow.empty() || flags.takesDown ||
      !flags.parameters.empty()) {
    std::vector<ir::InputValue> parameters =
        parametersOf(compilation, graph.arena);
    setGoal({compilation.workflow(), parameters}, compilation.checked,
            /*change=*/nullptr, compilation.names, graph);
  }
}
