//===- SentEvents.h - What events are sent to -------------------*- C++ -*-===//
///
/// \file
/// The operations that machines, workflows and policies of a program send
/// events to. What is not among them is called by nobody but outsiders.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_TOSCA_SENTEVENTS_H
#define TOSCAC_LIB_SEMA_TOSCA_SENTEVENTS_H

#include "toscac/Sema/Service.h"
#include "llvm/ADT/DenseSet.h"

namespace toscac::sema {

class SentEvents {
public:
  explicit SentEvents(const CheckedProgram &program);

  /// Senders that leave the interface open reach it on each.
  bool contains(Name interface, Name operation) const {
    return sent.contains({interface.str(), operation.str()}) ||
           sent.contains({"", operation.str()});
  }

private:
  void add(Name interface, Name operation) {
    sent.insert({interface ? interface.str() : "", operation.str()});
  }
  void add(llvm::ArrayRef<ir::Trigger> triggers);
  void add(llvm::ArrayRef<ir::Activity> activities);

  llvm::DenseSet<std::pair<llvm::StringRef, llvm::StringRef>> sent;
};

} // namespace toscac::sema

#endif
