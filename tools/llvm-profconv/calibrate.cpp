//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profconv calibrate: a table of rates for the machine it runs on, or from
// measurements that are there already.
//
//===----------------------------------------------------------------------===//

#include "Subcommands.h"
#include "inlay/Calibration/Measurement.h"
#include "inlay/Exact/ExactFrequencies.h"
#include "inlay/Frequency/Estimation.h"
#include "inlay/Frequency/RateTraining.h"
#include "inlay/Object/MachineCFG.h"
#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Sampling/EventChoice.h"
#include "inlay/Sampling/SampleFile.h"
#include "inlay/Selection/SampledBinaries.h"
#include "inlay/Support/Diagnostics.h"
#include "inlay/Support/OutputFile.h"
#include "inlay/Support/Quantities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <cmath>

using namespace llvm;

namespace inlay {

cl::SubCommand CalibrateCommand("calibrate",
                                "Measure how this machine's samples fall, for "
                                "convert --rates");

const SubcommandHelp CalibrateHelp = {
    "Measures how samples fall on this machine, and writes a table of rates "
    "that\nconvert and accuracy go by.\n",
    "\nEXAMPLES:\n"
    "  llvm-profconv calibrate -o rates.json\n"
    "  llvm-profconv perf.data --rates=rates.json -o app.prof\n"
    "  llvm-profconv calibrate --from=app,perf.data,callgrind.out.123 -o "
    "rates.json\n"
    "      learns from measurements of one's own\n"};

#define CALIBRATE_OPTION cl::cat(ProfconvCategory), cl::sub(CalibrateCommand)

static cl::opt<std::string>
    OutputPath("o", CALIBRATE_OPTION, cl::value_desc("file"),
               cl::desc("Write the table of rates to <file>; - is standard "
                        "output"));
static cl::opt<std::string>
    CompilerName("compiler", CALIBRATE_OPTION, cl::value_desc("cc"),
                 cl::desc("Compile the programs with this C compiler and its "
                          "C++ compiler. Default: clang, else gcc, else cc"));
static cl::opt<std::string>
    EventName("event", CALIBRATE_OPTION, cl::value_desc("name"),
              cl::desc("Record this event, as perf record -e takes it "
                       "(default: cpu-clock:u)"));
static cl::opt<double>
    Seconds("seconds", CALIBRATE_OPTION, cl::init(MeasuringOptions().Seconds),
            cl::desc("Record each program for about so long (default: 4)"));
static cl::list<std::string> Sources(
    "from", CALIBRATE_OPTION, cl::value_desc("binary,perf.data,callgrind.out"),
    cl::desc("Measure nothing, and learn from this program's samples and exact "
             "counts. May be repeated, also for several recordings of one "
             "program"));
static cl::opt<std::string>
    TableName("name", CALIBRATE_OPTION, cl::value_desc("name"),
              cl::desc("The table's name. Default: the CPU's"));
static cl::opt<std::string>
    KeepDirectory("keep", CALIBRATE_OPTION, cl::value_desc("dir"),
                  cl::desc("Put programs and recordings into <dir> and leave "
                           "them there"));
// For tests, which have no minute to spare: not in --help.
static cl::list<std::string> OnlyPrograms("only", cl::sub(CalibrateCommand),
                                          cl::Hidden, cl::CommaSeparated);
static cl::opt<bool> Quiet("quiet", CALIBRATE_OPTION,
                           cl::desc("Print errors only"));

namespace {

/// A program whose samples and exact counts are there.
struct MeasuredProgram {
  std::string Binary;
  std::vector<std::string> PerfData;
  std::string Callgrind;
  /// Executions that were recorded for each one that was counted; 0: not
  /// known.
  unsigned Rounds = 0;
};

/// Learns from one program after the other.
class Lessons {
public:
  explicit Lessons(DiagnosticSink &Diagnostics) : Diagnostics(Diagnostics) {}
  Error add(const MeasuredProgram &Program);
  /// Fails if there is nothing to learn from.
  Expected<RateTable> table() const;

private:
  /// The samples in \p Binary of all recordings of \p Program.
  Expected<BinarySamples> readSamples(const MeasuredProgram &Program,
                                      const ProfiledBinary &Binary);
  /// Fails unless all recordings are of one CPU and event.
  Error checkRecording(StringRef Path, const RawProfile &Profile,
                       const PerfEventAttr &Attr);

