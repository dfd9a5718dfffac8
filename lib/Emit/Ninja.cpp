//===- Ninja.cpp - Plans for ninja ----------------------------------------===//
///
/// \file
/// A call is an edge that makes `done/ID`; a step that takes no time is a phony
/// one. All inputs are order-only: a step has to come after others, but need
/// not run again when they have.
///
/// Where the plan needs no more, `tosca-run collect` writes a script for each
/// call at the beginning, which ninja runs; what was written to cells it knows
/// from the plan at the end. Otherwise `tosca-run step` runs them.
///
//===----------------------------------------------------------------------===//

#include "PlainSteps.h"
#include "StepNames.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::StringRef;
using planfile::Plan;
using planfile::StepKind;

static constexpr StringRef rules = R"(ninja_required_version = 1.5

rule begin
  command = tosca-run collect $scripts . $$TOSCA_RUN_FLAGS && touch $out
  description = begin
rule step
  command = tosca-run step . $id $$TOSCA_RUN_FLAGS && touch $out
  description = $name
rule script
  command = touch $out.begun && sh steps/$id && mv $out.begun $out
  description = $name
rule end
  command = tosca-run collect . $$TOSCA_RUN_FLAGS
  description = end

build done/begin: begin
)";

static void printTarget(llvm::raw_ostream &os, const Plan &plan, uint32_t id) {
  bool isCall = plan.steps()[id].kind == StepKind::Call;
  os << (isCall ? " done/" : " step") << id;
}

static std::string escapeForNinja(StringRef text) {
  std::string result;
  for (char c : text)
    (result += c == '$' ? "$" : "") += c;
  return result;
}

static void printEdge(llvm::raw_ostream &os, const Plan &plan, uint32_t id,
                      StringRef name, StringRef rule) {
  bool isCall = plan.steps()[id].kind == StepKind::Call;
  os << "build";
  printTarget(os, plan, id);
  os << ": " << (isCall ? rule : "phony") << " ||";
  for (uint32_t dep : plan.deps(id))
    printTarget(os, plan, dep);
  if (plan.deps(id).empty())
    os << " done/begin";
  os << '\n';
  if (isCall)
    os << "  id = " << id << "\n  name = " << escapeForNinja(name) << '\n';
}

std::vector<emit::EngineFile>
emit::filesNinja(Plan &plan, const EngineOptions &, DiagnosticEngine &diags) {
  std::optional<std::vector<std::string>> names = readNames(plan, diags);
  std::optional<bool> plain = isPlain(plan, diags);
  if (!names || !plain)
    return {};
  std::string text = introduce(plan, "#", "ninja -C FOLDER");
  llvm::raw_string_ostream os(text);
  os << rules;
  if (*plain)
    os << "  scripts = --scripts\n";
  for (uint32_t id = 0; id < plan.numSteps(); ++id)
    printEdge(os, plan, id, (*names)[id], *plain ? "script" : "step");
  os << "build end: end || done/begin";
  for (uint32_t id : lastSteps(plan))
    printTarget(os, plan, id);
  os << "\ndefault end\n";
  return {{"build.ninja", text}};
}
