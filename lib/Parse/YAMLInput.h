//===- YAMLInput.h - Feeds yaml-cpp from memory -----------------*- C++ -*-===//
///
/// \file
/// yaml-cpp holds back tokens until it knows whether what they belong to is a
/// key: for `[`, until the matching bracket and what follows it. A token takes
/// up to 240 bytes, so a file that opens a bracket and fills hundreds of
/// megabytes would take all memory. The input ends where that gets too much.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PARSE_YAMLINPUT_H
#define TOSCAC_LIB_PARSE_YAMLINPUT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <streambuf>

namespace toscac {

class YAMLInput : public std::streambuf {
public:
  /// Indicators that may be read beyond the last event: 1 to 2 GB of tokens.
  static constexpr size_t maxIndicators = 4000000;

  explicit YAMLInput(llvm::StringRef text);
  /// Shows yaml-cpp a blank before each of \p blanks, which are in order.
  YAMLInput(llvm::StringRef text, llvm::ArrayRef<size_t> blanks);

  /// Where in the text a position of yaml-cpp is, which leaves out a byte order
  /// mark.
  size_t offset(size_t position) const;
  /// yaml-cpp has reported the node at \p at.
  void reached(size_t at);
  /// The last node before a place where the input was cut off, if it was.
  std::optional<size_t> cutOffAfter() const { return cutOff; }

protected:
  std::streamsize xsgetn(char *to, std::streamsize count) override;

private:
  bool isHeldBackTooLong();

  /// With the blanks.
  std::string padded;
  llvm::ArrayRef<size_t> blanks;
  llvm::StringRef text;
  size_t lastEvent = 0;
  /// Bytes beyond the last event at which indicators are counted next. Doubles,
  /// so that counting is linear; below its first value there cannot be too
  /// many.
  size_t nextCount = maxIndicators;
  std::optional<size_t> cutOff;
};

} // namespace toscac

#endif
