//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How each kind of node evaluates, and arithmetic with its many special cases:
// overflow, mixed types, strings, division by zero.
//
//===----------------------------------------------------------------------===//

#include "Tree.h"

#include <cmath>
#include <utility>

using namespace script;

/// Calls of the script nest on the stack of this program, too.
static constexpr unsigned MaxDepth = 2000;

//===-- Arithmetic --------------------------------------------------------===//

static bool mismatch(const char *Verb, const Value &A, const Value &B,
                     Failure &F) {
  return F.because(std::string("cannot ") + Verb + " a " + A.typeName() +
                   " and a " + B.typeName());
}

namespace {

struct Add {
  static bool apply(const Value &A, const Value &B, Value &Result, Failure &F) {
    int64_t R;
    if (A.isInteger() && B.isInteger() &&
        !__builtin_add_overflow(A.asInteger(), B.asInteger(), &R))
      Result = Value::integer(R);
    else if (A.isNumber() && B.isNumber())
      Result = Value::real(A.asFloat() + B.asFloat());
    else if (A.isObject())
      return A.asObject().concatenate(B, Result, F);
    else
      return mismatch("add", A, B, F);
    return true;
  }
};

struct Subtract {
  static bool apply(const Value &A, const Value &B, Value &Result, Failure &F) {
    int64_t R;
    if (A.isInteger() && B.isInteger() &&
        !__builtin_sub_overflow(A.asInteger(), B.asInteger(), &R))
      Result = Value::integer(R);
    else if (A.isNumber() && B.isNumber())
      Result = Value::real(A.asFloat() - B.asFloat());
    else
      return mismatch("subtract", A, B, F);
    return true;
  }
};

struct Multiply {
  static bool apply(const Value &A, const Value &B, Value &Result, Failure &F) {
    int64_t R;
    if (A.isInteger() && B.isInteger() &&
        !__builtin_mul_overflow(A.asInteger(), B.asInteger(), &R))
      Result = Value::integer(R);
    else if (A.isNumber() && B.isNumber())
      Result = Value::real(A.asFloat() * B.asFloat());
    else
      return mismatch("multiply", A, B, F);
    return true;
  }
};

/// Integers divide towards minus infinity.
struct Divide {
  static bool apply(const Value &A, const Value &B, Value &Result, Failure &F) {
    if (A.isInteger() && B.isInteger()) {
      if (B.asInteger() == 0)
        return F.because("division by zero");
      if (B.asInteger() == -1)
        return Subtract::apply(Value::integer(0), A, Result, F);
      int64_t Quotient = A.asInteger() / B.asInteger();
      if (A.asInteger() % B.asInteger() != 0 &&
          (A.asInteger() < 0) != (B.asInteger() < 0))
        --Quotient;
      Result = Value::integer(Quotient);
    } else if (A.isNumber() && B.isNumber()) {
      Result = Value::real(A.asFloat() / B.asFloat());
    } else {
      return mismatch("divide", A, B, F);
    }
    return true;
  }
};

struct Remainder {
  static bool apply(const Value &A, const Value &B, Value &Result, Failure &F) {
    if (A.isInteger() && B.isInteger()) {
      if (B.asInteger() == 0)
        return F.because("division by zero");
      int64_t Rest = B.asInteger() == -1 ? 0 : A.asInteger() % B.asInteger();
      if (Rest != 0 && (Rest < 0) != (B.asInteger() < 0))
        Rest += B.asInteger();
      Result = Value::integer(Rest);
    } else if (A.isNumber() && B.isNumber()) {
      Result = Value::real(std::fmod(A.asFloat(), B.asFloat()));
    } else {
      return mismatch("divide", A, B, F);
    }
    return true;
  }
};

struct Less {
  static bool apply(const Value &A, const Value &B, bool &Result, Failure &F) {
    if (A.isInteger() && B.isInteger())
      Result = A.asInteger() < B.asInteger();
    else if (A.isNumber() && B.isNumber())
      Result = A.asFloat() < B.asFloat();
    else if (A.isObject() && B.isObject())
      return A.asObject().less(B.asObject(), Result, F);
    else
      return mismatch("compare", A, B, F);
    return true;
  }
};

struct Equal {
  static bool apply(const Value &A, const Value &B, bool &Result, Failure &) {
    Result = A.equals(B);
    return true;
  }
};

template <typename Relation> struct Swapped {
  static bool apply(const Value &A, const Value &B, bool &Result, Failure &F) {
    return Relation::apply(B, A, Result, F);
  }
};

template <typename Relation> struct Negated {
  static bool apply(const Value &A, const Value &B, bool &Result, Failure &F) {
    bool Holds = Relation::apply(A, B, Result, F);
    Result = !Result;
    return Holds;
  }
};

//===-- Expressions -------------------------------------------------------===//

class Constant final : public Expression {
public:
  Constant(unsigned Line, Value V) : Expression(Line), V(std::move(V)) {}
  bool evaluate(Frame &, Value &Result) const override {
    Result = V;
    return true;
  }

private:
  Value V;
};

class Local final : public Expression {
public:
  Local(unsigned Line, unsigned Slot) : Expression(Line), Slot(Slot) {}
  bool evaluate(Frame &F, Value &Result) const override {
    Result = F.Locals[Slot];
    return true;
  }
  bool isAssignable() const override { return true; }
  bool assign(Frame &F, Value New) const override {
    F.Locals[Slot] = std::move(New);
    return true;
  }

private:
  unsigned Slot;
};

class Global final : public Expression {
public:
  Global(unsigned Line, unsigned Slot) : Expression(Line), Slot(Slot) {}
  bool evaluate(Frame &F, Value &Result) const override {
    Result = F.M.Globals[Slot];
    return true;
  }
  bool isAssignable() const override { return true; }
  bool assign(Frame &F, Value New) const override {
    F.M.Globals[Slot] = std::move(New);
    return true;
  }

private:
  unsigned Slot;
};

class Not final : public Expression {
public:
  Not(unsigned Line, ExpressionPtr Operand)
      : Expression(Line), Operand(std::move(Operand)) {}
  bool evaluate(Frame &F, Value &Result) const override {
    bool Truth;
    if (!test(F, Truth))
      return false;
    Result = Value::boolean(Truth);
    return true;
  }
  bool test(Frame &F, bool &Result) const override {
    if (!Operand->test(F, Result))
      return false;
    Result = !Result;
    return true;
  }

private:
  ExpressionPtr Operand;
};

class Binary : public Expression {
public:
  Binary(unsigned Line, ExpressionPtr Left, ExpressionPtr Right)
      : Expression(Line), Left(std::move(Left)), Right(std::move(Right)) {}

protected:
  ExpressionPtr Left, Right;
};

template <typename Operation> class Arithmetic final : public Binary {
public:
  using Binary::Binary;
  bool evaluate(Frame &F, Value &Result) const override {
    Value A, B;
    if (!Left->evaluate(F, A) || !Right->evaluate(F, B))
      return false;
    return Operation::apply(A, B, Result, F.M.Error) || failed(F);
  }
};

template <typename Relation> class Comparison final : public Binary {
public:
  using Binary::Binary;
  bool evaluate(Frame &F, Value &Result) const override {
    bool Truth;
    if (!Comparison::test(F, Truth))
      return false;
    Result = Value::boolean(Truth);
    return true;
  }
  bool test(Frame &F, bool &Result) const override {
    Value A, B;
    if (!Left->evaluate(F, A) || !Right->evaluate(F, B))
      return false;
    return Relation::apply(A, B, Result, F.M.Error) || failed(F);
  }
};

/// `and' and `or': the right side is evaluated only if the left side is not
/// yet the answer, which it is when its truth is \p Decisive.
template <bool Decisive> class ShortCircuit final : public Binary {
public:
  using Binary::Binary;
  bool evaluate(Frame &F, Value &Result) const override {
    if (!Left->evaluate(F, Result))
      return false;
    return Result.isTrue() == Decisive || Right->evaluate(F, Result);
  }
  bool test(Frame &F, bool &Result) const override {
    if (!Left->test(F, Result))
      return false;
    return Result == Decisive || Right->test(F, Result);
  }
};

class Element final : public Expression {
public:
  Element(unsigned Line, ExpressionPtr Container, ExpressionPtr Key)
      : Expression(Line), Container(std::move(Container)), Key(std::move(Key)) {
  }
  bool evaluate(Frame &F, Value &Result) const override {
    Value Of, At;
    if (!find(F, Of, At))
      return false;
    return Of.asObject().load(At, Result, F.M.Error) || failed(F);
  }
  bool isAssignable() const override { return true; }
  bool assign(Frame &F, Value New) const override {
    Value Of, At;
    if (!find(F, Of, At))
      return false;
    return Of.asObject().store(At, New, F.M.Error) || failed(F);
  }

private:
  bool find(Frame &F, Value &Of, Value &At) const {
    if (!Container->evaluate(F, Of) || !Key->evaluate(F, At))
      return false;
    if (Of.isObject())
      return true;
    F.M.Error.because(std::string("a ") + Of.typeName() + " has no elements");
    return failed(F);
  }

