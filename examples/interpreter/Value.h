//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The values of the script language: nil, booleans, 64-bit integers, floats,
// and objects (strings, lists, maps, functions) behind one virtual interface.
//
// Objects count their references. Operations on values do not throw: they
// return false and leave the reason in a Failure, which the tree turns into an
// error with a line number. All of these failures are possible at every
// operation and next to never happen, and the compiler cannot know that.
//
//===----------------------------------------------------------------------===//

#ifndef EXAMPLES_INTERPRETER_VALUE_H
#define EXAMPLES_INTERPRETER_VALUE_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace script {

class Machine;
class Value;

/// Why an operation failed.
struct Failure {
  std::string Reason;

  /// Always false, so that an operation can end in `return F.because(...)`.
  bool because(std::string Text);
};

class Object {
public:
  Object() = default;
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;
  virtual ~Object() = default;

  void retain() { ++References; }
  void release() {
    if (--References == 0)
      delete this;
  }

  virtual const char *typeName() const = 0;
  virtual bool equals(const Object &Other) const { return this == &Other; }
  /// Not the address, which would make the order of a map differ between runs.
  virtual uint64_t hash() const { return 3; }
  virtual bool length(int64_t &Result, Failure &F) const;
  virtual bool load(const Value &Key, Value &Result, Failure &F) const;
  virtual bool store(const Value &Key, const Value &New, Failure &F);
  /// Calls with \p Count arguments, which lie at \p Arguments on the stack of
  /// \p M; the callee may overwrite them.
  virtual bool call(Machine &M, Value *Arguments, unsigned Count,
                    Value &Result);
  virtual bool concatenate(const Value &Right, Value &Result, Failure &F) const;
  virtual bool less(const Object &Other, bool &Result, Failure &F) const;
  virtual void print(std::string &Out) const = 0;

private:
  uint32_t References = 0;
};

class Value {
public:
  enum class Kind : uint8_t { Nil, Boolean, Integer, Float, Object };

  Value() : Type(Kind::Nil) { As.Integer = 0; }
  Value(const Value &Other) : As(Other.As), Type(Other.Type) { retain(); }
  Value(Value &&Other) noexcept : As(Other.As), Type(Other.Type) {
    Other.Type = Kind::Nil;
  }
  ~Value() { release(); }

  Value &operator=(const Value &Other) {
    Other.retain();
    release();
    As = Other.As;
    Type = Other.Type;
    return *this;
  }
  Value &operator=(Value &&Other) noexcept {
    if (this != &Other) {
      release();
      As = Other.As;
      Type = Other.Type;
      Other.Type = Kind::Nil;
    }
    return *this;
  }

  static Value boolean(bool B) {
    Value V;
    V.Type = Kind::Boolean;
    V.As.Boolean = B;
    return V;
  }
  static Value integer(int64_t I) {
    Value V;
    V.Type = Kind::Integer;
    V.As.Integer = I;
    return V;
  }
  static Value real(double D) {
    Value V;
    V.Type = Kind::Float;
    V.As.Float = D;
    return V;
  }
  static Value object(Object *O) {
    Value V;
    V.Type = Kind::Object;
    V.As.Pointer = O;
    O->retain();
    return V;
  }

  Kind kind() const { return Type; }
  bool isNil() const { return Type == Kind::Nil; }
  bool isInteger() const { return Type == Kind::Integer; }
  bool isFloat() const { return Type == Kind::Float; }
  bool isObject() const { return Type == Kind::Object; }
  bool isNumber() const { return isInteger() || isFloat(); }
  int64_t asInteger() const { return As.Integer; }
  Object &asObject() const { return *As.Pointer; }
  double asFloat() const {
    return isInteger() ? static_cast<double>(As.Integer) : As.Float;
  }
  bool isTrue() const {
    if (Type == Kind::Boolean)
      return As.Boolean;
    return Type != Kind::Nil;
  }

  bool equals(const Value &Other) const;
  uint64_t hash() const;
  const char *typeName() const;
  void print(std::string &Out) const;

private:
  void retain() const {
    if (Type == Kind::Object)
      As.Pointer->retain();
  }
  void release() const {
    if (Type == Kind::Object)
      As.Pointer->release();
  }

  union {
    bool Boolean;
    int64_t Integer;
    double Float;
    Object *Pointer;
  } As;
  Kind Type;
};

class String final : public Object {
public:
  explicit String(std::string Text) : Text(std::move(Text)) {}

  std::string_view text() const { return Text; }

  const char *typeName() const override { return "string"; }
  bool equals(const Object &Other) const override;
  uint64_t hash() const override;
  bool length(int64_t &Result, Failure &F) const override;
  bool load(const Value &Key, Value &Result, Failure &F) const override;
  bool concatenate(const Value &Right, Value &Result,
                   Failure &F) const override;
  bool less(const Object &Other, bool &Result, Failure &F) const override;
  void print(std::string &Out) const override { Out += Text; }

private:
  std::string Text;
  mutable uint64_t Hash = 0;
};

class List final : public Object {
public:
  std::vector<Value> Elements;

  const char *typeName() const override { return "list"; }
  bool length(int64_t &Result, Failure &F) const override;
  bool load(const Value &Key, Value &Result, Failure &F) const override;
  bool store(const Value &Key, const Value &New, Failure &F) override;
  void print(std::string &Out) const override;

private:
  bool position(const Value &Key, size_t &Result, Failure &F) const;
};

/// A hash table with open addressing and linear probing. Keys are never
/// removed, so that an empty slot ends every search.
class Map final : public Object {
public:
  const char *typeName() const override { return "map"; }
  bool length(int64_t &Result, Failure &F) const override;
  bool load(const Value &Key, Value &Result, Failure &F) const override;
  bool store(const Value &Key, const Value &New, Failure &F) override;
  void print(std::string &Out) const override;

  /// The keys, in the order of the table.
  std::vector<Value> keys() const;

private:
  struct Slot {
    Value Key, Contents;
    uint64_t Hash = 0;
  };

  size_t slotOf(const Value &Key, uint64_t Hash) const;
  void grow();

  std::vector<Slot> Slots;
  size_t Used = 0;
};

/// The single character strings, made once.
Value characterString(unsigned char C);

} // namespace script

#endif
