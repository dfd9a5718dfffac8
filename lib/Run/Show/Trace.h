//===- Trace.h - A picture of the run ---------------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_TRACE_H
#define TOSCAC_LIB_RUN_TRACE_H

#include "llvm/ADT/BitVector.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>

namespace toscac::run {

/// Writes the trace format of Chrome, which Perfetto shows, too: a row for each
/// step that runs beside others.
class Trace {
public:
  /// No trace is written where \p path is empty.
  Trace(llvm::StringRef path, std::error_code &error);
  Trace(const Trace &) = delete;
  Trace &operator=(const Trace &) = delete;
  ~Trace();

  /// Takes a row.
  unsigned begin();
  /// The step \p name, in \p row, lasted from \p start to \p end; the row is
  /// free again.
  void end(unsigned row, llvm::StringRef name, double start, double end,
           llvm::StringRef outcome);

private:
  std::unique_ptr<llvm::raw_fd_ostream> os;
  llvm::BitVector taken;
  bool isFirst = true;
};

} // namespace toscac::run

#endif
