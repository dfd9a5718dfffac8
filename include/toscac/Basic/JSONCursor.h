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
  /// Reads \p text; pieces are parts of it.
  explicit JSONCursor(llvm::StringRef text)
      : data(text.data()), filled(text.size()) {}

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
  /// All that is left of a text; what the caller knows the length of is stepped
  /// over with take(), if no line ends in it.
  llvm::StringRef rest() const { return {data + position, filled - position}; }
  void take(size_t length);
  /// Whether nothing but blanks is left.
  bool atEnd();

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

  /// None: all there is is in `data`.
  std::optional<int> file;
  std::vector<char> window;
  const char *data = nullptr;
  size_t position = 0;
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
