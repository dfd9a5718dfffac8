//===- SecretFilter.h - Texts taken out of a stream -------------*- C++ -*-===//
///
/// \file
/// Finds any of many texts in a stream of bytes, by the automaton of Aho and
/// Corasick: each byte is looked at once, however many texts there are.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_SECRETFILTER_H
#define TOSCAC_LIB_RUN_SECRETFILTER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <vector>

namespace toscac::run {

class SecretFilter {
public:
  explicit SecretFilter(llvm::ArrayRef<std::string> texts);

  /// Whether one of the texts stands in \p text.
  bool matches(llvm::StringRef text) const;

  /// One stream. What comes in goes out with `***` for each text, and for texts
  /// that overlap; as soon as it can be no part of one.
  class Stream {
  public:
    Stream(const SecretFilter &filter, llvm::raw_ostream &out)
        : filter(filter), out(out) {}
    void write(llvm::StringRef bytes);
    /// Nothing else comes.
    void finish() { flush(position); }

  private:
    struct Interval {
      uint64_t begin;
      uint64_t end;
    };
    void hide(uint64_t begin, uint64_t end);
    void flush(uint64_t end);

    const SecretFilter &filter;
    llvm::raw_ostream &out;
    uint32_t node = 0;
    /// How many bytes came in, and how many went out.
    uint64_t position = 0;
    uint64_t flushed = 0;
    /// What did not go out yet.
    std::string pending;
    /// Parts of it that do not go out, in their order.
    std::vector<Interval> hidden;
    /// The end of what was hidden last, which may go on.
    uint64_t hiddenEnd = 0;
  };

private:
  /// A beginning of one or more of the texts. Node 0 is the empty one.
  struct Node {
    uint32_t firstChild = 0;
    uint32_t nextSibling = 0;
    /// The longest proper end of this beginning that is one, too.
    uint32_t failure = 0;
    /// Its length, and that of the longest text which ends here.
    uint32_t depth = 0;
    uint32_t match = 0;
    unsigned char byte = 0;
  };
  uint32_t child(uint32_t node, unsigned char byte) const;
  uint32_t next(uint32_t node, unsigned char byte) const;
  void add(llvm::StringRef text);
  void link();

  std::vector<Node> nodes{Node()};
  /// The children of node 0: most bytes of a stream ask for one.
  std::array<uint32_t, 256> roots{};
};

} // namespace toscac::run

#endif
