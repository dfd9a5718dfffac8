//===- YAMLEvents.h - What a reader of YAML tells ---------------*- C++ -*-===//
///
/// \file
/// The events of a document as a list, so that they can be looked at before
/// anybody acts on them.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_YAMLEVENTS_H
#define TOSCAC_LIB_PARSE_YAMLEVENTS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <optional>
#include <vector>

namespace YAML {
class EventHandler;
}

namespace toscac {

struct YAMLEvent {
  enum Kind : uint8_t {
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
  /// Where the node starts: at its anchor, if it has one.
  uint32_t at = 0;
  /// Of a scalar.
  llvm::StringRef value;

  bool operator==(const YAMLEvent &other) const = default;
};

struct YAMLEvents {
  std::vector<YAMLEvent> list;
  /// Holds the values that do not stand in the file as they are.
  llvm::BumpPtrAllocator values;
};

/// What yaml-cpp tells of \p text; nothing if it is not one document without
/// tags.
std::optional<YAMLEvents> recordYAML(llvm::StringRef text);

/// Tells \p handler what yaml-cpp would.
void replayYAML(const YAMLEvents &events, YAML::EventHandler &handler);

} // namespace toscac

#endif
