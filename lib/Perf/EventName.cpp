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

/// PERF_TYPE_*. From FirstDynamic on, the kernel gave the number to a PMU.
enum EventType : uint32_t {
  Hardware,
  Software,
  Tracepoint,
  Cache,
  Raw,
  Breakpoint,
  FirstDynamic
};

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

std::string eventName(const PerfEventAttr &Attr) {
  std::string Number = "0x" + utohexstr(Attr.Config, /*LowerCase=*/true);
  switch (Attr.Type) {
  case Hardware:
    if (Attr.Config < std::size(HardwareNames))
      return HardwareNames[Attr.Config].str();
    break;
  case Software:
    if (Attr.Config < std::size(SoftwareNames))
      return SoftwareNames[Attr.Config].str();
    break;
  case Raw:
    return "raw:" + Number;
  default:
    break;
  }
  if (Attr.Type >= FirstDynamic && !Attr.PMU.empty())
    return Attr.PMU + "/config=" + Number + "/";
  return "type" + utostr(Attr.Type) + ":" + Number;
}

} // namespace inlay
