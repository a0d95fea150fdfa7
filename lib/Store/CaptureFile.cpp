//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a file is, its first bytes tell.
//
//===----------------------------------------------------------------------===//

#include "inlay/Store/CaptureFile.h"
#include "inlay/Perf/PerfReader.h"
#include "inlay/Sampling/RawProfileFile.h"
#include "inlay/Sampling/SampleAggregator.h"
#include "inlay/Store/Pprof.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include <unistd.h>

using namespace llvm;

namespace inlay {

std::string localHost() {
  char Name[256] = {};
  return gethostname(Name, sizeof(Name) - 1) == 0 && Name[0] ? Name
                                                             : "localhost";
}

static Error readPerfData(StringRef Path, Capture &Into,
                          DiagnosticSink &Diagnostics) {
  Expected<std::unique_ptr<PerfReader>> Reader =
      PerfReader::open(Path, Diagnostics);
  if (!Reader)
    return Reader.takeError();
  Into.Host = (*Reader)->hostName().str();
  Expected<RawProfile> Profile = aggregateSamples(**Reader, Diagnostics);
  if (!Profile)
    return Profile.takeError();
  Into.Profile = std::move(*Profile);
  return Error::success();
}

/// The first bytes of a file; none if it cannot be read, which its reader will
/// explain.
static std::string startOf(StringRef Path) {
  char Bytes[16] = {};
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForRead(Path);
  if (!File) {
    consumeError(File.takeError());
    return {};
  }
  Expected<size_t> Size = sys::fs::readNativeFile(*File, Bytes);
  sys::fs::closeFile(*File);
  if (!Size) {
    consumeError(Size.takeError());
    return {};
  }
  return std::string(Bytes, *Size);
}

static Error readFile(StringRef Path, Capture &Into,
                      DiagnosticSink &Diagnostics) {
  std::string Start = startOf(Path);
  if (isRawProfile(Start))
    return readRawProfile(Path).moveInto(Into.Profile);
  if (!isPprof(Start))
    return readPerfData(Path, Into, Diagnostics);
  Expected<PprofProfile> Pprof = readPprof(Path, Diagnostics);
  if (!Pprof)
    return Pprof.takeError();
  Into.Profile = std::move(Pprof->Profile);
  Into.Started = Pprof->Started;
  Into.Duration = Pprof->Duration;
  Into.CountsVirtualAddresses = Pprof->CountsVirtualAddresses;
  return Error::success();
}

uint64_t keptSamples(const Capture &C) {
  uint64_t Kept = 0;
  for (const EventSamples &Event : C.Profile.Events)
    for (const BinarySamples &Samples : Event.Binaries)
      Kept = SaturatingAdd(Kept, Samples.Total);
  return Kept;
}

Expected<Capture> readCapture(StringRef Path, const CaptureOrigin &Origin,
                              DiagnosticSink &Diagnostics) {
  Capture C;
  if (Error E = readFile(Path, C, Diagnostics))
    return E;
  sys::fs::file_status Status;
  if (std::error_code EC = sys::fs::status(Path, Status))
    return fileError(Path, EC.message());

  C.Application = Origin.Application;
  C.Version = Origin.Version;
  if (!Origin.Host.empty())
    C.Host = Origin.Host;
  else if (C.Host.empty())
    C.Host = localHost();
  if (Origin.Duration)
    C.Duration = *Origin.Duration;
  if (Origin.Started)
    C.Started = *Origin.Started;
  else if (C.Started == 0)
    C.Started = sys::toTimeT(Status.getLastModificationTime());
  for (auto [What, Name] : {std::pair("the application's name", &C.Application),
                            std::pair("the version's label", &C.Version),
                            std::pair("the host's name", &C.Host)})
    if (Error E = checkName(What, *Name))
      return fileError(Path, toString(std::move(E)));

  Expected<std::string> Content = contentKey(C.Application, C.Host, Path);
  if (!Content)
    return Content.takeError();
  C.Content = std::move(*Content);
  return C;
}

} // namespace inlay
