//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small perf.data file, made in memory, for tests that damage it in thousands
// of ways, in each container and byte order. Tests of what records mean use
// perfdata-compose instead.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_PERF_PERFDATABYTES_H
#define INLAY_UNITTESTS_PERF_PERFDATABYTES_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include <string>

namespace inlay {

class PerfDataBytes {
public:
  struct Kind {
    bool IsPipe = false;
    bool IsCompressed = false;
    llvm::endianness Order = llvm::endianness::little;
  };

  /// Two events that carry every field, each kind of record that is read, and
  /// each feature that is read.
  static std::string make(Kind K) {
    PerfDataBytes File(K);
    K.IsPipe ? File.writePipe() : File.writeFile();
    return std::move(File.Bytes);
  }
  static std::string make() { return make(Kind()); }
  /// Records alone, as in the data files of a directory.
  static std::string makeRecords() {
    PerfDataBytes File{Kind()};
    File.records();
    return std::move(File.Bytes);
  }

private:
  explicit PerfDataBytes(Kind K) : K(K) {}

  static constexpr uint64_t AttrSize = 128;
  static constexpr uint64_t AllSampleBits = (1u << 25) - 1;
  static constexpr uint64_t AllReadBits = 0x1f;

  const Kind K;
  std::string Bytes;

  template <typename T> void put(T Value) {
    char Raw[sizeof(T)];
    llvm::support::endian::write<T>(Raw, Value, K.Order);
    Bytes.append(Raw, sizeof(T));
  }
  void u16(uint16_t V) { put(V); }
  void u32(uint32_t V) { put(V); }
  void u64(uint64_t V) { put(V); }
  void words(std::initializer_list<uint64_t> Values) {
    for (uint64_t V : Values)
      u64(V);
  }
  void text(llvm::StringRef Text, uint64_t Size) {
    Bytes += Text;
    Bytes.append(Size - Text.size(), '\0');
  }
  void string(llvm::StringRef Text) {
    u32(16);
    text(Text, 16);
  }
  void patch64(uint64_t Offset, uint64_t Value) {
    llvm::support::endian::write64(&Bytes[Offset], Value, K.Order);
  }

  void attr() {
    u32(1);
    u32(AttrSize);
    // freq and sample_id_all are bit fields.
    const bool IsLittle = K.Order == llvm::endianness::little;
    uint64_t Flags = IsLittle ? uint64_t(1) << 10 | uint64_t(1) << 18
                              : uint64_t(1) << 53 | uint64_t(1) << 45;
    words({0, 999, AllSampleBits, AllReadBits, Flags});
    u32(0);
    u32(0);
    words({0, 0, /*HW_INDEX, COUNTERS*/ 1u << 17 | 1u << 19, 0x7});
    u32(16);
    u32(0);
    u64(0x3);
    Bytes.append(AttrSize - 104, '\0');
  }

  void trailer(uint64_t Id) {
    words({10, Time++, Id, 0, 0, Id}); // tid, time, id, stream, cpu, identifier
  }
  template <typename Function>
  void record(uint32_t Type, uint16_t Misc, Function Payload) {
    uint64_t Start = Bytes.size();
    u32(Type);
    u16(Misc);
    u16(0);
    Payload();
    llvm::support::endian::write16(&Bytes[Start + 6], Bytes.size() - Start,
                                   K.Order);
  }
  void pids(uint32_t Pid) {
    u32(Pid);
    u32(Pid);
  }

  void records() {
    record(3, 1 << 13, [&] {
      pids(10);
      text("app", 8);
      trailer(101);
    });
    record(10, 2 | 1 << 14, [&] {
      pids(10);
      words({0x400000, 0x1000, 0});
      text("\x08", 4);
      text("\x01\x02\x03\x04\x05\x06\x07\x08", 20);
      u32(5);
      u32(2);
      text("/bin/app", 16);
      trailer(102);
    });
    record(1, 2, [&] {
      pids(10);
      words({0x500000, 0x1000, 0});
      text("/lib/a.so", 16);
      trailer(102);
    });
    record(7, 0, [&] {
      u32(11);
      u32(10);
      u32(11);
      u32(10);
      u64(0);
      trailer(101);
    });
    for (uint64_t I = 0; I != 4; ++I)
      record(9, 2, [&] { sample(101 + I % 2, 0x400010 + I); });
    record(2, 0, [&] {
      words({101, 3});
      trailer(101);
    });
    record(13, 0, [&] {
      u64(2);
      trailer(101);
    });
    record(22, 2, [&] {
      words({77, 2, ~uint64_t(511), 0x400010}); // deferred call chain
      trailer(101);
    });
    if (!K.IsCompressed) {
      record(71, 0, [&] { words({8, 0, 0, 0, 0}); });
      u64(0x7ace);
    }
    record(68, 0, [] {});
    record(1234, 0, [&] { u64(0); });
    record(4, 0, [&] {
      pids(10);
      pids(10);
      u64(0);
      trailer(101);
    });
    record(68, 0, [] {});
  }