  ExpressionPtr Container, Key;
};

class Call final : public Expression {
public:
  Call(unsigned Line, ExpressionPtr Callee,
       std::vector<ExpressionPtr> Arguments)
      : Expression(Line), Callee(std::move(Callee)),
        Arguments(std::move(Arguments)) {}
  bool evaluate(Frame &F, Value &Result) const override {
    Machine &M = F.M;
    Value Target;
    if (!Callee->evaluate(F, Target))
      return false;
    if (!Target.isObject()) {
      M.Error.because(std::string("a ") + Target.typeName() +
                      " cannot be called");
      return failed(F);
    }
    size_t Base = M.Top;
    for (const ExpressionPtr &Argument : Arguments) {
      // Evaluating an argument may call as well: on top of those before it.
      Value V;
      if (!Argument->evaluate(F, V))
        return false;
      if (M.Top == M.Stack.size()) {
        M.Error.because("too many arguments");
        return failed(F);
      }
      M.Stack[M.Top++] = std::move(V);
    }
    if (!Target.asObject().call(
            M, &M.Stack[Base], static_cast<unsigned>(Arguments.size()), Result))
      return failed(F);
    while (M.Top != Base)
      M.Stack[--M.Top] = Value();
    return true;
  }

private:
  ExpressionPtr Callee;
  std::vector<ExpressionPtr> Arguments;
};

class NewList final : public Expression {
public:
  NewList(unsigned Line, std::vector<ExpressionPtr> Elements)
      : Expression(Line), Elements(std::move(Elements)) {}
  bool evaluate(Frame &F, Value &Result) const override {
    auto *L = new List;
    Value Holder = Value::object(L);
    for (const ExpressionPtr &E : Elements) {
      L->Elements.emplace_back();
      if (!E->evaluate(F, L->Elements.back()))
        return false;
    }
    Result = std::move(Holder);
    return true;
  }

private:
  std::vector<ExpressionPtr> Elements;
};

class NewMap final : public Expression {
public:
  using Expression::Expression;
  bool evaluate(Frame &, Value &Result) const override {
    Result = Value::object(new Map);
    return true;
  }
};

//===-- Statements --------------------------------------------------------===//

class Evaluation final : public Statement {
public:
  explicit Evaluation(ExpressionPtr E) : E(std::move(E)) {}
  Flow execute(Frame &F) const override {
    Value Ignored;
    return E->evaluate(F, Ignored) ? Flow::Next : Flow::Failed;
  }

private:
  ExpressionPtr E;
};

class Assignment final : public Statement {
public:
  Assignment(ExpressionPtr Target, ExpressionPtr New)
      : Target(std::move(Target)), New(std::move(New)) {}
  Flow execute(Frame &F) const override {
    Value V;
    if (!New->evaluate(F, V) || !Target->assign(F, std::move(V)))
      return Flow::Failed;
    return Flow::Next;
  }

private:
  ExpressionPtr Target, New;
};

Flow executeAll(const std::vector<StatementPtr> &Body, Frame &F) {
  for (const StatementPtr &S : Body) {
    Flow Result = S->execute(F);
    if (Result != Flow::Next)
      return Result;
  }
  return Flow::Next;
}

class Block final : public Statement {
public:
  explicit Block(std::vector<StatementPtr> Body) : Body(std::move(Body)) {}
  Flow execute(Frame &F) const override { return executeAll(Body, F); }

private:
  std::vector<StatementPtr> Body;
};

class If final : public Statement {
public:
  If(ExpressionPtr Condition, StatementPtr Then, StatementPtr Else)
      : Condition(std::move(Condition)), Then(std::move(Then)),
        Else(std::move(Else)) {}
  Flow execute(Frame &F) const override {
    bool Holds;
    if (!Condition->test(F, Holds))
      return Flow::Failed;
    if (Holds)
      return Then->execute(F);
    return Else ? Else->execute(F) : Flow::Next;
  }

private:
  ExpressionPtr Condition;
  StatementPtr Then, Else;
};

class While final : public Statement {
public:
  While(ExpressionPtr Condition, StatementPtr Body)
      : Condition(std::move(Condition)), Body(std::move(Body)) {}
  Flow execute(Frame &F) const override {
    for (;;) {
      bool Holds;
      if (!Condition->test(F, Holds))
        return Flow::Failed;
      if (!Holds)
        return Flow::Next;
      Flow Result = Body->execute(F);
      if (Result == Flow::Break)
        return Flow::Next;
      if (Result != Flow::Next)
        return Result;
    }
  }

private:
  ExpressionPtr Condition;
  StatementPtr Body;
};

class For final : public Statement {
public:
  For(unsigned Slot, ExpressionPtr First, ExpressionPtr Limit,
      StatementPtr Body)
      : Slot(Slot), First(std::move(First)), Limit(std::move(Limit)),
        Body(std::move(Body)) {}
  Flow execute(Frame &F) const override {
    Value From, To;
    if (!First->evaluate(F, From) || !Limit->evaluate(F, To))
      return Flow::Failed;
    if (!From.isInteger() || !To.isInteger()) {
      mismatch("count between", From, To, F.M.Error);
      return Flow::Failed;
    }
    for (int64_t I = From.asInteger(); I < To.asInteger(); ++I) {
      F.Locals[Slot] = Value::integer(I);
      Flow Result = Body->execute(F);
      if (Result == Flow::Break)
        break;
      if (Result != Flow::Next)
        return Result;
    }
    return Flow::Next;
  }

private:
  unsigned Slot;
  ExpressionPtr First, Limit;
  StatementPtr Body;
};

class Return final : public Statement {
public:
  explicit Return(ExpressionPtr Result) : Result(std::move(Result)) {}
  Flow execute(Frame &F) const override {
    return Result->evaluate(F, F.Returned) ? Flow::Return : Flow::Failed;
  }

private:
  ExpressionPtr Result;
};

class Break final : public Statement {
public:
  Flow execute(Frame &) const override { return Flow::Break; }
};

} // namespace

