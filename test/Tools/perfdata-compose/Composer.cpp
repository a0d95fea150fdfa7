//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Composer.h. Here is what is said about the recording as a whole; records
// are in Records.cpp and Sample.cpp.
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include <tuple>

using namespace llvm;

namespace inlay::compose {

Error Composer::buildID(const Line &L) {
  if (L.Words.empty())
    return L.error("buildid needs hex digits");
  auto Bytes = L.hexBytes(L.Words.front());
  if (!Bytes)
    return Bytes.takeError();
  if (Bytes->size() > 20)
    return L.error("a build ID has at most 20 bytes");
  Expected<StringRef> Path = L.required("path");
  if (!Path)
    return Path.takeError();
  Expected<int64_t> Pid = L.number("pid", -1);
  if (!Pid)
    return Pid.takeError();
  Expected<uint16_t> Mode = L.mode();
  if (!Mode)
    return Mode.takeError();
  BuildIDEntry Entry{int32_t(*Pid), *Mode, Path->str(),
                     SmallVector<uint8_t, 20>(Bytes->begin(), Bytes->end())};
  // A stream has it in its place, a file in a table.
  if (Kind == File) {
    R.BuildIDs.push_back(std::move(Entry));
    return Error::success();
  }
  if (Error E = begin(L))
    return E;
  Output->buildID(Entry);
  return Error::success();
}

Error Composer::patch(const Line &L) {
  if (L.Words.size() != 2)
    return L.error("'patch' needs an offset and bytes");
  Expected<int64_t> Where = L.number(L.Words.front());
  if (!Where)
    return Where.takeError();
  auto Bytes = L.hexBytes(L.Words.back());
  if (!Bytes)
    return Bytes.takeError();
  Patches.push_back({*Where, std::move(*Bytes)});
  return Error::success();
}

Expected<bool> Composer::runFeature(const Line &L) {
  const unsigned Text = StringSwitch<unsigned>(L.Keyword)
                            .Case("hostname", FeatureHostName)
                            .Case("arch", FeatureArch)
                            .Case("cpudesc", FeatureCpuDesc)
                            .Case("cpuid", FeatureCpuID)
                            .Default(0);
  if (Text) {
    R.Texts[Text] = join(L.Words, " ");
    return true;
  }
  if (L.Keyword == "cmdline") {
    for (StringRef Word : L.Words)
      R.CommandLine.push_back(Word.str());
    return true;
  }
  if (L.Keyword == "cpus") {
    Expected<int64_t> Count = L.wordNumber(0, "a number");
    if (!Count)
      return Count.takeError();
    R.CpusOnline = *Count;
    return true;
  }
  if (L.Keyword == "sample-times") {
    Expected<int64_t> First = L.wordNumber(0, "two times"),
                      Last = L.wordNumber(1, "two times");
    if (!First || !Last)
      return joinErrors(First.takeError(), Last.takeError());
    R.SampleTimes = {*First, *Last};
    return true;
  }
  if (L.Keyword == "pmu") {
    Expected<int64_t> Type = L.number("type", 0);
    if (!Type)
      return Type.takeError();
    R.PMUs.push_back({uint32_t(*Type), join(L.Words, " ")});
    return true;
  }
  return false;
}

Expected<bool> Composer::runSetting(const Line &L) {
  if (L.Keyword == "no-event-names") {
    R.HasEventNames = false;
    return true;
  }
  if (L.Keyword == "interrupted") {
    R.IsInterrupted = true;
    return true;
  }
  if (L.Keyword == "truncate") {
    Expected<int64_t> Size = L.wordNumber(0, "a size");
    if (!Size)
      return Size.takeError();
    Truncation = *Size;
    return true;
  }
  if (L.Keyword == "big-endian" || L.Keyword == "pipe" ||
      L.Keyword == "headerless") {
    if (Output)
      return L.error("'" + L.Keyword + "' must stand before all records");
    if (L.Keyword == "big-endian")
      R.Order = endianness::big;
    else
      Kind = L.Keyword == "pipe" ? Pipe : Bare;
    return true;
  }
  return runFeature(L);
}

/// The container, now that a record is to be put into it.
Error Composer::begin(const Line &L) {
  if (Output)
    return Error::success();
  if (R.Events.empty())
    return L.error("an event must come before the first record");
  Output = Kind == File   ? makeFile(OS, R)
           : Kind == Pipe ? makePipe(OS, R)
                          : makeBare(OS, R);
  Output->begin();
  return Error::success();
}

Error Composer::runLine(const Line &L) {
  Expected<bool> IsSetting = runSetting(L);
  if (!IsSetting)
    return IsSetting.takeError();
  if (*IsSetting)
    return Error::success();
  if (L.Keyword == "patch")
    return patch(L);
  if (L.Keyword == "buildid")
    return buildID(L);
  if (L.Keyword == "event") {
    if (Output)
      return L.error("events must stand before all records");
    Expected<Event> E = Event::parse(L, 101 + R.Events.size());
    if (!E)
      return E.takeError();
    R.Events.push_back(std::move(*E));
    return Error::success();
  }
  return runRecord(L);
}

Error Composer::run(ArrayRef<Line> Lines) {
  for (size_t I = 0; I != Lines.size(); ++I) {
    const Line &L = Lines[I];
    if (L.Keyword == "end")
      return L.error("'end' without 'repeat'");
    if (L.Keyword != "repeat") {
      if (Error E = runLine(L))
        return E;
      continue;
    }
    Expected<int64_t> Count = L.wordNumber(0, "a number");
    if (!Count)
      return Count.takeError();
    unsigned Depth = 1;
    size_t End = I + 1;
    for (; End != Lines.size(); ++End) {
      Depth += Lines[End].Keyword == "repeat";
      Depth -= Lines[End].Keyword == "end";
      if (Depth == 0)
        break;
    }
    if (End == Lines.size())
      return L.error("'repeat' without 'end'");
    for (int64_t N = 0; N < *Count; ++N)
      if (Error E = run(Lines.slice(I + 1, End - I - 1)))
        return E;
    I = End;
  }
  return Error::success();
}

Error Composer::compose(StringRef Text) {
  std::vector<Line> Lines;
  unsigned Number = 0;
  for (StringRef LineText : split(Text, '\n'))
    if (std::optional<Line> L = Line::parse(InputPath, ++Number, LineText))
      Lines.push_back(std::move(*L));
  if (Error E = run(Lines))
    return E;
  if (R.Events.empty())
    return createStringError(inconvertibleErrorCode(),
                             InputPath + ": there is no event");
  if (Error E = begin(Line()))
    return E;
  Output->finish();
  return Error::success();
}

Error Composer::applyDamage(StringRef OutputPath) {
  OS.flush();
  const int64_t Size = OS.tell();
  for (const auto &[Where, Bytes] : Patches) {
    int64_t Offset = Where < 0 ? Size + Where : Where;
    if (Offset < 0 || Offset + int64_t(Bytes.size()) > Size)
      return createStringError(inconvertibleErrorCode(),
                               InputPath + ": the patch at " + Twine(Where) +
                                   " is outside of the file of " + Twine(Size) +
                                   " bytes");
    OS.pwrite(reinterpret_cast<const char *>(Bytes.data()), Bytes.size(),
              Offset);
  }
  OS.close();
  if (!Truncation)
    return Error::success();
  int64_t NewSize = *Truncation < 0 ? Size + *Truncation : *Truncation;
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForReadWrite(
      OutputPath, sys::fs::CD_OpenExisting, sys::fs::OF_None);
  if (!File)
    return File.takeError();
  std::error_code EC = sys::fs::resize_file(*File, NewSize);
  std::ignore = sys::fs::closeFile(*File);
  return errorCodeToError(EC);
}

} // namespace inlay::compose
