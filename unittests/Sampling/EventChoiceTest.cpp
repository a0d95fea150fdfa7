//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which event is the best, and what is said of the choice.
//
//===----------------------------------------------------------------------===//

#include "inlay/Sampling/EventChoice.h"
#include "inlay/Support/Diagnostics.h"
#include "gtest/gtest.h"

using namespace inlay;
using namespace llvm;

namespace {

struct Notes final : DiagnosticSink {
  std::string Text;
  void note(const Twine &Message) override { Text += Message.str() + "\n"; }
  void warning(const Twine &Message) override { ADD_FAILURE(); }
};

struct ExampleProfile : RawProfile {
  /// An event with so many samples, all in one binary.
  EventSamples &add(StringRef Name, uint32_t Type, uint64_t Config,
                    uint64_t Samples) {
    EventSamples &E = Events.emplace_back();
    E.Attr.Name = Name.str();
    E.Attr.Type = Type;
    E.Attr.Config = Config;
    E.Total = Samples;
    BinarySamples &B = E.Binaries.emplace_back();
    B.Counts[0x10] = B.Total = Samples;
    return E;
  }
  // By linux/perf_event.h: PERF_TYPE_HARDWARE 0, SOFTWARE 1, RAW 4.
  EventSamples &cycles(uint64_t N) { return add("cycles", 0, 0, N); }
  EventSamples &clock(uint64_t N) { return add("cpu-clock", 1, 0, N); }
  EventSamples &faults(uint64_t N) { return add("faults", 1, 2, N); }

  std::string choice(StringRef Name = "") {
    auto Event = chooseEvent(*this, "file", Name, Said);
    return Event ? (*Event)->Attr.Name : toString(Event.takeError());
  }
  Notes Said;
};

} // namespace

TEST(EventChoiceTest, BetterEventsComeFirst) {
  ExampleProfile P;
  P.faults(4000);
  EXPECT_EQ(P.choice(), "faults");
  EXPECT_EQ(P.Said.Text, "");
  P.clock(3000);
  EXPECT_EQ(P.choice(), "cpu-clock");
  P.cycles(2000);
  EXPECT_EQ(P.choice(), "cycles");
  EventSamples &Precise = P.add("cycles:pp", 0, 0, 1500);
  Precise.Attr.PreciseIP = 2;
  EXPECT_EQ(P.choice(), "cycles:pp");
  // A cache miss can be as precise as it likes.
  P.add("misses:pp", 0, 3, 5000).Attr.PreciseIP = 2;
  EXPECT_EQ(P.choice(), "cycles:pp");
  EventSamples &Branches = P.add("br_inst_retired.near_taken", 4, 0x20c4, 1000);
  EXPECT_EQ(P.choice(), "cycles:pp");
  Branches.SamplesWithBranchStack = 1000;
  Branches.Binaries[0].Branches[{0x10, 0x20}] = 1; // calls only
  EXPECT_EQ(P.choice(), "cycles:pp");
  Branches.Binaries[0].Ranges[{0x20, 0x30}] = 1;
  EXPECT_EQ(P.choice(), "br_inst_retired.near_taken");
}

TEST(EventChoiceTest, AFewSamplesAreNotEnough) {
  ExampleProfile P;
  P.cycles(99);
  P.clock(1000);
  EXPECT_EQ(P.choice(), "cpu-clock");
  P.Events[0].Total = P.Events[0].Binaries[0].Total = 100;
  EXPECT_EQ(P.choice(), "cycles");
  P.clock(1000000);
  EXPECT_EQ(P.choice(), "cpu-clock");
  P.cycles(1000);
  EXPECT_EQ(P.choice(), "cycles");
}

TEST(EventChoiceTest, OfEqualsTheOneWithMostSamples) {
  ExampleProfile P;
  P.add("a", 0, 0, 1000);
  P.add("b", 0, 0, 1001);
  P.add("c", 0, 0, 1001);
  EXPECT_EQ(P.choice(), "b");
  // Samples in unknown places are of no use.
  P.add("d", 0, 0, 1001).Total = 9000;
  P.Events[3].Binaries[0].Total = 1000;
  EXPECT_EQ(P.choice(), "b");
}

TEST(EventChoiceTest, SaysWhichAndWhy) {
  ExampleProfile P;
  P.clock(1000);
  P.add("dummy:u", 1, 9, 0);
  EXPECT_EQ(P.choice(), "cpu-clock");
  EXPECT_EQ(P.Said.Text, "");
  P.faults(1);
  EXPECT_EQ(P.choice(), "cpu-clock");
  EXPECT_EQ(P.Said.Text,
            "using the event cpu-clock, which measures time; the file has "
            "cpu-clock (1000 samples), dummy:u (0 samples), faults (1 sample) "
            "(--event chooses)\n");
}

TEST(EventChoiceTest, TheUserChooses) {
  ExampleProfile P;
  P.cycles(2000);
  P.faults(1);
  EXPECT_EQ(P.choice("faults"), "faults");
  EXPECT_EQ(P.Said.Text, "");
  EXPECT_EQ(P.choice("fault"),
            "file: has no event 'fault'; --event may name one of: cycles (2000 "
            "samples), faults (1 sample)");
  P.add("dummy:u", 1, 9, 0);
  EXPECT_EQ(P.choice("dummy:u"),
            "file: holds no samples of the event 'dummy:u'; record again, for "
            "longer or with a higher frequency (perf record -F)");
}

TEST(EventChoiceTest, NoSamplesAtAll) {
  ExampleProfile P;
  P.clock(0);
  EXPECT_EQ(P.choice(), "file: holds no samples; record again, for longer or "
                        "with a higher frequency (perf record -F)");
}
