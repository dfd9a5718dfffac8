//===- Plans.cpp - What programs ask of a plan ----------------------------===//

#include "Handles.h"
#include "toscac/Basic/WarningOptions.h"

using namespace toscac;

void toscac::openPlan(std::string text, llvm::StringRef name,
                      toscac_result &result) {
  DiagnosticEngine diags;
  auto plan = std::make_unique<toscac_plan>();
  plan->text = std::move(text);
  plan->file = planfile::PlanFile::fromText(plan->text, name, diags);
  if (plan->file) {
    plan->stages = stagesOf(*plan->file);
    result.plan = std::move(plan);
    return;
  }
  result.code = TOSCAC_INVALID;
  keep(listDiagnostics(diags, WarningOptions(), SourceManager()),
       SourceManager(), result);
}

/// The head of step \p step; null if there is none.
static const planfile::StepHead *headOf(const toscac_plan *plan, size_t step) {
  if (!plan || step >= plan->file->steps().size())
    return nullptr;
  return &plan->file->steps()[step];
}

/// Entry \p index of \p texts, which \p make makes.
template <typename Make>
static const char *remember(std::vector<std::string> &texts, size_t size,
                            size_t index, Make make) {
  return answer<const char *>(nullptr, [&]() -> const char * {
    if (index >= size)
      return nullptr;
    texts.resize(size);
    if (texts[index].empty())
      texts[index] = make();
    return texts[index].c_str();
  });
}

const char *toscac_plan_json(const toscac_plan *plan, size_t *length) {
  if (length)
    *length = plan ? plan->text.size() : 0;
  return plan ? plan->text.c_str() : nullptr;
}

const char *toscac_plan_service(const toscac_plan *plan) {
  return plan ? plan->file->header().service.c_str() : nullptr;
}

const char *toscac_plan_deployment(const toscac_plan *plan) {
  return plan ? plan->file->header().deployment.c_str() : nullptr;
}

const char *toscac_plan_workflow(const toscac_plan *plan) {
  return plan ? plan->file->header().workflow.c_str() : nullptr;
}

size_t toscac_plan_entity_count(const toscac_plan *plan) {
  return plan ? plan->file->numEntities() : 0;
}

const char *toscac_plan_entity_name(const toscac_plan *plan, size_t index) {
  if (!plan)
    return nullptr;
  return remember(plan->entityNames, plan->file->numEntities(), index,
                  [&] { return plan->file->entityName(index); });
}

size_t toscac_plan_step_count(const toscac_plan *plan) {
  return plan ? plan->file->steps().size() : 0;
}

const char *toscac_plan_step_name(const toscac_plan *plan, size_t step) {
  if (!plan)
    return nullptr;
  return remember(plan->stepNames, plan->file->steps().size(), step, [&] {
    llvm::Expected<std::string> name = plan->file->stepName(step);
    if (name)
      return std::move(*name);
    llvm::consumeError(name.takeError());
    return std::string();
  });
}

int toscac_plan_step_kind(const toscac_plan *plan, size_t step) {
  const planfile::StepHead *head = headOf(plan, step);
  return head ? static_cast<int>(head->kind) : TOSCAC_CALL;
}

uint32_t toscac_plan_step_stage(const toscac_plan *plan, size_t step) {
  return headOf(plan, step) && step < plan->stages.size() ? plan->stages[step]
                                                          : 0;
}

const char *toscac_plan_step_entity(const toscac_plan *plan, size_t step) {
  const planfile::StepHead *head = headOf(plan, step);
  return head && head->entity != planfile::none
             ? toscac_plan_entity_name(plan, head->entity)
             : nullptr;
}

/// Texts of plans are stored with a zero at their end.
static const char *textOf(const toscac_plan *plan, uint32_t number) {
  return number == planfile::none ? nullptr : plan->file->text(number).data();
}

const char *toscac_plan_step_interface(const toscac_plan *plan, size_t step) {
  const planfile::StepHead *head = headOf(plan, step);
  return head ? textOf(plan, head->interface) : nullptr;
}

const char *toscac_plan_step_operation(const toscac_plan *plan, size_t step) {
  const planfile::StepHead *head = headOf(plan, step);
  return head ? textOf(plan, head->operation) : nullptr;
}

uint32_t toscac_plan_step_after_failure(const toscac_plan *plan, size_t step) {
  const planfile::StepHead *head = headOf(plan, step);
  return head ? head->afterFailure : TOSCAC_NONE;
}

const uint32_t *toscac_plan_step_deps(const toscac_plan *plan, size_t step,
                                      size_t *count) {
  llvm::ArrayRef<uint32_t> deps;
  if (headOf(plan, step))
    deps = plan->file->deps(step);
  if (count)
    *count = deps.size();
  return deps.data();
}
