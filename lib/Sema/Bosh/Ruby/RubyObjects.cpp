//===- RubyObjects.cpp - What the director gives to templates -------------===//
///
/// \file
/// Properties, links and the instance, as templates ask for them.
///
//===----------------------------------------------------------------------===//

#include "RubyMethods.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::bosh;
using llvm::StringRef;
using VKind = RubyValue::Kind;

//===----------------------------------------------------------------------===//
// Properties and links
//===----------------------------------------------------------------------===//

/// What stands under the dotted path \p name; nil where nothing does.
static RubyValue lookUp(const RubyValue &map, StringRef name) {
  RubyValue at = map;
  for (StringRef key : llvm::split(name, '.')) {
    const RubyValue *found = at.isMap() ? at.find(key) : nullptr;
    if (!found)
      return {};
    at = *found;
  }
  return at;
}

static RubyValue elseBlock(const RubyValue &owner, bool isActive) {
  RubyValue block = RubyValue::object(isActive ? "ActiveElse" : "InactiveElse");
  block.set("owner", owner);
  return block;
}

/// The properties that \p self, a link or the job itself, has.
static RubyValue propertiesOf(const RubyCall &call, const RubyValue &self) {
  const RubyValue *own =
      self.is(VKind::Object) ? self.find("properties") : nullptr;
  return own ? *own : call.in.context.properties;
}

static RubyValue property(const RubyCall &call) {
  RubyValue properties = propertiesOf(call, call.self);
  std::vector<RubyValue> names = {argument(call, 0)};
  if (names[0].isList())
    names = std::vector<RubyValue>(names[0].items());
  std::vector<std::string> shown;
  for (const RubyValue &name : names) {
    if (!name.isText())
      return wrongUse(call);
    RubyValue found = lookUp(properties, name.asText());
    if (!found.isNil())
      return found;
    shown.push_back("'" + name.asText().str() + "'");
  }
  if (call.count() == 2)
    return argument(call, 1);
  return call.in.raise(call.node, "UnknownProperty",
                       "property " + llvm::join(shown, " or "));
}

static RubyValue ifProperty(const RubyCall &call) {
  RubyValue owner = call.self;
  if (call.name.starts_with("else"))
    owner = *call.self.find("owner");
  RubyValue properties = propertiesOf(call, owner);
  std::vector<RubyValue> values;
  for (const RubyValue &name : call.arguments) {
    values.push_back(lookUp(properties, name.asText()));
    if (values.back().isNil())
      return elseBlock(owner, true);
  }
  if (call.hasBlock())
    call.yield(values);
  return elseBlock(owner, false);
}

static RubyValue makeLink(const RubyCall &call, StringRef name) {
  RubyValue content = lookUp(call.in.context.links, name);
  if (!content.isMap())
    return {};
  RubyValue link = RubyValue::object("Link");
  for (auto &[key, value] : content.data().entries)
    link.set(key, value);
  if (!link.find("properties"))
    link.set("properties", RubyValue::map());
  for (StringRef key : {"instances", "nodes"}) {
    const RubyValue *list = content.find(key);
    if (!list || !list->isList())
      continue;
    RubyValue made = RubyValue::list();
    for (const RubyValue &item : list->items()) {
      RubyValue instance = RubyValue::object("LinkInstance");
      if (item.isMap())
        for (auto &[field, value] : item.data().entries)
          instance.set(field, value);
      made.items().push_back(instance);
    }
    link.set("instances", made);
    link.set("nodes", made);
  }
  for (StringRef key : {"instance", "node"})
    if (const RubyValue *one = content.find(key); one && one->isMap()) {
      RubyValue instance = RubyValue::object("LinkInstance");
      for (auto &[field, value] : one->data().entries)
        instance.set(field, value);
      link.set("instance", instance);
      link.set("node", instance);
    }
  return link;
}

static RubyValue linkFunction(const RubyCall &call) {
  RubyValue link = makeLink(call, argument(call, 0).asText());
  return link.isNil() ? call.in.raise(
                            call.node, "UnknownLink",
                            ("link '" + argument(call, 0).asText() + "'").str())
                      : link;
}

static RubyValue ifLink(const RubyCall &call) {
  RubyValue link = makeLink(call, argument(call, 0).asText());
  if (!link.isNil() && call.hasBlock())
    call.yield({link});
  return elseBlock({}, link.isNil());
}

static RubyValue elseCall(const RubyCall &call) {
  bool isActive = call.self.isObject("ActiveElse");
  if (!isActive)
    return call.name == "else" ? RubyValue() : elseBlock({}, false);
  if (call.name == "else")
    return call.yield({});
  return call.name == "else_if_p" ? ifProperty(call) : ifLink(call);
}

//===----------------------------------------------------------------------===//
// Objects with fields
//===----------------------------------------------------------------------===//

