//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What ran under callgrind is often a copy of the binary without debug
// information (valgrind does not read the newest DWARF), and so has another
// name. Its build ID is the same; where there is none, the copy may still be
// the very program that callgrind says it ran. A wrong guess does not pass:
// instructions of another binary do not begin where this one's do.
//
//===----------------------------------------------------------------------===//

#include "inlay/Selection/CountedBinary.h"
#include "inlay/Exact/UnknownCode.h"
#include "inlay/Object/BinaryLocator.h"
#include "inlay/Selection/BinaryChoice.h"
#include "inlay/Support/Progress.h"
#include "inlay/Support/Quantities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace inlay {

Expected<CallgrindProfile> readCounts(ArrayRef<std::string> Paths,
                                      DiagnosticSink &Diagnostics) {
  uint64_t Total = 0;
  for (const std::string &Path : Paths) {
    uint64_t Size;
    if (!sys::fs::file_size(Path, Size))
      Total += Size;
  }
  Progress Reading("reading " + Paths.front(), Total);
  return readCallgrind(Paths, Diagnostics,
                       [&](uint64_t Bytes) { Reading.update(Bytes); });
}

/// The build ID of the file that \p Object was, if it is still there.
static SmallVector<uint8_t, 20> buildIDOf(const CallgrindObject &Object) {
  if (!sys::fs::is_regular_file(Object.Path))
    return {};
  Expected<object::OwningBinary<object::ObjectFile>> File =
      object::ObjectFile::createObjectFile(Object.Path);
  if (!File) {
    consumeError(File.takeError());
    return {};
  }
  object::BuildIDRef ID = object::getBuildID(File->getBinary());
  return SmallVector<uint8_t, 20>(ID.begin(), ID.end());
}

static std::string instructions(uint64_t Count) {
  return utostr(Count) + (Count == 1 ? " instruction" : " instructions");
}

/// "app 90.0 %, libc.so.6 9.0 %, others 1.0 %"
static std::string describeObjects(const CallgrindProfile &Profile) {
  constexpr size_t MaxObjects = 5;
  std::string Text;
  uint64_t Rest = Profile.Total;
  for (const CallgrindObject &Object :
       ArrayRef(Profile.Objects).take_front(MaxObjects)) {
    if (Object.Total == 0)
      break;
    StringRef Name = sys::path::filename(Object.Path);
    Text += (Text.empty() ? "" : ", ") +
            (Name == "???" ? StringRef("unknown objects") : Name).str() + " " +
            percentage(Object.Total, Profile.Total);
    Rest -= std::min(Rest, Object.Total);
  }
  if (Rest)
    Text += ", others " + percentage(Rest, Profile.Total);
  return Text;
}