  DiagnosticSink &Diagnostics;
  std::string CpuID, CpuDesc;
  std::optional<PerfEventAttr> Attr; ///< of the first recording
  /// By program.
  std::vector<std::vector<RateObservation>> Observations;
  uint64_t Samples = 0;
  /// Samples for each execution of an instruction, of the programs whose Rounds
  /// are known, and an index into Observations.
  std::vector<std::pair<unsigned, double>> SamplesPerExecution;
};

} // namespace

Error Lessons::checkRecording(StringRef Path, const RawProfile &Profile,
                              const PerfEventAttr &NewAttr) {
  if (!sampledEventOf(NewAttr))
    return fileError(Path, "the event " + NewAttr.Name +
                               " does not tell how often code ran; record "
                               "cpu-clock, cycles or instructions");
  if (!Attr) {
    CpuID = Profile.CpuID;
    CpuDesc = Profile.CpuDesc;
    Attr = NewAttr;
    return Error::success();
  }
  if (CpuID != Profile.CpuID ||
      sampledEventOf(*Attr) != sampledEventOf(NewAttr) ||
      isPrecise(*Attr) != isPrecise(NewAttr))
    return fileError(Path, "was recorded on the CPU " + Profile.CpuID +
                               " with the event " + NewAttr.Name +
                               ", others on " + CpuID + " with " + Attr->Name +
                               "; a table is for one CPU and event");
  return Error::success();
}

Expected<BinarySamples> Lessons::readSamples(const MeasuredProgram &Program,
                                             const ProfiledBinary &Binary) {
  BinarySamples Sum;
  for (const std::string &Path : Program.PerfData) {
    Expected<RawProfile> Profile = readSampleFile(Path, Diagnostics);
    if (!Profile)
      return Profile.takeError();
    Expected<const EventSamples *> Event = chooseEvent(
        *Profile, Path, Sources.empty() ? StringRef() : EventName, Diagnostics);
    if (!Event)
      return Event.takeError();
    if (Error E = checkRecording(Path, *Profile, (*Event)->Attr))
      return E;
    for (const BinarySamples &Part : sampledBinaries(**Event)) {
      bool IsOfBinary = Part.BuildID.empty() || Binary.buildID().empty()
                            ? sys::path::filename(Part.Path) ==
                                  sys::path::filename(Binary.path())
                            : ArrayRef(Part.BuildID) == Binary.buildID();
      if (!IsOfBinary)
        continue;
      Sum.Counts.add(Part.Counts);
      Sum.Total += Part.Total;
    }
  }
  if (!Sum.Total)
    return fileError(Program.PerfData.front(),
                     "has no samples in " + Binary.path() +
                         "; is it the binary that ran?");
  return Sum;
}

Error Lessons::add(const MeasuredProgram &Program) {
  Expected<std::unique_ptr<ProfiledBinary>> Binary =
      ProfiledBinary::open(Program.Binary);
  if (!Binary)
    return Binary.takeError();
  if (!(*Binary)->hasSymbols())
    return fileError(Program.Binary,
                     "has no function symbols; give the program before it was "
                     "stripped (its code is the same)");
  Expected<std::unique_ptr<MachineCode>> Code = MachineCode::create(**Binary);
  if (!Code)
    return Code.takeError();
  Expected<BinarySamples> Sampled = readSamples(Program, **Binary);
  if (!Sampled)
    return Sampled.takeError();

  Expected<CallgrindProfile> Callgrind =
      readCallgrind({Program.Callgrind}, Diagnostics);
  if (!Callgrind)
    return Callgrind.takeError();
  const CallgrindObject *Object = Callgrind->mainObject();
  if (!Object)
    return fileError(Program.Callgrind,
                     "has no counts of the program that was started (" +
                         Callgrind->Command + ")");
  ExactCounts Exact = exactFrequencies(*Callgrind, *Object, **Binary, **Code);
  if (Exact.OffInstructions > Object->Total / 100)
    return fileError(Program.Callgrind, "is not of " + Program.Binary +
                                            " (nor of a stripped copy): it has "
                                            "counts between instructions");
  std::vector<std::pair<uint64_t, uint64_t>> Executions;
  for (const FunctionFrequencies &Function : Exact.Frequencies.Functions)
    append_range(Executions, Function.Instructions);
  llvm::sort(Executions);

  BinaryObservations Observed =
      observeRates(*Sampled, **Binary, **Code, Executions,
                   isPrecise(*Attr) ? SampleSkid::None : SampleSkid::Next);
  if (Program.Rounds && Observed.Samples && Observed.Executions)
    SamplesPerExecution.emplace_back(
        Observations.size(),
        double(Observed.Samples) /
            (double(Observed.Executions) * Program.Rounds));
  Observations.push_back(std::move(Observed.Observations));
  Samples += Observed.Samples;
  return Error::success();
}

/// "AuthenticAMD,25,1,1" -> vendor, family, model.
static CPUMatch matchOf(StringRef CpuID) {
  SmallVector<StringRef, 4> Fields;
  CpuID.split(Fields, ',');
  CPUMatch Match;
  unsigned Family, Model;
  if (Fields.size() < 3 || Fields[1].getAsInteger(10, Family) ||
      Fields[2].getAsInteger(10, Model))
    return Match;
  Match.Vendor = Fields[0].str();
  Match.Families = {Family};
  Match.Models = {Model};
  return Match;
}

Expected<RateTable> Lessons::table() const {
  // Fewer would make a table of noise.
  constexpr uint64_t LeastSamples = 1000;
  if (!Attr || Samples < LeastSamples)
    return complain("only " + samples(Samples) +
                    " to learn from; record for longer");
  RateTable Table;
  Table.Name = !TableName.empty() ? TableName.getValue()
               : !CpuID.empty()   ? CpuID
                                  : "unnamed";
  Table.CPU = matchOf(CpuID);
  Table.Event = *sampledEventOf(*Attr);
  Table.IsPrecise = isPrecise(*Attr);
  raw_string_ostream(Table.Provenance)
      << Samples << " samples of " << Attr->Name << " on "
      << (CpuDesc.empty() ? "an unknown CPU" : CpuDesc)
      << ", exact counts from callgrind; " << Observations.size()
      << (Sources.empty() ? " calibration programs" : " programs");
  std::vector<double> LogFactors = trainRateTable(Table, Observations);

  if (!SamplesPerExecution.empty()) {
    // Each program has its own opinion of what rate 1 costs.
    double LogSum = 0;
    for (auto [Program, Samples] : SamplesPerExecution)
      LogSum += std::log(Samples) + LogFactors[Program];
    double SamplesAtRateOne =
        std::exp(LogSum / double(SamplesPerExecution.size()));
    // What executionScale() takes for one nanosecond an instruction is the
    // time between two samples.
    RateTable OneNanosecond;
    OneNanosecond.NanosecondsPerInstruction = 1;
    ExecutionScale Scale = executionScale(*Attr, OneNanosecond);
    if (!Scale.IsAssumed && Table.Event != SampledEvent::Instructions)
      Table.NanosecondsPerInstruction =
          SamplesAtRateOne * Scale.ExecutionsPerSample;
  }
  return Table;
}

/// The programs named by --from, recordings of one program taken together.
static Expected<std::vector<MeasuredProgram>> parseSources() {
  std::vector<MeasuredProgram> Programs;
  for (StringRef Source : Sources) {
    SmallVector<StringRef, 3> Fields;
    Source.split(Fields, ',');
    if (Fields.size() != 3 || is_contained(Fields, ""))
      return complain("--from takes binary,perf.data,callgrind.out, not '" +
                      Source + "'");
    auto Known = find_if(Programs, [&](const MeasuredProgram &P) {
      return P.Binary == Fields[0] && P.Callgrind == Fields[2];
    });
    if (Known == Programs.end()) {
      Programs.push_back({Fields[0].str(), {}, Fields[2].str(), 0});
      Known = std::prev(Programs.end());
    }
    Known->PerfData.push_back(Fields[1].str());
  }
  return Programs;
}

/// The table must not replace what it is made of.
static Error checkSourcesAreKept(ArrayRef<MeasuredProgram> Programs) {
  for (const MeasuredProgram &Program : Programs) {
    SmallVector<StringRef, 4> Inputs = {Program.Binary, Program.Callgrind};
    append_range(Inputs, Program.PerfData);
    for (StringRef Input : Inputs)
      if (Error E = checkNotOverwritten(OutputPath, Input, "-o"))
        return E;
  }
  return Error::success();
}

/// Set by the first signal that asks to end; the second one ends at once.
static std::atomic<bool> IsInterrupted = false;

namespace {

/// The directory that measurements go to; removed at the end unless --keep
/// names it.
class MeasuringDirectory {
public:
  MeasuringDirectory() : Path(KeepDirectory) {}
  ~MeasuringDirectory() {
    if (IsTemporary)
      sys::fs::remove_directories(Path);
  }

