//===- Results.cpp - What steps left that ran elsewhere -------------------===//

#include "Results.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

std::string Results::path(uint32_t step, StringRef extension) const {
  return (folder + "/" + llvm::Twine(step) + extension).str();
}

/// The first line says of which plan they are.
static std::string firstLine(StringRef digest) {
  return ("{\"plan\": \"" + digest + "\"}\n").str();
}

llvm::Expected<std::optional<std::string>> Results::read(uint32_t step) const {
  return readEvents(path(step, ".json"));
}

llvm::Expected<std::optional<std::string>>
Results::readBegun(uint32_t step) const {
  return readEvents(path(step, ".begun"));
}

/// A script's stamp lies beside the results.
std::string Results::stamp(uint32_t step) const {
  return (llvm::sys::path::parent_path(folder) + "/done/" + llvm::Twine(step))
      .str();
}

bool Results::isStamped(uint32_t step) const { return fs::exists(stamp(step)); }

bool Results::isStampBegun(uint32_t step) const {
  return fs::exists(stamp(step) + ".begun");
}

llvm::Expected<std::optional<std::string>>
Results::readEvents(const std::string &file) const {
  auto text = llvm::MemoryBuffer::getFile(file);
  if (!text) {
    if (text.getError() == std::errc::no_such_file_or_directory)
      return std::nullopt;
    return llvm::createStringError("cannot read '" + file +
                                   "': " + text.getError().message());
  }
  StringRef events = (*text)->getBuffer();
  if (!events.consume_front(firstLine(digest)))
    return llvm::createStringError("'" + file + "' is of another plan");
  return events.str();
}

llvm::Expected<std::optional<state::Outcome>>
Results::outcome(uint32_t step, JSONReader &reader, ValueArena &arena) const {
  llvm::Expected<std::optional<std::string>> events = read(step);
  if (!events)
    return events.takeError();
  if (!*events)
    return std::nullopt;
  state::Journal journal;
  if (llvm::Error error = journal.add(**events, reader, arena))
    return error;
  auto found = journal.ended.find(step);
  if (found == journal.ended.end())
    return llvm::createStringError("the result of step " + llvm::Twine(step) +
                                   " is broken");
  return found->second;
}

/// A reader sees all of the file, or none.
llvm::Error Results::put(const std::string &path, StringRef events) const {
  if (std::error_code error = fs::create_directories(folder))
    return llvm::createFileError(folder, error);
  return llvm::writeToOutput(path, [&](llvm::raw_ostream &os) {
    os << firstLine(digest) << events;
    return llvm::Error::success();
  });
}

llvm::Error Results::begin(uint32_t step, StringRef events) const {
  return put(path(step, ".begun"), events);
}

/// The lock is one of bytes, which file systems of clusters have, too. It ends
/// with the process at the latest.
llvm::Expected<bool>
Results::beginIf(uint32_t step, llvm::function_ref<bool()> mayBegin) const {
  if (std::error_code error = fs::create_directories(folder))
    return llvm::createFileError(folder, error);
  std::string lock = folder + "/lock";
  llvm::Expected<fs::file_t> file =
      fs::openNativeFileForReadWrite(lock, fs::CD_OpenAlways, fs::OF_None);
  if (!file)
    return llvm::createFileError(lock, file.takeError());
  auto close = llvm::make_scope_exit([&] { fs::closeFile(*file); });
  if (std::error_code error = fs::lockFile(*file))
    return llvm::createFileError(lock, error);
  if (!mayBegin())
    return false;
  // What an attempt has left that is no more is kept until this one begins.
  if (!isBegun(step))
    if (llvm::Error error = begin(step, ""))
      return error;
  return true;
}

llvm::Error Results::write(uint32_t step, StringRef events) const {
  if (llvm::Error error = put(path(step, ".json"), events))
    return error;
  unlink(path(step, ".begun").c_str());
  return llvm::Error::success();
}

bool Results::isBegun(uint32_t step) const {
  return fs::exists(path(step, ".begun"));
}
