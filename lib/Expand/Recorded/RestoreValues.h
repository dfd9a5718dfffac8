//===- RestoreValues.h - Recorded values in the graph -----------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_RESTOREVALUES_H
#define TOSCAC_LIB_EXPAND_RESTOREVALUES_H

namespace toscac::expanding {

struct Expansion;

/// Enters the presence of all entities, and recorded cells, attributes and
/// properties, into the graph, when all relationships are there. Warns of what
/// the template does not say any more. False, after a report, where it has no
/// place for what is recorded: then nothing is entered.
bool restoreRecorded(Expansion &expansion);

} // namespace toscac::expanding

#endif
