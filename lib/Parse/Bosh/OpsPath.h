//===- OpsPath.h - Paths of operations --------------------------*- C++ -*-===//
///
/// \file
/// The paths by which operations on manifests, and `--path`, name a place:
/// `/instance_groups/name=db/jobs/-`.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_BOSH_OPSPATH_H
#define TOSCAC_LIB_PARSE_BOSH_OPSPATH_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace toscac::bosh {

struct PathStep {
  enum Kind : uint8_t {
    /// `key`
    Key,
    /// `3`, `-1`
    Index,
    /// `name=db`
    Match,
    /// `-`, behind the last item
    End
  };
  enum Insertion : uint8_t { None, Before, After };

  Kind kind = Key;
  /// The key, also of a match.
  std::string key;
  /// Of a match.
  std::string value;
  int64_t index = 0;
  /// `:next` less `:prev`.
  int64_t shift = 0;
  Insertion insertion = None;
  /// Whether what is missing is made, or passed over; true from the first `?`
  /// on.
  bool isOptional = false;
  /// The path up to here as it is written.
  llvm::StringRef path;
};

/// The steps of \p path, which outlives them; a text says what is wrong.
std::optional<std::string> parseOpsPath(llvm::StringRef path,
                                        std::vector<PathStep> &steps);

} // namespace toscac::bosh

#endif
