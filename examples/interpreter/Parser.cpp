//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From script text to the tree: a lexer that hands out one token at a time, and
// a recursive-descent parser that looks at exactly one. After the first error
// both carry on as at the end of the text, and the first error is the one that
// is reported. The grammar:
//
//   program    = { function | statement }
//   function   = "fn" name "(" [ name { "," name } ] ")" block
//   block      = "{" { statement } "}"
//   statement  = "let" name "=" expression
//              | "if" expression block [ "else" ( block | if-statement ) ]
//              | "while" expression block
//              | "for" name "=" expression "to" expression block
//              | "return" [ expression ] | "break" | block
//              | expression [ "=" expression ]
//   expression = and, or, not, comparisons, + -, * / %, unary -, calls, indices
//
// "to" is exclusive. Comments run from # to the end of the line.
//
//===----------------------------------------------------------------------===//

#include "Tree.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

using namespace script;

namespace {

enum class Token { End, Name, Number, Text, Symbol };

class Lexer {
public:
  explicit Lexer(std::string_view Source) : Rest(Source) { advance(); }

  Token kind() const { return Kind; }
  std::string_view spelling() const { return Spelling; }
  unsigned line() const { return Line; }
  bool is(std::string_view Wanted) const {
    return (Kind == Token::Symbol || Kind == Token::Name) && Spelling == Wanted;
  }
  void advance();
  void stop() {
    Rest = {};
    Kind = Token::End;
  }

private:
  static bool isDigit(char C) { return C >= '0' && C <= '9'; }
  static bool isLetter(char C) {
    return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') || C == '_';
  }
  void skipBlanks();
  void take(Token NewKind, size_t Size) {
    Kind = NewKind;
    Spelling = Rest.substr(0, Size);
    Rest.remove_prefix(Size);
  }

  std::string_view Rest, Spelling;
  Token Kind = Token::End;
  unsigned Line = 1;
};

class Parser {
public:
  Parser(std::string_view Text, Machine &M) : Lex(Text), M(M) {}

  Value program();

private:
  struct Variable {
    std::string Name;
    unsigned Depth;
  };

  void function();
  StatementPtr block();
  StatementPtr statement();
  StatementPtr let();
  StatementPtr conditional();
  StatementPtr whileLoop();
  StatementPtr forLoop();
  StatementPtr returned();
  StatementPtr assignmentOrEvaluation();

  ExpressionPtr expression() { return binary(0); }
  ExpressionPtr binary(unsigned Level);
  ExpressionPtr unary();
  ExpressionPtr postfix();
  ExpressionPtr primary();
  std::vector<ExpressionPtr> expressionsUntil(std::string_view End);

  void complain(const std::string &What);
  /// An error in place of an expression: something that can be carried on with.
  ExpressionPtr wrong(const std::string &What);
  bool accept(std::string_view Symbol);
  void expect(std::string_view Symbol);
  std::string name();
  unsigned declare(std::string Name);
  void leaveScope();
  ExpressionPtr variable(const std::string &Name);

  Lexer Lex;
  Machine &M;
  Function *Current = nullptr;
  std::vector<Variable> Locals;
  unsigned Depth = 0;
  unsigned Loops = 0;
};

} // namespace

//===-- Lexer -------------------------------------------------------------===//

void Lexer::skipBlanks() {
  while (!Rest.empty()) {
    char C = Rest.front();
    if (C == '#') {
      Rest.remove_prefix(std::min(Rest.find('\n'), Rest.size()));
      continue;
    }
    if (C == '\n')
      ++Line;
    else if (C != ' ' && C != '\t' && C != '\r')
      return;
    Rest.remove_prefix(1);
  }
}

void Lexer::advance() {
  skipBlanks();
  if (Rest.empty())
    return take(Token::End, 0);
  size_t Size = 1;
  if (isLetter(Rest[0])) {
    while (Size < Rest.size() && (isLetter(Rest[Size]) || isDigit(Rest[Size])))
      ++Size;
    return take(Token::Name, Size);
  }
  if (isDigit(Rest[0])) {
    while (Size < Rest.size() && (isDigit(Rest[Size]) || Rest[Size] == '.'))
      ++Size;
    return take(Token::Number, Size);
  }
  if (Rest[0] == '"') {
    while (Size < Rest.size() && Rest[Size] != '"')
      ++Size;
    return take(Token::Text, std::min(Size + 1, Rest.size()));
  }
  bool Double =
      Rest.size() > 1 && Rest[1] == '=' &&
      std::string_view("=<>!").find(Rest[0]) != std::string_view::npos;
  take(Token::Symbol, Double ? 2 : 1);
}

