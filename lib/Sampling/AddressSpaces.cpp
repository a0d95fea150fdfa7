//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See AddressSpaces.h.
//
//===----------------------------------------------------------------------===//

#include "AddressSpaces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inlay {

/// Forgets processes that have exited if \p Count more mappings would not fit
/// otherwise. Looks at each of them once, however often there is no room.
bool AddressSpaces::makeRoom(uint64_t Count, int32_t Keep) {
  if (MappingCount + Count > MaxMappings) {
    const bool IsKept = Exited.erase(Keep);
    for (int32_t Pid : Exited)
      Processes.erase(Pid);
    Exited.clear();
    if (IsKept)
      Exited.insert(Keep);
  }
  return MappingCount + Count <= MaxMappings;
}

void AddressSpaces::Table::map(const Mapping &M) {
  Total -= Chunks.size();
  // The chunks in [First, End) overlap M. If none does, M goes into the one
  // before it, or else behind it.
  auto First = partition_point(
      Chunks, [&](const auto &C) { return C->Mappings.back().End <= M.Begin; });
  auto End = std::partition_point(First, Chunks.end(), [&](const auto &C) {
    return C->Mappings.front().Begin < M.End;
  });
  if (First == End && First != Chunks.begin())
    --First;
  else if (First == End && End != Chunks.end())
    ++End;

  // What they hold before M, M, and what they hold behind it.
  std::vector<Mapping> New;
  if (First != End)
    for (const Mapping &Old : (*First)->Mappings)
      if (Old.Begin < M.Begin) {
        New.push_back(Old);
        New.back().End = std::min(Old.End, M.Begin);
      }
  New.push_back(M);
  if (First != End)
    for (const Mapping &Old : (*std::prev(End))->Mappings)
      if (Old.End > M.End) {
        New.push_back(Old);
        New.back().Begin = std::max(Old.Begin, M.End);
        New.back().FileOffset += New.back().Begin - Old.Begin;
      }

  for (const auto &C : make_range(First, End))
    Size -= C->Mappings.size();
  Size += New.size();
  const uint64_t Count = divideCeil(New.size(), MaxMappingsOfChunk);
  ChunkList NewChunks;
  for (uint64_t I = 0; I != Count; ++I)
    NewChunks.push_back(std::make_shared<const Chunk>(
        std::vector<Mapping>(New.begin() + New.size() * I / Count,
                             New.begin() + New.size() * (I + 1) / Count),
        Total));
  auto Place = Chunks.erase(First, End);
  Chunks.insert(Place, NewChunks.begin(), NewChunks.end());
  Total += Chunks.size();
}

void AddressSpaces::map(int32_t Pid, const Mapping &M) {
  Last = nullptr;
  ++Changes;
  Process &P = Processes[Pid];
  const bool IsShared = P.Space && P.Space.use_count() > 1;
  // The new mapping, and the second half of one that it splits.
  const uint64_t Growth = 2;
  if (P.Space && P.Space->Size + Growth > MaxMappingsOfProcess) {
    ++IgnoredMappings;
    return;
  }
  // New chunks are made before those that they replace are given up.
  const uint64_t Needed =
      2 * MaxMappingsOfChunk + (IsShared ? P.Space->Chunks.size() : 0);
  if (!makeRoom(Needed, Pid)) {
    ++IgnoredMappings;
    return;
  }
  if (!P.Space)
    P.Space = std::make_shared<Table>(MappingCount);
  else if (IsShared)
    P.Space = std::make_shared<Table>(*P.Space);
  P.Space->map(M);
}

void AddressSpaces::fork(int32_t Pid, int32_t ParentPid,
                         bool InheritsMappings) {
  if (Pid == ParentPid)
    return; // a thread
  Last = nullptr;
  ++Changes;
  Process Child;
  if (InheritsMappings)
    if (auto Parent = Processes.find(ParentPid); Parent != Processes.end())
      Child.Space = Parent->second.Space;
  Processes[Pid] = std::move(Child);
  Exited.erase(Pid);
}

void AddressSpaces::exec(int32_t Pid) {
  Last = nullptr;
  ++Changes;
  Processes[Pid] = Process();
  Exited.erase(Pid);
}

void AddressSpaces::exit(int32_t Pid) {
  if (Processes.count(Pid))
    Exited.insert(Pid);
}

const Mapping *AddressSpaces::findSlow(int32_t Pid, uint64_t Address) {
  auto It = Processes.find(Pid);
  if (It == Processes.end() || !It->second.Space)
    return nullptr;
  const ChunkList &Chunks = It->second.Space->Chunks;
  auto InChunk = partition_point(
      Chunks, [&](const auto &C) { return C->Mappings.back().End <= Address; });
  if (InChunk == Chunks.end())
    return nullptr;
  auto Found = partition_point(
      (*InChunk)->Mappings, [&](const Mapping &M) { return M.End <= Address; });
  if (Found->Begin > Address)
    return nullptr;
  Last = &*Found;
  LastPid = Pid;
  return Last;
}

} // namespace inlay