RubyValue bosh::openStruct(const RubyValue &value) {
  if (value.isList()) {
    RubyValue list = RubyValue::list();
    for (const RubyValue &item : value.items())
      list.items().push_back(openStruct(item));
    return list;
  }
  if (!value.isMap())
    return value;
  RubyValue made = RubyValue::object("OpenStruct");
  for (auto &[key, item] : value.data().entries)
    made.set(RubyValue::text(toText(key)), openStruct(item));
  return made;
}

/// A field by its name; nil where there is none.
static RubyValue field(const RubyCall &call) {
  const RubyValue *found = call.self.find(call.name);
  return found ? *found : RubyValue();
}

static RubyValue fieldByKey(const RubyCall &call) {
  const RubyValue *found = call.self.find(toText(argument(call, 0)));
  return found ? *found : RubyValue();
}

static RubyValue setField(const RubyCall &call) {
  call.self.set(call.name.drop_back(), argument(call, 0));
  return argument(call, 0);
}

static RubyValue fieldsAsMap(const RubyCall &call) {
  RubyValue map = RubyValue::map();
  for (auto &[key, value] : call.self.data().entries)
    map.set(RubyValue::symbol(toText(key)), value);
  if (!call.name.starts_with("each"))
    return map;
  return call.in.callMethod(map, "each", {}, call.block, call.node);
}

static RubyValue fieldNames(const RubyCall &call) {
  RubyValue list = RubyValue::list();
  for (auto &[key, value] : call.self.data().entries)
    list.items().push_back(RubyValue::symbol(toText(key)));
  return list;
}

static RubyValue linkAddress(const RubyCall &call) {
  const RubyValue *address = call.self.find("address");
  if (call.count() > 0 || !address)
    return wrongUse(call);
  return *address;
}

static RubyValue message(const RubyCall &call) {
  const RubyValue *text = call.self.find("message");
  if (call.name == "backtrace")
    return RubyValue::list();
  return RubyValue::text(text ? toText(*text) : "");
}

static RubyValue matchGroup(const RubyCall &call) {
  RubyValue at = argument(call, 0);
  if (call.name == "captures")
    return RubyValue::list(
        {call.self.items().begin() + 1, call.self.items().end()});
  if (at.isText() || at.is(VKind::Symbol)) {
    const RubyValue *found = call.self.find(at.asText());
    return found ? *found : RubyValue();
  }
  int64_t group = at.asInteger();
  bool isThere = group >= 0 && group < int64_t(call.self.items().size());
  return isThere ? call.self.items()[group] : RubyValue();
}

bool bosh::readAddress(StringRef text, uint32_t &address, unsigned &length) {
  auto [host, bits] = text.split('/');
  length = 32;
  if (!bits.empty() && (bits.getAsInteger(10, length) || length > 32))
    return false;
  address = 0;
  unsigned parts = 0;
  for (StringRef part : llvm::split(host, '.')) {
    unsigned number;
    if (part.getAsInteger(10, number) || number > 255)
      return false;
    address = address << 8 | number;
    ++parts;
  }
  address &= length == 0 ? 0 : ~uint32_t(0) << (32 - length);
  return parts == 4;
}

static std::string addressText(uint32_t address) {
  return (llvm::Twine(address >> 24) + "." + llvm::Twine(address >> 16 & 255) +
          "." + llvm::Twine(address >> 8 & 255) + "." +
          llvm::Twine(address & 255))
      .str();
}

static RubyValue addressMethod(const RubyCall &call) {
  uint32_t address = uint32_t(call.self.find("address")->asInteger());
  unsigned length = unsigned(call.self.find("length")->asInteger());
  StringRef name = call.name;
  if (name == "to_s" || name == "to_string")
    return RubyValue::text(addressText(address));
  if (name == "ipv4?" || name == "ipv6?")
    return truth(name == "ipv4?");
  if (name == "to_i")
    return RubyValue::integer(address);
  if (name == "prefix")
    return RubyValue::integer(length);
  RubyValue given = argument(call, 0);
  uint32_t other = 0;
  unsigned otherLength = 32;
  if (given.isObject("IPAddr"))
    other = uint32_t(given.find("address")->asInteger());
  else if (!readAddress(given.asText(), other, otherLength))
    return wrongUse(call);
  uint32_t mask = length == 0 ? 0 : ~uint32_t(0) << (32 - length);
  return truth((other & mask) == address);
}

