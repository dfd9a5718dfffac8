//===- CheckTemplateMarks.cpp - What templates say of themselves ----------===//

#include "toscac/Sema/TemplateMarks.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/Basic/Suggest.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;

static constexpr StringRef templateMarks[] = {
#define TEMPLATE_MARK(mark) mark,
#include "toscac/IR/Roles.def"
};

StringRef sema::markOf(const NodeTemplate &node, StringRef key) {
  for (const ir::Mark &mark : node.metadata)
    if (mark.key.str() == key)
      return mark.value;
  return {};
}

std::optional<Unavailable>
sema::maxUnavailable(const NodeTemplate &node,
                     llvm::ArrayRef<ir::TypeInfo> types, StringRef &written) {
  written = markOf(node, "max_unavailable");
  if (written.empty())
    written = ir::findMark(types, node.type, "max_unavailable");
  StringRef number = written;
  Unavailable bound;
  bound.isPercentage = number.consume_back("%");
  if (number.trim().getAsInteger(10, bound.number) || bound.number == 0 ||
      (bound.isPercentage && bound.number > 100))
    return std::nullopt;
  return bound;
}

static void checkMoved(const Service &service, DiagnosticEngine &diags) {
  llvm::DenseSet<StringRef> names;
  llvm::DenseMap<StringRef, const NodeTemplate *> movedFrom;
  for (const NodeTemplate &node : service.nodes)
    names.insert(node.name.str());
  for (const NodeTemplate &node : service.nodes) {
    StringRef former = markOf(node, "moved_from");
    if (former.empty())
      continue;
    if (names.contains(former))
      diags.report(node.range, diag::MovedFromTemplate, node.name.str(),
                   former);
    else if (auto [other, isNew] = movedFrom.try_emplace(former, &node); !isNew)
      diags.report(node.range, diag::MovedTwice, former,
                   other->second->name.str(), node.name.str());
  }
}

void sema::checkTemplateMarks(const CheckedProgram &program,
                              DiagnosticEngine &diags) {
  for (const Service &service : program.services) {
    checkMoved(service, diags);
    for (const NodeTemplate &node : service.nodes) {
      StringRef written;
      if (!maxUnavailable(node, program.types, written) && !written.empty())
        diags.report(node.range, diag::BadMaxUnavailable, node.name.str(),
                     written);
      for (const ir::Mark &mark : node.metadata)
        if (!llvm::is_contained(templateMarks, mark.key.str()))
          if (std::string hint = didYouMean(mark.key.str(), templateMarks);
              !hint.empty())
            diags.report(node.range, diag::UnknownMark, mark.key.str(), hint);
    }
  }
}
