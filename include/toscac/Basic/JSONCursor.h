//===- toscac/Basic/JSONCursor.h - Large JSON, piece by piece ---*- C++ -*-===//
///
/// \file
/// Walks over the outer levels of a JSON text of any size and gives the text of
/// what stands there: keys, and whole values or elements. A file is read
/// through a window, so that memory does not grow with it. The pieces are for a
/// real parser: here only brackets and quotes are looked at.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_JSONCURSOR_H
#define TOSCAC_BASIC_JSONCURSOR_H

#include "toscac/Basic/Digest.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace toscac {

/// Length of the complete JSON value that \p text starts with, or npos where
/// the text ends before it does.
size_t endOfJSONValue(llvm::StringRef text);

class JSONCursor {
public:
  /// Reads from the file descriptor \p file, which stays open.
  explicit JSONCursor(int file);

  /// Steps over an opening bracket; false, and failed(), if there is none.
  bool enterObject() { return enter('{'); }
  bool enterArray() { return enter('['); }
  /// The next key, without quotes, of the object last entered; nothing after
  /// its end. Escapes in it are not resolved. Good until the next call.
  std::optional<llvm::StringRef> nextKey();
  /// The next element of the array last entered; nothing after its end. Good
  /// until the next call.
  std::optional<llvm::StringRef> nextElement();
  /// The whole value after a key. Good until the next call.
  std::optional<llvm::StringRef> value();
  /// Steps to the next element, which value() gives; false after the last.
  bool toElement();
  /// What comes next, at least \p least bytes of it where there are so many.
  /// What the caller knows the length of is stepped over with take(), if no
  /// line ends in it.
  llvm::StringRef ahead(size_t least = 0);
  void take(size_t length);
  /// From here on, what is stepped over goes into \p digest; null: no more.
  void follow(SHA256Digest *digest);
  /// Whether nothing but blanks is left.
  bool atEnd();

  /// Bytes that have been stepped over.
  uint64_t position() const { return windowStart + next; }
  /// Where the piece last given starts, in bytes from the start.
  uint64_t offset() const { return pieceOffset; }
  /// The line of the piece last given, from 1.
  uint64_t line() const { return pieceLine; }

  bool failed() const { return !reason.empty(); }
  /// Why nothing more comes, in words.
  llvm::StringRef error() const { return reason; }

private:
  bool enter(char bracket);
  /// The next byte that is no blank, not stepped over; 0 at the end.
  char peek();
  std::optional<bool> separated(char close);
  std::optional<llvm::StringRef> piece();
  bool refill();
  void fail(llvm::StringRef text);

  int file;
  std::vector<char> window;
  SHA256Digest *follower = nullptr;
  /// What comes after this has not gone into it yet.
  size_t followed = 0;
  size_t next = 0;
  size_t filled = 0;
  uint64_t windowStart = 0;
  uint64_t pieceOffset = 0;
  uint64_t currentLine = 1;
  uint64_t pieceLine = 1;
  /// An element or member has been given since the bracket.
  bool hasBefore = false;
  std::string lastKey;
  std::string reason;
};

} // namespace toscac

#endif
