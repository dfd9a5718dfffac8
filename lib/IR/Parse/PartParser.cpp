//===- PartParser.cpp - What parts of the parser share --------------------===//

#include "PartParser.h"

#include "toscac/IR/KindNames.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

bool PartParser::declare(StringRef noun, const Label &label, Labels &labels,
                         uint32_t number) {
  size_t expected = labels.count(label.name) + 1;
  if (label.ordinal != expected) {
    std::string ordinal = expected > 1 ? "#" + std::to_string(expected) : "";
    diags.report(label.range, diag::IrWrongOrdinal, noun, label.name.str(),
                 label.name.str().str() + ordinal);
    return false;
  }
  labels.add(label.name, number);
  return true;
}

bool PartParser::unknown(StringRef noun, const Label &label) {
  std::string name = label.name.str().str();
  if (label.ordinal != 1)
    name += "#" + std::to_string(label.ordinal);
  diags.report(label.range, diag::IrUnknownName, noun, name);
  return false;
}

bool PartParser::readType(TypeInfo::Kind kind, TypeId &type) {
  Label label;
  if (!text.readLabel(label))
    return false;
  auto found = parsed.types[static_cast<size_t>(kind)].find(label);
  if (!found)
    return unknown((nameOf(kind) + " type").str(), label);
  type = {*found};
  return true;
}

bool PartParser::readOptionalType(TypeInfo::Kind kind, TypeId &type) {
  return !text.consume(":") || readType(kind, type);
}
