//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program as C++ programs are, for the benchmarks: five kernels made of what
// such programs spend their time on. Containers and algorithms of the standard
// library are instantiated here and inlined at many depths, virtual calls
// cannot be, and few branches are predictable.
//
//   cxx ROUNDS [SEED [EXPRESSIONS OPERATIONS RECORDS NODES BYTES]]
//
// Each round runs every kernel once; the numbers are their sizes. Data come
// from a generator that the seed starts, so that a run can be repeated. The
// program prints one number that depends on all results.
//
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

static uint64_t RandomState = 88172645463325252ull;

/// xorshift64.
static uint32_t random32() {
  RandomState ^= RandomState << 13;
  RandomState ^= RandomState >> 7;
  RandomState ^= RandomState << 17;
  return uint32_t(RandomState >> 11);
}

//===----------------------------------------------------------------------===//
// Expressions: a tokenizer, a parser by precedence, a tree of virtual nodes.
//===----------------------------------------------------------------------===//

namespace {

struct Environment {
  std::unordered_map<std::string, long> Variables;

  long get(const std::string &Name) const {
    auto Found = Variables.find(Name);
    return Found == Variables.end() ? 0 : Found->second;
  }
};

struct Node {
  virtual ~Node() = default;
  virtual long eval(const Environment &Env) const = 0;
  virtual int depth() const { return 1; }
};

struct NumberNode : Node {
  long Value;

  NumberNode(long Value) : Value(Value) {}
  long eval(const Environment &) const override { return Value; }
};

struct VariableNode : Node {
  std::string Name;

  VariableNode(std::string Name) : Name(std::move(Name)) {}
  long eval(const Environment &Env) const override { return Env.get(Name); }
};

struct BinaryNode : Node {
  char Operator;
  std::unique_ptr<Node> Left, Right;

  BinaryNode(char Operator, std::unique_ptr<Node> Left,
             std::unique_ptr<Node> Right)
      : Operator(Operator), Left(std::move(Left)), Right(std::move(Right)) {}

  // Multiplication may overflow: it is one of unsigned numbers.
  long eval(const Environment &Env) const override {
    long A = Left->eval(Env);
    if (Operator == '&' && !A)
      return 0;
    if (Operator == '|' && A)
      return 1;
    long B = Right->eval(Env);
    switch (Operator) {
    case '+':
      return long(uint64_t(A) + uint64_t(B));
    case '-':
      return long(uint64_t(A) - uint64_t(B));
    case '*':
      return long(uint64_t(A) * uint64_t(B));
    case '/':
      return B && B != -1 ? A / B : 0;
    case '%':
      return B && B != -1 ? A % B : 0;
    case '<':
      return A < B;
    case '>':
      return A > B;
    case '&':
    case '|':
      return B != 0;
    case '^':
      return A ^ B;
    }
    abort();
  }

  int depth() const override {
    return 1 + std::max(Left->depth(), Right->depth());
  }
};

struct Token {
  enum Kind { Number, Name, Punctuation, End };
  Kind Is;
  long Value;
  std::string Text;
};

} // namespace

static bool isDigit(char C) { return C >= '0' && C <= '9'; }
static bool isLetter(char C) { return (C >= 'a' && C <= 'z') || C == '_'; }

static std::vector<Token> tokenize(const std::string &Source) {
  std::vector<Token> Tokens;
  size_t I = 0;
  while (I < Source.size()) {
    char C = Source[I];
    if (C == ' ' || C == '\t') {
      ++I;
    } else if (isDigit(C)) {
      long Value = 0;
      while (I < Source.size() && isDigit(Source[I]))
        Value = Value * 10 + Source[I++] - '0';
      Tokens.push_back({Token::Number, Value, ""});
    } else if (isLetter(C)) {
      size_t End = I;
      while (End < Source.size() &&
             (isLetter(Source[End]) || isDigit(Source[End])))
        ++End;
      Tokens.push_back({Token::Name, 0, Source.substr(I, End - I)});
      I = End;
    } else {
      Tokens.push_back({Token::Punctuation, C, ""});
      ++I;
    }
  }
  Tokens.push_back({Token::End, 0, ""});
  return Tokens;
}

static int precedence(long Operator) {
  switch (Operator) {
  case '|':
    return 1;
  case '&':
    return 2;
  case '<':
  case '>':
    return 3;
  case '^':
    return 4;
  case '+':
  case '-':
    return 5;
  case '*':
  case '/':
  case '%':
    return 6;
  }
  return 0;
}

namespace {

class Parser {
  const std::vector<Token> &Tokens;
  size_t Next = 0;

public:
  Parser(const std::vector<Token> &Tokens) : Tokens(Tokens) {}

