//===- MachineParser.h - Machines in the text form --------------*- C++ -*-===//

#ifndef TOSCAC_LIB_IR_MACHINEPARSER_H
#define TOSCAC_LIB_IR_MACHINEPARSER_H

#include "PartParser.h"

namespace toscac::ir {

class MachineParser : public PartParser {
public:
  using PartParser::PartParser;

  bool parseMachine();
  /// A machine of a class, with what its cells hold.
  bool parseSlot(std::vector<MachineSlot> &slots);

  // What workflows have, too.
  bool parseArgument(llvm::SmallVectorImpl<Argument> &arguments);
  /// A block of arguments, if one stands there.
  bool parseArguments(llvm::ArrayRef<Argument> &arguments);
  bool parseMapping(llvm::SmallVectorImpl<OutputMapping> &mappings);
  bool parseHandler(llvm::SmallVectorImpl<Handler> &handlers);
  /// `when EXPR`, if it stands there.
  bool readCondition(const Expr *&condition);

private:
  bool parseCell(llvm::SmallVectorImpl<Cell> &cells);
  bool parseOperation(llvm::SmallVectorImpl<Operation> &operations);
  struct OperationParts;
  bool parseOperationPart(OperationParts &parts);
  struct ReactionParts;
  bool parseReaction(ReactionParts &parts);
  bool readOptions(Operation &operation);
  bool parseTrigger(llvm::SmallVectorImpl<Trigger> &triggers);
  bool parseIntent(llvm::SmallVectorImpl<Intent> &intents);
  bool parsePromise(Promise::Kind kind,
                    llvm::SmallVectorImpl<Promise> &promises);
  bool parseFailure(llvm::SmallVectorImpl<FailureMark> &failures);
  bool parseRole(llvm::ArrayRef<Operation> operations, Roles &roles);
  bool readOperation(llvm::ArrayRef<Operation> operations,
                     std::optional<uint32_t> &found);
  bool readArtifact(ArtifactId &artifact);
  bool readPlace(HandlerPlace &place);
  /// A cell of the machine at hand.
  bool readCell(uint32_t &cell);

  /// Of the machine at hand.
  Labels cells;
  /// The initial values of the cells of each machine.
  std::vector<std::vector<const Expr *>> initialValues;
};

} // namespace toscac::ir

#endif
