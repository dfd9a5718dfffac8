//===- toscac/Basic/PrintableStream.h - Safe on a terminal ------*- C++ -*-===//
///
/// \file
/// Names come from files of others, and a terminal obeys what stands in them:
/// control characters, marks that change the direction of writing.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_PRINTABLESTREAM_H
#define TOSCAC_BASIC_PRINTABLESTREAM_H

#include "llvm/Support/raw_ostream.h"

namespace toscac {

/// Passes text on to another stream. What a terminal would act on or not show
/// comes as `<U+001B>` or `<FF>`; line ends, tabs and colors stay. Nothing is
/// kept back, so that both streams may be written to in turn.
class PrintableStream : public llvm::raw_ostream {
public:
  explicit PrintableStream(llvm::raw_ostream &target)
      : raw_ostream(/*unbuffered=*/true), target(target) {}

  raw_ostream &changeColor(enum Colors color, bool bold, bool bg) override {
    target.changeColor(color, bold, bg);
    return *this;
  }
  raw_ostream &resetColor() override {
    target.resetColor();
    return *this;
  }
  raw_ostream &reverseColor() override {
    target.reverseColor();
    return *this;
  }
  bool is_displayed() const override { return target.is_displayed(); }
  bool has_colors() const override { return target.has_colors(); }

private:
  void write_impl(const char *text, size_t size) override;
  uint64_t current_pos() const override { return target.tell(); }

  llvm::raw_ostream &target;
};

} // namespace toscac

#endif
