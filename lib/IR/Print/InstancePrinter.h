//===- InstancePrinter.h - Instances as text --------------------*- C++ -*-===//
///
/// \file
/// A class is printed with the value that more than half of its instances have,
/// if there is one; the lines of instances have the others.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_IR_INSTANCEPRINTER_H
#define TOSCAC_LIB_IR_INSTANCEPRINTER_H

#include "PartPrinter.h"

namespace toscac::ir {

class InstancePrinter : public PartPrinter {
public:
  explicit InstancePrinter(PrintedText &printed);

  void printColumns(llvm::StringRef keyword,
                    llvm::ArrayRef<ValueColumn> columns, uint32_t rows);
  void printSlot(const MachineSlot &slot, uint32_t rows);
  /// Finds the columns of a class in which instances differ.
  void collectVarying(const NodeClass &nodeClass);
  void collectVarying(const RelationshipClass &relationshipClass);
  void printVarying(uint32_t row);

private:
  /// The value that is printed with the class.
  const Expr *commonValue(const Column &column, uint32_t rows);
  void addVarying(llvm::StringRef section, const CapabilityColumns *owner,
                  llvm::ArrayRef<ValueColumn> columns, uint32_t rows);
  void addVarying(llvm::ArrayRef<MachineSlot> slots, uint32_t rows);

  /// Of the cells of each machine.
  std::vector<std::vector<Expr>> initialValues;

  struct Varying {
    /// `capability ` or `cell ` before the owner; empty: there is none.
    llvm::StringRef ownerKeyword;
    Name owner;
    /// `property `, `attribute `, `remaining `; empty for cells.
    llvm::StringRef section;
    Name name;
    const Column *column;
    const Expr *common;
    /// What a row without a value has.
    const Expr *unset;
  };
  /// Of the class whose instances are being printed.
  std::vector<Varying> varying;
};

} // namespace toscac::ir

#endif
