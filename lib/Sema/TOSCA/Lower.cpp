//===- Lower.cpp - From checked templates to the checked service ----------===//

#include "Lower.h"

#include "LowerMachines.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

/// Metadata `template_name` of the file, else the file's name without its
/// ending.
static Name nameOf(Lowering &lowering, const ServiceScope &service) {
  for (const ir::Mark &mark : lowerMetadata(lowering, service.scope.file->root))
    if (mark.key.str() == "template_name")
      return lowering.intern(mark.value);
  return lowering.intern(llvm::sys::path::stem(service.scope.file->path));
}

static Service lowerService(Lowering &lowering, const ServiceScope &service) {
  Service result;
  result.name = nameOf(lowering, service);
  result.range = service.entity.range();
  for (const auto &[name, node] : service.nodes)
    result.nodes.push_back(lowerNodeTemplate(lowering, service, node));
  result.machines = lowerEvents(lowering, service);
  return result;
}

CheckedProgram sema::lower(Program &program, std::unique_ptr<ValueArena> arena,
                           const std::deque<ServiceScope> &services) {
  CheckedProgram result;
  result.arena = std::move(arena);
  Lowering lowering(program, result);
  for (const ServiceScope &service : services)
    result.services.push_back(lowerService(lowering, service));
  return result;
}
