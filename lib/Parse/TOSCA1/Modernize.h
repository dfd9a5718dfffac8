//===- Modernize.h - Older forms of values ----------------------*- C++ -*-===//
///
/// \file
/// Shared by the parts that bring values of TOSCA 1.x into the form of 2.0.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_TOSCA1_MODERNIZE_H
#define TOSCAC_LIB_PARSE_TOSCA1_MODERNIZE_H

#include "NodeBuilder.h"
#include "TOSCA/ParseEntity.h"

namespace toscac::tosca {

/// A value whose form is to be changed, and what messages call it.
struct OlderValue {
  const syntax::Node &node;
  const Subject &subject;
  llvm::BumpPtrAllocator &arena;
  NodeBuilder build;
  DiagnosticEngine &diags;

  /// Reports that \p part is not \p expected; null.
  const syntax::Node *wrong(const syntax::Node &part, llvm::StringRef what,
                            llvm::StringRef expected) const {
    reportShape(part, (what + subject.str()).str(), expected, diags);
    return nullptr;
  }
  /// The type that the definition names to which the value belongs; empty if
  /// it names none.
  llvm::StringRef ownerType() const {
    const syntax::Node *type = subject.owner.node->isMapping()
                                   ? subject.owner.node->find("type")
                                   : nullptr;
    return type && type->isScalar() ? type->text() : llvm::StringRef();
  }
  bool isOfVersion() const { return ownerType() == "version"; }
  /// \p argument of a constraint in today's form.
  syntax::Node modernArgument(const syntax::Node &argument) const;
};

/// \p node with its numbers as strings: versions, which nobody quotes.
syntax::Node quoteNumbers(const syntax::Node &node, const NodeBuilder &build);

/// `constraints` (TOSCA 1.3 §3.6.3) as a condition over `$value`.
const syntax::Node *modernizeConstraints(const OlderValue &value);

/// The condition that the list of constraints \p node, or a single one, sets
/// upon \p subject; adds to \p into. False after a report.
bool addConstraints(const syntax::Node &node, const syntax::Node &subject,
                    const OlderValue &value,
                    llvm::SmallVectorImpl<syntax::Node> &into);

/// A node filter (TOSCA 1.3 §3.6.5) as a condition over the node.
const syntax::Node *modernizeNodeFilter(const OlderValue &value);

/// Assertions of workflows and triggers (TOSCA 1.3 §3.6.25) as a condition, or
/// a list of conditions where the grammar wants one.
const syntax::Node *modernizeConditions(const OlderValue &value, bool asList);

/// Topologies that Alien4Cloud writes give each requirement assignment a name
/// of its own, and have the properties of the relationship beside it:
///     - name: { type_requirement: host, node: n, relationship: R,
///               properties: … }
/// \p item in the standard's words.
syntax::Node withoutOwnName(const syntax::Node &item, const NodeBuilder &build);
const syntax::Node *modernizeImports(const OlderValue &value);
const syntax::Node *modernizePropertyMappings(const OlderValue &value);
const syntax::Node *modernizeRequirementMappings(const OlderValue &value);
const syntax::Node *modernizeActivities(const OlderValue &value);

} // namespace toscac::tosca

#endif