bool Expression::test(Frame &F, bool &Result) const {
  Value V;
  if (!evaluate(F, V))
    return false;
  Result = V.isTrue();
  return true;
}

bool Expression::assign(Frame &F, Value) const {
  F.M.Error.because("this cannot be assigned to");
  return failed(F);
}

bool Expression::failed(Frame &F) const {
  std::string &Reason = F.M.Error.Reason;
  if (Reason.rfind("line ", 0) != 0)
    Reason = "line " + std::to_string(Line) + ": " + Reason;
  return false;
}

bool Function::call(Machine &M, Value *Arguments, unsigned Count,
                    Value &Result) {
  if (Count != Parameters)
    return M.Error.because(Name + " takes " + std::to_string(Parameters) +
                           " arguments, not " + std::to_string(Count));
  if (M.Depth == MaxDepth || Locals > M.Stack.size() - M.Top)
    return M.Error.because("too many nested calls");
  M.Top += Locals - Count;
  ++M.Depth;
  Frame F{M, Arguments, Value()};
  if (executeAll(Body, F) == Flow::Failed)
    return false;
  --M.Depth;
  Result = std::move(F.Returned);
  return true;
}

unsigned Machine::globalSlot(const std::string &Name) {
  auto [It, New] =
      Slots.try_emplace(Name, static_cast<unsigned>(Globals.size()));
  if (New)
    Globals.emplace_back();
  return It->second;
}

