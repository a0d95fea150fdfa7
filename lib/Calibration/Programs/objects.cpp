//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calibration: objects that come and go; strings, vectors, a least-recently
// used cache with shared pointers, exceptions that are hardly thrown.
//
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <memory>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

uint64_t State;
uint32_t nextRandom() {
  State = State * 6364136223846793005u + 1442695040888963407u;
  return State >> 33;
}

struct Document {
  std::string Title;
  std::vector<int> Words;
};

class Cache {
public:
  explicit Cache(size_t Capacity) : Capacity(Capacity) {}

  std::shared_ptr<const Document> get(unsigned Id) {
    auto It = Index.find(Id);
    if (It != Index.end()) {
      ++Hits;
      Order.splice(Order.begin(), Order, It->second);
      return It->second->second;
    }
    Order.emplace_front(Id, load(Id));
    Index[Id] = Order.begin();
    if (Order.size() > Capacity) {
      Index.erase(Order.back().first);
      Order.pop_back();
    }
    return Order.front().second;
  }
  long Hits = 0;

private:
  static std::shared_ptr<const Document> load(unsigned Id) {
    auto D = std::make_shared<Document>();
    D->Title = "document number " + std::to_string(Id);
    for (unsigned I = 0; I < 8 + Id % 24; ++I)
      D->Words.push_back(int(Id * I % 101));
    return D;
  }

  using Entry = std::pair<unsigned, std::shared_ptr<const Document>>;
  size_t Capacity;
  std::list<Entry> Order;
  std::unordered_map<unsigned, std::list<Entry>::iterator> Index;
};

int parse(const std::string &Text) {
  int Value = 0;
  for (char C : Text) {
    if (C < '0' || C > '9')
      throw std::invalid_argument(Text);
    Value = Value * 10 + (C - '0');
  }
  return Value;
}

std::vector<std::string> split(const std::string &Text, char At) {
  std::vector<std::string> Parts(1);
  for (char C : Text) {
    if (C == At)
      Parts.emplace_back();
    else
      Parts.back() += C;
  }
  return Parts;
}

long parseLines(int Lines) {
  long Sum = 0;
  for (int I = 0; I < Lines; ++I) {
    std::string Line;
    for (int Field = 0; Field < 6; ++Field) {
      if (Field)
        Line += ',';
      Line += std::to_string(nextRandom() % 100000);
    }
    if (I % 500 == 0)
      Line += "x";
    try {
      for (const std::string &Part : split(Line, ','))
        Sum += parse(Part);
    } catch (const std::invalid_argument &) {
      --Sum;
    }
  }
  return Sum;
}

} // namespace

int main(int ArgCount, char **Arguments) {
  int Rounds = ArgCount > 1 ? std::atoi(Arguments[1]) : 1;
  long Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    State = 5;
    Cache C(500);
    for (int I = 0; I < 40000; ++I) {
      // Small numbers more often than large ones.
      unsigned Id = nextRandom() % 2000 * (nextRandom() % 1000) / 1000;
      std::shared_ptr<const Document> D = C.get(Id);
      for (int Word : D->Words)
        Sum += Word > 50 ? Word : 1;
      Sum += long(D->Title.size());
    }
    Sum += C.Hits + parseLines(15000);
  }
  std::printf("%ld\n", Sum);
  return 0;
}
