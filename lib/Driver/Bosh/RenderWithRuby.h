//===- RenderWithRuby.h - Files of jobs by Ruby itself ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_DRIVER_BOSH_RENDERWITHRUBY_H
#define TOSCAC_LIB_DRIVER_BOSH_RENDERWITHRUBY_H

#include "Compilation.h"
#include "toscac/Sema/Bosh/Render.h"

namespace toscac {

/// Has all templates rendered by one process of Ruby that can open no file and
/// reach no network. Reports those that end with an error.
std::vector<bosh::RenderedFile>
renderWithRuby(Compilation &compilation, std::vector<bosh::RenderTask> tasks);

} // namespace toscac

#endif
