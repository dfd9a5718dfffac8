//===- RubyModules.cpp - What templates use of Ruby's library -----------===//

#include "RubyMethods.h"

#include "toscac/Basic/Digest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Path.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;

static RubyValue jsonCall(const RubyCall &call) {
  StringRef name = call.name;
  if (name == "parse" || name == "load") {
    auto value = readJSON(argument(call, 0).asText());
    if (call.count() != 1)
      return wrongUse(call);
    return value ? *value
                 : call.in.raise(call.node, "JSON::ParserError",
                                 "unexpected token");
  }
  if (call.count() != 1)
    return wrongUse(call);
  return RubyValue::text(
      toJSON(argument(call, 0), name == "pretty_generate" ? 2 : 0));
}

static RubyValue yamlCall(const RubyCall &call) {
  if (call.name == "dump" && call.count() == 1)
    return RubyValue::text(toYAML(argument(call, 0)));
  // JSON is YAML; what is not is left to Ruby.
  auto value = readJSON(argument(call, 0).asText());
  return value ? *value : wrongUse(call);
}

static RubyValue base64Call(const RubyCall &call) {
  StringRef text = argument(call, 0).asText();
  if (call.name.ends_with("encode64")) {
    std::string encoded = llvm::encodeBase64(text);
    if (!call.name.starts_with("encode64"))
      return RubyValue::text(encoded);
    std::string lines;
    for (size_t at = 0; at < encoded.size(); at += 60)
      lines += encoded.substr(at, 60) + "\n";
    return RubyValue::text(lines);
  }
  std::vector<char> decoded;
  std::string joined;
  for (char c : text)
    if (!llvm::isSpace(c))
      joined += c;
  if (llvm::Error error = llvm::decodeBase64(joined, decoded)) {
    llvm::consumeError(std::move(error));
    return call.in.raise(call.node, "ArgumentError", "invalid base64");
  }
  return RubyValue::text(StringRef(decoded.data(), decoded.size()));
}

static RubyValue digestCall(const RubyCall &call) {
  std::string module = call.self.asText().lower();
  StringRef kind = StringRef(module).rsplit("::").second;
  auto digest = hexDigest(kind, argument(call, 0).asText());
  return digest ? RubyValue::text(*digest) : wrongUse(call);
}

static RubyValue fileCall(const RubyCall &call) {
  using namespace llvm::sys;
  StringRef path = argument(call, 0).asText();
  if (call.name == "join") {
    std::string joined;
    for (auto [i, part] : llvm::enumerate(call.arguments)) {
      StringRef text = part.asText();
      if (i)
        joined =
            StringRef(joined).rtrim('/').str() + "/" + text.ltrim('/').str();
      else
        joined = text.str();
    }
    return RubyValue::text(joined);
  }
  StringRef part = call.name == "dirname"
                       ? path::parent_path(path, path::Style::posix)
                       : path::filename(path, path::Style::posix);
  return RubyValue::text(part.empty() && call.name == "dirname" ? "." : part);
}

static RubyValue quoteForShell(const RubyCall &call) {
  std::string quoted;
  StringRef text = argument(call, 0).asText();
  for (char c : text) {
    bool isPlain = llvm::isAlnum(c) || StringRef("_-.,:+/@").contains(c) ||
                   static_cast<unsigned char>(c) >= 0x80;
    if (c == '\n')
      quoted += "'\n'";
    else
      quoted += isPlain ? std::string(1, c) : std::string("\\") + c;
  }
  return RubyValue::text(text.empty() ? "''" : quoted);
}

static RubyValue escapeMarkup(const RubyCall &call) {
  std::string result;
  for (char c : argument(call, 0).asText()) {
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      result += c;
    }
  }
  return RubyValue::text(result);
}

/// `%20` for a blank, or `+` in a form.
static RubyValue escapeForURL(const RubyCall &call) {
  bool isForm = call.self.asText() != "ERB::Util";
  std::string result;
  for (char c : argument(call, 0).asText()) {
    bool isPlain = llvm::isAlnum(c) || StringRef("-_.").contains(c) ||
                   (c == (isForm ? '*' : '~'));
    if (isPlain)
      result += c;
    else if (c == ' ' && isForm)
      result += '+';
    else
      result += "%" + llvm::toHex(StringRef(&c, 1));
  }
  return RubyValue::text(result);
}

