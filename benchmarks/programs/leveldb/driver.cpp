//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LevelDB at work on a database in memory. Its background thread is what makes
// runs differ: when it compacts depends on the scheduler. Here, the environment
// keeps what LevelDB wants done in the background, and the driver does it
// between operations, so that there is one thread, and every run is the same.
//
//   driver KEYS VALUE_BYTES FILTER_BITS JOB...
//
// Keys are numbers below KEYS, in decimal; 0 bits mean no filter. Jobs, one
// after the other on the same database, are NAME:OPERATIONS:SEED with these
// names:
//
//   fill       write keys in ascending order
//   write      write random keys, ten in a batch
//   delete     delete random keys
//   read       read random keys, of which some were never written
//   hot        read random keys out of a hundredth of all
//   seek       from a random key, read the next ten
//   scan       read all, forwards and backwards, OPERATIONS times
//
// Printed are how many keys each job found and a checksum of their values.
//
//===----------------------------------------------------------------------===//

#include "helpers/memenv/memenv.h"
#include "leveldb/cache.h"
#include "leveldb/db.h"
#include "leveldb/env.h"
#include "leveldb/filter_policy.h"
#include "leveldb/write_batch.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>

using leveldb::Slice;
using leveldb::Status;

static uint64_t RandomState;

static uint64_t randomBelow(uint64_t Bound) {
  RandomState = RandomState * 6364136223846793005ull + 1442695040888963407ull;
  return (RandomState >> 31) % Bound;
}

static void check(const Status &S) {
  if (S.ok())
    return;
  fprintf(stderr, "leveldb driver: %s\n", S.ToString().c_str());
  exit(1);
}

namespace {

/// Files in memory; what is scheduled waits until run() is called.
class SequentialEnv : public leveldb::EnvWrapper {
  std::deque<std::pair<void (*)(void *), void *>> Scheduled;

public:
  SequentialEnv(leveldb::Env *Base) : EnvWrapper(Base) {}

  void Schedule(void (*Function)(void *), void *Argument) override {
    Scheduled.emplace_back(Function, Argument);
  }

  void run() {
    while (!Scheduled.empty()) {
      auto [Function, Argument] = Scheduled.front();
      Scheduled.pop_front();
      Function(Argument);
    }
  }
};

class Bench {
  SequentialEnv &Env;
  leveldb::DB &DB;
  const uint64_t Keys;
  std::string Text;
  const size_t ValueSize;
  uint64_t Found = 0, Checksum = 0;

public:
  Bench(SequentialEnv &Env, leveldb::DB &DB, uint64_t Keys, size_t ValueSize)
      : Env(Env), DB(DB), Keys(Keys), ValueSize(ValueSize) {
    RandomState = 1;
    for (size_t I = 0; I < ValueSize + 1000; ++I)
      Text += char(' ' + randomBelow(95));
  }

  /// False if there is no such job.
  bool run(const std::string &Name, uint64_t Count) {
    Found = Checksum = 0;
    if (Name == "fill")
      fill(Count);
    else if (Name == "write")
      write(Count);
    else if (Name == "delete")
      erase(Count);
    else if (Name == "read")
      read(Count, Keys);
    else if (Name == "hot")
      read(Count, Keys / 100 + 1);
    else if (Name == "seek")
      seek(Count);
    else if (Name == "scan")
      scan(Count);
    else
      return false;
    printf("%s: %llu found, checksum %016llx\n", Name.c_str(),
           (unsigned long long)Found, (unsigned long long)Checksum);
    return true;
  }

private:
  static std::string key(uint64_t Number) {
    std::string Digits(16, '0');
    for (size_t I = Digits.size(); Number && I; Number /= 10)
      Digits[--I] = char('0' + Number % 10);
    return Digits;
  }

  /// Lengths around ValueSize.
  Slice value() {
    return Slice(Text.data() + randomBelow(900),
                 ValueSize / 2 + randomBelow(ValueSize));
  }

  void see(const Slice &Value) {
    ++Found;
    Checksum = Checksum * 31 + Value.size();
    if (!Value.empty())
      Checksum += (unsigned char)Value[Value.size() / 2];
  }

