//===- Trace.cpp - A picture of the run -----------------------------------===//

#include "Trace.h"

#include "toscac/Basic/JSONWriter.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

Trace::Trace(StringRef path, std::error_code &error) {
  if (path.empty())
    return;
  os = std::make_unique<llvm::raw_fd_ostream>(path, error);
  *os << "[";
}

Trace::~Trace() {
  if (!os)
    return;
  *os << "\n]\n";
  os->flush();
  os->clear_error();
}

unsigned Trace::begin() {
  int row = taken.find_first_unset();
  if (row < 0) {
    row = taken.size();
    taken.resize(row + 1);
  }
  taken.set(row);
  return row;
}

void Trace::end(unsigned row, StringRef name, double start, double end,
                StringRef outcome) {
  taken.reset(row);
  if (!os)
    return;
  *os << (isFirst ? "\n" : ",\n");
  isFirst = false;
  JSONWriter json(*os);
  json.object([&] {
    json.attribute("name", name);
    json.attribute("ph", "X");
    json.attribute("pid", uint32_t(1));
    json.attribute("tid", uint32_t(row));
    json.attribute("ts", uint64_t(start * 1e6));
    json.attribute("dur", uint64_t((end - start) * 1e6));
    json.attributeBegin("args");
    json.object([&] { json.attribute("outcome", outcome); });
  });
}
