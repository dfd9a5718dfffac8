//===- Analyze.cpp - Check a TOSCA program --------------------------------===//

#include "toscac/Sema/TOSCA/Analyze.h"

#include "TOSCA/Check/CheckDefinitions.h"
#include "TOSCA/Check/CheckService.h"
#include "TOSCA/Lower/Lower.h"
#include "TOSCA/Machines/Bind.h"
#include "TOSCA/Machines/CheckMachines.h"
#include "TOSCA/Types/DataTypes.h"
#include "TOSCA1/UnusedTypes.h"
#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "toscac/Parse/TOSCA/Tolerate.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::sema;

struct Analysis::Parts {
  Parts(const tosca::Package &package, NameTable &names,
        DiagnosticEngine &diags, CheckedProgram &result)
      : program(package, names, diags, *arena), result(result),
        lowering(program, result) {}

  /// The type that \p name means in the entry file; null after a report.
  TypeDecl *find(EntityKind kind, llvm::StringRef name);
  /// A service without templates, in the entry file.
  const ServiceScope &noService();

  std::shared_ptr<ValueArena> arena = std::make_shared<ValueArena>();
  Program program;
  std::deque<ServiceScope> services;
  CheckedProgram &result;
  Lowering lowering;
  Entity noTemplate;
  std::optional<ServiceScope> nowhere;
};

TypeDecl *Analysis::Parts::find(EntityKind kind, llvm::StringRef name) {
  const Scope &scope = program.scopes[program.package.entries.front()];
  TypeDecl *type = scope.find(kind, name);
  if (type && type->flat)
    return type;
  std::vector<std::string> names = scope.names(kind);
  std::vector<llvm::StringRef> known(names.begin(), names.end());
  program.diags.report({}, diag::UnknownType, tosca::rule(kind).noun, name,
                       didYouMean(name, known));
  return nullptr;
}

const ServiceScope &Analysis::Parts::noService() {
  if (!nowhere) {
    const Scope &scope = program.scopes[program.package.entries.front()];
    noTemplate.kind = EntityKind::ServiceTemplate;
    noTemplate.node = scope.file->root.node;
    nowhere.emplace(ServiceScope{scope, noTemplate});
  }
  return *nowhere;
}

/// Says once, at the first import that failed, what could not be checked.
static void tellUnchecked(Program &program) {
  if (program.numUnchecked == 0)
    return;
  bool isTold = false;
  auto isImport = [&](const Diagnostic &said) {
    auto holds = [&](const std::unique_ptr<tosca::File> &file) {
      const tosca::Field *imports = file->root.find(Key::Imports);
      return imports && imports->keyNode->range().begin <= said.range.begin &&
             said.range.begin <= imports->value->range().end;
    };
    bool isFirst = !isTold && said.severity == Severity::Error &&
                   llvm::any_of(program.package.files, holds);
    isTold |= isFirst;
    return isFirst;
  };
  size_t count = program.numUnchecked;
  program.diags.noteOn(
      isImport, {}, diag::NamesNotChecked,
      std::to_string(count) + (count == 1 ? " name" : " names"), "this");
}

/// Whether \p text has \p name as a word.
static bool mentions(llvm::StringRef text, llvm::StringRef name) {
  auto isPart = [&](size_t at) {
    return at < text.size() &&
           (llvm::isAlnum(text[at]) || text[at] == '_' || text[at] == '-');
  };
  for (size_t at = text.find(name); at != llvm::StringRef::npos;
       at = text.find(name, at + 1))
    if ((at == 0 || !isPart(at - 1)) && !isPart(at + name.size()))
      return true;
  return false;
}

/// Warnings that something is not used, where an error speaks of it: that may
/// have swallowed the use.
static void dropConsequences(DiagnosticEngine &diags) {
  static constexpr DiagId consequences[] = {
      diag::UnusedInput.id, diag::UnusedType.id, diag::UnreachedTemplate.id};
  std::vector<std::string> errors;
  for (const Diagnostic &said : diags.all())
    if (said.severity == Severity::Error)
      errors.push_back(said.message);
  diags.removeIf([&](const Diagnostic &said) {
    if (!llvm::is_contained(consequences, said.id))
      return false;
    llvm::StringRef name =
        llvm::StringRef(said.message).split('\'').second.split('\'').first;
    return llvm::any_of(
        errors, [&](llvm::StringRef error) { return mentions(error, name); });
  });
}

Analysis::Analysis(const tosca::Package &package, NameTable &names,
                   DiagnosticEngine &diags, CheckedProgram &result,
                   const AnalyzeOptions &options)
    : parts(std::make_unique<Parts>(package, names, diags, result)) {
  Program &program = parts->program;
  program.keepsUses = options.keepsUses;
  for (const std::string &function : options.functions)
    program.knownFunctions.insert(function);
  std::deque<ServiceScope> &services = parts->services;
  // Names first: everything after refers to them.
  declare(program);
  // Flattening follows chains of parents, so they must be free of cycles.
  deriveTypes(program);
  bindLifecycles(program, options.lifecycle);
  flattenTypes(program);
  useRefined(program);
  buildDataTypes(program);
  checkTypes(program);
  checkMarks(program);
  // Triggers lead from type to type, so all of them must be there.
  std::vector<ir::Machine> interfaceTypes = checkMachines(program);
  for (const Scope &scope : program.scopes)
    for (const Entity &service :
         scope.file->root.entities(Key::ServiceTemplate))
      services.push_back(checkService(program, scope, service));
  checkUnusedTypes(program);
  tosca::tolerateMistakes(package, diags);
  tolerateInUnusedTypes(program);
  if (diags.hasErrors()) {
    for (const ServiceScope &service : services)
      checkMachines(program, service);
    tellUnchecked(program);
    dropConsequences(diags);
    return;
  }
  result.arena = parts->arena;
  lower(parts->lowering, services);
  result.interfaceTypes = std::move(interfaceTypes);
  for (const tosca::File *file : program.bindings)
    result.bindings.push_back(file->source);
  tosca::tolerateClearMistakes(package, diags);
  if (!diags.hasErrors())
    return;
  dropConsequences(diags);
  result.services.clear();
}

Analysis::~Analysis() = default;

PackageNames Analysis::names() const { return PackageNames(parts->program); }

NodeTemplate Analysis::node(llvm::StringRef name) {
  TypeDecl *type = parts->find(EntityKind::NodeType, name);
  if (!type)
    return {};
  return lowerNodeType(parts->lowering, parts->noService(), *type,
                       /*isModel=*/true);
}

Group Analysis::group(llvm::StringRef name) {
  TypeDecl *type = parts->find(EntityKind::GroupType, name);
  if (!type)
    return {};
  return lowerGroupModel(parts->lowering, parts->noService(), *type);
}

bool Analysis::concerns(uint32_t service, const RecordedPart &part) {
  return concernsService(parts->lowering, service, part);
}

std::optional<NodeTemplate> Analysis::node(uint32_t service,
                                           const RecordedPart &part) {
  return lowerObsoleteNode(parts->lowering, parts->services[service], part);
}

std::optional<Requirement> Analysis::requirement(uint32_t service,
                                                 const NodeTemplate &source,
                                                 const RecordedPart &part) {
  return lowerObsoleteRequirement(parts->lowering, parts->services[service],
                                  source, part);
}

void Analysis::finish() {
  lowerTypesOfOthers(parts->lowering, parts->services);
}

CheckedProgram toscac::analyze(const tosca::Package &package, NameTable &names,
                               DiagnosticEngine &diags) {
  CheckedProgram result;
  Analysis(package, names, diags, result);
  return result;
}