  std::unique_ptr<Node> expression(int Least) {
    std::unique_ptr<Node> Left = primary();
    while (Tokens[Next].Is == Token::Punctuation) {
      int Level = precedence(Tokens[Next].Value);
      if (Level < Least || !Level)
        break;
      char Operator = char(Tokens[Next++].Value);
      std::unique_ptr<Node> Right = expression(Level + 1);
      Left = std::make_unique<BinaryNode>(Operator, std::move(Left),
                                          std::move(Right));
    }
    return Left;
  }

private:
  bool accept(char C) {
    if (Tokens[Next].Is != Token::Punctuation || Tokens[Next].Value != C)
      return false;
    ++Next;
    return true;
  }

  std::unique_ptr<Node> primary() {
    const Token &T = Tokens[Next];
    if (T.Is == Token::Number) {
      ++Next;
      return std::make_unique<NumberNode>(T.Value);
    }
    if (T.Is == Token::Name) {
      ++Next;
      return std::make_unique<VariableNode>(T.Text);
    }
    if (accept('(')) {
      std::unique_ptr<Node> Inner = expression(1);
      accept(')');
      return Inner;
    }
    if (accept('-'))
      return std::make_unique<BinaryNode>('-', std::make_unique<NumberNode>(0),
                                          primary());
    ++Next;
    return std::make_unique<NumberNode>(0);
  }
};

} // namespace

static std::string randomExpression(int Depth) {
  if (Depth <= 0 || random32() % 6 == 0) {
    switch (random32() % 3) {
    case 0:
      return std::to_string(random32() % 1000);
    case 1:
      return std::string("v") + char('a' + random32() % 26);
    default:
      return std::string("long_variable_name_") + char('a' + random32() % 20);
    }
  }
  static const char Operators[] = "+-*/%<>&|^++--**";
  std::string Text = randomExpression(Depth - 1);
  Text += ' ';
  Text += Operators[random32() % (sizeof(Operators) - 1)];
  Text += ' ';
  Text += randomExpression(Depth - 1);
  return random32() % 3 ? Text : "(" + Text + ")";
}

static long evaluateExpressions(int Count) {
  Environment Env;
  for (int I = 0; I < 26; ++I)
    Env.Variables[std::string("v") + char('a' + I)] = random32() % 100;
  for (int I = 0; I < 15; ++I)
    Env.Variables[std::string("long_variable_name_") + char('a' + I)] =
        random32() % 7;
  long Sum = 0;
  for (int I = 0; I < Count; ++I) {
    std::string Text = randomExpression(7);
    std::vector<Token> Tokens = tokenize(Text);
    std::unique_ptr<Node> Tree = Parser(Tokens).expression(1);
    for (int Value = 0; Value < 20; ++Value) {
      Env.Variables["va"] = Value;
      Sum += Tree->eval(Env) & 0xff;
    }
    Sum += Tree->depth();
  }
  return Sum;
}

//===----------------------------------------------------------------------===//
// Ordered maps: insertion, lookup, removal.
//===----------------------------------------------------------------------===//

static long updateMaps(int Operations) {
  std::map<int, int> Numbers;
  std::map<std::string, int> Names;
  for (int I = 0; I < Operations; ++I) {
    int Key = random32() % 20000;
    auto Found = Numbers.find(Key);
    if (Found == Numbers.end())
      Numbers.emplace(Key, I);
    else if (random32() % 4 == 0)
      Numbers.erase(Found);
    else
      Found->second += I & 0xff;
    if (I % 8 == 0)
      Names["key" + std::to_string(Key % 3000)] += 1;
  }
  long Sum = 0;
  for (auto &[Key, Value] : Numbers)
    Sum += Key ^ Value;
  for (auto &[Name, Value] : Names)
    Sum += Value * long(Name.size());
  return Sum;
}

//===----------------------------------------------------------------------===//
// Sorting: of records by several fields, stably, and of plain numbers.
//===----------------------------------------------------------------------===//

namespace {
struct Person {
  std::string Name;
  int Age;
  double Weight;
};
} // namespace

static long sortRecords(int Count) {
  std::vector<Person> People(Count);
  for (Person &P : People) {
    P.Name = "n" + std::to_string(random32() % (Count / 4 + 1));
    P.Age = random32() % 90;
    P.Weight = random32() * 1e-3;
  }
  std::sort(People.begin(), People.end(), [](const Person &A, const Person &B) {
    if (A.Age != B.Age)
      return A.Age < B.Age;
    if (A.Name != B.Name)
      return A.Name < B.Name;
    return A.Weight < B.Weight;
  });
  std::stable_sort(
      People.begin(), People.end(),
      [](const Person &A, const Person &B) { return A.Weight < B.Weight; });
  std::vector<unsigned> Numbers(Count * 8);
  for (unsigned &N : Numbers)
    N = random32();
  std::sort(Numbers.begin(), Numbers.end());
  long Sum = 0;
  for (int I = 0; I < Count; I += 7)
    Sum += People[I].Age * I + Numbers[I];
  return Sum + (std::unique(Numbers.begin(), Numbers.end()) - Numbers.begin());
}

