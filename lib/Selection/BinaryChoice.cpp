//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A binary that the user names must fit, or we stop. If none is named, the
// sampled binaries are tried from the hottest down, and those that cannot be
// used are passed over: a program's hottest binary may well be a stripped libc.
//
//===----------------------------------------------------------------------===//

#include "inlay/Selection/BinaryChoice.h"
#include "inlay/Object/BinaryLocator.h"
#include "inlay/Selection/SampledBinaries.h"
#include "inlay/Support/Quantities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace inlay {

Error checkUsable(const ProfiledBinary &Binary) {
  std::string DebugFileHint = "give the directory of its debug file as "
                              "--debug-dir (build ID " +
                              formatBuildID(Binary.buildID()) + ")";
  for (const std::string &Rejected : Binary.rejectedDebugFiles())
    DebugFileHint += "; not taken: " + Rejected;
  if (Binary.isStripped() && !Binary.hasDebugInfo())
    return fileError(Binary.path(),
                     "is stripped: it has neither symbols nor debug "
                     "information; convert with the unstripped binary "
                     "(--binary), or " +
                         DebugFileHint);
  if (!Binary.hasSymbols())
    return fileError(Binary.path(),
                     "has no function symbols; link without -s, or " +
                         DebugFileHint);
  if (!Binary.hasDebugInfo())
    return fileError(Binary.path(),
                     "has no debug information; compile it with -gmlt "
                     "-fdebug-info-for-profiling and record again, or " +
                         DebugFileHint);
  return Error::success();
}

RecordedBinary recorded(const BinarySamples &Samples) {
  BinaryForm Form = BinaryForm::Program;
  if (Samples.Kind == CodeKind::Kernel)
    Form = BinaryForm::Kernel;
  else if (Samples.Kind == CodeKind::KernelModule)
    Form = BinaryForm::KernelModule;
  return {Samples.Path, Samples.BuildID, Form};
}

/// Mappings that are no files: [vdso], [heap], //anon, memfd.
static bool isFile(const BinarySamples &Samples) {
  StringRef Path = Samples.Path;
  if (Samples.Kind != CodeKind::User)
    return true;
  return !Path.empty() && !Path.starts_with("[") && !Path.starts_with("//") &&
         !Path.starts_with("/memfd:") && !Path.starts_with("anon_inode:");
}

/// The samples of the binary at \p Path, which the user named.
static Expected<ChosenBinary> chooseNamedBinary(
    StringRef Path, const EventSamples &Event, ArrayRef<BinarySamples> Sampled,
    const BinaryChoiceOptions &Options, DiagnosticSink &Diagnostics) {
  Expected<std::unique_ptr<ProfiledBinary>> BinaryOrErr =
      ProfiledBinary::open(Path, Options.DebugDirectories);
  if (!BinaryOrErr)
    return BinaryOrErr.takeError();
  ProfiledBinary &Binary = **BinaryOrErr;

  const BinarySamples *Best = nullptr;
  BinaryMatch BestMatch = BinaryMatch::No;
  for (const BinarySamples &Samples : Sampled) {
    BinaryMatch Match = matchBinary(recorded(Samples), Binary);
    if (Match < BestMatch) {
      Best = &Samples;
      BestMatch = Match;
    }
  }

  // The hottest that it could be, under another name.
  const auto *Other = llvm::find_if(Sampled, [&](const BinarySamples &Samples) {
    return isFile(Samples) && recorded(Samples).Form == Binary.form();
  });
  if (BestMatch == BinaryMatch::No && Options.IgnoreBuildID &&
      Other != Sampled.end()) {
    Best = &*Other;
    BestMatch = BinaryMatch::WrongBuildID;
  }
  if (BestMatch == BinaryMatch::No)
    return fileError(Options.PerfDataPath,
                     "none of its " + samples(Event.Total) + " is in " + Path +
                         " (build ID " + formatBuildID(Binary.buildID()) +
                         "); they are in: " + describePlaces(Event, Sampled) +
                         (Other == Sampled.end()
                              ? std::string()
                              : "; if it is " + Other->Path +
                                    " under another name, say "
                                    "--ignore-build-id"));
  if (BestMatch == BinaryMatch::WrongBuildID) {
    if (!Options.IgnoreBuildID)
      return fileError(
          Path, "wrong build ID: " + Options.PerfDataPath + " was recorded " +
                    "with " + Best->Path + " of build ID " +
                    formatBuildID(Best->BuildID) + ", this binary has " +
                    formatBuildID(Binary.buildID()) +
                    "; give the binary that ran, or override with "
                    "--ignore-build-id");
    Diagnostics.warning("taking the samples of " + Best->Path + " (build ID " +
                        formatBuildID(Best->BuildID) + ") for those of " +
                        Path + " (build ID " + formatBuildID(Binary.buildID()) +
                        "), as --ignore-build-id says");
  }
  if (BestMatch == BinaryMatch::Name)
    Diagnostics.note(
        Path + ": matched by name: " +
        (Best->BuildID.empty() ? Twine(Options.PerfDataPath) : Path) +
        " has no build ID to compare");
  if (Error E = takeOffsetsOf(recorded(*Best), Binary))
    return E;
  if (Error E = checkUsable(Binary))
    return E;
  return ChosenBinary{std::move(*BinaryOrErr), Best};
}

