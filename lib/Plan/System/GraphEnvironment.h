//===- GraphEnvironment.h - Values as an entity sees them -------*- C++ -*-===//
///
/// \file
/// Answers queries of expressions that are written relative to an entity. What
/// becomes known while the plan runs gives a query with an absolute path, as
/// plans have them: the number of the entity, the attribute, nested keys.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_GRAPHENVIRONMENT_H
#define TOSCAC_LIB_PLAN_GRAPHENVIRONMENT_H

#include "Layout.h"
#include "toscac/IR/ResolvePath.h"
#include "toscac/Value/Evaluate.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace toscac::plan {

/// The value of a cell; null: unknown.
using CellValue = llvm::function_ref<const Value *(CellId)>;

class GraphEnvironment : public Environment {
public:
  GraphEnvironment(const Layout &layout, ir::EntityId self, CellValue cells,
                   NameTable &names)
      : layout(layout), graph(layout.graph), self(self), cells(cells),
        names(names) {}

  Evaluation input(const Query &query) override;
  Evaluation property(const Query &query) override;
  Evaluation attribute(const Query &query) override;
  Evaluation nodeIndex(const Query &query) override;
  Evaluation relationshipIndex(const Query &query) override;
  Evaluation availableAllocation(const Query &query) override;
  Evaluation elements(const Query &query) override;

  /// Parameters of the workflow, which `$get_input` finds first.
  llvm::ArrayRef<ir::InputValue> parameters;
  /// Properties are those from before an update.
  bool seesFormer = false;

private:
  enum class Column : uint8_t { Property, Attribute, Remaining };
  using Read = llvm::function_ref<Evaluation(ir::EntityId)>;

  Evaluation inputInside(const Query &query, const ir::Subgraph &subgraph);
  bool readPath(llvm::ArrayRef<Value> words, ir::Reference &reference);
  /// What has left is still there for what was done before, and for itself.
  bool isHidden(ir::EntityId at) const {
    return layout.hasLeft(at) && !seesFormer && !layout.hasLeft(self);
  }
  Evaluation read(const Query &query, Column column);
  /// What \p read gives for each entity the reference leads to: the one, or a
  /// list.
  Evaluation readAll(const Query &query, const ir::Reference &reference,
                     Read read);
  Evaluation readCell(const Query &query, const ir::Reference &reference,
                      ir::EntityId at);
  Evaluation readColumn(const Query &query, const ir::Reference &reference,
                        ir::EntityId at, Column column);
  /// Null: it has not changed.
  const Value *formerProperty(const ir::Reference &reference,
                              ir::EntityId at) const;
  Evaluation evaluateAt(const Expr &expr, ir::EntityId at, ValueArena &arena);
  Evaluation unknownAttribute(const Query &query,
                              const ir::Reference &reference, ir::EntityId at);
  const ir::ValueColumn *findColumn(const ir::Reference &reference,
                                    ir::EntityId at, Column column,
                                    uint32_t &row) const;

  const Layout &layout;
  const ir::Graph &graph;
  ir::EntityId self;
  CellValue cells;
  NameTable &names;
};

/// Whether some operation of \p entity has an output for \p attribute, so that
/// its value before the plan says nothing.
bool mayBeWritten(const Layout &layout, ir::EntityId entity, Name attribute);

} // namespace toscac::plan

#endif
