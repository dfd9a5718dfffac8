//===- YAMLEvents.h - What a reader of YAML tells ---------------*- C++ -*-===//
///
/// \file
/// A document as a series of events, from which the tree is built.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_YAMLEVENTS_H
#define TOSCAC_LIB_PARSE_YAMLEVENTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <vector>

namespace toscac {

struct YAMLEvent {
  enum Kind : uint8_t {
    DocumentStart,
    Null,
    Alias,
    Scalar,
    SequenceStart,
    SequenceEnd,
    MapStart,
    MapEnd
  };

  Kind kind;
  /// Whether a collection has brackets.
  bool flow = false;
  /// The number of the anchor that an alias stands for or that a node has, or
  /// 0.
  uint32_t anchor = 0;
  /// Where the node starts: at its anchor or tag, if it has one.
  uint32_t at = 0;
  /// Of a scalar.
  llvm::StringRef value;

  bool operator==(const YAMLEvent &other) const = default;
};

/// All events of one document without tags.
struct YAMLEvents {
  std::vector<YAMLEvent> list;
  /// Holds the values that do not stand in the file as they are.
  llvm::BumpPtrAllocator values;
};

} // namespace toscac

#endif
