//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nothing here looks into a binary.
//
//===----------------------------------------------------------------------===//

#include "RawProfileReading.h"
#include "inlay/Object/BinaryLocator.h"
#include "inlay/Perf/PerfReader.h"
#include "inlay/Sampling/SampleAggregator.h"
#include "inlay/Support/Progress.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inlay {

Expected<RawProfile> readRawProfile(StringRef Path,
                                    DiagnosticSink &Diagnostics) {
  Expected<std::unique_ptr<PerfReader>> ReaderOrErr =
      PerfReader::open(Path, Diagnostics);
  if (!ReaderOrErr)
    return ReaderOrErr.takeError();
  Progress Reading(("reading " + Path).str(), (*ReaderOrErr)->fileSize());
  return aggregateSamples(**ReaderOrErr, Diagnostics,
                          [&](uint64_t Bytes) { Reading.update(Bytes); });
}

std::vector<BinarySamples> distinctBinaries(const EventSamples &Event) {
  std::vector<BinarySamples> Binaries;
  for (const BinarySamples &Samples : Event.Binaries)
    if (Samples.Total)
      Binaries.push_back(Samples);
  return Binaries;
}

std::string percentage(uint64_t Part, uint64_t Whole) {
  std::string Text;
  raw_string_ostream(Text) << format("%.1f %%",
                                     Whole ? 100.0 * static_cast<double>(Part) /
                                                 static_cast<double>(Whole)
                                           : 0.0);
  return Text;
}

std::string samples(uint64_t Count) {
  return utostr(Count) + (Count == 1 ? " sample" : " samples");
}

std::string describePlaces(const EventSamples &Event,
                           ArrayRef<BinarySamples> Binaries,
                           ArrayRef<const BinarySamples *> Except) {
  std::vector<std::pair<std::string, uint64_t>> Places;
  uint64_t InKernel = Event.KernelSamples;
  for (const BinarySamples &Samples : Binaries)
    if (Samples.Kind != CodeKind::User)
      InKernel -= is_contained(Except, &Samples) ? Samples.Total : 0;
    else if (!is_contained(Except, &Samples))
      Places.emplace_back(sys::path::filename(recordedPath(Samples.Path)).str(),
                          Samples.Total);
  Places.emplace_back("the kernel", InKernel);
  Places.emplace_back("unknown mappings", Event.UnmappedSamples);
  llvm::sort(Places, [](const auto &A, const auto &B) {
    return std::tie(B.second, A.first) < std::tie(A.second, B.first);
  });

  constexpr size_t MaxPlaces = 5;
  std::string Text;
  uint64_t Rest = 0;
  for (auto [Index, Place] : enumerate(Places)) {
    if (Place.second == 0)
      continue;
    if (Index >= MaxPlaces) {
      Rest += Place.second;
      continue;
    }
    Text += (Text.empty() ? "" : ", ") + Place.first + " " +
            percentage(Place.second, Event.Total);
  }
  if (Rest)
    Text += ", others " + percentage(Rest, Event.Total);
  return Text;
}

} // namespace inlay
