//===- RubyReader.h - The characters of a template --------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PARSE_BOSH_RUBYREADER_H
#define TOSCAC_LIB_PARSE_BOSH_RUBYREADER_H

#include "toscac/Parse/Bosh/Template.h"
#include <map>
#include <set>

namespace toscac::bosh {

/// What a parser gives where it found no meaning: nothing, or false.
struct RubyFailure {
  operator bool() const { return false; }
  operator RubyNodePtr() const { return nullptr; }
};

/// Where a parser stands in a template, and what words begin there.
class RubyReader {
public:
  RubyReader(llvm::StringRef text, SourceLoc start, DiagnosticEngine &diags)
      : text(text), start(start), diags(diags) {}

  llvm::StringRef text;
  size_t at = 0;

  char peek(size_t offset = 0) const {
    return at + offset < text.size() ? text[at + offset] : '\0';
  }
  bool startsWith(llvm::StringRef word) const {
    return text.substr(at).starts_with(word);
  }
  bool isAtEnd() const { return at >= text.size(); }
  /// At the `%>` or `-%>` that ends a tag.
  bool isAtTagEnd() const { return startsWith("%>") || startsWith("-%>"); }

  /// Passes blanks and continued lines.
  void skipBlanks();
  /// Passes blanks, ends of lines, comments and, with \p semicolons, those.
  void skipLines(bool semicolons = true);
  /// Consumes \p sign after blanks.
  bool eat(llvm::StringRef sign);
  /// Consumes the keyword \p word after blanks.
  bool eatWord(llvm::StringRef word);
  bool isWord(llvm::StringRef word) const;
  /// An identifier, perhaps with `?` or `!`; empty where there is none.
  llvm::StringRef readName();

  SourceRange rangeFrom(size_t first) const {
    return {start.advanced(first), start.advanced(at)};
  }
  /// Reports that something here is not understood; only the first time.
  RubyFailure fail(llvm::StringRef what, size_t first);
  bool hasFailed = false;

  /// Lines that a text written there (`<<EOF`) takes: from the end of the line
  /// where it is announced to behind it.
  std::map<size_t, size_t> jumps;
  unsigned depth = 0;
  static constexpr unsigned maxDepth = 150;

private:
  SourceLoc start;
  DiagnosticEngine &diags;
};

bool isKeyword(llvm::StringRef word);

} // namespace toscac::bosh

#endif