//===-- Parser ------------------------------------------------------------===//

void Parser::complain(const std::string &What) {
  if (M.Error.Reason.empty())
    M.Error.because("line " + std::to_string(Lex.line()) + ": " + What);
  Lex.stop();
}

ExpressionPtr Parser::wrong(const std::string &What) {
  complain(What);
  return makeConstant(Lex.line(), Value());
}

bool Parser::accept(std::string_view Symbol) {
  if (!Lex.is(Symbol))
    return false;
  Lex.advance();
  return true;
}

void Parser::expect(std::string_view Symbol) {
  if (!accept(Symbol))
    complain("expected '" + std::string(Symbol) + "' before '" +
             std::string(Lex.spelling()) + "'");
}

std::string Parser::name() {
  std::string Result(Lex.spelling());
  if (Lex.kind() != Token::Name)
    complain("expected a name, found '" + Result + "'");
  Lex.advance();
  return Result;
}

unsigned Parser::declare(std::string Name) {
  Locals.push_back({std::move(Name), Depth});
  auto Count = static_cast<unsigned>(Locals.size());
  Current->Locals = std::max(Current->Locals, Count);
  return Count - 1;
}

void Parser::leaveScope() {
  --Depth;
  while (!Locals.empty() && Locals.back().Depth > Depth)
    Locals.pop_back();
}

ExpressionPtr Parser::variable(const std::string &Name) {
  for (size_t I = Locals.size(); I != 0; --I)
    if (Locals[I - 1].Name == Name)
      return makeLocal(Lex.line(), static_cast<unsigned>(I - 1));
  return makeGlobal(Lex.line(), M.globalSlot(Name));
}

Value Parser::program() {
  Current = new Function;
  Value Main = Value::object(Current);
  Current->Name = "main";
  while (Lex.kind() != Token::End) {
    if (Lex.is("fn"))
      function();
    else
      Current->Body.push_back(statement());
  }
  return M.Error.Reason.empty() ? Main : Value();
}

void Parser::function() {
  expect("fn");
  auto *Callee = new Function;
  Value Holder = Value::object(Callee);
  Callee->Name = name();
  Function *Outer = std::exchange(Current, Callee);
  std::vector<Variable> OuterLocals = std::exchange(Locals, {});
  ++Depth;
  expect("(");
  while (Lex.kind() == Token::Name) {
    declare(name());
    ++Callee->Parameters;
    if (!accept(","))
      break;
  }
  expect(")");
  Callee->Body.push_back(block());
  leaveScope();
  Locals = std::move(OuterLocals);
  Current = Outer;
  M.Globals[M.globalSlot(Callee->Name)] = Holder;
}

StatementPtr Parser::block() {
  std::vector<StatementPtr> Body;
  expect("{");
  ++Depth;
  while (Lex.kind() != Token::End && !Lex.is("}"))
    Body.push_back(statement());
  leaveScope();
  expect("}");
  if (Body.size() == 1)
    return std::move(Body.front());
  return makeBlock(std::move(Body));
}

StatementPtr Parser::statement() {
  if (Lex.is("let"))
    return let();
  if (Lex.is("if"))
    return conditional();
  if (Lex.is("while"))
    return whileLoop();
  if (Lex.is("for"))
    return forLoop();
  if (Lex.is("return"))
    return returned();
  if (Lex.is("{"))
    return block();
  if (accept("break")) {
    if (Loops == 0)
      complain("break outside of a loop");
    return makeBreak();
  }
  return assignmentOrEvaluation();
}

StatementPtr Parser::let() {
  expect("let");
  std::string Name = name();
  expect("=");
  ExpressionPtr Initial = expression();
  ExpressionPtr Target = Depth == 0
                             ? makeGlobal(Lex.line(), M.globalSlot(Name))
                             : makeLocal(Lex.line(), declare(std::move(Name)));
  return makeAssignment(std::move(Target), std::move(Initial));
}

StatementPtr Parser::conditional() {
  expect("if");
  ExpressionPtr Condition = expression();
  StatementPtr Then = block(), Else;
  if (accept("else"))
    Else = Lex.is("if") ? conditional() : block();
  return makeIf(std::move(Condition), std::move(Then), std::move(Else));
}

