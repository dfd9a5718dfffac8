//===- Planner.cpp - Plans for one template, again and again --------------===//

#include "Planner.h"

#include "toscac/Expand/ChangeDeployment.h"
#include "toscac/Expand/Expand.h"
#include "toscac/IR/VerifyGraph.h"
#include "toscac/Plan/PredictState.h"
#include "toscac/Sema/Former.h"
#include "toscac/Sema/OwnOperations.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <set>

using namespace toscac;
using namespace toscac::walk;
using llvm::StringRef;

std::string walk::toText(const Request &request) {
  std::string text = request.workflow;
  for (const auto &[name, value] : request.parameters)
    text += " " + name + "=" + value;
  for (const auto &[name, value] : request.inputs)
    text += " " + name + ":" + std::to_string(value);
  for (unsigned i = 0; request.omitted >> i; ++i)
    if (request.omitted >> i & 1)
      text += std::string(" without ") + char('a' + i);
  return text;
}

Planner::Planner(StringRef name, ServiceText text, unsigned numTemplates,
                 const tosca::LoadOptions &options,
                 llvm::ArrayRef<std::string> substitutes, std::string folder)
    : numTemplates(numTemplates), name(name), text(std::move(text)),
      options(options), substitutes(substitutes), folder(std::move(folder)) {
  variant(0);
}

const Planner::Variant &Planner::variant(unsigned omitted) {
  auto [found, isNew] = variants.try_emplace(omitted);
  last = &found->second;
  if (!isNew)
    return *last;
  DiagnosticEngine diags;
  std::vector<tosca::EntryFile> entries;
  auto add = [&](const std::string &path,
                 std::unique_ptr<llvm::MemoryBuffer> content) {
    auto volume = std::make_shared<tosca::Volume>(
        tosca::Volume{llvm::vfs::getRealFileSystem(),
                      llvm::sys::path::parent_path(path).str(), ""});
    entries.push_back({volume, path, sources.add(path, std::move(content))});
  };
  add(name, llvm::MemoryBuffer::getMemBufferCopy(text(omitted), name));
  for (const std::string &path : substitutes)
    if (auto content = llvm::MemoryBuffer::getFile(path))
      add(path, std::move(*content));
  found->second.package = tosca::load(entries, options, sources, names, diags);
  found->second.program = analyze(found->second.package, names, diags);
  broken += errorsOf(diags);
  return *last;
}

std::string Planner::errorsOf(const DiagnosticEngine &diags) const {
  std::string text;
  for (const Diagnostic &each : diags.all())
    if (each.severity == Severity::Error) {
      text += each.message + " [" + info(each.id).name + "]\n";
      for (const Note &note : each.notes)
        text += "  " + note.message + "\n";
    }
  return text;
}

std::vector<ir::InputValue> Planner::inputsOf(const state::Deployment *before,
                                              const Request &request,
                                              ValueArena &arena) {
  std::vector<ir::InputValue> values;
  for (const sema::InputDefinition &input : service().inputs) {
    auto given = request.inputs.find(input.name.str().str());
    const Value *recorded = before && before->inputs.isMap()
                                ? before->inputs.find(input.name.str())
                                : nullptr;
    if (given != request.inputs.end())
      values.push_back({input.name, arena.make(Expr::literal(
                                        Value::integer(given->second)))});
    else if (recorded)
      values.push_back({input.name, arena.make(Expr::literal(*recorded))});
  }
  return values;
}

static Value parseParameter(StringRef text, ValueArena &arena) {
  int64_t number;
  if (!text.getAsInteger(10, number))
    return Value::integer(number);
  if (text == "true" || text == "false")
    return Value::boolean(text == "true");
  return arena.string(text);
}

static plan::Goal::Reach reachOf(const Request &request,
                                 const Continuation *change) {
  if (change && change->updates)
    return plan::Goal::Reach::Update;
  return change && isChange(request.workflow) ? plan::Goal::Reach::Change
                                              : plan::Goal::Reach::Defined;
}

std::string Planner::write(StringRef name, StringRef text) {
  std::string path = folder + "/" + name.str();
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  file << text;
  return path;
}

/// Whether \p deployment has what \p service has no more.
static bool hasMore(const state::Deployment &deployment,
                    const sema::Service &service) {
  std::set<std::pair<StringRef, StringRef>> known;
  for (const sema::NodeTemplate &node : service.nodes) {
    known.insert({node.name.str(), ""});
    for (const sema::Requirement &requirement : node.requirements)
      known.insert({node.name.str(), requirement.name.str()});
  }
  return llvm::any_of(deployment.entities, [&](const state::Entity &entity) {
    if (entity.name.contains('/'))
      return false;
    return entity.kind == state::EntityKind::Node
               ? !known.contains({entity.origin, ""})
               : !known.contains(
                     {entity.source.split('[').first, entity.origin});
  });
}

Answer Planner::plan(const state::Deployment *before, const Request &request) {
  Answer answer;
  DiagnosticEngine diags;
  ValueArena arena;
  const Variant &own = variant(request.omitted);
  sema::CheckedProgram recalled;
  bool hasFormer = before && hasMore(*before, own.program.services.front());
  if (hasFormer)
    recalled = analyze(own.package, names, diags, before);
  const sema::CheckedProgram &program = hasFormer ? recalled : own.program;
  if (program.services.empty()) {
    answer.errors = errorsOf(diags) + broken;
    return answer;
  }
  plan::Goal goal;
  goal.workflow = names.intern(request.workflow);
  for (const auto &[name, text] : request.parameters)
    goal.parameters.push_back(
        {names.intern(name),
         arena.make(Expr::literal(parseParameter(text, arena))), false});
  std::optional<Continuation> change;
  if (before)
    change =
        changeOf({request.workflow, goal.parameters}, *before, program, diags);
  std::unique_ptr<ir::Graph> graph;
  if (!diags.hasErrors()) {
    ExpandOptions options;
    options.continuation = change ? &*change : nullptr;
    graph = expand(program, inputsOf(before, request, arena), options, names,
                   diags);
  }
  goal.reach = reachOf(request, change ? &*change : nullptr);
  std::optional<plan::Plan> plan =
      graph && ir::verify(*graph, names, diags)
          ? plan::makePlan(*graph, goal, {}, names, diags)
          : std::nullopt;
  answer.errors = errorsOf(diags);
  if (!plan)
    return answer;
  plan::PlanHeader header;
  header.artifactDigests.resize(plan::artifactsOf(*plan).size());
  header.operations = sema::ownOperations(program, names, arena);
  if (before)
    header.former = sema::formerTemplates(program.services.front(), *before);
  llvm::raw_string_ostream os(answer.plan);
  writePlan(*plan, header, os);
  state::State predicted;
  predicted.deployments.push_back(
      predictState(*plan, header, before, *predicted.arena));
  std::string text;
  llvm::raw_string_ostream stateText(text);
  writeState(predicted, stateText);
  answer.after = state::readState(write("state.json", text), diags);
  return answer;
}
