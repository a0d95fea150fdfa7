//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What values and objects can do. The base class refuses every operation with a
// message; a class overrides those that make sense for it.
//
//===----------------------------------------------------------------------===//

#include "Tree.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <utility>

using namespace script;

bool Failure::because(std::string Text) {
  Reason = std::move(Text);
  return false;
}

//===-- Object ------------------------------------------------------------===//

static bool refuse(const Object &O, const char *What, Failure &F) {
  return F.because(std::string("a ") + O.typeName() + " " + What);
}

bool Object::length(int64_t &, Failure &F) const {
  return refuse(*this, "has no length", F);
}
bool Object::load(const Value &, Value &, Failure &F) const {
  return refuse(*this, "cannot be indexed", F);
}
bool Object::store(const Value &, const Value &, Failure &F) {
  return refuse(*this, "has no elements to assign to", F);
}
bool Object::call(Machine &M, Value *, unsigned, Value &) {
  return refuse(*this, "cannot be called", M.Error);
}
bool Object::concatenate(const Value &, Value &, Failure &F) const {
  return refuse(*this, "cannot be added to", F);
}
bool Object::less(const Object &, bool &, Failure &F) const {
  return refuse(*this, "has no order", F);
}

//===-- Value -------------------------------------------------------------===//

bool Value::equals(const Value &Other) const {
  if (Type != Other.Type)
    return isNumber() && Other.isNumber() && asFloat() == Other.asFloat();
  switch (Type) {
  case Kind::Nil:
    return true;
  case Kind::Boolean:
    return As.Boolean == Other.As.Boolean;
  case Kind::Integer:
    return As.Integer == Other.As.Integer;
  case Kind::Float:
    return As.Float == Other.As.Float;
  case Kind::Object:
    return As.Pointer == Other.As.Pointer ||
           As.Pointer->equals(*Other.As.Pointer);
  }
  return false;
}

static uint64_t mix(uint64_t X) {
  X ^= X >> 32;
  X *= 0x9e3779b97f4a7c15;
  return X ^ (X >> 29);
}

uint64_t Value::hash() const {
  switch (Type) {
  case Kind::Nil:
    return 0;
  case Kind::Boolean:
    return As.Boolean ? 1 : 2;
  case Kind::Integer:
    return mix(static_cast<uint64_t>(As.Integer));
  case Kind::Float: {
    // Equal numbers have equal hashes, whatever their type.
    auto Whole = static_cast<int64_t>(As.Float);
    if (static_cast<double>(Whole) == As.Float)
      return mix(static_cast<uint64_t>(Whole));
    uint64_t Bits;
    std::memcpy(&Bits, &As.Float, sizeof(Bits));
    return mix(Bits);
  }
  case Kind::Object:
    return As.Pointer->hash();
  }
  return 0;
}

const char *Value::typeName() const {
  switch (Type) {
  case Kind::Nil:
    return "nil";
  case Kind::Boolean:
    return "boolean";
  case Kind::Integer:
    return "integer";
  case Kind::Float:
    return "float";
  case Kind::Object:
    return As.Pointer->typeName();
  }
  return "?";
}

void Value::print(std::string &Out) const {
  char Buffer[32];
  switch (Type) {
  case Kind::Nil:
    Out += "nil";
    break;
  case Kind::Boolean:
    Out += As.Boolean ? "true" : "false";
    break;
  case Kind::Integer:
    Out += std::to_string(As.Integer);
    break;
  case Kind::Float:
    std::snprintf(Buffer, sizeof(Buffer), "%.12g", As.Float);
    Out += Buffer;
    break;
  case Kind::Object:
    As.Pointer->print(Out);
    break;
  }
}

//===-- String ------------------------------------------------------------===//

Value script::characterString(unsigned char C) {
  static std::array<Value, 256> Table;
  if (Table[C].isNil())
    Table[C] = Value::object(new String(std::string(1, char(C))));
  return Table[C];
}

/// Null if \p O is no string.
static const String *asString(const Object &O) {
  // There is no RTTI to pay for: one class has this very name.
  return O.typeName()[0] == 's' ? static_cast<const String *>(&O) : nullptr;
}

bool String::equals(const Object &Other) const {
  const String *S = asString(Other);
  return S && S->Text == Text;
}

uint64_t String::hash() const {
  if (Hash == 0) {
    uint64_t H = 0xcbf29ce484222325;
    for (unsigned char C : Text)
      H = (H ^ C) * 0x100000001b3;
    Hash = mix(H) | 1;
  }
  return Hash;
}

bool String::length(int64_t &Result, Failure &) const {
  Result = static_cast<int64_t>(Text.size());
  return true;
}