//===----------------------------------------------------------------------===//
// Shortest paths: a heap, and lists of edges all over the memory.
//===----------------------------------------------------------------------===//

static long findPaths(int Nodes) {
  struct Edge {
    int To, Length;
  };
  std::vector<std::vector<Edge>> Graph(Nodes);
  for (int I = 0; I < Nodes * 4; ++I) {
    int A = random32() % Nodes, B = random32() % Nodes;
    Graph[A].push_back({B, int(random32() % 100) + 1});
    Graph[B].push_back({A, int(random32() % 100) + 1});
  }
  const int Unreached = 1 << 30;
  long Sum = 0;
  for (int Query = 0; Query < 6; ++Query) {
    using Entry = std::pair<int, int>;
    std::vector<int> Distance(Nodes, Unreached);
    std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> Queue;
    int Start = random32() % Nodes;
    Distance[Start] = 0;
    Queue.push({0, Start});
    while (!Queue.empty()) {
      auto [Here, Node] = Queue.top();
      Queue.pop();
      if (Here > Distance[Node])
        continue;
      for (const Edge &E : Graph[Node]) {
        int There = Here + E.Length;
        if (There < Distance[E.To]) {
          Distance[E.To] = There;
          Queue.push({There, E.To});
        }
      }
    }
    for (int D : Distance)
      if (D < Unreached)
        Sum += D;
  }
  return Sum;
}

//===----------------------------------------------------------------------===//
// Compression: longest matches by chains of hashes.
//===----------------------------------------------------------------------===//

static long findMatches(int Size) {
  std::vector<uint8_t> Bytes(Size);
  for (int I = 0; I < Size; ++I) {
    if (I > 300 && random32() % 5 == 0) {
      int Length = 4 + random32() % 30, Offset = 1 + random32() % 290;
      for (int K = 0; K < Length && I < Size; ++K, ++I)
        Bytes[I] = Bytes[I - Offset];
      --I;
    } else {
      Bytes[I] = "etaoinshrdlu \n"[random32() % 14];
    }
  }
  auto HashAt = [&](int I) {
    uint32_t Word;
    memcpy(&Word, &Bytes[I], sizeof(Word));
    return (Word * 2654435761u) >> 18;
  };
  std::vector<int> Head(1 << 14, -1), Previous(Size, -1);
  auto Insert = [&](int I) {
    uint32_t Hash = HashAt(I);
    Previous[I] = Head[Hash];
    Head[Hash] = I;
  };
  long Written = 0;
  uint64_t Checksum = 0;
  for (int I = 0; I + 4 < Size;) {
    int Best = 0, BestOffset = 0, Chain = 16;
    for (int C = Head[HashAt(I)]; C >= 0 && Chain-- && I - C < 32768;
         C = Previous[C]) {
      int Length = 0;
      while (I + Length < Size && Length < 258 &&
             Bytes[C + Length] == Bytes[I + Length])
        ++Length;
      if (Length > Best) {
        Best = Length;
        BestOffset = I - C;
        if (Length >= 64)
          break;
      }
    }
    Insert(I);
    if (Best >= 4) {
      Written += 3;
      Checksum = Checksum * 31 + BestOffset * Best;
      for (int J = 1; J < Best && I + J + 4 < Size; ++J)
        Insert(I + J);
      I += Best;
    } else {
      ++Written;
      Checksum = Checksum * 31 + Bytes[I];
      ++I;
    }
  }
  return Written + long(Checksum & 0xffff);
}

int main(int Count, char **Arguments) {
  // Rounds, and the sizes of the kernels.
  int Rounds = 10;
  int Sizes[] = {200, 60000, 8000, 4000, 150000};
  if (Count > 1)
    Rounds = atoi(Arguments[1]);
  if (Count > 2)
    RandomState = strtoull(Arguments[2], nullptr, 10);
  for (int I = 3; I < Count && I < 8; ++I)
    Sizes[I - 3] = atoi(Arguments[I]);
  if (Rounds < 0 || !RandomState || *std::min_element(Sizes, Sizes + 5) < 1) {
    fprintf(stderr,
            "usage: %s ROUNDS [SEED [EXPRESSIONS OPERATIONS RECORDS "
            "NODES BYTES]]\n",
            Arguments[0]);
    return 2;
  }
  long Sum = 0;
  for (int I = 0; I < Rounds; ++I) {
    Sum += evaluateExpressions(Sizes[0]);
    Sum += updateMaps(Sizes[1]);
    Sum += sortRecords(Sizes[2]);
    Sum += findPaths(Sizes[3]);
    Sum += findMatches(Sizes[4]);
  }
  printf("%ld\n", Sum);
}
