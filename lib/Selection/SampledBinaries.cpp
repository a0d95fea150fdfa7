//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See SampledBinaries.h. Nothing here looks into a binary.
//
//===----------------------------------------------------------------------===//

#include "inlay/Selection/SampledBinaries.h"
#include "inlay/Object/BinaryLocator.h"
#include "inlay/Support/Quantities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <tuple>

using namespace llvm;

namespace inlay {

std::vector<BinarySamples> sampledBinaries(const EventSamples &Event) {
  std::vector<BinarySamples> Binaries;
  for (const BinarySamples &Samples : Event.Binaries)
    if (Samples.Total)
      Binaries.push_back(Samples);
  return Binaries;
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