//===-- Making nodes ------------------------------------------------------===//

ExpressionPtr script::makeConstant(unsigned Line, Value V) {
  return std::make_unique<Constant>(Line, std::move(V));
}
ExpressionPtr script::makeLocal(unsigned Line, unsigned Slot) {
  return std::make_unique<Local>(Line, Slot);
}
ExpressionPtr script::makeGlobal(unsigned Line, unsigned Slot) {
  return std::make_unique<Global>(Line, Slot);
}
ExpressionPtr script::makeNot(unsigned Line, ExpressionPtr Operand) {
  return std::make_unique<Not>(Line, std::move(Operand));
}

template <typename Node>
static ExpressionPtr make(unsigned Line, ExpressionPtr &L, ExpressionPtr &R) {
  return std::make_unique<Node>(Line, std::move(L), std::move(R));
}

ExpressionPtr script::makeBinary(unsigned Line, std::string_view Operator,
                                 ExpressionPtr L, ExpressionPtr R) {
  static constexpr struct {
    std::string_view Name;
    ExpressionPtr (*Make)(unsigned, ExpressionPtr &, ExpressionPtr &);
  } Operators[] = {
      {"+", make<Arithmetic<Add>>},
      {"-", make<Arithmetic<Subtract>>},
      {"*", make<Arithmetic<Multiply>>},
      {"/", make<Arithmetic<Divide>>},
      {"%", make<Arithmetic<Remainder>>},
      {"<", make<Comparison<Less>>},
      {">", make<Comparison<Swapped<Less>>>},
      {"<=", make<Comparison<Negated<Swapped<Less>>>>},
      {">=", make<Comparison<Negated<Less>>>},
      {"==", make<Comparison<Equal>>},
      {"!=", make<Comparison<Negated<Equal>>>},
      {"and", make<ShortCircuit<false>>},
      {"or", make<ShortCircuit<true>>},
  };
  for (const auto &[Name, Make] : Operators)
    if (Name == Operator)
      return Make(Line, L, R);
  return nullptr;
}

