//===- toscac/Plan/Story.h - An order that shows something ------*- C++ -*-===//
///
/// \file
/// An order of completion that does not do what the plan does, or breaks a
/// promise, moment by moment, for those who want to follow it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PLAN_STORY_H
#define TOSCAC_PLAN_STORY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace toscac::plan {

struct Story {
  struct Cell {
    /// `site[0].standard.state`
    std::string name;
    std::string initial;
    /// What it has when the plan has ended; empty: that is not the point.
    std::string expected;
  };
  struct Moment {
    /// What ends and starts, as messages tell it.
    std::string text;
    /// Numbers of cells, with what they have now.
    std::vector<std::pair<uint32_t, std::string>> writes;
    /// Names of operations that are in flight.
    std::vector<std::string> running;
  };

  /// What it shows, as the message says.
  std::string claim;
  /// No plan was made because of it.
  bool isRefused = false;
  /// Those that change.
  std::vector<Cell> cells;
  std::vector<Moment> moments;
};

/// As JSON; docs/Page.md has the form.
void writeStories(llvm::ArrayRef<Story> stories, llvm::raw_ostream &os);

} // namespace toscac::plan

#endif
