//===- InstanceParser.h - Instances in the text form ------------*- C++ -*-===//
///
/// \file
/// A class has the value that most of its instances have; the line of an
/// instance those that differ. How many rows the columns get is known when the
/// last instance has been read.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_IR_INSTANCEPARSER_H
#define TOSCAC_LIB_IR_INSTANCEPARSER_H

#include "PartParser.h"

namespace toscac::ir {

class InstanceParser : public PartParser {
public:
  using PartParser::PartParser;

  bool parseColumn(std::vector<ValueColumn> &columns);
  /// The columns that lines of instances mean from here on.
  void openColumns(std::vector<ValueColumn> &properties,
                   std::vector<ValueColumn> &attributes,
                   std::vector<MachineSlot> &machines);
  void openColumns(std::vector<ValueColumn> &columns, llvm::StringRef keyword,
                   const CapabilityColumns *owner);
  /// Gives them their values.
  void closeColumns(uint32_t rows);

  /// What becomes of \p entity, the last of those of \p presence, and why.
  bool parseChange(EntityId entity, std::vector<Presence> &presence);
  /// What stands behind the name of an instance: values that differ from those
  /// of its class.
  bool parseAssignments(uint32_t row);

private:
  bool parseAssignment(uint32_t row);
  bool assign(llvm::StringRef keyword, char section, Name owner, uint32_t row);
  /// `= EXPR` or `= none`.
  bool readColumnValue(const Expr *&value);

  /// By section, the capability or interface they belong to, and name.
  using ColumnKey = std::tuple<char, const char *, const char *>;
  llvm::DenseMap<ColumnKey, Column *> columns;
  struct Assignment {
    Column *column;
    uint32_t row;
    const Expr *value;
  };
  std::vector<Assignment> assignments;
};

} // namespace toscac::ir

#endif
