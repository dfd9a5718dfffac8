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

/// `%-5s`, `%02d`: what \p form says of \p values.
std::optional<std::string> formatText(llvm::StringRef form,
                                      std::vector<RubyValue> values);
/// A map as something with fields, and so are the maps inside.
RubyValue openStruct(const RubyValue &value);

} // namespace toscac::bosh

#endif
