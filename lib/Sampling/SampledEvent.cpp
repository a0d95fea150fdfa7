//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SampledEvent.h.
//
//===----------------------------------------------------------------------===//

#include "inlay/Sampling/SampledEvent.h"
#include "inlay/Perf/PerfEvents.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace inlay {

StringRef sampledEventName(SampledEvent Event) {
  switch (Event) {
  case SampledEvent::Timer:
    return "timer";
  case SampledEvent::Cycles:
    return "cycles";
  case SampledEvent::Instructions:
    return "instructions";
  }
  llvm_unreachable("unknown event");
}

std::optional<SampledEvent> sampledEventOf(const PerfEventAttr &Attr) {
  // enum perf_type_id, perf_hw_id and perf_sw_ids of linux/perf_event.h.
  constexpr uint32_t TypeHardware = 0, TypeSoftware = 1, TypeRaw = 4;
  switch (Attr.Type) {
  case TypeHardware:
    // The upper half names the PMU of a hybrid CPU.
    switch (Attr.Config & UINT32_MAX) {
    case 0: // PERF_COUNT_HW_CPU_CYCLES
    case 9: // PERF_COUNT_HW_REF_CPU_CYCLES
      return SampledEvent::Cycles;
    case 1: // PERF_COUNT_HW_INSTRUCTIONS
      return SampledEvent::Instructions;
    }
    return std::nullopt;
  case TypeSoftware:
    switch (Attr.Config) {
    case 0: // PERF_COUNT_SW_CPU_CLOCK
    case 1: // PERF_COUNT_SW_TASK_CLOCK
      return SampledEvent::Timer;
    }
    return std::nullopt;
  case TypeRaw:
    // perf's metric and cpu/.../ names end up here; one event has many codes.
    break;
  }
  StringRef Name = Attr.Name;
  auto Has = [&](StringRef Part) { return Name.contains_insensitive(Part); };
  // Some events count only those instructions, or cycles, that are special.
  if (Has("inst_retired.any") || Has("inst_retired.prec_dist") ||
      Name.equals_insensitive("ex_ret_instr") || Has("cpu/instructions/") ||
      Name.equals_insensitive("inst_retired"))
    return SampledEvent::Instructions;
  if (Has("cpu_clk_unhalted") || Has("cpu/cpu-cycles/") || Has("cpu/cycles/") ||
      Has("ls_not_halted_cyc") || Name.starts_with("ibs_op") ||
      Name.equals_insensitive("cpu_cycles") ||
      Name.starts_with_insensitive("armv8_pmuv3_0/cpu_cycles/"))
    return SampledEvent::Cycles;
  return std::nullopt;
}

bool isPrecise(const PerfEventAttr &Attr) {
  // 1 is "constant skid": the next instruction. Timers take no notice of it.
  return sampledEventOf(Attr) != SampledEvent::Timer &&
         (Attr.PreciseIP >= 2 ||
          StringRef(Attr.Name).starts_with_insensitive("ibs_op"));
}

} // namespace inlay
