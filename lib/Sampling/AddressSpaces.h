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
// overlap. A fork shares its parent's table until one of them changes it.
//
// Memory: the kernel lets a process have 65530 mappings, and so do we; all
// tables together hold at most MaxMappings. What exceeds this is ignored and
// counted.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_SAMPLING_ADDRESSSPACES_H
#define INLAY_LIB_SAMPLING_ADDRESSSPACES_H

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace inlay {

/// [Begin, End) shows the binary from FileOffset on.
struct Mapping {
  uint64_t Begin = 0;
  uint64_t End = 0;
  uint64_t FileOffset = 0;
  uint32_t Binary = 0; ///< index, the caller's
};

class AddressSpaces {
public:
  static constexpr uint64_t MaxMappingsOfProcess = 65530;
  static constexpr uint64_t MaxMappings = 4 << 20; ///< 128 MiB

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

private:
  using Table = std::vector<Mapping>;
  /// Counts the mappings that tables hold.
  struct CountedTable {
    CountedTable(uint64_t &Count, Table T)
        : Mappings(std::move(T)), Count(Count) {
      Count += Mappings.size();
    }
    ~CountedTable() { Count -= Mappings.size(); }
    Table Mappings;
    uint64_t &Count;
  };
  struct Process {
    std::shared_ptr<CountedTable> Space;
    bool HasExited = false;
  };

  const Mapping *findSlow(int32_t Pid, uint64_t Address);
  bool makeRoom(uint64_t Count, int32_t Keep);

  uint64_t MappingCount = 0; // outlives the tables
  std::unordered_map<int32_t, Process> Processes;
  uint64_t IgnoredMappings = 0;
  const Mapping *Last = nullptr;
  int32_t LastPid = 0;
};

} // namespace inlay

#endif
