//===- Argo.h - Workflows of Argo -------------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EMIT_ARGO_H
#define TOSCAC_LIB_EMIT_ARGO_H

#include "toscac/Emit/Emit.h"

namespace toscac::emit {

/// Instances of a step that one task stands for: their indices.
struct Sequence {
  uint32_t first;
  uint32_t last;
};

/// A task of a DAG template.
struct ArgoTask {
  std::string name;
  std::string templateName;
  /// Name and value of its parameter; empty: the template has none.
  std::pair<std::string, std::string> parameter;
  /// Names of tasks of the same DAG.
  std::vector<std::string> after;
  std::optional<Sequence> sequence = std::nullopt;
};

struct ArgoDag {
  std::string name;
  std::vector<ArgoTask> tasks;
  /// It is for one instance, whose index is a parameter.
  bool hasIndex = false;
};

/// A template that runs steps in a container.
struct ArgoContainer {
  std::string name;
  std::string image;
};

struct ArgoWorkflow {
  /// The first one is where it starts.
  std::vector<ArgoDag> dags;
  std::vector<ArgoContainer> containers;
  /// The volume claim with the folder.
  std::string claim;
};

/// What the configuration says of images.
struct ArgoConfig {
  std::string image = "tosca-run";
  std::string claim = "tosca-run";
  /// By the last word of an artifact type, in lower case.
  std::vector<std::pair<std::string, std::string>> images;
};

/// Reads the file \p path, if it is not empty; nothing after a report.
std::optional<ArgoConfig> readArgoConfig(llvm::StringRef path,
                                         DiagnosticEngine &diags);

/// Reports where \p workflow breaks a rule of Argo that its schema cannot see,
/// or is larger than Argo takes; \p size is that of its text.
void verifyArgo(const ArgoWorkflow &workflow, size_t size,
                DiagnosticEngine &diags);

/// \p text as a name that Argo takes.
std::string argoName(llvm::StringRef text);

} // namespace toscac::emit

#endif
