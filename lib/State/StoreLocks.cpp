//===- StoreLocks.cpp - One writer per deployment -------------------------===//

#include "Statements.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Process.h"
#include <csignal>
#include <pwd.h>
#include <unistd.h>

using namespace toscac;
using namespace toscac::state;
using llvm::StringRef;

/// Field 22 of /proc/PID/stat; 0 where there is no such process.
static int64_t startOf(int64_t process) {
  auto text = llvm::MemoryBuffer::getFileAsStream(
      "/proc/" + std::to_string(process) + "/stat");
  if (!text)
    return 0;
  // The name of the program, in parentheses, may have blanks in it.
  StringRef rest = (*text)->getBuffer().rsplit(')').second;
  for (unsigned field = 2; field < 22; ++field)
    rest = rest.drop_until([](char c) { return c == ' '; }).drop_front();
  int64_t start = 0;
  rest.consumeInteger(10, start);
  return start;
}

static std::string hostName() {
  char name[256] = "";
  gethostname(name, sizeof(name) - 1);
  return name;
}

Owner Owner::self() {
  Owner owner;
  const passwd *entry = getpwuid(getuid());
  owner.user = entry ? entry->pw_name : std::to_string(getuid());
  owner.host = hostName();
  owner.process = getpid();
  owner.processStart = startOf(owner.process);
  owner.since = now();
  return owner;
}

bool Owner::mayBeAlive() const {
  if (host != hostName())
    return true;
  return process != getpid() && startOf(process) == processStart &&
         processStart != 0;
}

llvm::Expected<std::optional<Owner>> Store::lockOwner(StringRef deployment) {
  Statement query(handle, "SELECT user, host, process, process_start, since "
                          "FROM locks WHERE deployment = ?");
  llvm::Expected<bool> row = query.bind(deployment).next();
  if (!row)
    return row.takeError();
  if (!*row)
    return std::nullopt;
  return Owner{query.text(0).str(), query.text(1).str(), query.integer(2),
               query.integer(3), query.real(4)};
}

llvm::Expected<std::optional<Owner>> Store::lock(StringRef deployment) {
  Transaction transaction(handle);
  if (llvm::Error error = transaction.begin())
    return error;
  llvm::Expected<std::optional<Owner>> owner = lockOwner(deployment);
  if (!owner || (*owner && (*owner)->mayBeAlive()))
    return owner;
  Owner self = Owner::self();
  Statement insert(handle, "INSERT OR REPLACE INTO locks(deployment, user, "
                           "host, process, process_start, since) "
                           "VALUES(?, ?, ?, ?, ?, ?)");
  if (llvm::Error error = insert
                              .bind(deployment, self.user, self.host,
                                    self.process, self.processStart, self.since)
                              .run())
    return error;
  if (llvm::Error error = transaction.commit())
    return error;
  return std::nullopt;
}

llvm::Error Store::unlock(StringRef deployment) {
  Statement remove(handle, "DELETE FROM locks WHERE deployment = ?");
  return remove.bind(deployment).run();
}
