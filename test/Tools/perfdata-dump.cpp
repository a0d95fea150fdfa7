//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints what Inlay reads from a perf.data file, one line an event, for
// FileCheck.
//
//   perfdata-dump FILE            header and events
//   perfdata-dump --profile FILE  the RawProfile: samples by binary and offset
//   perfdata-dump --raw FILE      the same as a raw profile's bytes
//   perfdata-dump --samples FILE  samples alone, as `perf script -F pid,ip`
//                                 would print them
//   perfdata-dump --count FILE    how many samples there are; for timing, what
//                                 reading alone costs
//
//===----------------------------------------------------------------------===//

#include "inlay/Perf/PerfReader.h"
#include "inlay/Sampling/RawProfileFile.h"
#include "inlay/Sampling/SampleAggregator.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace inlay;

static cl::opt<std::string> InputPath(cl::Positional, cl::Required,
                                      cl::desc("<perf.data>"));
static cl::opt<bool> ShowProfile("profile", cl::desc("Print the RawProfile"));
static cl::opt<bool> WriteRaw("raw", cl::desc("Write the RawProfile"));
static cl::opt<bool> ShowSamples("samples", cl::desc("Print samples alone"));
static cl::opt<bool> CountSamples("count", cl::desc("Print their number"));

static StringRef modeName(CpuMode Mode) {
  static constexpr StringLiteral Names[] = {
      "unknown", "kernel", "user", "hypervisor", "guest-kernel", "guest-user"};
  return Names[unsigned(Mode)];
}

static std::string hex(ArrayRef<uint8_t> Bytes) {
  return Bytes.empty() ? "none" : toHex(Bytes, /*LowerCase=*/true);
}

namespace {

class Dumper final : public PerfEventVisitor {
public:
  Error onMmap(const MmapEvent &E) override {
    if (ShowSamples)
      return Error::success();
    start("mmap", E.Time) << " pid=" << E.Pid << " tid=" << E.Tid << " ["
                          << format_hex(E.Address, 1) << ", +"
                          << format_hex(E.Length, 1)
                          << ") offset=" << format_hex(E.FileOffset, 1) << ' '
                          << (E.IsExecutable ? "exec" : "data") << ' '
                          << modeName(E.Mode) << " build-id=" << hex(E.BuildID)
                          << ' ' << E.Path << '\n';
    return Error::success();
  }
  Error onComm(const CommEvent &E) override {
    if (ShowSamples)
      return Error::success();
    start(E.IsExec ? "exec" : "comm", E.Time)
        << " pid=" << E.Pid << " tid=" << E.Tid << ' ' << E.Name << '\n';
    return Error::success();
  }
  Error onFork(const ForkEvent &E) override {
    if (ShowSamples)
      return Error::success();
    start("fork", E.Time) << " pid=" << E.Pid << " tid=" << E.Tid
                          << " parent-pid=" << E.ParentPid
                          << " parent-tid=" << E.ParentTid
                          << (E.InheritsMappings ? "" : " no-mappings") << '\n';
    return Error::success();
  }
  Error onExit(const ExitEvent &E) override {
    if (ShowSamples)
      return Error::success();
    start("exit", E.Time) << " pid=" << E.Pid << " tid=" << E.Tid << '\n';
    return Error::success();
  }
  Error onSample(const SampleEvent &E) override {
    if (ShowSamples) {
      outs() << E.Pid << ' ' << utohexstr(E.IP, /*LowerCase=*/true);
      for (const BranchRecord &B : E.BranchStack)
        outs() << " 0x" << utohexstr(B.From, true) << "/0x"
               << utohexstr(B.To, true);
      outs() << '\n';
      return Error::success();
    }
    start("sample", E.Time) << ' ' << E.Attr->Name << ' ' << modeName(E.Mode)
                            << " ip=" << format_hex(E.IP, 1) << " pid=" << E.Pid
                            << " tid=" << E.Tid << " period=" << E.Period;
    if (E.IsExactIP)
      outs() << " exact-ip";
    printWords("chain", E.CallChain);
    if (!E.BranchStack.empty()) {
      outs() << " branches=";
      interleave(
          E.BranchStack, outs(),
          [](const BranchRecord &B) {
            outs() << format_hex(B.From, 1) << '>' << format_hex(B.To, 1) << '/'
                   << format_hex(B.Flags, 1);
          },
          ",");
    }
    if (E.UserRegisters.ABI) {
      outs() << " regs-abi=" << E.UserRegisters.ABI
             << " regs-mask=" << format_hex(E.UserRegisters.Mask, 1);
      printWords("regs", E.UserRegisters.Values);
    }
    if (!E.UserStack.empty())
      outs() << " stack=" << hex(E.UserStack);
    if (E.Weight)
      outs() << " weight=" << E.Weight;
    outs() << '\n';
    return Error::success();
  }
  Error onDeferredCallChain(const DeferredCallChainEvent &E) override {
    if (ShowSamples)
      return Error::success();
    start("deferred", E.Time)
        << " cookie=" << E.Cookie << " pid=" << E.Pid << " tid=" << E.Tid;
    printWords("chain", E.CallChain);
    outs() << '\n';
    return Error::success();
  }
  Error onFinishedRound() override {
    if (!ShowSamples)
      outs() << "round\n";
    return Error::success();
  }
  Error onLost(uint64_t Count) override {
    if (!ShowSamples)
      outs() << "lost " << Count << '\n';
    return Error::success();
  }

private:
  static void printWords(StringRef Name, ArrayRef<uint64_t> Words) {
    if (Words.empty())
      return;
    outs() << ' ' << Name << '=';
    interleave(
        Words, outs(), [](uint64_t W) { outs() << format_hex(W, 1); }, ",");
  }
  raw_ostream &start(StringRef Kind, PerfTime Time) {
    outs() << Kind;
    if (Time)
      outs() << " time=" << *Time;
    return outs();
  }
};

} // namespace

