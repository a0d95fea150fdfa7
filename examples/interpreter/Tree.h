//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The syntax tree of a script, which is also what runs: every node evaluates
// itself.
//
// Local variables are resolved to slots when the script is read. A call puts
// its arguments on the machine's stack, where they become the first locals of
// the callee. Nothing throws: evaluation returns false, or Flow::Failed, and
// the reason is in the machine's Error.
//
//===----------------------------------------------------------------------===//

#ifndef EXAMPLES_INTERPRETER_TREE_H
#define EXAMPLES_INTERPRETER_TREE_H

#include "Value.h"

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace script {

/// The state of a running script.
class Machine {
public:
  Machine() : Stack(1 << 16) {}

  /// The slot of a global variable, which is created at its first mention.
  unsigned globalSlot(const std::string &Name);

  Failure Error;
  std::string Output; // what the script has printed
  std::vector<Value> Globals;
  std::vector<Value> Stack;
  size_t Top = 0;     // of Stack; all above is nil
  unsigned Depth = 0; // of calls

private:
  std::unordered_map<std::string, unsigned> Slots;
};

/// Where the locals of the current call are.
struct Frame {
  Machine &M;
  Value *Locals;
  Value Returned;
};

enum class Flow { Next, Break, Return, Failed };

class Expression {
public:
  explicit Expression(unsigned Line) : Line(Line) {}
  virtual ~Expression() = default;

  virtual bool evaluate(Frame &F, Value &Result) const = 0;
  /// Evaluates to a truth value, without making one if that can be avoided.
  virtual bool test(Frame &F, bool &Result) const;
  virtual bool isAssignable() const { return false; }
  virtual bool assign(Frame &F, Value New) const;

protected:
  /// Adds the line to the reason of a failure; always false.
  bool failed(Frame &F) const;

private:
  unsigned Line;
};

class Statement {
public:
  virtual ~Statement() = default;
  virtual Flow execute(Frame &F) const = 0;
};

using ExpressionPtr = std::unique_ptr<Expression>;
using StatementPtr = std::unique_ptr<Statement>;

class Function final : public Object {
public:
  std::string Name;
  unsigned Parameters = 0;
  unsigned Locals = 0;
  std::vector<StatementPtr> Body;

  const char *typeName() const override { return "function"; }
  bool call(Machine &M, Value *Arguments, unsigned Count,
            Value &Result) override;
  void print(std::string &Out) const override { Out += "fn " + Name; }
};

/// Makes nodes; the parser knows no more of them than this.
ExpressionPtr makeConstant(unsigned Line, Value V);
ExpressionPtr makeLocal(unsigned Line, unsigned Slot);
ExpressionPtr makeGlobal(unsigned Line, unsigned Slot);
ExpressionPtr makeNot(unsigned Line, ExpressionPtr Operand);
/// \p Operator is one of + - * / % < <= > >= == != and or.
ExpressionPtr makeBinary(unsigned Line, std::string_view Operator,
                         ExpressionPtr Left, ExpressionPtr Right);
ExpressionPtr makeElement(unsigned Line, ExpressionPtr Container,
                          ExpressionPtr Key);
ExpressionPtr makeCall(unsigned Line, ExpressionPtr Callee,
                       std::vector<ExpressionPtr> Arguments);
ExpressionPtr makeList(unsigned Line, std::vector<ExpressionPtr> Elements);
ExpressionPtr makeMap(unsigned Line);

StatementPtr makeEvaluation(ExpressionPtr E);
StatementPtr makeAssignment(ExpressionPtr Target, ExpressionPtr New);
StatementPtr makeBlock(std::vector<StatementPtr> Body);
StatementPtr makeIf(ExpressionPtr Condition, StatementPtr Then,
                    StatementPtr Else);
StatementPtr makeWhile(ExpressionPtr Condition, StatementPtr Body);
StatementPtr makeFor(unsigned Slot, ExpressionPtr First, ExpressionPtr Limit,
                     StatementPtr Body);
StatementPtr makeReturn(ExpressionPtr Result);
StatementPtr makeBreak();

/// Reads a script: a function without parameters, or nil with a reason in the
/// machine's Error. Functions of the script become globals of \p M.
Value parse(std::string_view Text, Machine &M);

/// Defines the builtin functions as globals: print, length, append, keys, text,
/// integer, square_root, input. \p Contents is what input() returns.
void defineBuiltins(Machine &M, std::string Contents);

} // namespace script

#endif
