//===- Planner.cpp - Plans for one template, again and again --------------===//

#include "Planner.h"

#include "toscac/Expand/Expand.h"
#include "toscac/Expand/ObsoleteTemplates.h"
#include "toscac/Expand/SetGoal.h"
#include "toscac/IR/VerifyGraph.h"
#include "toscac/Plan/PredictState.h"
#include "toscac/Plan/WritePlan.h"
#include "toscac/Sema/TOSCA/Analyze.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

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

std::string Planner::write(StringRef name, StringRef text) {
  std::string path = folder + "/" + name.str();
  std::error_code error;
  llvm::raw_fd_ostream file(path, error);
  file << text;
  return path;
}

Answer Planner::plan(const state::Deployment *before, const Request &request) {
  Answer answer;
  DiagnosticEngine diags;
  ValueArena arena;
  const Variant &own = variant(request.omitted);
  // What a deployment has besides becomes part of a program of its own.
  sema::CheckedProgram recalled;
  std::optional<Analysis> analysis;
  bool hasObsolete = before && !own.program.services.empty() &&
                     mayHaveObsolete(*before, own.program.services.front());
  if (hasObsolete) {
    analysis.emplace(own.package, names, diags, recalled);
    addObsolete(*before, *analysis, names, recalled);
  }
  const sema::CheckedProgram &program = hasObsolete ? recalled : own.program;
  if (program.services.empty()) {
    answer.errors = errorsOf(diags) + broken;
    return answer;
  }
  std::vector<ir::InputValue> parameters;
  for (const auto &[name, text] : request.parameters)
    parameters.push_back(
        {names.intern(name),
         arena.make(Expr::literal(parseParameter(text, arena))), false});
  ChangeRequest wanted{request.workflow, parameters};
  std::optional<DeploymentChange> change;
  if (before)
    change = changeOf(wanted, *before, program, diags);
  std::unique_ptr<ir::Graph> graph;
  if (!diags.hasErrors()) {
    ExpandOptions options;
    options.request = &wanted;
    options.deploymentChange = change ? &*change : nullptr;
    graph = expand(program, inputsOf(before, request, arena), options, names,
                   diags);
  }
  std::optional<plan::Plan> plan =
      graph && ir::verify(*graph, names, diags)
          ? plan::makePlan(*graph, {}, names, diags)
          : std::nullopt;
  answer.errors = errorsOf(diags);
  if (!plan)
    return answer;
  plan::FinishedPlan finished(std::move(*plan), ".");
  state::State predicted;
  predicted.deployments.push_back(
      llvm::cantFail(predictState(finished, before, *predicted.arena)));
  llvm::raw_string_ostream os(answer.plan);
  writePlan(finished, os);
  std::string text;
  llvm::raw_string_ostream stateText(text);
  writeState(predicted, stateText);
  answer.after = state::readState(write("state.json", text), diags);
  return answer;
}
