//===- UiProcess.h - The page of a run while it goes on ---------*- C++ -*-===//
///
/// \file
/// tosca-ui, which lies beside tosca-run, serves pages from the store. It is a
/// process of its own: the locks on a store end with any file descriptor of the
/// same process that is closed, and what goes wrong there shall not touch a
/// run.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_RUN_UIPROCESS_H
#define TOSCAC_LIB_RUN_UIPROCESS_H

#include "llvm/Support/Error.h"
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace toscac::run {

/// Lives as long as this object: then it sends what is there, and ends.
class UiProcess {
public:
  static llvm::Expected<std::unique_ptr<UiProcess>>
  start(std::vector<std::string> arguments);
  UiProcess(const UiProcess &) = delete;
  ~UiProcess();

  /// Where the page is.
  const std::string &url() const { return address; }

private:
  UiProcess(pid_t process, int input) : process(process), input(input) {}

  pid_t process;
  /// It ends when this does.
  int input;
  std::string address;
};

/// The program that serves pages.
std::string findUi();

} // namespace toscac::run

#endif