RubyMethod bosh::findObjectMethod(const RubyValue &self, StringRef name) {
  StringRef kind = self.asText();
  if (kind == "ActiveElse" || kind == "InactiveElse") {
    bool isElse =
        name == "else" || name == "else_if_p" || name == "else_if_link";
    return isElse ? elseCall : nullptr;
  }
  if (kind == "MatchData") {
    bool isGroup = name == "[]" || name == "captures";
    return isGroup ? matchGroup : nullptr;
  }
  if (kind == "IPAddr") {
    static constexpr StringRef names[] = {
        "to_s", "to_string", "ipv4?", "ipv6?", "to_i", "prefix", "include?"};
    return llvm::is_contained(names, name) ? addressMethod : nullptr;
  }
  if (kind == "Context")
    return findFunction(name);
  if (kind == "Link" || kind == "LinkInstance") {
    if (name == "p")
      return property;
    if (name == "if_p")
      return ifProperty;
    if (name == "[]" && kind == "LinkInstance")
      return fieldByKey;
    if (name == "address" && kind == "Link")
      return linkAddress;
    bool isField = self.find(name) != nullptr;
    static constexpr StringRef fields[] = {
        "instances", "nodes", "instance",  "node",    "name",      "index",
        "id",        "az",    "bootstrap", "address", "properties"};
    return isField ||
                   (kind == "LinkInstance" && llvm::is_contained(fields, name))
               ? field
               : nullptr;
  }
  if (kind == "OpenStruct") {
    if (name == "to_h" || name == "marshal_dump" || name == "each_pair")
      return fieldsAsMap;
    if (name == "methods")
      return fieldNames;
    if (name == "[]" || name == "dig")
      return fieldByKey;
    if (name.ends_with("=") && name != "==" && name != "!=" && name != "===")
      return setField;
    bool isField = self.find(name) ||
                   (!findAnyMethod(name) && llvm::isAlpha(name.front()));
    return isField ? field : nullptr;
  }
  if (self.find("message")) {
    bool isText = name == "message" || name == "to_s" ||
                  name == "full_message" || name == "backtrace";
    return isText ? message : nullptr;
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static RubyValue contextPart(const RubyCall &call) {
  const RubyContext &context = call.in.context;
  if (call.name == "raw_properties")
    return context.properties;
  if (call.name == "properties")
    return openStruct(context.properties);
  if (call.name == "spec")
    return openStruct(context.spec);
  const RubyValue *found = context.spec.find(call.name);
  return found ? *found : RubyValue();
}

static RubyValue nothing(const RubyCall &) { return {}; }

static RubyValue raiseCall(const RubyCall &call) {
  RubyValue first = argument(call, 0);
  if (first.is(VKind::Object))
    return call.in.raise(call.node, first);
  bool isClass = first.is(VKind::Class);
  std::string text = toText(isClass ? argument(call, 1) : first);
  if (isClass && text.empty())
    text = first.asText().str();
  return call.in.raise(call.node, isClass ? first.asText() : "RuntimeError",
                       text);
}

static RubyValue convert(const RubyCall &call) {
  RubyValue value = argument(call, 0);
  StringRef name = call.name;
  if (name == "String")
    return RubyValue::text(toText(value));
  if (name == "Array") {
    if (value.isNil())
      return RubyValue::list();
    return value.isList() ? value
           : value.isMap()
               ? call.in.callMethod(value, "to_a", {}, {}, call.node)
               : RubyValue::list({value});
  }
  if (value.isNumber())
    return call.in.callMethod(value, name == "Float" ? "to_f" : "to_i", {}, {},
                              call.node);
  double real;
  int64_t number;
  StringRef text = value.asText().trim();
  if (value.isText() && name == "Integer" && !text.getAsInteger(0, number))
    return RubyValue::integer(number);
  if (value.isText() && name == "Float" && !text.getAsDouble(real))
    return RubyValue::real(real);
  return call.in.raise(
      call.node, value.isText() ? "ArgumentError" : "TypeError",
      ("invalid value for " + name + "(): ").str() + inspect(value));
}

static RubyValue formatCall(const RubyCall &call) {
  if (call.count() == 0)
    return wrongUse(call);
  auto text = formatText(call.arguments[0].asText(),
                         {call.arguments.begin() + 1, call.arguments.end()});
  return text ? RubyValue::text(*text) : wrongUse(call);
}

static RubyValue loopCall(const RubyCall &call) {
  while (!call.in.isLeaving())
    call.yield({});
  return {};
}

RubyMethod bosh::findFunction(StringRef name) {
  static constexpr MethodRow rows[] = {
      {"p", property},
      {"if_p", ifProperty},
      {"link", linkFunction},
      {"if_link", ifLink},
      {"properties", contextPart},
      {"raw_properties", contextPart},
      {"spec", contextPart},
      {"name", contextPart},
      {"index", contextPart},
      {"require", nothing},
      {"puts", nothing},
      {"print", nothing},
      {"raise", raiseCall},
      {"fail", raiseCall},
      {"abort", raiseCall},
      {"String", convert},
      {"Array", convert},
      {"Integer", convert},
      {"Float", convert},
      {"format", formatCall},
      {"sprintf", formatCall},
      {"loop", loopCall},
  };
  return findIn(rows, name);
}
