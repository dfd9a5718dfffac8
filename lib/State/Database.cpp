//===- Database.cpp - Where a store keeps its tables ----------------------===//

#include "Database.h"

using namespace toscac;
using namespace toscac::state;

llvm::Error Statement::forEachRow(llvm::function_ref<llvm::Error()> visit) {
  while (true) {
    llvm::Expected<bool> row = next();
    if (!row)
      return row.takeError();
    if (!*row)
      return llvm::Error::success();
    if (llvm::Error error = visit())
      return error;
  }
}

llvm::Error Statement::run() {
  llvm::Expected<bool> row = next();
  if (!row)
    return row.takeError();
  query->rewind();
  return llvm::Error::success();
}

Transaction::~Transaction() {
  if (isOpen)
    database.rollback();
}

llvm::Error Transaction::begin() {
  if (llvm::Error error = database.begin())
    return error;
  isOpen = true;
  return llvm::Error::success();
}

llvm::Error Transaction::commit() {
  isOpen = false;
  return database.commit();
}
