//===- Make.cpp - Plans for make ------------------------------------------===//
///
/// \file
/// A call is a rule that makes `done/ID`; a step that takes no time is a phony
/// target. All prerequisites are order-only, and plain steps are scripts, as
/// for ninja.
///
//===----------------------------------------------------------------------===//

#include "PlainSteps.h"
#include "StepNames.h"

#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::StringRef;
using planfile::Plan;
using planfile::StepKind;

static void printGoal(llvm::raw_ostream &os, const Plan &plan, uint32_t id) {
  bool isCall = plan.steps()[id].kind == StepKind::Call;
  os << (isCall ? " done/" : " step") << id;
}

static void printRule(llvm::raw_ostream &os, const Plan &plan, uint32_t id,
                      StringRef name, bool isScript) {
  bool isCall = plan.steps()[id].kind == StepKind::Call;
  // A comment that ends in a backslash would go on in the next line.
  if (isCall)
    os << "\n# " << name << (name.ends_with("\\") ? " " : "") << '\n'
       << "done/" << id << ": |";
  else
    os << ".PHONY: step" << id << "\nstep" << id << ": |";
  for (uint32_t dep : plan.deps(id))
    printGoal(os, plan, dep);
  if (plan.deps(id).empty())
    os << " done/begin";
  os << '\n';
  if (isCall && isScript)
    os << "\t@touch $@.begun && sh steps/" << id << " && mv $@.begun $@\n";
  else if (isCall)
    os << "\t@tosca-run step . " << id << " $$TOSCA_RUN_FLAGS && touch $@\n";
}

std::vector<emit::EngineFile> emit::filesMake(Plan &plan, const EngineOptions &,
                                              DiagnosticEngine &diags) {
  std::optional<std::vector<std::string>> names = readNames(plan, diags);
  std::optional<bool> plain = isPlain(plan, diags);
  if (!names || !plain)
    return {};
  std::string text = introduce(plan, "#", "make -j4 -C FOLDER");
  llvm::raw_string_ostream os(text);
  os << ".PHONY: end\nend: | done/begin";
  for (uint32_t id : lastSteps(plan))
    printGoal(os, plan, id);
  os << "\n\t@tosca-run collect . $$TOSCA_RUN_FLAGS\n\n"
        "done/begin:\n"
        "\t@mkdir -p done\n"
     << "\t@tosca-run collect " << (*plain ? "--scripts " : "")
     << ". $$TOSCA_RUN_FLAGS && touch $@\n\n";
  for (uint32_t id = 0; id < plan.numSteps(); ++id)
    printRule(os, plan, id, (*names)[id], *plain);
  return {{"Makefile", text}};
}
