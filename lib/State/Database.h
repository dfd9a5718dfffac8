//===- Database.h - Where a store keeps its tables --------------*- C++ -*-===//
///
/// \file
/// As little around SQLite and PostgreSQL as lets the store ask both in the
/// same words, and makes errors impossible to overlook. Statements are written
/// in what the two have in common; parameters are `?`, or `?1` where one is
/// used twice.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_STATE_DATABASE_H
#define TOSCAC_LIB_STATE_DATABASE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <optional>
#include <string>

namespace toscac::state {

/// What a database makes of a statement.
class Query {
public:
  virtual ~Query() = default;

  /// Forgets rows and parameters.
  virtual void rewind() = 0;
  /// Parameters count from 1. \p text must live until the last row was read.
  virtual void bind(int position, llvm::StringRef text) = 0;
  virtual void bind(int position, int64_t number) = 0;
  virtual void bind(int position, double number) = 0;
  /// The next row, if there is one.
  virtual llvm::Expected<bool> next() = 0;
  /// Columns of the row, from 0. Texts are good until the next row.
  virtual llvm::StringRef text(int column) const = 0;
  virtual int64_t integer(int column) const = 0;
  virtual double real(int column) const = 0;
};

class Database {
public:
  Database() = default;
  Database(const Database &) = delete;
  Database &operator=(const Database &) = delete;
  virtual ~Database() = default;

  virtual std::unique_ptr<Query> prepare(const char *sql) = 0;
  /// Runs statements that give no rows.
  virtual llvm::Error execute(const char *sql) = 0;
  virtual bool isInTransaction() const = 0;
  /// Begins a transaction that may write.
  virtual llvm::Error begin() = 0;
  /// Where it fails, nothing of the transaction counts, and it is over.
  virtual llvm::Error commit() = 0;
  void rollback() { llvm::consumeError(execute("ROLLBACK")); }
  /// What a query ends with that keeps its rows as they are until the
  /// transaction ends.
  virtual llvm::StringRef rowLock() const { return ""; }
  /// Begins one that sees the same until it ends, unless one is open.
  virtual llvm::Error beginReading() = 0;
  virtual void endReading() = 0;

  /// How many migrations the store has had; an error where it is none, or a
  /// newer program made it. Inside of a transaction, others wait until it ends.
  virtual llvm::Expected<size_t> schemaVersion(size_t known) = 0;
  /// Runs a migration, which is written for SQLite.
  virtual llvm::Error migrate(llvm::StringRef sql) = 0;
  virtual llvm::Error setSchemaVersion(size_t version) = 0;

  /// Differs when somebody else has written since.
  virtual llvm::Expected<int64_t> writes() = 0;
  /// What lies in its place is not ours any more, and is left as it is.
  virtual void abandon() {}
};

/// A statement; may be run any number of times.
class Statement {
public:
  /// \p sql must be right: it comes from us.
  Statement(Database &database, const std::string &sql)
      : query(database.prepare(sql.c_str())) {}

  /// Binds the parameters from the first on.
  template <typename... Args>
  Statement &bind(const Args &...args) {
    query->rewind();
    int position = 0;
    (bindOne(++position, args), ...);
    return *this;
  }
  /// Runs it to the end.
  llvm::Error run();
  llvm::Expected<bool> next() { return query->next(); }
  /// Calls \p visit for each row, until one fails.
  llvm::Error forEachRow(llvm::function_ref<llvm::Error()> visit);

  llvm::StringRef text(int column) const { return query->text(column); }
  int64_t integer(int column) const { return query->integer(column); }
  double real(int column) const { return query->real(column); }

private:
  void bindOne(int position, llvm::StringRef text) {
    query->bind(position, text);
  }
  void bindOne(int position, const std::string &text) {
    query->bind(position, llvm::StringRef(text));
  }
  void bindOne(int position, const char *text) {
    query->bind(position, llvm::StringRef(text));
  }
  void bindOne(int position, int64_t number) { query->bind(position, number); }
  void bindOne(int position, uint32_t number) {
    query->bind(position, int64_t(number));
  }
  void bindOne(int position, double number) { query->bind(position, number); }

  std::unique_ptr<Query> query;
};

/// Between construction and commit() all or nothing.
class Transaction {
public:
  explicit Transaction(Database &database) : database(database) {}
  Transaction(const Transaction &) = delete;
  Transaction &operator=(const Transaction &) = delete;
  ~Transaction();

  /// Why it could not be begun.
  llvm::Error begin();
  llvm::Error commit();

private:
  Database &database;
  bool isOpen = false;
};

} // namespace toscac::state

#endif