static void printHeader(PerfReader &Reader) {
  for (const PerfEventAttr &A : Reader.attrs()) {
    outs() << "event " << A.Name << " type=" << A.Type
           << " config=" << format_hex(A.Config, 1)
           << " sample_type=" << format_hex(A.SampleType, 1)
           << (A.IsFrequency ? " freq=" : " period=")
           << A.SamplePeriodOrFrequency << " precise=" << A.PreciseIP
           << (A.SampleIdAll ? " sample_id_all" : "")
           << (A.hasPreciseIP() ? " precise-ip" : "")
           << (A.PMU.empty() ? "" : " pmu=") << A.PMU << " ids=";
    interleave(A.Ids, outs(), ",");
    outs() << '\n';
  }
  auto Feature = [](StringRef Name, StringRef Value) {
    if (!Value.empty())
      outs() << Name << ": " << Value << '\n';
  };
  Feature("hostname", Reader.hostName());
  Feature("arch", Reader.arch());
  Feature("cpudesc", Reader.cpuDesc());
  Feature("cpuid", Reader.cpuID());
  if (Reader.cpusOnline())
    outs() << "cpus: " << Reader.cpusOnline() << '\n';
  if (auto Times = Reader.sampleTimes())
    outs() << "sample times: " << Times->first << " to " << Times->second
           << '\n';
  Feature("cmdline", join(Reader.commandLine(), " "));
  for (const PerfBuildID &B : Reader.buildIDs())
    outs() << "build-id pid=" << B.Pid << ' ' << modeName(B.Mode) << ' '
           << hex(B.BuildID) << ' ' << B.Path << '\n';
}

/// One line for each place or pair of places, in their order.
static void printCounts(StringRef Title, const OffsetCounts<uint64_t> &Counts) {
  for (auto [Offset, Count] : Counts)
    outs() << "    " << Title << format_hex(Offset, 1) << ": " << Count << '\n';
}

static void printCounts(StringRef Title, StringRef Separator,
                        const OffsetCounts<OffsetPair> &Counts) {
  for (auto [Pair, Count] : Counts)
    outs() << "    " << Title << format_hex(Pair.first, 1) << Separator
           << format_hex(Pair.second, 1) << ": " << Count << '\n';
}

/// The tree of stacks, callees indented.
static void printStacks(const EventSamples &E) {
  if (!E.SamplesWithStack)
    return;
  outs() << "  " << E.SamplesWithStack << " with stacks\n";
  std::vector<unsigned> Depths;
  for (const StackNode &N : E.Stacks) {
    Depths.push_back(N.Caller == StackNode::Root ? 0 : Depths[N.Caller] + 1);
    outs().indent(4 + 2 * Depths.back())
        << E.Binaries[N.Binary].Path << '+' << format_hex(N.Offset, 1);
    if (N.IsLeaf)
      outs() << ": " << N.Samples;
    outs() << '\n';
  }
}

static void printProfile(const RawProfile &Profile) {
  outs() << "lost " << Profile.LostEvents << '\n';
  for (const EventSamples &E : Profile.Events) {
    outs() << "event " << E.Attr.Name << ": " << E.Total << " samples, "
           << E.KernelSamples << " kernel, " << E.UnmappedSamples
           << " unmapped\n";
    if (E.hasBranches() || E.IgnoredBranchRecords)
      outs() << "  " << E.SamplesWithBranchStack << " with branch stacks, "
             << E.IgnoredBranchRecords << " records ignored\n";
    for (const BinarySamples &B : E.Binaries) {
      outs() << "  " << B.Path << " build-id=" << hex(B.BuildID) << ": "
             << B.Total << " samples";
      if (B.TotalPeriod != B.Total)
        outs() << " of " << B.TotalPeriod << " events";
      outs() << '\n';
      printCounts("", B.Counts);
      printCounts("branch ", " -> ", B.Branches);
      printCounts("in ", B.BranchesIn);
      printCounts("out ", B.BranchesOut);
      printCounts("range ", " .. ", B.Ranges);
    }
    printStacks(E);
  }
}

namespace {

class Counter final : public PerfEventVisitor {
public:
  Error onSample(const SampleEvent &E) override {
    ++Samples;
    return Error::success();
  }
  uint64_t Samples = 0;
};

} // namespace

static Error run(DiagnosticSink &Diagnostics) {
  Expected<std::unique_ptr<PerfReader>> Reader =
      PerfReader::open(InputPath, Diagnostics);
  if (!Reader)
    return Reader.takeError();
  if (ShowProfile || WriteRaw) {
    Expected<RawProfile> Profile = aggregateSamples(**Reader, Diagnostics);
    if (!Profile)
      return Profile.takeError();
    if (WriteRaw)
      writeRawProfile(*Profile, outs());
    else
      printProfile(*Profile);
    return Error::success();
  }
  if (CountSamples) {
    Counter C;
    if (Error E = (*Reader)->visit(C))
      return E;
    outs() << C.Samples << " samples\n";
    return Error::success();
  }
  if (!ShowSamples)
    printHeader(**Reader);
  Dumper D;
  return (*Reader)->visit(D);
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv,
                              "prints what Inlay reads from perf.data\n");
  StderrDiagnostics Diagnostics("perfdata-dump");
  if (Error E = run(Diagnostics))
    return reportError("perfdata-dump", std::move(E));
  return 0;
}
