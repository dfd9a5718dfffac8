//===- toscac/Sema/Bosh/Render.h - Files of jobs ----------------*- C++ -*-===//
///
/// \file
/// Renders the templates of jobs with what their links hold.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_SEMA_BOSH_RENDER_H
#define TOSCAC_SEMA_BOSH_RENDER_H

#include "toscac/Sema/Bosh/Links.h"

namespace toscac::bosh {

struct RenderedFile {
  /// `group/index/job/config/db.yml`
  std::string path;
  std::string content;
};

/// The files of all jobs on all instances but those that cannot be rendered,
/// which is reported.
std::vector<RenderedFile> renderJobs(const Deployment &deployment,
                                     const Links &links, SourceManager &sources,
                                     DiagnosticEngine &diags);

/// A template that Ruby is to render.
struct RenderTask {
  /// As in RenderedFile.
  std::string path;
  FileId source;
  llvm::StringRef job, group;
  /// In JSON: the template, and what it may see.
  std::string request;
};
std::vector<RenderTask> renderTasks(const Deployment &deployment,
                                    const Links &links, SourceManager &sources,
                                    DiagnosticEngine &diags);

} // namespace toscac::bosh

#endif
