//===- Columns.cpp - Values of instances in text --------------------------===//
///
/// \file
/// A class has the value that most of its instances have; the line of an
/// instance those that differ. How many rows the columns get is known when the
/// last instance has been read.
///
//===----------------------------------------------------------------------===//

#include "GraphParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

/// Keys of columns of capabilities are apart from those of nodes: their names
/// may be empty.
static char sectionOf(StringRef keyword, bool ofCapability) {
  return ofCapability ? llvm::toUpper(keyword.front()) : keyword.front();
}

void GraphParser::openColumns(std::vector<ValueColumn> &list, StringRef keyword,
                              const CapabilityColumns *owner) {
  const char *ownerName = owner ? owner->name.str().data() : nullptr;
  for (ValueColumn &column : list)
    columns[{sectionOf(keyword, owner), ownerName, column.name.str().data()}] =
        &column.values;
}

void GraphParser::openColumns(std::vector<ValueColumn> &properties,
                              std::vector<ValueColumn> &attributes,
                              std::vector<MachineSlot> &slots) {
  openColumns(properties, "property", nullptr);
  openColumns(attributes, "attribute", nullptr);
  for (MachineSlot &slot : slots) {
    const Machine &machine = graph->machines[slot.machine.index];
    for (auto [cell, column] : llvm::zip(machine.cells, slot.cells))
      columns[{'c', machine.interface.str().data(), cell.name.str().data()}] =
          &column;
  }
}

void GraphParser::closeColumns(uint32_t rows) {
  for (const Assignment &assignment : assignments)
    assignment.column->set(assignment.row, assignment.value, rows);
  assignments.clear();
  columns.clear();
}

bool GraphParser::readColumnValue(const Expr *&value) {
  value = nullptr;
  return text.expect("=") &&
         (text.consume("none") || text.readSharedExpr(value));
}

bool GraphParser::assign(StringRef keyword, char section, Name owner,
                         uint32_t row) {
  Label label;
  const Expr *value;
  if (!text.readLabel(label))
    return false;
  auto found =
      columns.find({section, owner.str().data(), label.name.str().data()});
  if (found == columns.end())
    return unknown(keyword, label);
  if (!readColumnValue(value))
    return false;
  assignments.push_back({found->second, row, value});
  return true;
}

bool GraphParser::parseAssignment(uint32_t row) {
  for (StringRef keyword : {"property", "attribute"})
    if (text.consume(keyword))
      return assign(keyword, sectionOf(keyword, /*ofCapability=*/false), Name(),
                    row);
  Name owner;
  if (text.consume("cell"))
    return text.readName(owner) && assign("cell", 'c', owner, row);
  if (!text.expect("capability") || !text.readName(owner))
    return false;
  for (StringRef keyword : {"property", "attribute", "remaining"})
    if (text.consume(keyword))
      return assign(keyword, sectionOf(keyword, /*ofCapability=*/true), owner,
                    row);
  return text.fail("property, attribute or remaining");
}

bool GraphParser::parseAssignments(uint32_t row) {
  while (text.isAt("property") || text.isAt("attribute") || text.isAt("cell") ||
         text.isAt("capability"))
    if (!parseAssignment(row))
      return false;
  return true;
}
