//===- TemplateEvaluator.h - What expressions in templates mean -*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_BOSH_TEMPLATEEVALUATOR_H
#define TOSCAC_LIB_SEMA_BOSH_TEMPLATEEVALUATOR_H

#include "toscac/Parse/Bosh/Template.h"
#include "toscac/Sema/Bosh/Links.h"
#include <map>

namespace toscac::bosh {

/// What a template sees: a job on one instance.
struct TemplateContext {
  const Deployment &deployment;
  const Links &links;
  const PlacedGroup &group;
  const PlacedJob &job;
  /// Index into the instances of the group.
  size_t instance;
  /// The links of the job that are there, by name.
  std::map<llvm::StringRef, const Link *> consumed;
};

/// A value, or a link.
struct TemplateValue {
  Value value;
  const Link *link = nullptr;
  bool isLink() const { return link; }
};

class TemplateEvaluator {
public:
  TemplateEvaluator(const TemplateContext &context, DiagnosticEngine &diags)
      : context(context), diags(diags) {}

  /// Appends what \p items render to; false after a report.
  bool render(llvm::ArrayRef<TemplateItem> items, std::string &output);

private:
  using Result = std::optional<TemplateValue>;

  Result evaluate(const TemplateExpr &expr);
  Result call(const TemplateExpr &expr);
  Result callOn(const TemplateValue &receiver, const TemplateExpr &expr);
  Result callOnLink(const Link &link, const TemplateExpr &expr);
  Result callOnList(const Value &list, const TemplateExpr &expr);
  Result callOnMap(const Value &map, const TemplateExpr &expr);
  Result mapList(const Value &list, const TemplateExpr &expr);
  Result join(const Value &list, const TemplateExpr &expr);
  Result index(const TemplateValue &receiver, const TemplateExpr &expr);
  Result ownLink(const TemplateExpr &expr);
  Result ownProperty(const TemplateExpr &expr);
  Result pick(std::optional<Value> found, const TemplateExpr &expr);
  Result thisInstance(const TemplateExpr &expr);

  bool renderBlock(const TemplateItem &block, std::string &output);
  bool renderEach(const TemplateItem &block, const Value &list,
                  std::string &output);
  bool renderWith(const TemplateItem &block, Result value, std::string &output);
  std::optional<Value> findProperty(llvm::StringRef path);
  std::optional<Value> findLinked(const Link &link, llvm::StringRef path);
  const Value &contentOf(const Link &link) const;
  std::optional<llvm::StringRef> textArgument(const TemplateExpr &expr);

  std::nullopt_t unsupported(const TemplateExpr &expr, llvm::StringRef what);
  std::nullopt_t missing(const TemplateExpr &expr, llvm::StringRef what);

  const TemplateContext &context;
  DiagnosticEngine &diags;
  ValueArena arena;
  std::map<std::string, TemplateValue> variables;
  /// Turns of all loops; loops in loops could go on for ever.
  uint64_t turns = 0;
};

} // namespace toscac::bosh

#endif
