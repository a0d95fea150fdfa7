//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Progress.h.
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/Progress.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inlay {

/// Back to the first column, and erase what is there.
static constexpr char EraseLine[] = "\r\033[K";

Progress::Progress(StringRef What, uint64_t Total, Unit CountedIn)
    : What(What), Total(Total), CountedIn(CountedIn),
      IsTerminal(sys::Process::StandardErrIsDisplayed()),
      NextUpdate(Clock::now() + std::chrono::seconds(2)) {}

Progress::~Progress() {
  if (IsShown)
    errs() << EraseLine;
}

void Progress::update(uint64_t Done) {
  if (!IsTerminal)
    return;
  Clock::time_point Now = Clock::now();
  if (Now < NextUpdate)
    return;
  NextUpdate = Now + std::chrono::milliseconds(250);
  IsShown = true;
  uint64_t Scale = CountedIn == Unit::Bytes ? 1000000 : 1;
  errs() << EraseLine << What << ": ";
  if (Total)
    errs() << unsigned(100.0 * double(Done) / double(Total)) << '%';
  if (CountedIn == Unit::Percent)
    return;
  if (Total)
    errs() << " (" << Done / Scale << " of " << Total / Scale;
  else
    errs() << Done / Scale;
  errs() << (CountedIn == Unit::Bytes ? " MB" : " functions")
         << (Total ? ")" : "");
}

} // namespace inlay