StatementPtr Parser::whileLoop() {
  expect("while");
  ExpressionPtr Condition = expression();
  ++Loops;
  StatementPtr Body = block();
  --Loops;
  return makeWhile(std::move(Condition), std::move(Body));
}

StatementPtr Parser::forLoop() {
  expect("for");
  std::string Name = name();
  expect("=");
  ExpressionPtr First = expression();
  expect("to");
  ExpressionPtr Limit = expression();
  ++Depth;
  ++Loops;
  unsigned Slot = declare(std::move(Name));
  StatementPtr Body = block();
  --Loops;
  leaveScope();
  return makeFor(Slot, std::move(First), std::move(Limit), std::move(Body));
}

StatementPtr Parser::returned() {
  expect("return");
  if (Lex.is("}"))
    return makeReturn(makeConstant(Lex.line(), Value()));
  return makeReturn(expression());
}

StatementPtr Parser::assignmentOrEvaluation() {
  ExpressionPtr E = expression();
  if (!accept("="))
    return makeEvaluation(std::move(E));
  if (!E->isAssignable())
    complain("this cannot be assigned to");
  return makeAssignment(std::move(E), expression());
}

/// Binary operators by level, those that bind least first.
ExpressionPtr Parser::binary(unsigned Level) {
  static const std::vector<std::string_view> Levels[] = {
      {"or"},     {"and"},         {"==", "!=", "<=", ">=", "<", ">"},
      {"+", "-"}, {"*", "/", "%"},
  };
  if (Level == std::size(Levels))
    return unary();
  ExpressionPtr Left = binary(Level + 1);
  for (;;) {
    const auto &Here = Levels[Level];
    auto Operator = std::find_if(Here.begin(), Here.end(),
                                 [&](auto Symbol) { return Lex.is(Symbol); });
    if (Operator == Here.end())
      return Left;
    unsigned Line = Lex.line();
    Lex.advance();
    Left = makeBinary(Line, *Operator, std::move(Left), binary(Level + 1));
  }
}

ExpressionPtr Parser::unary() {
  unsigned Line = Lex.line();
  if (accept("not"))
    return makeNot(Line, unary());
  if (accept("-"))
    return makeBinary(Line, "-", makeConstant(Line, Value::integer(0)),
                      unary());
  return postfix();
}

std::vector<ExpressionPtr> Parser::expressionsUntil(std::string_view End) {
  std::vector<ExpressionPtr> Result;
  while (Lex.kind() != Token::End && !Lex.is(End)) {
    Result.push_back(expression());
    if (!accept(","))
      break;
  }
  expect(End);
  return Result;
}

ExpressionPtr Parser::postfix() {
  ExpressionPtr E = primary();
  for (;;) {
    unsigned Line = Lex.line();
    if (accept("(")) {
      E = makeCall(Line, std::move(E), expressionsUntil(")"));
    } else if (accept("[")) {
      E = makeElement(Line, std::move(E), expression());
      expect("]");
    } else {
      return E;
    }
  }
}

ExpressionPtr Parser::primary() {
  unsigned Line = Lex.line();
  std::string Spelling(Lex.spelling());
  switch (Lex.kind()) {
  case Token::Number:
    Lex.advance();
    if (Spelling.find('.') != std::string::npos)
      return makeConstant(Line,
                          Value::real(std::strtod(Spelling.c_str(), nullptr)));
    return makeConstant(
        Line, Value::integer(std::strtoll(Spelling.c_str(), nullptr, 10)));
  case Token::Text:
    if (Spelling.size() < 2 || Spelling.back() != '"')
      return wrong("a string without end");
    Lex.advance();
    return makeConstant(Line, Value::object(new String(
                                  Spelling.substr(1, Spelling.size() - 2))));
  case Token::Name:
    if (accept("nil"))
      return makeConstant(Line, Value());
    if (accept("true"))
      return makeConstant(Line, Value::boolean(true));
    if (accept("false"))
      return makeConstant(Line, Value::boolean(false));
    return variable(name());
  case Token::Symbol:
    break;
  case Token::End:
    return wrong("unexpected end of the script");
  }
  if (accept("(")) {
    ExpressionPtr Inner = expression();
    expect(")");
    return Inner;
  }
  if (accept("["))
    return makeList(Line, expressionsUntil("]"));
  if (accept("{")) {
    expect("}");
    return makeMap(Line);
  }
  return wrong("unexpected '" + Spelling + "'");
}

Value script::parse(std::string_view Text, Machine &M) {
  return Parser(Text, M).program();
}
