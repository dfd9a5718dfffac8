//===- SentTwice.cpp - Events that one act sends twice --------------------===//
///
/// \file
/// The rule "Races", (d), for sends of one moment: a trigger that reaches an
/// operation over two relationships sends two events, and the second finds the
/// operation in flight. That is so in every order, and yet seldom meant where
/// the operation, once it has ended, would accept the event again.
///
//===----------------------------------------------------------------------===//

#include "HazardRules.h"

using namespace toscac;
using namespace toscac::plan;

/// Whether \p step, having ended, leaves what it was accepted on as it was;
/// where there are too many ways to tell, it may.
static bool staysReady(Deliveries &deliveries, StepId step) {
  std::shared_ptr<const Ways> ways =
      deliveries.waysOf(deliveries.run.event(step));
  return !ways->areAll ||
         llvm::any_of(ways->windows, [&](const AcceptanceWindow &window) {
           return deliveries.isTakenBy(window, step) &&
                  !isClosedBy(window, step, deliveries.run);
         });
}

void toscac::plan::findEventSentTwice(Deliveries &deliveries, EventId event,
                                      HazardReport &report) {
  const SymbolicRun &run = deliveries.run;
  llvm::ArrayRef<SendId> sends = deliveries.sendsTo(event);
  auto actOf = [](const Send &send) {
    return std::pair(send.sender.index, unsigned(send.onEntry));
  };
  llvm::DenseMap<std::pair<uint32_t, unsigned>, StepId> accepted;
  for (SendId id : sends) {
    const Send &send = run.sends[id.index];
    if (send.accepted && !send.isFromWorkflow())
      accepted.try_emplace(actOf(send), send.accepted);
  }
  for (SendId id : sends) {
    const Send &send = run.sends[id.index];
    if (send.isFromWorkflow() || send.accepted || !send.wasSent)
      continue;
    auto first = accepted.find(actOf(send));
    if (first != accepted.end() && staysReady(deliveries, first->second))
      return report.sentTwice(send);
  }
}
