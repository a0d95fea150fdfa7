//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that every script finds defined. Each is a class, called
// through the same virtual function as the functions of the script.
//
//===----------------------------------------------------------------------===//

#include "Tree.h"

#include <cmath>
#include <utility>

using namespace script;

namespace {

class Builtin : public Object {
public:
  Builtin(const char *Name, unsigned Parameters)
      : Name(Name), Parameters(Parameters) {}

  const char *typeName() const override { return "builtin"; }
  void print(std::string &Out) const override { Out += Name; }
  bool call(Machine &M, Value *Arguments, unsigned Count,
            Value &Result) override {
    if (Count != Parameters)
      return M.Error.because(std::string(Name) + " takes " +
                             std::to_string(Parameters) + " arguments");
    return apply(M, Arguments, Result);
  }

protected:
  virtual bool apply(Machine &M, const Value *A, Value &Result) = 0;
  bool refuse(const Value &V, Failure &F) const {
    return F.because(std::string(Name) + " does not take a " + V.typeName());
  }
  /// \p Wanted is a type with a name of its own, such as "list".
  bool is(const Value &V, std::string_view Wanted) const {
    return V.isObject() && V.asObject().typeName() == Wanted;
  }

private:
  const char *Name;
  unsigned Parameters;
};

class Print final : public Builtin {
public:
  Print() : Builtin("print", 1) {}
  bool apply(Machine &M, const Value *A, Value &) override {
    A[0].print(M.Output);
    M.Output += '\n';
    return true;
  }
};

class Length final : public Builtin {
public:
  Length() : Builtin("length", 1) {}
  bool apply(Machine &M, const Value *A, Value &Result) override {
    const Value &V = A[0];
    int64_t Count;
    if (!V.isObject())
      return refuse(V, M.Error);
    if (!V.asObject().length(Count, M.Error))
      return false;
    Result = Value::integer(Count);
    return true;
  }
};

class Append final : public Builtin {
public:
  Append() : Builtin("append", 2) {}
  bool apply(Machine &M, const Value *A, Value &) override {
    const Value &V = A[0];
    if (!is(V, "list"))
      return refuse(V, M.Error);
    static_cast<List &>(V.asObject()).Elements.push_back(A[1]);
    return true;
  }
};

class Keys final : public Builtin {
public:
  Keys() : Builtin("keys", 1) {}
  bool apply(Machine &M, const Value *A, Value &Result) override {
    const Value &V = A[0];
    if (!is(V, "map"))
      return refuse(V, M.Error);
    auto *Found = new List;
    Result = Value::object(Found);
    Found->Elements = static_cast<Map &>(V.asObject()).keys();
    return true;
  }
};

class Text final : public Builtin {
public:
  Text() : Builtin("text", 1) {}
  bool apply(Machine &, const Value *A, Value &Result) override {
    std::string Printed;
    A[0].print(Printed);
    Result = Value::object(new String(std::move(Printed)));
    return true;
  }
};

class Integer final : public Builtin {
public:
  Integer() : Builtin("integer", 1) {}
  bool apply(Machine &M, const Value *A, Value &Result) override {
    const Value &V = A[0];
    if (!V.isNumber())
      return refuse(V, M.Error);
    Result =
        V.isInteger() ? V : Value::integer(static_cast<int64_t>(V.asFloat()));
    return true;
  }
};

class SquareRoot final : public Builtin {
public:
  SquareRoot() : Builtin("square_root", 1) {}
  bool apply(Machine &M, const Value *A, Value &Result) override {
    const Value &V = A[0];
    if (!V.isNumber())
      return refuse(V, M.Error);
    Result = Value::real(std::sqrt(V.asFloat()));
    return true;
  }
};

class Input final : public Builtin {
public:
  explicit Input(std::string Contents)
      : Builtin("input", 0),
        Contents(Value::object(new String(std::move(Contents)))) {}
  bool apply(Machine &, const Value *, Value &Result) override {
    Result = Contents;
    return true;
  }

private:
  Value Contents;
};

} // namespace

void script::defineBuiltins(Machine &M, std::string Contents) {
  auto Define = [&](const char *Name, Object *Callee) {
    M.Globals[M.globalSlot(Name)] = Value::object(Callee);
  };
  Define("print", new Print);
  Define("length", new Length);
  Define("append", new Append);
  Define("keys", new Keys);
  Define("text", new Text);
  Define("integer", new Integer);
  Define("square_root", new SquareRoot);
  Define("input", new Input(std::move(Contents)));
}