ExpressionPtr script::makeElement(unsigned Line, ExpressionPtr Container,
                                  ExpressionPtr Key) {
  return make<Element>(Line, Container, Key);
}
ExpressionPtr script::makeCall(unsigned Line, ExpressionPtr Callee,
                               std::vector<ExpressionPtr> Arguments) {
  return std::make_unique<Call>(Line, std::move(Callee), std::move(Arguments));
}
ExpressionPtr script::makeList(unsigned Line,
                               std::vector<ExpressionPtr> Elements) {
  return std::make_unique<NewList>(Line, std::move(Elements));
}
ExpressionPtr script::makeMap(unsigned Line) {
  return std::make_unique<NewMap>(Line);
}
StatementPtr script::makeEvaluation(ExpressionPtr E) {
  return std::make_unique<Evaluation>(std::move(E));
}
StatementPtr script::makeAssignment(ExpressionPtr Target, ExpressionPtr New) {
  return std::make_unique<Assignment>(std::move(Target), std::move(New));
}
StatementPtr script::makeBlock(std::vector<StatementPtr> Body) {
  return std::make_unique<Block>(std::move(Body));
}
StatementPtr script::makeIf(ExpressionPtr Condition, StatementPtr Then,
                            StatementPtr Else) {
  return std::make_unique<If>(std::move(Condition), std::move(Then),
                              std::move(Else));
}
StatementPtr script::makeWhile(ExpressionPtr Condition, StatementPtr Body) {
  return std::make_unique<While>(std::move(Condition), std::move(Body));
}
StatementPtr script::makeFor(unsigned Slot, ExpressionPtr First,
                             ExpressionPtr Limit, StatementPtr Body) {
  return std::make_unique<For>(Slot, std::move(First), std::move(Limit),
                               std::move(Body));
}
StatementPtr script::makeReturn(ExpressionPtr Result) {
  return std::make_unique<Return>(std::move(Result));
}
StatementPtr script::makeBreak() { return std::make_unique<Break>(); }