Expected<CallgrindObject *> findObject(CallgrindProfile &Profile,
                                       const ProfiledBinary &Binary,
                                       const CountedBinaryOptions &Options,
                                       DiagnosticSink &Diagnostics) {
  CallgrindObject *Best = nullptr;
  BinaryMatch BestMatch = BinaryMatch::No;
  SmallVector<uint8_t, 20> BestBuildID;
  auto Offer = [&](CallgrindObject &Object, BinaryMatch Match,
                   const SmallVector<uint8_t, 20> &BuildID) {
    if (Match >= BestMatch)
      return;
    Best = &Object;
    BestMatch = Match;
    BestBuildID = BuildID;
  };
  const CallgrindObject *Main = Profile.mainObject();
  for (CallgrindObject &Object : Profile.Objects) {
    if (Object.Total == 0 || Object.Path == "???")
      continue;
    SmallVector<uint8_t, 20> BuildID = buildIDOf(Object);
    BinaryMatch Match = matchBinary({Object.Path, BuildID}, Binary);
    if (Match == BinaryMatch::No && &Object == Main)
      Match = BuildID.empty() || Binary.buildID().empty()
                  ? BinaryMatch::Name
                  : BinaryMatch::WrongBuildID;
    Offer(Object, Match, BuildID);
  }

  StringRef Path = Binary.path();
  switch (BestMatch) {
  case BinaryMatch::BuildID:
    return Best;
  case BinaryMatch::Name:
    Diagnostics.note(
        "taking the counts of " + Best->Path + " for those of " + Path +
        ": it " +
        (sys::path::filename(Best->Path) == sys::path::filename(Path)
             ? "has that name"
             : "is the program that callgrind ran") +
        ", and there are no two build IDs to compare");
    return Best;
  case BinaryMatch::WrongBuildID:
    if (Options.IgnoreBuildID) {
      Diagnostics.warning("taking the counts of " + Best->Path + " (build ID " +
                          formatBuildID(BestBuildID) + ") for those of " +
                          Path + " (build ID " +
                          formatBuildID(Binary.buildID()) +
                          "), as --ignore-build-id says");
      return Best;
    }
    return fileError(
        Path, "wrong build ID: " + Options.CallgrindPath + " is of " +
                  Best->Path + ", which has build ID " +
                  formatBuildID(BestBuildID) + " now; this binary has " +
                  formatBuildID(Binary.buildID()) +
                  "; give the binary that ran or the one that it was stripped "
                  "from, or override with --ignore-build-id");
  case BinaryMatch::No:
    break;
  }
  return fileError(Options.CallgrindPath,
                   "none of its " + instructions(Profile.Total) +
                       " was executed in " + Path + " (build ID " +
                       formatBuildID(Binary.buildID()) +
                       "); they were executed in: " + describeObjects(Profile));
}

/// checkUsable(), with a hint at what may be the reason.
static Error checkUsableForCounts(const ProfiledBinary &Binary) {
  Error E = checkUsable(Binary);
  if (!E)
    return E;
  return createStringError(toString(std::move(E)) +
                           "; if it is a copy without debug information, "
                           "made for valgrind, give the binary that it was "
                           "made from as --binary");
}

/// Opens the file that \p Object was.
static Expected<CountedBinary>
chooseObject(CallgrindObject &Object, const CountedBinaryOptions &Options) {
  if (!sys::path::is_absolute(Object.Path))
    return fileError(Object.Path, "is no file");
  SmallVector<uint8_t, 20> BuildID = buildIDOf(Object);
  Expected<std::unique_ptr<ProfiledBinary>> BinaryOrErr = locateBinary(
      {Object.Path, BuildID}, Options.DebugDirectories, Options.IgnoreBuildID);
  if (!BinaryOrErr)
    return BinaryOrErr.takeError();
  if (Error E = checkUsableForCounts(**BinaryOrErr))
    return E;
  return CountedBinary{std::move(*BinaryOrErr), &Object};
}

static Expected<CountedBinary>
chooseNamedBinary(StringRef Path, CallgrindProfile &Profile,
                  const CountedBinaryOptions &Options,
                  DiagnosticSink &Diagnostics) {
  Expected<std::unique_ptr<ProfiledBinary>> BinaryOrErr =
      ProfiledBinary::open(Path, Options.DebugDirectories);
  if (!BinaryOrErr)
    return BinaryOrErr.takeError();
  Expected<CallgrindObject *> Object =
      findObject(Profile, **BinaryOrErr, Options, Diagnostics);
  if (!Object)
    return Object.takeError();
  if (Error E = checkUsableForCounts(**BinaryOrErr))
    return E;
  return CountedBinary{std::move(*BinaryOrErr), *Object};
}

