//===- Damage.h - Graphs with something wrong -------------------*- C++ -*-===//
///
/// \file
/// What a faulty pass could do to a graph, so that the verifier can be tested:
/// the text form cannot say most of it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_TOOLS_TOSCA_OPT_DAMAGE_H
#define TOSCAC_TOOLS_TOSCA_OPT_DAMAGE_H

#include <string>
#include <vector>

namespace toscac::ir {
struct Graph;
}

/// Names of everything that can be broken.
std::vector<std::string> damageNames();

/// Breaks \p name of \p graph, which has a node class with a machine, a node
/// and a relationship.
void damage(toscac::ir::Graph &graph, const std::string &name);

#endif
