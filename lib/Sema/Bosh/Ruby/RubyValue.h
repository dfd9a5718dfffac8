//===- RubyValue.h - What expressions in templates give ---------*- C++ -*-===//
///
/// \file
/// Values of Ruby. Texts, lists and maps are shared by those that name them,
/// and change for all.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_SEMA_BOSH_RUBY_RUBYVALUE_H
#define TOSCAC_LIB_SEMA_BOSH_RUBY_RUBYVALUE_H

#include "toscac/Parse/Bosh/Template.h"
#include "toscac/Value/Value.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace toscac::bosh {

struct RubyData;
struct RubyScope;

class RubyValue {
public:
  enum class Kind : uint8_t {
    Nil,
    Boolean,
    Integer,
    Float,
    String,
    Symbol,
    Array,
    Hash,
    /// Two items; `isFlag`: without the last.
    Range,
    Regexp,
    Proc,
    /// Of a class that `text` names, with fields.
    Object,
    /// A constant that names a class or module.
    Class
  };

  RubyValue() = default;
  static RubyValue boolean(bool value);
  static RubyValue integer(int64_t value);
  static RubyValue real(double value);
  static RubyValue text(llvm::StringRef value);
  static RubyValue symbol(llvm::StringRef value);
  static RubyValue list(std::vector<RubyValue> items = {});
  static RubyValue map();
  static RubyValue object(llvm::StringRef className);
  static RubyValue named(Kind kind, llvm::StringRef text);

  Kind kind() const { return valueKind; }
  bool is(Kind other) const { return valueKind == other; }
  bool isNil() const { return is(Kind::Nil); }
  bool isText() const { return is(Kind::String); }
  bool isList() const { return is(Kind::Array); }
  bool isMap() const { return is(Kind::Hash); }
  bool isInteger() const { return is(Kind::Integer); }
  bool isNumber() const { return isInteger() || is(Kind::Float); }
  bool isObject(llvm::StringRef className) const;
  /// All but nil and false.
  bool isTruthy() const { return !isNil() && !(is(Kind::Boolean) && !number); }

  int64_t asInteger() const { return number; }
  double asReal() const { return isInteger() ? double(number) : fraction; }
  RubyData &data() const { return *shared; }
  llvm::StringRef asText() const;
  std::vector<RubyValue> &items() const;
  const void *identity() const { return shared.get(); }

  /// Of a map or object; null where there is none.
  const RubyValue *find(const RubyValue &key) const;
  const RubyValue *find(llvm::StringRef key) const { return find(text(key)); }
  void set(const RubyValue &key, RubyValue value) const;
  void set(llvm::StringRef key, RubyValue value) const {
    set(text(key), std::move(value));
  }
  bool erase(const RubyValue &key) const;

  bool operator==(const RubyValue &other) const;

private:
  Kind valueKind = Kind::Nil;
  int64_t number = 0;
  double fraction = 0;
  std::shared_ptr<RubyData> shared;
};

struct RubyData {
  std::string text;
  std::vector<RubyValue> items;
  /// Of maps and objects, in order.
  std::vector<std::pair<RubyValue, RubyValue>> entries;
  /// Where in `entries` keys are that are texts.
  llvm::StringMap<size_t> places;
  bool isFlag = false;
  /// Of a Proc: its Lambda, or the name of a method in `text`.
  const RubyNode *node = nullptr;
  std::shared_ptr<RubyScope> scope;
};

/// Variables; those of blocks see the ones around them.
struct RubyScope {
  llvm::StringMap<RubyValue> variables;
  std::shared_ptr<RubyScope> outer;
  /// The block of the method, for `yield`.
  RubyValue block;
};

/// `Hash`
std::string classOf(const RubyValue &value);
/// As `to_s` and as `inspect`.
std::string toText(const RubyValue &value);
std::string inspect(const RubyValue &value);
/// As `to_json`, or with \p indent spaces by `pretty_generate`.
std::string toJSON(const RubyValue &value, unsigned indent = 0);
/// As `to_yaml`.
std::string toYAML(const RubyValue &value);
/// Less than, equal to or greater than 0; nothing where there is no order.
std::optional<int> compare(const RubyValue &a, const RubyValue &b);
RubyValue toRuby(const Value &value);
/// What JSON or YAML that is JSON says; nothing where it is none.
std::optional<RubyValue> readJSON(llvm::StringRef text);
/// A copy that changes by itself; \p isDeep: with all that is inside.
RubyValue copyOf(const RubyValue &value, bool isDeep);

} // namespace toscac::bosh

#endif
