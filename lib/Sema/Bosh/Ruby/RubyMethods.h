//===- RubyMethods.h - What tables of methods share -------------*- C++ -*-===//

#ifndef TOSCAC_LIB_SEMA_BOSH_RUBY_RUBYMETHODS_H
#define TOSCAC_LIB_SEMA_BOSH_RUBY_RUBYMETHODS_H

#include "RubyInterpreter.h"

namespace toscac::bosh {

struct MethodRow {
  llvm::StringRef name;
  RubyMethod method;
};

inline RubyMethod findIn(llvm::ArrayRef<MethodRow> rows, llvm::StringRef name) {
  for (const MethodRow &row : rows)
    if (row.name == name)
      return row.method;
  return nullptr;
}

inline RubyValue truth(bool value) { return RubyValue::boolean(value); }

/// The method is known, and not with these arguments.
inline RubyValue wrongUse(const RubyCall &call) {
  return call.in.unsupported(call.node,
                             ("this form of '" + call.name + "'").str());
}

/// Nil where it is not given.
inline RubyValue argument(const RubyCall &call, size_t i) {
  return i < call.count() ? call.arguments[i] : RubyValue();
}

/// The items of a list, of a range, or the pairs of a map.
std::vector<RubyValue> itemsOf(const RubyCall &call, const RubyValue &value);
/// What the block gives for \p item: of a map, for key and value.
RubyValue forItem(const RubyCall &call, const RubyValue &item);
/// What both lists and maps have.
RubyMethod findCommonMethod(llvm::StringRef name);

/// `%-5s`, `%02d`: what \p form says of \p values.
std::optional<std::string> formatText(llvm::StringRef form,
                                      std::vector<RubyValue> values);
/// `192.0.2.0/24` as numbers; false where it is none.
bool readAddress(llvm::StringRef text, uint32_t &address, unsigned &length);
/// A map as something with fields, and so are the maps inside.
RubyValue openStruct(const RubyValue &value);

} // namespace toscac::bosh

#endif
