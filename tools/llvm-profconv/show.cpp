//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profconv show: what a perf.data file holds, and which of its binaries
// could be converted here and now.
//
//===----------------------------------------------------------------------===//

#include "Subcommands.h"
#include "inlay/Object/BinaryLocator.h"
#include "inlay/Sampling/SampleFile.h"
#include "inlay/Selection/BinaryChoice.h"
#include "inlay/Selection/SampledBinaries.h"
#include "inlay/Support/Diagnostics.h"
#include "inlay/Support/Quantities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inlay {

cl::SubCommand ShowCommand("show", "Show what a perf.data file holds");

const SubcommandHelp ShowHelp = {
    "Shows the events of a perf.data file or a raw profile, the binaries that "
    "were\nsampled, and whether each can be converted here.\n",
    "\nEXAMPLES:\n"
    "  llvm-profconv show perf.data\n"
    "  llvm-profconv show perf.data --debug-dir=symbols\n"
    "      where would binaries and debug files be found?\n"};

static cl::opt<std::string> PerfDataPath(cl::Positional, cl::sub(ShowCommand),
                                         cl::cat(ProfconvCategory),
                                         cl::desc("perf.data"));
static cl::list<std::string> DebugDirectories("debug-dir", cl::sub(ShowCommand),
                                              cl::cat(ProfconvCategory),
                                              cl::value_desc("dir"),
                                              cl::desc("As for convert"));

/// "can be converted", or why not.
static std::string describeBinary(const BinarySamples &Samples) {
  Expected<std::unique_ptr<ProfiledBinary>> BinaryOrErr =
      locateBinary(recorded(Samples), ArrayRef<std::string>(DebugDirectories));
  if (!BinaryOrErr)
    return toString(BinaryOrErr.takeError());
  if (Error E = checkUsable(**BinaryOrErr))
    return toString(std::move(E));
  StringRef Path = (*BinaryOrErr)->path();
  StringRef DebugPath = (*BinaryOrErr)->debugPath();
  std::string Text = "can be converted";
  if (Path != recordedPath(Samples.Path))
    Text += ", found as " + Path.str();
  if (DebugPath != Path)
    Text += ", debug information in " + DebugPath.str();
  return Text;
}

static void printEvent(const EventSamples &Event) {
  raw_ostream &OS = outs();
  OS << "event " << Event.Attr.Name << ": " << samples(Event.Total);
  if (Event.Attr.SamplePeriodOrFrequency)
    OS << (Event.Attr.IsFrequency ? ", frequency " : ", period ")
       << Event.Attr.SamplePeriodOrFrequency
       << (Event.Attr.IsFrequency ? " Hz" : "");
  OS << ", precision " << Event.Attr.PreciseIP << '\n';

  uint64_t InKernel = Event.KernelSamples;
  for (const BinarySamples &Samples : sampledBinaries(Event)) {
    if (Samples.Kind != CodeKind::User)
      InKernel -= Samples.Total;
    OS << "  " << Samples.Path << ": " << samples(Samples.Total) << ", "
       << percentage(Samples.Total, Event.Total) << "\n    build ID "
       << formatBuildID(Samples.BuildID) << "\n    " << describeBinary(Samples)
       << '\n';
  }
  if (InKernel)
    OS << (InKernel == Event.KernelSamples ? "  the kernel: "
                                           : "  elsewhere in the kernel: ")
       << samples(InKernel) << ", " << percentage(InKernel, Event.Total)
       << '\n';
  if (Event.UnmappedSamples)
    OS << "  unknown mappings: " << samples(Event.UnmappedSamples) << ", "
       << percentage(Event.UnmappedSamples, Event.Total) << '\n';
}

Error show() {
  if (PerfDataPath.empty())
    return complain("no input file; usage: llvm-profconv show "
                    "perf.data");
  if (Error E = checkDebugDirectories(ArrayRef<std::string>(DebugDirectories)))
    return E;
  StderrDiagnostics Diagnostics(ToolName);
  Expected<RawProfile> ProfileOrErr = readSampleFile(PerfDataPath, Diagnostics);
  if (!ProfileOrErr)
    return ProfileOrErr.takeError();

  if (!ProfileOrErr->CpuDesc.empty())
    outs() << "recorded on " << ProfileOrErr->CpuDesc << " ("
           << ProfileOrErr->Arch << ")\n";
  for (const EventSamples &Event : ProfileOrErr->Events)
    printEvent(Event);
  if (ProfileOrErr->LostEvents)
    outs() << "lost events: " << ProfileOrErr->LostEvents << '\n';
  return Error::success();
}

} // namespace inlay
