//===- toscac/Basic/JSONWriter.h - JSON on few lines ------------*- C++ -*-===//
///
/// \file
/// Writes JSON as plans and states have it: a blank after each comma and colon,
/// line breaks only where newLine() asks for one. The functions are those of
/// llvm::json::OStream, which is slower and has no such form.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_BASIC_JSONWRITER_H
#define TOSCAC_BASIC_JSONWRITER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <charconv>

namespace toscac {

/// Writes \p number several times faster than raw_ostream does.
template <typename Integer>
void writeDecimal(llvm::raw_ostream &os, Integer number) {
  char digits[20];
  char *end = std::to_chars(digits, std::end(digits), number).ptr;
  os << llvm::StringRef(digits, end - digits);
}

/// Writes \p text in quotes. What is not UTF-8 is replaced.
void writeJSONString(llvm::raw_ostream &os, llvm::StringRef text);

class JSONWriter {
public:
  explicit JSONWriter(llvm::raw_ostream &os) : os(os) {}

  void objectBegin() { begin('{'); }
  void objectEnd() { end('}'); }
  void arrayBegin() { begin('['); }
  void arrayEnd() { end(']'); }
  void attributeBegin(llvm::StringRef key);
  /// A key that needs no escape.
  template <size_t Size>
  void attributeBegin(const char (&key)[Size]) {
    separate();
    os << '"' << llvm::StringRef(key, Size - 1) << '"';
    beginValue();
  }
  void attributeEnd() {}
  /// What follows starts on a line of its own.
  void newLine() { breakLine = true; }

  template <typename Content>
  void object(Content content) {
    objectBegin();
    content();
    objectEnd();
  }
  template <typename Content>
  void array(Content content) {
    arrayBegin();
    content();
    arrayEnd();
  }

  void value(llvm::StringRef text);
  void value(const char *text) { value(llvm::StringRef(text)); }
  void value(const std::string &text) { value(llvm::StringRef(text)); }
  void value(std::nullptr_t) { rawValue("null"); }
  void value(bool truth) { rawValue(truth ? "true" : "false"); }
  void value(int64_t number) { decimal(number); }
  void value(uint64_t number) { decimal(number); }
  void value(uint32_t number) { decimal(number); }
  /// A string that \p content writes, with escapes where they are needed.
  template <typename Content>
  void escaped(Content content) {
    rawValue("\"");
    content();
    os << '"';
  }
  template <typename Content>
  void escapedKey(Content content) {
    escaped(content);
    beginValue();
  }
  /// \p json is JSON already.
  void rawValue(llvm::StringRef json) {
    separate();
    os << json;
  }

  template <typename Key, typename Content>
  void attribute(const Key &key, const Content &content) {
    attributeBegin(key);
    value(content);
  }
  template <typename Key>
  void rawAttribute(const Key &key, llvm::StringRef json) {
    attributeBegin(key);
    rawValue(json);
  }

private:
  void begin(char bracket) {
    separate();
    os << bracket;
    first = true;
  }
  void end(char bracket) {
    if (breakLine)
      os << '\n';
    breakLine = false;
    os << bracket;
    first = false;
  }
  void separate() {
    if (!first)
      os << ',';
    if (breakLine)
      os << '\n';
    else if (!first)
      os << ' ';
    first = false;
    breakLine = false;
  }
  template <typename Integer>
  void decimal(Integer number) {
    separate();
    writeDecimal(os, number);
  }
  /// After a key.
  void beginValue() {
    os << ": ";
    first = true;
  }

  llvm::raw_ostream &os;
  /// Nothing stands before the next value that a comma would part it from.
  bool first = true;
  bool breakLine = false;
};

} // namespace toscac

#endif
