//===- ParseInstances.cpp - Instances in the text form --------------------===//

#include "InstanceParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

/// Keys of columns of capabilities are apart from those of nodes: their names
/// may be empty.
static char sectionOf(StringRef keyword, bool ofCapability) {
  return ofCapability ? llvm::toUpper(keyword.front()) : keyword.front();
}

void InstanceParser::openColumns(std::vector<ValueColumn> &list,
                                 StringRef keyword,
                                 const CapabilityColumns *owner) {
  const char *ownerName = owner ? owner->name.str().data() : nullptr;
  for (ValueColumn &column : list)
    columns[{sectionOf(keyword, owner), ownerName, column.name.str().data()}] =
        &column.values;
}

void InstanceParser::openColumns(std::vector<ValueColumn> &properties,
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

void InstanceParser::closeColumns(uint32_t rows) {
  for (const Assignment &assignment : assignments)
    assignment.column->set(assignment.row, assignment.value, rows);
  assignments.clear();
  columns.clear();
}

bool InstanceParser::readColumnValue(const Expr *&value) {
  value = nullptr;
  return text.expect("=") &&
         (text.consume("none") || text.readSharedExpr(value));
}

bool InstanceParser::assign(StringRef keyword, char section, Name owner,
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

bool InstanceParser::parseAssignment(uint32_t row) {
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

bool InstanceParser::parseAssignments(uint32_t row) {
  while (text.isAt("property") || text.isAt("attribute") || text.isAt("cell") ||
         text.isAt("capability"))
    if (!parseAssignment(row))
      return false;
  return true;
}

bool InstanceParser::parseChange(EntityId entity,
                                 std::vector<Presence> &presence) {
  Presence read = Presence::New;
  for (Presence each : {Presence::Kept, Presence::Updated, Presence::Replaced,
                        Presence::Leaving})
    if (text.consume(spelling(each)))
      read = each;
  graph->hasRecorded |= read != Presence::New;
  presence.push_back(read);
  return (!text.consume("because") ||
          text.readText(graph->reasons[entity.index])) &&
         (!text.consume("former") ||
          text.readLiteral(graph->former[entity.index]));
}

bool InstanceParser::parseColumn(std::vector<ValueColumn> &list) {
  ValueColumn column;
  if (!text.readName(column.name) || !text.readKind(column.type))
    return false;
  column.sensitive = text.consume("sensitive");
  const Expr *value = nullptr;
  if (text.consume("=") && !text.readExpr(value))
    return false;
  column.values.setAll(value);
  list.push_back(std::move(column));
  return true;
}
