//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stores in memory, and captures to put into them.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_STORE_STORETEST_H
#define INLAY_UNITTESTS_STORE_STORETEST_H

#include "inlay/Store/Capture.h"
#include "inlay/Store/Schema.h"
#include "gtest/gtest.h"
#include <ctime>

namespace inlay {

// LLVM's own matchers of errors are in no distribution's library.

inline ::testing::AssertionResult succeeded(llvm::Error E) {
  if (!E)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << llvm::toString(std::move(E));
}

template <typename T>
::testing::AssertionResult succeeded(const llvm::Expected<T> &Value) {
  auto &Checked = const_cast<llvm::Expected<T> &>(Value);
  return Checked ? ::testing::AssertionSuccess()
                 : succeeded(Checked.takeError());
}

inline ::testing::AssertionResult failed(llvm::Error E) {
  if (!E)
    return ::testing::AssertionFailure() << "no error";
  llvm::consumeError(std::move(E));
  return ::testing::AssertionSuccess();
}

template <typename T>
::testing::AssertionResult failed(llvm::Expected<T> &&Value) {
  return failed(Value.takeError());
}

inline ::testing::AssertionResult failedWith(llvm::Error E,
                                             llvm::StringRef Message) {
  std::string Text = E ? llvm::toString(std::move(E)) : "no error";
  if (Text == Message)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << Text;
}

template <typename T, typename U>
::testing::AssertionResult hasValue(llvm::Expected<T> &&Value, U Wanted) {
  if (!Value)
    return ::testing::AssertionFailure() << llvm::toString(Value.takeError());
  if (*Value == Wanted)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << *Value << " instead of " << Wanted;
}

inline std::unique_ptr<Database> makeStore() {
  auto DB = openStore("sqlite::memory:", DatabaseAccess::Create);
  if (!DB) {
    ADD_FAILURE() << llvm::toString(DB.takeError());
    return nullptr;
  }
  return std::move(*DB);
}

/// Ten days ago, at midnight: clocks that are wrong by years are not believed.
inline int64_t tenDaysAgo() {
  static const int64_t Time = (std::time(nullptr) / 86400 - 10) * 86400;
  return Time;
}

/// A capture of one event in one binary, which \p Fill fills.
template <typename FillT>
Capture makeCapture(llvm::StringRef Content, FillT Fill) {
  Capture C;
  C.Application = "app";
  C.Version = "1";
  C.Host = "host";
  C.Started = tenDaysAgo();
  C.Content = Content.str();
  C.Profile.Arch = "x86_64";
  C.Profile.CpuID = "AuthenticAMD,25,1,1";
  EventSamples Event;
  Event.Attr.Name = "cpu-clock";
  Event.Attr.Type = 1;
  Event.Attr.IsFrequency = true;
  Event.Attr.SamplePeriodOrFrequency = 99;
  Event.Binaries.emplace_back();
  BinarySamples &Samples = Event.Binaries.back();
  Samples.Path = "/usr/bin/app";
  Samples.BuildID = {1, 2, 3, 4};
  Fill(Samples);
  for (auto [Offset, Count] : Samples.Counts)
    Samples.Total += Count;
  Event.Total = Samples.Total;
  C.Profile.Events.push_back(std::move(Event));
  return C;
}

} // namespace inlay

#endif