Expected<std::vector<CountedBinary>>
chooseCountedBinaries(CallgrindProfile &Profile,
                      const CountedBinaryOptions &Options,
                      DiagnosticSink &Diagnostics) {
  std::vector<CountedBinary> Chosen;
  for (const std::string &Path : Options.Binaries) {
    Expected<CountedBinary> BinaryOrErr =
        chooseNamedBinary(Path, Profile, Options, Diagnostics);
    if (!BinaryOrErr)
      return BinaryOrErr.takeError();
    for (const CountedBinary &Other : Chosen)
      if (Other.Object == BinaryOrErr->Object)
        return fileError(Path, "is the same binary as " + Other.Binary->path() +
                                   "; give it as --binary once");
    Chosen.push_back(std::move(*BinaryOrErr));
  }
  if (!Chosen.empty())
    return Chosen;

  if (!Options.TakeAll) {
    CallgrindObject *Main = Profile.mainObject();
    if (!Main)
      return fileError(Options.CallgrindPath,
                       "does not tell which object is the program ('cmd: " +
                           Profile.Command + "'); name one as --binary: " +
                           describeObjects(Profile));
    Expected<CountedBinary> BinaryOrErr = chooseObject(*Main, Options);
    if (!BinaryOrErr)
      return BinaryOrErr.takeError();
    Chosen.push_back(std::move(*BinaryOrErr));
    return Chosen;
  }

  for (CallgrindObject &Object : Profile.Objects) {
    if (Object.Total == 0 || Object.Path == "???")
      continue;
    Expected<CountedBinary> BinaryOrErr = chooseObject(Object, Options);
    if (BinaryOrErr) {
      Chosen.push_back(std::move(*BinaryOrErr));
      continue;
    }
    std::string Reason = toString(BinaryOrErr.takeError()) + " (" +
                         percentage(Object.Total, Profile.Total) +
                         " of the instructions)";
    Diagnostics.note("not converted: " + Reason);
  }
  if (Chosen.empty())
    return fileError(Options.CallgrindPath,
                     "no object can be converted; give a binary as --binary, "
                     "or a directory to look in as --debug-dir");
  return Chosen;
}

static void warnAboutUnknownCode(const CallgrindProfile &Profile,
                                 DiagnosticSink &Diagnostics) {
  for (const CallgrindObject &Object : Profile.Objects)
    if (Object.Path == "???" && Object.Total > Profile.Total / 20)
      Diagnostics.warning(percentage(Object.Total, Profile.Total) +
                          " of the instructions are in code of which callgrind "
                          "did not know the object: made at run time, or in "
                          "sections other than .text");
}

Expected<MachineFrequencies> countFrequencies(CallgrindProfile &Profile,
                                              CallgrindObject &Object,
                                              const ProfiledBinary &Binary,
                                              MachineCode &Code,
                                              DiagnosticSink &Diagnostics) {
  if (uint64_t Count = adoptUnknownCode(Profile, Object, Binary, Code))
    Diagnostics.note(Binary.path() + ": " + instructions(Count) +
                     " of which callgrind did not know the object are its own, "
                     "in sections other than .text");
  if (&Object == Profile.mainObject())
    warnAboutUnknownCode(Profile, Diagnostics);
  ExactCounts Exact = exactFrequencies(Profile, Object, Binary, Code);
  // A few are possible: code that jumps behind the lock prefix of an
  // instruction.
  if (Exact.OffInstructions > Object.Total / 20)
    return fileError(
        Binary.path(),
        "is not what callgrind ran as " + Object.Path + ": " +
            percentage(Exact.OffInstructions, Object.Total) +
            " of the instructions that were executed are at addresses where "
            "this binary has none; give the binary that ran, or the one that "
            "it was stripped from");
  if (Exact.Frequencies.SamplesInFunctions == 0)
    return fileError(Binary.path(),
                     "none of the " + instructions(Object.Total) +
                         " that callgrind counted in " + Object.Path +
                         " is in a function that its symbol table knows; is it "
                         "the binary that ran?");
  if (Exact.CorrectedSites)
    Diagnostics.note(Binary.path() +
                     ": callgrind added the PLT's instructions " +
                     "to the counts of " + Twine(Exact.CorrectedSites) +
                     (Exact.CorrectedSites == 1 ? " call" : " calls") +
                     ", which were taken from the code around instead "
                     "(--skip-plt=no keeps them apart)");
  if (Exact.UnnamedCalls > Exact.Frequencies.SamplesInFunctions / 10000)
    Diagnostics.note(Binary.path() + ": " + Twine(Exact.UnnamedCalls) + " of " +
                     Twine(Exact.IndirectCalls) +
                     " indirect calls go to other objects, under names that no "
                     "symbol has; run callgrind with --demangle=no to know "
                     "them");
  return std::move(Exact.Frequencies);
}

} // namespace inlay