bool String::load(const Value &Key, Value &Result, Failure &F) const {
  if (!Key.isInteger())
    return F.because(std::string("a string is indexed by integers, not by ") +
                     Key.typeName());
  if (Key.asInteger() < 0 ||
      Key.asInteger() >= static_cast<int64_t>(Text.size()))
    return F.because("index " + std::to_string(Key.asInteger()) +
                     " is beyond the end of a string");
  Result = characterString(Text[static_cast<size_t>(Key.asInteger())]);
  return true;
}

bool String::concatenate(const Value &Right, Value &Result, Failure &F) const {
  std::string Joined;
  if (Right.isObject()) {
    const String *S = asString(Right.asObject());
    if (!S)
      return F.because(std::string("a string and a ") + Right.typeName() +
                       " cannot be joined");
    Joined.reserve(Text.size() + S->Text.size());
    Joined += Text;
    Joined += S->Text;
  } else {
    Joined = Text;
    Right.print(Joined);
  }
  Result = Value::object(new String(std::move(Joined)));
  return true;
}

bool String::less(const Object &Other, bool &Result, Failure &F) const {
  const String *S = asString(Other);
  if (!S)
    return F.because(std::string("a string and a ") + Other.typeName() +
                     " cannot be compared");
  Result = Text < S->Text;
  return true;
}

//===-- List --------------------------------------------------------------===//

bool List::length(int64_t &Result, Failure &) const {
  Result = static_cast<int64_t>(Elements.size());
  return true;
}

bool List::position(const Value &Key, size_t &Result, Failure &F) const {
  int64_t Index = 0;
  if (Key.isInteger())
    Index = Key.asInteger();
  else if (Key.isFloat())
    Index = static_cast<int64_t>(Key.asFloat());
  else
    return F.because(std::string("a list is indexed by numbers, not by ") +
                     Key.typeName());
  // Negative positions count from the end.
  if (Index < 0)
    Index += static_cast<int64_t>(Elements.size());
  if (Index < 0 || static_cast<size_t>(Index) >= Elements.size())
    return F.because("index " + std::to_string(Index) +
                     " is outside a list of " +
                     std::to_string(Elements.size()));
  Result = static_cast<size_t>(Index);
  return true;
}

bool List::load(const Value &Key, Value &Result, Failure &F) const {
  size_t Index;
  if (!position(Key, Index, F))
    return false;
  Result = Elements[Index];
  return true;
}

bool List::store(const Value &Key, const Value &New, Failure &F) {
  size_t Index;
  if (!position(Key, Index, F))
    return false;
  Elements[Index] = New;
  return true;
}

void List::print(std::string &Out) const {
  Out += '[';
  for (size_t I = 0; I != Elements.size(); ++I) {
    if (I != 0)
      Out += ", ";
    Elements[I].print(Out);
  }
  Out += ']';
}

//===-- Map ---------------------------------------------------------------===//

bool Map::length(int64_t &Result, Failure &) const {
  Result = static_cast<int64_t>(Used);
  return true;
}

size_t Map::slotOf(const Value &Key, uint64_t Hash) const {
  size_t Mask = Slots.size() - 1;
  size_t Index = Hash & Mask;
  while (!Slots[Index].Key.isNil()) {
    if (Slots[Index].Hash == Hash && Slots[Index].Key.equals(Key))
      break;
    Index = (Index + 1) & Mask;
  }
  return Index;
}

void Map::grow() {
  std::vector<Slot> Old(Slots.empty() ? 8 : Slots.size() * 2);
  std::swap(Old, Slots);
  for (Slot &S : Old)
    if (!S.Key.isNil())
      Slots[slotOf(S.Key, S.Hash)] = std::move(S);
}

bool Map::load(const Value &Key, Value &Result, Failure &) const {
  if (Slots.empty())
    Result = Value();
  else
    Result = Slots[slotOf(Key, Key.hash())].Contents;
  return true;
}

bool Map::store(const Value &Key, const Value &New, Failure &F) {
  if (Key.isNil())
    return F.because("nil cannot be a key");
  if ((Used + 1) * 4 > Slots.size() * 3)
    grow();
  uint64_t Hash = Key.hash();
  Slot &S = Slots[slotOf(Key, Hash)];
  if (S.Key.isNil()) {
    S.Key = Key;
    S.Hash = Hash;
    ++Used;
  }
  S.Contents = New;
  return true;
}

void Map::print(std::string &Out) const {
  Out += "{map of " + std::to_string(Used) + "}";
}

std::vector<Value> Map::keys() const {
  std::vector<Value> Result;
  for (const Slot &S : Slots)
    if (!S.Key.isNil())
      Result.push_back(S.Key);
  return Result;
}
