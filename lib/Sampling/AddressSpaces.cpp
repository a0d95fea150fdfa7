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

using namespace llvm;

namespace inlay {

/// Forgets processes that have exited if \p Count more mappings would not fit
/// otherwise.
bool AddressSpaces::makeRoom(uint64_t Count, int32_t Keep) {
  if (MappingCount + Count > MaxMappings)
    for (auto It = Processes.begin(); It != Processes.end();)
      It = It->second.HasExited && It->first != Keep ? Processes.erase(It)
                                                     : std::next(It);
  return MappingCount + Count <= MaxMappings;
}

void AddressSpaces::map(int32_t Pid, const Mapping &M) {
  Last = nullptr;
  Process &P = Processes[Pid];
  const uint64_t OldSize = P.Space ? P.Space->Mappings.size() : 0;
  const bool IsShared = P.Space && P.Space.use_count() > 1;
  // The new mapping, and the second half of one that it splits.
  const uint64_t Growth = 2;
  if (OldSize + Growth > MaxMappingsOfProcess ||
      !makeRoom(Growth + (IsShared ? OldSize : 0), Pid)) {
    ++IgnoredMappings;
    return;
  }
  if (!P.Space)
    P.Space = std::make_shared<CountedTable>(MappingCount, Table());
  else if (IsShared)
    P.Space = std::make_shared<CountedTable>(MappingCount, P.Space->Mappings);

  Table &T = P.Space->Mappings;
  // Those that overlap [M.Begin, M.End) are replaced by what remains of them on
  // either side, and by M.
  auto First = partition_point(
      T, [&](const Mapping &Old) { return Old.End <= M.Begin; });
  auto End = std::partition_point(
      First, T.end(), [&](const Mapping &Old) { return Old.Begin < M.End; });
  Mapping Pieces[3];
  unsigned Count = 0;
  if (First != End && First->Begin < M.Begin) {
    Pieces[Count] = *First;
    Pieces[Count++].End = M.Begin;
  }
  Pieces[Count++] = M;
  if (First != End && std::prev(End)->End > M.End) {
    Mapping Rest = *std::prev(End);
    Rest.FileOffset += M.End - Rest.Begin;
    Rest.Begin = M.End;
    Pieces[Count++] = Rest;
  }
  const uint64_t Before = T.size();
  const unsigned Reused = std::min<uint64_t>(Count, End - First);
  auto Next = std::copy(Pieces, Pieces + Reused, First);
  if (Reused < Count)
    T.insert(Next, Pieces + Reused, Pieces + Count);
  else
    T.erase(Next, End);
  MappingCount += T.size() - Before;
}

void AddressSpaces::fork(int32_t Pid, int32_t ParentPid,
                         bool InheritsMappings) {
  if (Pid == ParentPid)
    return; // a thread
  Last = nullptr;
  Process Child;
  if (InheritsMappings)
    if (auto Parent = Processes.find(ParentPid); Parent != Processes.end())
      Child.Space = Parent->second.Space;
  Processes[Pid] = std::move(Child);
}

void AddressSpaces::exec(int32_t Pid) {
  Last = nullptr;
  Processes[Pid] = Process();
}

void AddressSpaces::exit(int32_t Pid) {
  if (auto It = Processes.find(Pid); It != Processes.end())
    It->second.HasExited = true;
}

const Mapping *AddressSpaces::findSlow(int32_t Pid, uint64_t Address) {
  auto It = Processes.find(Pid);
  if (It == Processes.end() || !It->second.Space)
    return nullptr;
  const Table &T = It->second.Space->Mappings;
  auto Found =
      partition_point(T, [&](const Mapping &M) { return M.End <= Address; });
  if (Found == T.end() || Found->Begin > Address)
    return nullptr;
  Last = &*Found;
  LastPid = Pid;
  return Last;
}

} // namespace inlay
