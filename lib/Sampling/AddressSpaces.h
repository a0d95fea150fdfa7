//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which file each process showed at each address, now.
//
// "Now" is a point in the recording: events change the state, and samples are
// looked up in it, in the order of time (SampleAggregator.cpp puts them in
// order). A process is a sorted table of executable mappings that do not
// overlap, cut into chunks that never change once they are made. A new mapping
// replaces one or two chunks; a fork shares its parent's table, and when one of
// them changes it, all other chunks stay shared. So a process costs little that
// forks and then loads a library, however large its parent is.
//
// Memory: the kernel lets a process have 65530 mappings, and so do we; all
// tables together hold at most MaxMappings. What exceeds this is ignored and
// counted.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_ADDRESSSPACES_H
#define INLAY_LIB_SAMPLING_ADDRESSSPACES_H

#include "inlay/Support/SeededHash.h"
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace inlay {

/// [Begin, End) shows the binary from FileOffset on.
struct Mapping {
  uint64_t Begin = 0;
  uint64_t End = 0;
  uint64_t FileOffset = 0;
  uint32_t Binary = 0; ///< index, the caller's

  uint64_t offsetOf(uint64_t Address) const {
    return Address - Begin + FileOffset;
  }
};

class AddressSpaces {
public:
  static constexpr uint64_t MaxMappingsOfProcess = 65530;
  static constexpr uint64_t DefaultMaxMappings = 4 << 20; ///< 128 MiB

  explicit AddressSpaces(uint64_t MaxMappings = DefaultMaxMappings)
      : MaxMappings(MaxMappings) {}

  /// Hides what the process had there before.
  void map(int32_t Pid, const Mapping &M);
  /// A new process; whatever had its pid is gone.
  void fork(int32_t Pid, int32_t ParentPid, bool InheritsMappings);
  /// The process image was replaced.
  void exec(int32_t Pid);
  /// The process may be forgotten when room is needed; its last samples may
  /// still be to come.
  void exit(int32_t Pid);

  /// nullptr if nothing is mapped at \p Address. Valid until the next change.
  const Mapping *find(int32_t Pid, uint64_t Address) {
    if (Last && Pid == LastPid &&
        Address - Last->Begin < Last->End - Last->Begin)
      return Last;
    return findSlow(Pid, Address);
  }

  uint64_t ignoredMappings() const { return IgnoredMappings; }
  /// How often what find() says may have changed.
  uint64_t changes() const { return Changes; }

private:
  static constexpr uint64_t MaxMappingsOfChunk = 64;

  struct Chunk {
    Chunk(std::vector<Mapping> M, uint64_t &Total)
        : Mappings(std::move(M)), Total(Total) {
      Total += Mappings.size();
    }
    ~Chunk() { Total -= Mappings.size(); }
    Chunk(const Chunk &) = delete;
    Chunk &operator=(const Chunk &) = delete;

    const std::vector<Mapping> Mappings; ///< at least one
    uint64_t &Total;                     ///< MappingCount
  };
  using ChunkList = std::vector<std::shared_ptr<const Chunk>>;

  struct Table {
    explicit Table(uint64_t &Total) : Total(Total) {}
    Table(const Table &Other)
        : Chunks(Other.Chunks), Size(Other.Size), Total(Other.Total) {
      Total += Chunks.size();
    }
    Table &operator=(const Table &) = delete;
    ~Table() { Total -= Chunks.size(); }

    void map(const Mapping &M);

    ChunkList Chunks;
    uint64_t Size = 0; ///< mappings
    uint64_t &Total;   ///< MappingCount
  };

  struct Process {
    std::shared_ptr<Table> Space;
  };

  const Mapping *findSlow(int32_t Pid, uint64_t Address);
  bool makeRoom(uint64_t Count, int32_t Keep);

  const uint64_t MaxMappings;
  /// Mappings in chunks, and pointers to chunks, which are smaller. (It must
  /// outlive the tables.)
  uint64_t MappingCount = 0;
  // Process numbers are the file's.
  std::unordered_map<int32_t, Process, SeededHash> Processes;
  std::unordered_set<int32_t, SeededHash> Exited; ///< those of Processes
  uint64_t IgnoredMappings = 0;
  uint64_t Changes = 0;
  const Mapping *Last = nullptr;
  int32_t LastPid = 0;
};

} // namespace inlay

#endif
