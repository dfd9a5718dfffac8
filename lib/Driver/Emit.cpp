//===- Emit.cpp - What is made of a compilation ---------------------------===//

#include "Emit.h"

#include "toscac/Parse/TOSCA/PrintAST.h"

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
  auto print = [&](llvm::raw_ostream &os) {
    tosca::printAST(compilation.package, compilation.sources,
                    compilation.options.printLocations
                        ? tosca::ASTLocations::Show
                        : tosca::ASTLocations::Hide,
                    os);
  };
  return output.write(print, compilation.diags);
}

int toscac::emitPlan(Compilation &compilation, Output &) {
  if (compilation.checked.hasEntry)
    if (int code = readInputValues(compilation))
      return code;
  compilation.diags.remark(diag::PlanningMissing,
                           shownInputName(compilation.options.inputs.front()));
  return ExitGood;
}
