//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names for events whose file does not name them: those that perf itself would
// print for the generic events, and the numbers for all others.
//
//===----------------------------------------------------------------------===//

#include "PerfHeader.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inlay {

/// PERF_TYPE_*.
enum EventType : uint32_t { Hardware, Software, Tracepoint, Cache, Raw };

static constexpr StringLiteral HardwareNames[] = {
    "cycles",           "instructions",
    "cache-references", "cache-misses",
    "branches",         "branch-misses",
    "bus-cycles",       "stalled-cycles-frontend",
    "ref-cycles",       "stalled-cycles-backend"};

static constexpr StringLiteral SoftwareNames[] = {
    "cpu-clock",        "task-clock",   "page-faults",  "context-switches",
    "cpu-migrations",   "minor-faults", "major-faults", "alignment-faults",
    "emulation-faults", "dummy",        "bpf-output",   "cgroup-switches"};

std::string eventName(uint32_t Type, uint64_t Config) {
  switch (Type) {
  case Hardware:
    if (Config < std::size(HardwareNames))
      return HardwareNames[Config].str();
    break;
  case Software:
    if (Config < std::size(SoftwareNames))
      return SoftwareNames[Config].str();
    break;
  case Raw:
    return "raw:0x" + utohexstr(Config, /*LowerCase=*/true);
  default:
    break;
  }
  return "type" + utostr(Type) + ":0x" + utohexstr(Config, /*LowerCase=*/true);
}

} // namespace inlay
