//===- SQLite.cpp - Statements of SQLite ----------------------------------===//

#include "SQLite.h"

#include <sqlite3.h>

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

llvm::Error state::sqliteError(sqlite3 *handle) {
  std::string text = sqlite3_errmsg(handle);
  int code = sqlite3_errcode(handle);
  if (code == SQLITE_IOERR || code == SQLITE_CANTOPEN || code == SQLITE_FULL)
    if (int number = sqlite3_system_errno(handle))
      text += ": " + std::generic_category().message(number);
  return llvm::createStringError(text.c_str());
}

llvm::Error state::execute(sqlite3 *handle, const char *sql) {
  if (sqlite3_exec(handle, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return sqliteError(handle);
  return llvm::Error::success();
}

Statement::Statement(sqlite3 *handle, const char *sql) : handle(handle) {
  sqlite3_prepare_v3(handle, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement,
                     nullptr);
}

Statement::~Statement() { sqlite3_finalize(statement); }

void Statement::rewind() { sqlite3_reset(statement); }

void Statement::bindOne(int position, StringRef text) {
  // An empty text is not NULL.
  sqlite3_bind_text64(statement, position, text.empty() ? "" : text.data(),
                      text.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bindOne(int position, int64_t number) {
  sqlite3_bind_int64(statement, position, number);
}

void Statement::bindOne(int position, double number) {
  sqlite3_bind_double(statement, position, number);
}

llvm::Expected<bool> Statement::next() {
  if (!statement)
    return sqliteError(handle);
  int code = sqlite3_step(statement);
  if (code == SQLITE_ROW)
    return true;
  if (code == SQLITE_DONE) {
    sqlite3_reset(statement);
    return false;
  }
  llvm::Error error = sqliteError(handle);
  sqlite3_reset(statement);
  return error;
}

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
  rewind();
  return llvm::Error::success();
}

StringRef Statement::text(int column) const {
  const auto *data =
      reinterpret_cast<const char *>(sqlite3_column_text(statement, column));
  return {data, static_cast<size_t>(sqlite3_column_bytes(statement, column))};
}

int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement, column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(statement, column);
}

Transaction::Transaction(sqlite3 *handle) : handle(handle) {}

Transaction::~Transaction() {
  if (isOpen)
    sqlite3_exec(handle, "ROLLBACK", nullptr, nullptr, nullptr);
}

llvm::Error Transaction::begin() {
  if (llvm::Error error = execute(handle, "BEGIN IMMEDIATE"))
    return error;
  isOpen = true;
  return llvm::Error::success();
}

llvm::Error Transaction::commit() {
  if (llvm::Error error = execute(handle, "COMMIT"))
    return error;
  isOpen = false;
  return llvm::Error::success();
}
