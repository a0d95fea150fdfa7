//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calibration: trees of objects that are visited through virtual calls, and
// maps; deep recursion, indirect calls, small functions.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

uint64_t State;
uint32_t nextRandom() {
  State = State * 6364136223846793005u + 1442695040888963407u;
  return State >> 33;
}

using Environment = std::vector<double>;

struct Expression {
  virtual ~Expression() = default;
  virtual double evaluate(const Environment &E) const = 0;
  virtual unsigned size() const { return 1; }
  virtual bool isConstant() const { return false; }
};
using ExpressionPtr = std::unique_ptr<Expression>;

struct Constant : Expression {
  double Value;
  explicit Constant(double Value) : Value(Value) {}
  double evaluate(const Environment &) const override { return Value; }
  bool isConstant() const override { return true; }
};

struct Variable : Expression {
  unsigned Index;
  explicit Variable(unsigned Index) : Index(Index) {}
  double evaluate(const Environment &E) const override { return E[Index]; }
};

struct Binary : Expression {
  ExpressionPtr Left, Right;
  Binary(ExpressionPtr L, ExpressionPtr R)
      : Left(std::move(L)), Right(std::move(R)) {}
  unsigned size() const override { return 1 + Left->size() + Right->size(); }
  bool isConstant() const override {
    return Left->isConstant() && Right->isConstant();
  }
};

struct Add : Binary {
  using Binary::Binary;
  double evaluate(const Environment &E) const override {
    return Left->evaluate(E) + Right->evaluate(E);
  }
};

struct Multiply : Binary {
  using Binary::Binary;
  double evaluate(const Environment &E) const override {
    double L = Left->evaluate(E);
    return L == 0 ? 0 : L * Right->evaluate(E);
  }
};

struct Divide : Binary {
  using Binary::Binary;
  double evaluate(const Environment &E) const override {
    double R = Right->evaluate(E);
    if (R > -1e-6 && R < 1e-6)
      return 0;
    return Left->evaluate(E) / R;
  }
};

struct Choose : Binary {
  using Binary::Binary;
  double evaluate(const Environment &E) const override {
    return E[0] < E[1] ? Left->evaluate(E) : Right->evaluate(E);
  }
};

ExpressionPtr makeTree(unsigned Depth) {
  if (Depth == 0 || nextRandom() % 10 == 0) {
    if (nextRandom() % 3 == 0)
      return std::make_unique<Constant>(nextRandom() % 7);
    return std::make_unique<Variable>(nextRandom() % 16);
  }
  ExpressionPtr L = makeTree(Depth - 1), R = makeTree(Depth - 1);
  switch (nextRandom() % 5) {
  case 0:
  case 1:
    return std::make_unique<Add>(std::move(L), std::move(R));
  case 2:
    return std::make_unique<Multiply>(std::move(L), std::move(R));
  case 3:
    return std::make_unique<Divide>(std::move(L), std::move(R));
  default:
    return std::make_unique<Choose>(std::move(L), std::move(R));
  }
}

long countWords(unsigned Words) {
  std::map<std::string, int> Counts;
  std::map<unsigned, unsigned> Lengths;
  for (unsigned I = 0; I < Words; ++I) {
    std::string Word;
    unsigned Length = 1 + nextRandom() % 3;
    for (unsigned C = 0; C < Length; ++C)
      Word += char('a' + nextRandom() % 20);
    ++Counts[Word];
    ++Lengths[nextRandom() % 5000];
  }
  long Most = 0;
  for (const auto &[Word, Count] : Counts)
    Most = std::max<long>(Most, Count + long(Word.size()));
  return Most + long(Lengths.size());
}

} // namespace

int main(int ArgCount, char **Arguments) {
  int Rounds = ArgCount > 1 ? std::atoi(Arguments[1]) : 1;
  double Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    State = 7;
    std::vector<ExpressionPtr> Trees;
    for (int I = 0; I < 12; ++I)
      Trees.push_back(makeTree(10));
    Environment E(16);
    for (int I = 0; I < 120; ++I) {
      for (double &Value : E)
        Value = nextRandom() % 1000 / 10.0;
      for (const ExpressionPtr &Tree : Trees)
        Sum += Tree->evaluate(E) > 0;
    }
    for (const ExpressionPtr &Tree : Trees)
      Sum += Tree->size() + Tree->isConstant();
    Sum += double(countWords(60000));
  }
  std::printf("%g\n", Sum);
  return 0;
}