  void fill(uint64_t Count) {
    for (uint64_t I = 0; I < Count; ++I) {
      check(DB.Put({}, key(I * Keys / Count), value()));
      Env.run();
    }
  }

  void write(uint64_t Count) {
    leveldb::WriteBatch Batch;
    for (uint64_t I = 0; I < Count; I += 10) {
      Batch.Clear();
      for (uint64_t K = 0; K < 10 && I + K < Count; ++K)
        Batch.Put(key(randomBelow(Keys)), value());
      check(DB.Write({}, &Batch));
      Env.run();
    }
  }

  void erase(uint64_t Count) {
    for (uint64_t I = 0; I < Count; ++I) {
      check(DB.Delete({}, key(randomBelow(Keys))));
      Env.run();
    }
  }

  void read(uint64_t Count, uint64_t Below) {
    std::string Value;
    for (uint64_t I = 0; I < Count; ++I) {
      Status S = DB.Get({}, key(randomBelow(Below)), &Value);
      Env.run();
      if (S.IsNotFound())
        continue;
      check(S);
      see(Value);
    }
  }

  void seek(uint64_t Count) {
    std::unique_ptr<leveldb::Iterator> It(DB.NewIterator({}));
    for (uint64_t I = 0; I < Count; ++I) {
      It->Seek(key(randomBelow(Keys)));
      for (int K = 0; K < 10 && It->Valid(); ++K, It->Next())
        see(It->value());
      Env.run();
    }
    check(It->status());
  }

  void scan(uint64_t Passes) {
    for (uint64_t I = 0; I < Passes; ++I) {
      std::unique_ptr<leveldb::Iterator> It(DB.NewIterator({}));
      for (It->SeekToFirst(); It->Valid(); It->Next())
        see(It->value());
      for (It->SeekToLast(); It->Valid(); It->Prev())
        see(It->value());
      check(It->status());
      Env.run();
    }
  }
};

} // namespace

int main(int Count, char **Arguments) {
  if (Count < 4) {
    fprintf(stderr, "usage: %s KEYS VALUE_BYTES FILTER_BITS JOB...\n",
            Arguments[0]);
    return 2;
  }
  uint64_t Keys = strtoull(Arguments[1], nullptr, 10);
  size_t ValueSize = strtoull(Arguments[2], nullptr, 10);
  int FilterBits = atoi(Arguments[3]);
  if (!Keys || ValueSize < 2) {
    fprintf(stderr, "%s: no keys, or values too small\n", Arguments[0]);
    return 2;
  }

  std::unique_ptr<leveldb::Env> Memory(
      leveldb::NewMemEnv(leveldb::Env::Default()));
  SequentialEnv Env(Memory.get());
  std::unique_ptr<leveldb::Cache> Cache(leveldb::NewLRUCache(4 << 20));
  std::unique_ptr<const leveldb::FilterPolicy> Filter(
      FilterBits ? leveldb::NewBloomFilterPolicy(FilterBits) : nullptr);
  // Small, so that there are several levels and compactions among them.
  leveldb::Options Options;
  Options.create_if_missing = true;
  Options.env = &Env;
  Options.block_cache = Cache.get();
  Options.filter_policy = Filter.get();
  Options.write_buffer_size = 512 << 10;
  Options.max_file_size = 512 << 10;
  leveldb::DB *Opened;
  check(leveldb::DB::Open(Options, "/db", &Opened));
  std::unique_ptr<leveldb::DB> DB(Opened);
  Env.run();

  Bench B(Env, *DB, Keys, ValueSize);
  for (int I = 4; I < Count; ++I) {
    char Name[16];
    unsigned long long Operations, Seed;
    if (sscanf(Arguments[I], "%15[a-z]:%llu:%llu", Name, &Operations, &Seed) ==
        3) {
      RandomState = Seed;
      if (B.run(Name, Operations))
        continue;
    }
    fprintf(stderr, "%s: no job `%s'\n", Arguments[0], Arguments[I]);
    return 2;
  }
}
