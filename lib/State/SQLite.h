//===- SQLite.h - Statements of SQLite --------------------------*- C++ -*-===//
///
/// \file
/// As little around SQLite's interface as makes errors impossible to overlook.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_STATE_SQLITE_H
#define TOSCAC_LIB_STATE_SQLITE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

struct sqlite3;
struct sqlite3_stmt;

namespace toscac::state {

/// What SQLite says went wrong last.
llvm::Error sqliteError(sqlite3 *handle);

/// Runs statements that give no rows.
llvm::Error execute(sqlite3 *handle, const char *sql);

/// A prepared statement; may be run any number of times.
class Statement {
public:
  /// \p sql must be right: it comes from us.
  Statement(sqlite3 *handle, const char *sql);
  Statement(const Statement &) = delete;
  Statement &operator=(const Statement &) = delete;
  ~Statement();

  /// Binds the parameters from the first on.
  template <typename... Args>
  Statement &bind(const Args &...args) {
    rewind();
    int position = 0;
    (bindOne(++position, args), ...);
    return *this;
  }
  /// Runs it to the end.
  llvm::Error run();
  /// The next row, if there is one.
  llvm::Expected<bool> next();

  /// Calls \p visit for each row, until one fails.
  llvm::Error forEachRow(llvm::function_ref<llvm::Error()> visit);

  /// Columns of the row, from 0. Texts are good until the next row.
  llvm::StringRef text(int column) const;
  int64_t integer(int column) const;
  double real(int column) const;

private:
  void bindOne(int position, llvm::StringRef text);
  void bindOne(int position, const std::string &text) {
    bindOne(position, llvm::StringRef(text));
  }
  void bindOne(int position, const char *text) {
    bindOne(position, llvm::StringRef(text));
  }
  void bindOne(int position, int64_t number);
  void bindOne(int position, uint32_t number) {
    bindOne(position, int64_t(number));
  }
  void bindOne(int position, double number);
  void rewind();

  sqlite3 *handle;
  sqlite3_stmt *statement = nullptr;
};

/// Between construction and commit() all or nothing.
class Transaction {
public:
  explicit Transaction(sqlite3 *handle);
  Transaction(const Transaction &) = delete;
  Transaction &operator=(const Transaction &) = delete;
  ~Transaction();

  /// Why it could not be begun.
  llvm::Error begin();
  llvm::Error commit();

private:
  sqlite3 *handle;
  bool isOpen = false;
};

} // namespace toscac::state

#endif