/// Opens one sampled binary where it can be found.
static Expected<ChosenBinary>
chooseSampledBinary(const BinarySamples &Samples,
                    const BinaryChoiceOptions &Options) {
  if (!isFile(Samples))
    return fileError(Samples.Path, "is no file");
  Expected<std::unique_ptr<ProfiledBinary>> BinaryOrErr = locateBinary(
      recorded(Samples), Options.DebugDirectories, Options.IgnoreBuildID);
  if (!BinaryOrErr)
    return BinaryOrErr.takeError();
  if (Error E = checkUsable(**BinaryOrErr))
    return E;
  return ChosenBinary{std::move(*BinaryOrErr), &Samples};
}

namespace {
/// A sampled binary that cannot be converted.
struct Unconverted {
  std::string Reason;
  uint64_t Total; ///< samples
};
} // namespace

/// A line for each of the first few and for each that matters, with its share;
/// one for all others.
static std::vector<std::string> describe(ArrayRef<Unconverted> Failures,
                                         const EventSamples &Event) {
  constexpr size_t Few = 5;
  std::vector<std::string> Lines;
  uint64_t Others = 0, InOthers = 0;
  for (const Unconverted &Each : Failures) {
    if (Lines.size() >= Few && Each.Total < Event.Total / 100) {
      ++Others;
      InOthers += Each.Total;
      continue;
    }
    Lines.push_back(Each.Reason + " (" + percentage(Each.Total, Event.Total) +
                    " of the samples)");
  }
  if (Others)
    Lines.push_back(std::to_string(Others) + " more (" +
                    percentage(InOthers, Event.Total) + " of the samples)");
  return Lines;
}

Expected<std::vector<ChosenBinary>>
chooseBinaries(const EventSamples &Event, ArrayRef<BinarySamples> Sampled,
               const BinaryChoiceOptions &Options,
               DiagnosticSink &Diagnostics) {
  std::vector<ChosenBinary> Chosen;
  for (const std::string &Path : Options.Binaries) {
    Expected<ChosenBinary> BinaryOrErr =
        chooseNamedBinary(Path, Event, Sampled, Options, Diagnostics);
    if (!BinaryOrErr)
      return BinaryOrErr.takeError();
    for (const ChosenBinary &Other : Chosen)
      if (Other.Samples == BinaryOrErr->Samples)
        return fileError(Path, "is the same binary as " + Other.Binary->path() +
                                   "; give it as --binary once");
    Chosen.push_back(std::move(*BinaryOrErr));
  }
  if (!Chosen.empty())
    return Chosen;

  std::vector<Unconverted> Failures;
  // A profile is of programs, unless of each binary one is made.
  std::vector<const BinarySamples *> Candidates;
  for (const BinarySamples &Samples : Sampled)
    if (Samples.Kind == CodeKind::User || Options.TakeKernel)
      Candidates.push_back(&Samples);
  if (Candidates.empty())
    return fileError(Options.PerfDataPath,
                     "none of its " + samples(Event.Total) +
                         " is in a binary that could be converted; they are "
                         "in: " +
                         describePlaces(Event, Sampled) +
                         (Event.KernelSamples
                              ? "; a kernel is converted if its vmlinux is "
                                "given as --binary"
                              : ""));
  for (const BinarySamples *Each : Candidates) {
    const BinarySamples &Samples = *Each;
    Expected<ChosenBinary> BinaryOrErr = chooseSampledBinary(Samples, Options);
    if (BinaryOrErr) {
      Chosen.push_back(std::move(*BinaryOrErr));
      if (!Options.TakeAll)
        break;
    } else {
      Failures.push_back({toString(BinaryOrErr.takeError()), Samples.Total});
    }
  }
  // A profile of a library that hardly ran would pass for one of the program.
  constexpr uint64_t FewerTimes = 4;
  bool IsMinor =
      !Options.TakeAll && !Chosen.empty() &&
      Chosen.front().Samples->Total < Candidates.front()->Total / FewerTimes;
  if (!Chosen.empty() && !IsMinor) {
    for (const std::string &Line : describe(Failures, Event))
      Diagnostics.note("not converted: " + Line);
    return Chosen;
  }

  std::string Text = IsMinor ? "what was sampled most cannot be converted:"
                             : "no binary with samples can be converted:";
  for (const std::string &Line : describe(Failures, Event))
    Text += "\n  " + Line;
  Text += "\ngive the binary as --binary, or a directory to look in as "
          "--debug-dir";
  if (IsMinor)
    Text += "; with --binary=" + Chosen.front().Binary->path().str() +
            " the profile is of that, which has " +
            percentage(Chosen.front().Samples->Total, Event.Total) +
            " of the samples";
  return fileError(Options.PerfDataPath, Text);
}

} // namespace inlay
