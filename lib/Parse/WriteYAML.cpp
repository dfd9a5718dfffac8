//===- WriteYAML.cpp - Syntax tree to text --------------------------------===//

#include "toscac/Parse/WriteYAML.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::syntax;
using llvm::StringRef;

namespace {

class YAMLWriter {
public:
  explicit YAMLWriter(llvm::raw_ostream &os) : os(os) {}

  /// Writes what stands in a column of its own, at the start of a line or
  /// behind a dash.
  void writeBlock(const Node &node, unsigned indent);

private:
  void writeScalar(const Node &node, unsigned indent);
  void writeText(StringRef text, unsigned indent);
  void writeKey(const Node &key, unsigned indent);
  void writeValue(const Node &node, unsigned indent, bool isItem);

  llvm::raw_ostream &os;
};

} // namespace

/// Whether \p text is a string without quotes, to old loaders as to new ones.
static bool isPlainString(StringRef text) {
  auto isSafe = [](char c) {
    return llvm::isAlnum(c) || StringRef("_-./ ()@+$").contains(c) ||
           (c & 0x80);
  };
  bool isOldBoolean = llvm::StringSwitch<bool>(text)
                          .CasesLower("yes", "no", "on", "off", true)
                          .CasesLower("y", "n", true)
                          .Default(false);
  bool startsWell =
      !text.empty() && (llvm::isAlpha(text.front()) || text.front() == '/' ||
                        text.front() == '(');
  return startsWell && text.back() != ' ' && llvm::all_of(text, isSafe) &&
         resolvePlain(text) == ScalarType::String && !isOldBoolean;
}

void YAMLWriter::writeText(StringRef text, unsigned indent) {
  bool hasLines =
      text.contains('\n') && !text.starts_with(" ") &&
      !text.starts_with("\n") &&
      llvm::all_of(text, [](char c) { return c >= ' ' || c == '\n'; });
  if (isPlainString(text)) {
    os << text;
  } else if (hasLines) {
    StringRef body = text;
    bool ends = body.consume_back("\n");
    os << (!ends ? "|-" : body.ends_with("\n") ? "|+" : "|");
    llvm::SmallVector<StringRef> lines;
    body.split(lines, '\n');
    for (StringRef line : lines) {
      os << '\n';
      if (!line.empty())
        os.indent(indent) << line;
    }
  } else {
    os << llvm::json::Value(llvm::json::fixUTF8(text));
  }
}

void YAMLWriter::writeScalar(const Node &node, unsigned indent) {
  if (node.isNull() || node.scalarType() == ScalarType::Null)
    os << "null";
  else if (node.scalarType() == ScalarType::String)
    writeText(node.text(), indent);
  else
    os << node.text();
}

/// Writes what follows a key or a dash, and ends the line.
void YAMLWriter::writeValue(const Node &node, unsigned indent, bool isItem) {
  bool isBlock = (node.isMapping() && !node.entries().empty()) ||
                 (node.isSequence() && !node.items().empty());
  if (isBlock) {
    bool isInline = isItem && node.isMapping();
    os << (isInline ? " " : "\n");
    // A list stands in the column of its key.
    unsigned inner = node.isSequence() && !isItem ? indent : indent + 2;
    if (!isInline)
      os.indent(inner);
    writeBlock(node, inner);
    return;
  }
  os << ' ';
  if (node.isMapping())
    os << "{}";
  else if (node.isSequence())
    os << "[]";
  else
    writeScalar(node, indent + 2);
  os << '\n';
}

void YAMLWriter::writeKey(const Node &key, unsigned indent) {
  if (key.isMapping() || key.isSequence()) {
    os << "?";
    writeValue(key, indent, /*isItem=*/true);
    os.indent(indent);
  } else if (key.isString() && !isPlainString(key.text())) {
    os << llvm::json::Value(llvm::json::fixUTF8(key.text()));
  } else {
    writeScalar(key, indent);
  }
}

void YAMLWriter::writeBlock(const Node &node, unsigned indent) {
  bool first = true;
  auto startLine = [&] {
    if (!first)
      os.indent(indent);
    first = false;
  };
  if (node.isSequence()) {
    for (const Node &item : node.items()) {
      startLine();
      os << '-';
      writeValue(item, indent, /*isItem=*/true);
    }
    return;
  }
  for (const Entry &entry : node.entries()) {
    startLine();
    writeKey(entry.key, indent);
    os << ':';
    writeValue(entry.value, indent, /*isItem=*/false);
  }
}

void toscac::writeYAML(const Node &node, llvm::raw_ostream &os) {
  bool isEmpty = (node.isMapping() && node.entries().empty()) ||
                 (node.isSequence() && node.items().empty());
  YAMLWriter writer(os);
  if (isEmpty)
    os << (node.isMapping() ? "{}\n" : "[]\n");
  else if (node.isMapping() || node.isSequence())
    writer.writeBlock(node, 0);
  else if (node.isString())
    os << node.text() << '\n';
  else
    os << (node.isNull() ? "null" : node.text()) << '\n';
}
