//===- StepNames.cpp - What files for engines call steps ------------------===//

#include "StepNames.h"

#include "toscac/Basic/Diagnostics.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace toscac;
using llvm::StringRef;
using planfile::Plan;
using planfile::StepHead;
using planfile::StepKind;

static std::string inOneLine(std::string text) {
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ')
      c = ' ';
  return text;
}

std::optional<std::vector<std::string>>
emit::readNames(Plan &plan, DiagnosticEngine &diags) {
  std::vector<std::string> names;
  for (uint32_t id = 0; id < plan.steps().size(); ++id) {
    llvm::Expected<std::string> name = plan.stepName(id);
    if (!name) {
      diags.report({}, diag::CannotReadFile, "plan.json",
                   llvm::toString(name.takeError()));
      return std::nullopt;
    }
    names.push_back(inOneLine(std::move(*name)));
  }
  return names;
}

bool emit::eachCall(Plan &plan, DiagnosticEngine &diags,
                    llvm::function_ref<void(const planfile::Step &)> visit) {
  NameTable table;
  ValueArena unused;
  JSONReader reader(unused, table);
  for (uint32_t id = 0; id < plan.numSteps(); ++id) {
    if (plan.steps()[id].kind != StepKind::Call)
      continue;
    ValueArena arena;
    reader.useArena(arena);
    llvm::Expected<planfile::Step> step = plan.step(id, reader, arena);
    if (!step) {
      diags.report({}, diag::CannotReadFile, "plan.json",
                   llvm::toString(step.takeError()));
      return false;
    }
    visit(*step);
  }
  return true;
}

std::vector<uint32_t> emit::lastSteps(const Plan &plan) {
  llvm::BitVector isLast(plan.numSteps(), true);
  for (uint32_t id = 0; id < plan.numSteps(); ++id)
    for (uint32_t dep : plan.deps(id))
      isLast.reset(dep);
  return {isLast.set_bits_begin(), isLast.set_bits_end()};
}

size_t emit::countCalls(const Plan &plan) {
  return llvm::count_if(
      plan.steps().take_front(plan.numSteps()),
      [](const StepHead &head) { return head.kind == StepKind::Call; });
}

std::string emit::introduce(const Plan &plan, StringRef mark,
                            StringRef command) {
  const planfile::PlanHeader &header = plan.header();
  return llvm::formatv(
             "{0} Workflow {1} of service {2}: {3} steps, {4} of them calls.\n"
             "{0}\n"
             "{0}   {5}\n"
             "{0}\n"
             "{0} needs tosca-run on PATH. Options of it, such as --state "
             "FILE, "
             "are taken from\n"
             "{0} the variable TOSCA_RUN_FLAGS. What is done is not done "
             "again.\n\n",
             mark, inOneLine(header.workflow), inOneLine(header.service),
             plan.numSteps(), countCalls(plan), command)
      .str();
}
