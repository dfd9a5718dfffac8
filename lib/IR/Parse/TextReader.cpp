//===- TextReader.cpp - Names, numbers, lists -----------------------------===//

#include "TextReader.h"

#include "toscac/IR/KindNames.h"
#include "llvm/Support/JSON.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::StringRef;

/// What a token is called in a message.
static std::string describeToken(const Token &token) {
  if (token.kind == TokenKind::End)
    return "the end of the text";
  constexpr size_t longest = 40;
  if (token.kind == TokenKind::String)
    return "a string";
  return ("'" + token.text.take_front(longest) + "'").str();
}

void TextReader::advance() {
  lastEnd = here().end;
  lexer.advance();
}

bool TextReader::consume(StringRef text) {
  bool found = isAt(text);
  if (found)
    advance();
  return found;
}

bool TextReader::expect(StringRef text) {
  return consume(text) || fail(("'" + text + "'").str());
}

bool TextReader::fail(StringRef what) {
  // The lexer has reported what it does not know.
  if (lexer.peek().kind != TokenKind::Unknown)
    diags.report(here(), diag::IrSyntax, what, describeToken(lexer.peek()));
  return false;
}

/// Resolves escapes in the string \p token; \p buffer keeps the text if there
/// are any.
bool TextReader::unquote(const Token &token, std::string &buffer,
                         StringRef &text) {
  text = token.text.drop_front().drop_back();
  auto isPlain = [](char c) {
    return c != '\\' && static_cast<unsigned char>(c) >= 0x20 &&
           static_cast<unsigned char>(c) < 0x80;
  };
  if (llvm::all_of(text, isPlain))
    return true;
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(token.text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    diags.report(lexer.range(token), diag::IrBadString);
    return false;
  }
  buffer = parsed->getAsString()->str();
  text = buffer;
  return true;
}

bool TextReader::readRaw(StringRef &text) {
  Token token = lexer.peek();
  text = token.text;
  if (token.kind == TokenKind::String) {
    if (!unquote(token, buffer, text))
      return false;
  } else if (token.kind != TokenKind::Word) {
    return fail("a name");
  }
  advance();
  return true;
}

bool TextReader::readName(Name &name) {
  StringRef text;
  if (!readRaw(text))
    return false;
  name = text.empty() ? Name() : names.intern(text);
  return true;
}

bool TextReader::readLabel(Label &label) {
  label.range = here();
  if (!readName(label.name))
    return false;
  const Token &token = lexer.peek();
  if (token.kind != TokenKind::Ordinal)
    return true;
  if (token.text.drop_front().getAsInteger(10, label.ordinal))
    return fail("an ordinal of 32 bits");
  advance();
  label.range = since(label.range);
  return true;
}

bool TextReader::readText(StringRef &text) {
  if (lexer.peek().kind != TokenKind::String)
    return fail("a string");
  if (!readRaw(text))
    return false;
  text = arena.save(text);
  return true;
}

bool TextReader::readNumber(uint32_t &number) {
  const Token &token = lexer.peek();
  if (token.kind != TokenKind::Number || token.text.getAsInteger(10, number))
    return fail("a number from 0 to 4294967295");
  advance();
  return true;
}

bool TextReader::readIndex(uint32_t &index) {
  return expect("[") && readNumber(index) && expect("]");
}

bool TextReader::readKind(TypeKind &kind) {
  if (!consume(":"))
    return true;
  std::optional<TypeKind> found = findKind(lexer.peek().text);
  if (!found)
    return fail("the name of a built-in type");
  kind = *found;
  advance();
  return true;
}

bool TextReader::readList(llvm::function_ref<bool()> readItem) {
  if (!expect("["))
    return false;
  if (consume("]"))
    return true;
  do
    if (!readItem())
      return false;
  while (consume(","));
  return expect("]");
}

bool TextReader::readNames(llvm::SmallVectorImpl<Name> &result) {
  return readList([&] { return readName(result.emplace_back()); });
}

bool TextReader::readBlock(llvm::function_ref<bool()> readItem) {
  if (!expect("{"))
    return false;
  while (!consume("}"))
    if (!readItem())
      return false;
  return true;
}