  void sample(uint64_t Id, uint64_t IP) {
    words({Id, IP});
    pids(10);
    words({Time++, 0, Id, Id, 0, 1});
    words({1, 1000, 900, 5, Id, 0});          // group of one
    words({3, ~uint64_t(511), IP, 0x400100}); // call chain
    u32(4);                                   // raw
    u32(0);
    words({2, 7, IP, IP + 1, 0, IP, IP + 2, 0, 1, 1}); // branches
    words({2, 1, 2, 3});                               // user registers
    words({16, 0, 0, 16});                             // user stack
    words({1, 2, 3});          // weight, data source, transaction
    words({2, 1, 2});          // registers
    words({1, 1, 4096, 4096}); // physical address, cgroup, page sizes
    words({8, 0xa});           // AUX
  }

  static constexpr unsigned Features[] = {2,  3,  6,  7,  8,  9,
                                          11, 12, 16, 21, 27, 28};

  void writeFile() {
    Bytes = K.Order == llvm::endianness::little ? "PERFILE2" : "2ELIFREP";
    words({104, AttrSize + 16});
    Bytes.append(104 - Bytes.size(), '\0');
    uint64_t Ids = Bytes.size();
    words({101, 102});
    patch64(24, Bytes.size());
    patch64(32, 2 * (AttrSize + 16));
    for (uint64_t I = 0; I != 2; ++I) {
      attr();
      words({Ids + 8 * I, 8});
    }
    uint64_t Data = Bytes.size();
    K.IsCompressed ? compressedRecords() : records();
    patch64(40, Data);
    patch64(48, Bytes.size() - Data);

    uint64_t Bits = 0;
    uint64_t Table = Bytes.size();
    Bytes.append(16 * std::size(Features), '\0');
    for (auto [I, F] : llvm::enumerate(Features)) {
      Bits |= uint64_t(1) << F;
      uint64_t Start = Bytes.size();
      feature(F);
      patch64(Table + 16 * I, Start);
      patch64(Table + 16 * I + 8, Bytes.size() - Start);
    }
    patch64(72, Bits);
  }

  void writePipe() {
    Bytes = K.Order == llvm::endianness::little ? "PERFILE2" : "2ELIFREP";
    u64(16);
    for (uint64_t I = 0; I != 2; ++I)
      record(64, 0, [&] {
        attr();
        u64(101 + I);
      });
    for (unsigned F : llvm::drop_begin(Features)) // without build IDs
      record(80, 0, [&] {
        u64(F);
        feature(F);
      });
    record(66, 0, [&] { u32(8); });
    u64(0x7ace);
    record(78, 0, [&] {
      words({2, 102});
      text("cycles", 8);
    });
    record(67, 2, [&] { buildID(); });
    K.IsCompressed ? compressedRecords() : records();
  }

  /// One zstd frame, cut into a COMPRESSED, a COMPRESSED2 and another record,
  /// none of which ends where a record does.
  void compressedRecords() {
    std::string Before = std::move(Bytes);
    Bytes.clear();
    records();
    llvm::SmallVector<uint8_t, 0> Compressed;
    llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(Bytes),
                                      Compressed);
    Bytes = std::move(Before);
    llvm::StringRef Rest = llvm::toStringRef(Compressed);
    const size_t Third = Rest.size() / 3;
    record(81, 0, [&] { Bytes += Rest.take_front(Third); });
    record(83, 0, [&] {
      u64(Third);
      Bytes += Rest.substr(Third, Third);
      Bytes += "padding";
    });
    record(81, 0, [&] { Bytes += Rest.drop_front(2 * Third); });
  }

  void buildID() {
    u32(-1);
    text("12345678901234567890", 24);
    text("/lib/a.so", 16);
  }

  void feature(unsigned F) {
    switch (F) {
    case 2:
      record(0, 2, [&] { buildID(); });
      break;
    case 7:
      u32(8);
      u32(4);
      break;
    case 11:
      u32(2);
      string("perf");
      string("record");
      break;
    case 12:
      u32(2);
      u32(AttrSize);
      for (uint64_t I = 0; I != 2; ++I) {
        attr();
        u32(1);
        string(I ? "cycles" : "instructions");
        u64(101 + I);
      }
      break;
    case 16:
      u32(2);
      u32(1);
      string("software");
      u32(11);
      string("ibs_op");
      break;
    case 21:
      words({1000, 1010});
      break;
    case 27:
      for (uint32_t Field : {1, 1, 1, 5, 1 << 19})
        u32(Field);
      break;
    default:
      string("text");
    }
  }

  uint64_t Time = 1000;
};

} // namespace inlay

#endif
