//===- AffectedReaders.h - What a write may have made true ------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_AFFECTEDREADERS_H
#define TOSCAC_LIB_PLAN_AFFECTEDREADERS_H

#include "PendingEvents.h"
#include "System/Worklist.h"

namespace toscac::plan {

/// Pending events and level rules whose conditions the last act may have
/// changed: they are looked at when it is complete.
class AffectedReaders {
public:
  AffectedReaders(const EventSystem &system, const PendingEvents &pending)
      : system(system), pending(pending), events(system.layout.numEvents()),
        rules(system.numRules()) {}

  /// What \p owner has that reads the cell of \p watch.
  void add(ir::EntityId owner, uint32_t watch) {
    system.forEachReader(
        owner, watch, [&](const EventPlace &at) { add(at); },
        [&](RuleId rule) { rules.add(rule.index); });
  }
  /// The event, if it is pending, and the rules that send it.
  void add(const EventPlace &at) {
    EventId event = system.layout.event(at);
    if (pending.contains(event))
      events.add(event.index);
    system.forEachRuleOf(at, [&](RuleId rule) { rules.add(rule.index); });
  }

private:
  const EventSystem &system;
  const PendingEvents &pending;

public:
  /// By number, of events and of rules.
  Worklist events, rules;
};

} // namespace toscac::plan

#endif