static RubyValue makeObject(const RubyCall &call) {
  StringRef module = call.self.asText();
  RubyValue first = argument(call, 0);
  if (module == "Hash") {
    RubyValue map = RubyValue::map();
    // What is given for a key that is not there.
    if (call.count() == 1)
      map.items().push_back(first);
    return call.hasBlock() ? wrongUse(call) : map;
  }
  if (module == "String")
    return RubyValue::text(first.asText());
  if (module == "Array") {
    int64_t size = first.asInteger();
    if (size < 0 || size > 100000)
      return wrongUse(call);
    RubyValue list = RubyValue::list();
    for (int64_t i = 0; i != size && !call.in.isLeaving(); ++i)
      list.items().push_back(call.hasBlock()
                                 ? call.yield({RubyValue::integer(i)})
                                 : argument(call, 1));
    return list;
  }
  if (module == "OpenStruct")
    return first.isMap() ? openStruct(first) : RubyValue::object("OpenStruct");
  if (module == "IPAddr") {
    uint32_t address;
    unsigned length;
    if (!readAddress(first.asText(), address, length))
      return first.asText().contains(':')
                 ? wrongUse(call)
                 : call.in.raise(call.node, "IPAddr::InvalidAddressError",
                                 "invalid address: " + toText(first));
    RubyValue made = RubyValue::object("IPAddr");
    made.set("address", RubyValue::integer(address));
    made.set("length", RubyValue::integer(length));
    return made;
  }
  bool isError = module.ends_with("Error") || module.ends_with("Exception");
  if (!isError)
    return wrongUse(call);
  RubyValue error = RubyValue::object(module);
  error.set("message", RubyValue::text(toText(first)));
  return error;
}

static RubyValue className(const RubyCall &call) {
  return RubyValue::text(call.self.asText());
}

static RubyValue pairsAsMap(const RubyCall &call) {
  RubyValue given = argument(call, 0);
  return call.in.callMethod(given, "to_h", {}, {}, call.node);
}

static RubyValue escapeRegex(const RubyCall &call) {
  std::string result;
  for (char c : argument(call, 0).asText())
    result += (StringRef(".*?+^$|\\()[]{}-").contains(c) ? "\\" : "") +
              std::string(1, c);
  return RubyValue::text(result);
}

RubyMethod bosh::findModuleMethod(StringRef module, StringRef name) {
  struct ModuleRow {
    StringRef module, name;
    RubyMethod method;
  };
  static constexpr ModuleRow rows[] = {
      {"JSON", "generate", jsonCall},
      {"JSON", "dump", jsonCall},
      {"JSON", "pretty_generate", jsonCall},
      {"JSON", "parse", jsonCall},
      {"JSON", "load", jsonCall},
      {"YAML", "dump", yamlCall},
      {"YAML", "load", yamlCall},
      {"YAML", "safe_load", yamlCall},
      {"Psych", "dump", yamlCall},
      {"Base64", "encode64", base64Call},
      {"Base64", "strict_encode64", base64Call},
      {"Base64", "decode64", base64Call},
      {"Base64", "strict_decode64", base64Call},
      {"Digest::MD5", "hexdigest", digestCall},
      {"Digest::SHA1", "hexdigest", digestCall},
      {"Digest::SHA256", "hexdigest", digestCall},
      {"File", "join", fileCall},
      {"File", "dirname", fileCall},
      {"File", "basename", fileCall},
      {"Shellwords", "escape", quoteForShell},
      {"Shellwords", "shellescape", quoteForShell},
      {"ERB::Util", "url_encode", escapeForURL},
      {"ERB::Util", "html_escape", escapeMarkup},
      {"CGI", "escape", escapeForURL},
      {"CGI", "escapeHTML", escapeMarkup},
      {"URI", "encode_www_form_component", escapeForURL},
      {"Regexp", "escape", escapeRegex},
      {"Hash", "[]", pairsAsMap},
  };
  for (const ModuleRow &row : rows)
    if (row.module == module && row.name == name)
      return row.method;
  if (name == "new")
    return makeObject;
  return name == "name" || name == "to_s" ? className : nullptr;
}