  Error make() {
    std::error_code EC;
    if (Path.empty()) {
      EC = sys::fs::createUniqueDirectory("llvm-profconv", Path);
      IsTemporary = !EC;
    } else {
      EC = sys::fs::create_directories(Path);
    }
    if (!EC)
      EC = sys::fs::make_absolute(Path);
    return EC ? fileError(Path, "the directory for the measurements cannot be "
                                "made: " +
                                    EC.message())
              : Error::success();
  }
  std::string path() const { return std::string(Path); }

private:
  SmallString<128> Path;
  bool IsTemporary = false;
};

} // namespace

static Error measureAndLearn(Lessons &Learned, DiagnosticSink &Diagnostics) {
  Expected<MeasuringTools> Tools = MeasuringTools::find(CompilerName);
  if (!Tools)
    return Tools.takeError();
  MeasuringDirectory Directory;
  if (Error E = Directory.make())
    return E;

  MeasuringOptions Options;
  Options.Directory = Directory.path();
  Options.Event = EventName.empty() ? "cpu-clock:u" : EventName.getValue();
  Options.Seconds = Seconds;
  std::vector<CalibrationProgram> Programs = calibrationPrograms().vec();
  if (!OnlyPrograms.empty())
    erase_if(Programs, [](const CalibrationProgram &P) {
      return !is_contained(OnlyPrograms, P.Name);
    });
  // So that the directory is removed.
  sys::SetInterruptFunction([] { IsInterrupted = true; });
  for (auto [Index, Program] : enumerate(Programs)) {
    Diagnostics.note("measuring " + Program.Name + " (" + Twine(Index + 1) +
                     " of " + Twine(Programs.size()) + ")");
    Expected<ProgramMeasurement> M = measure(Program, *Tools, Options);
    if (IsInterrupted) {
      if (!M)
        consumeError(M.takeError());
      return complain("interrupted; nothing was written");
    }
    if (!M)
      return M.takeError();
    if (Error E =
            Learned.add({M->Binary, {M->PerfData}, M->Callgrind, M->Rounds}))
      return E;
  }
  return Error::success();
}

Error calibrate() {
  StderrDiagnostics Diagnostics(ToolName, Quiet);
  if (OutputPath.empty())
    return complain("no output file; usage: llvm-profconv calibrate -o "
                    "rates.json");
  if (!(Seconds >= 0.1 && Seconds <= 600))
    return complain("--seconds takes 0.1 to 600");
  if (Error E = checkOutputPath(OutputPath, "-o"))
    return E;

  Lessons Learned(Diagnostics);
  if (Sources.empty()) {
    if (Error E = measureAndLearn(Learned, Diagnostics))
      return E;
  } else {
    Expected<std::vector<MeasuredProgram>> Programs = parseSources();
    if (!Programs)
      return Programs.takeError();
    if (Error E = checkSourcesAreKept(*Programs))
      return E;
    for (const MeasuredProgram &Program : *Programs)
      if (Error E = Learned.add(Program))
        return E;
  }

  Expected<RateTable> TableOrErr = Learned.table();
  if (!TableOrErr)
    return TableOrErr.takeError();
  const RateTable &Table = *TableOrErr;
  if (Error E = writeOutputFile(OutputPath, formatRateTable(Table)))
    return E;
  Diagnostics.note("rates from " + Table.Provenance + ", written to " +
                   OutputPath);
  return Error::success();
}

} // namespace inlay
