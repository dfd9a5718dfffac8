//===- Emit.cpp - What is made of a compilation ---------------------------===//

#include "Emit.h"

#include "Paths.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/IR/DrawGraph.h"
#include "toscac/IR/PrintGraph.h"
#include "toscac/Parse/TOSCA/PrintAST.h"
#include "llvm/Support/Path.h"

using namespace toscac;

Emitter toscac::emitterOf(EmitKind kind) {
  static constexpr Emitter emitters[] = {
#define EMIT(KIND, WORD, STAGE, HELP) {emit##KIND, EmitStage::STAGE},
#include "toscac/Driver/EmitKinds.def"
  };
  return emitters[static_cast<size_t>(kind)];
}

int toscac::emitNone(Compilation &, Output &) { return ExitGood; }

int toscac::emitAST(Compilation &compilation, Output &output) {
  if (compilation.graph) {
    compilation.diags.report({}, diag::InputIsGraph,
                             compilation.options.inputs.front());
    return ExitInvalid;
  }
  auto print = [&](llvm::raw_ostream &os) {
    tosca::printAST(compilation.package, compilation.sources,
                    compilation.options.printLocations
                        ? tosca::ASTLocations::Show
                        : tosca::ASTLocations::Hide,
                    os);
  };
  return output.write(print, compilation.diags);
}

int toscac::emitGraph(Compilation &compilation, Output &output) {
  if (!compilation.graph) {
    compilation.diags.report({}, diag::NothingToExpand,
                             shownInputName(compilation.options.inputs.front(),
                                            compilation.options.stdinName));
    return ExitInvalid;
  }
  ir::Deployment &deployment = compilation.graph->deployment;
  if (!deployment.root.empty())
    deployment.root = compilation.graph->arena.save(
        relativePath(deployment.root, absolutePath(llvm::sys::path::parent_path(
                                          compilation.options.output))));
  auto print = [&](llvm::raw_ostream &os) {
    switch (compilation.options.format) {
    case PictureFormat::Text:
      return ir::printGraph(*compilation.graph, os);
    case PictureFormat::Dot:
      return ir::drawGraphAsDot(*compilation.graph, {}, os);
    case PictureFormat::Mermaid:
      return ir::drawGraphAsMermaid(*compilation.graph, {}, os);
    }
  };
  return output.write(print, compilation.diags);
}
