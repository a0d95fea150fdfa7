//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm-profstore collect: records for a while, now and then, and delivers.
//
// Every capture goes through the spool: first to this machine's disk, then to
// the store, then off the disk. So it does not matter at which moment the
// network, the store or this process goes away.
//
// When in its period a capture begins is random: hosts that sampled in step
// would see the same moment of everything that happens on the minute, and call
// at the store's door all at once.
//
//===----------------------------------------------------------------------===//

#include "Folding.h"
#include "Printing.h"
#include "Recorder.h"
#include "Subcommands.h"
#include "inlay/Store/CaptureFile.h"
#include "inlay/Store/Schema.h"
#include "inlay/Store/Spool.h"
#include "inlay/Store/TimeText.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <ctime>
#include <random>
#include <sys/resource.h>

using namespace llvm;

namespace inlay {

cl::SubCommand CollectCommand("collect", "Record now and then, and deliver");

#define COLLECT_OPTION cl::cat(ProfstoreCategory), cl::sub(CollectCommand)

static cl::opt<std::string> Application("app", COLLECT_OPTION,
                                        cl::value_desc("name"),
                                        cl::desc("What the captures are of"));
static cl::opt<std::string>
    Label("version", COLLECT_OPTION, cl::value_desc("label"),
          cl::desc("Which version of it runs: any text. Default: none"));
static cl::opt<std::string>
    Host("host", COLLECT_OPTION, cl::value_desc("name"),
         cl::desc("Name of this machine. Default: its host name"));
static cl::opt<int> Pid("pid", COLLECT_OPTION, cl::value_desc("P"),
                        cl::desc("Record this process, until it ends"));
static cl::opt<bool> All("all", COLLECT_OPTION,
                         cl::desc("Record all processes of the machine"));
static cl::opt<unsigned>
    Frequency("frequency", COLLECT_OPTION, cl::value_desc("Hz"), cl::init(99),
              cl::desc("Samples a second and CPU (default: 99)"));
static cl::opt<std::string>
    Duration("duration", COLLECT_OPTION, cl::value_desc("time"),
             cl::init("10s"), cl::desc("Length of a capture (default: 10s)"));
static cl::opt<std::string>
    Every("every", COLLECT_OPTION, cl::value_desc("time"), cl::init("5m"),
          cl::desc("One capture in that time, at a random moment of it "
                   "(default: 5m)"));
static cl::opt<unsigned>
    NumCaptures("captures", COLLECT_OPTION, cl::value_desc("N"), cl::init(0),
                cl::desc("End after N captures, which begin at once. Default: "
                         "never"));
static cl::opt<std::string>
    EventName("event", COLLECT_OPTION, cl::value_desc("name"),
              cl::desc("Event, as perf record -e takes it. Default: branch "
                       "records, cycles or cpu-clock, whatever the machine "
                       "has"));
static cl::opt<bool>
    CallChains("call-chains", COLLECT_OPTION,
               cl::desc("Record call chains as well, of programs that have "
                        "frame pointers: counts of calls become more exact"));
static cl::opt<std::string>
    SpoolDirectory("spool", COLLECT_OPTION, cl::value_desc("dir"),
                   cl::desc("Where captures wait for the store. Default: "
                            "STATE_DIRECTORY of systemd, or "
                            "~/.local/state/llvm-profstore/<app>"));
static cl::opt<unsigned>
    SpoolMiB("spool-limit", COLLECT_OPTION, cl::value_desc("MiB"),
             cl::init(256),
             cl::desc("How much may wait; then the oldest go (default: 256)"));
static cl::opt<std::string> PerfPath("perf", COLLECT_OPTION,
                                     cl::value_desc("path"),
                                     cl::desc("perf. Default: as PATH says"));

static Error complain(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

namespace {

/// Processor time of this process and its children, against the clock.
class Overhead {
public:
  std::string describe() const {
    auto Passed =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - Start);
    double Seconds = secondsOf(RUSAGE_SELF) + secondsOf(RUSAGE_CHILDREN);
    std::string Text;
    raw_string_ostream(Text)
        << format("collecting took %.3f s of processor time in %.1f s, "
                  "%.2f %% of one core",
                  Seconds, Passed.count(), 100 * Seconds / Passed.count());
    return Text;
  }

private:
  static double secondsOf(int Who) {
    rusage Usage = {};
    getrusage(Who, &Usage);
    auto Seconds = [](const timeval &Time) {
      return static_cast<double>(Time.tv_sec) +
             static_cast<double>(Time.tv_usec) / 1e6;
    };
    return Seconds(Usage.ru_utime) + Seconds(Usage.ru_stime);
  }
  std::chrono::steady_clock::time_point Start =
      std::chrono::steady_clock::now();
};

class Collector {
public:
  Collector(std::string URL, Recorder Perf, Recording What, Milliseconds Period,
            Spool Waiting, DiagnosticSink &Diagnostics)
      : URL(std::move(URL)), Perf(std::move(Perf)), What(std::move(What)),
        Period(Period), Waiting(std::move(Waiting)), Diagnostics(Diagnostics) {}

  Error run(StopSignals &Stop);

private:
  std::string pathInSpool(StringRef Name) const;
  std::string recordingPath() const { return pathInSpool("recording.data"); }
  Error capture(StopSignals &Stop);
  Error keep(int64_t Started, int64_t Milliseconds);
  void recover();
  void deliver();

  std::string URL;
  Recorder Perf;
  Recording What;
  Milliseconds Period;
  Spool Waiting;
  DiagnosticSink &Diagnostics;
  Overhead Spent;
  uint64_t Samples = 0;
  std::string LastTrouble; ///< with the store; said once
};

} // namespace

std::string Collector::pathInSpool(StringRef Name) const {
  SmallString<128> Path(Waiting.directory());
  sys::path::append(Path, Name);
  return std::string(Path);
}

/// What perf recorded becomes a capture in the spool.
Error Collector::keep(int64_t Started, int64_t Duration) {
  CaptureOrigin Origin;
  Origin.Application = Application;
  Origin.Version = Label;
  Origin.Host = Host.empty() ? localHost() : Host.getValue();
  Origin.Started = Started;
  Origin.Duration = Duration;
  Expected<Capture> C = readCapture(recordingPath(), Origin, Diagnostics);
  if (!C)
    return C.takeError();
  uint64_t Kept = keptSamples(*C);
  if (Kept) {
    if (Error E = Waiting.put(*C, Diagnostics)) {
      // The disk may be full; the store may still take it.
      Expected<std::unique_ptr<Database>> DB =
          openStore(URL, DatabaseAccess::Create);
      Error Failure = DB.takeError();
      if (!Failure)
        Failure = CaptureWriter(**DB).deliver(*C).takeError();
      if (Failure)
        return joinErrors(std::move(E), std::move(Failure));
      Diagnostics.warning(toString(std::move(E)) +
                          "; delivered without waiting");
    }
  }
  Samples += Kept;
  sys::fs::remove(recordingPath());
  Diagnostics.note("captured " + counted(Kept, "sample"));
  return Error::success();
}

Error Collector::capture(StopSignals &Stop) {
  int64_t Started = std::time(nullptr);
  auto Begin = std::chrono::steady_clock::now();
  if (Error E = Perf.record(What, recordingPath(), Stop))
    return E;
  // Told to stop before perf had begun.
  if (Stop.isRaised() && !sys::fs::exists(recordingPath()))
    return Error::success();
  auto Passed = std::chrono::duration_cast<Milliseconds>(
      std::chrono::steady_clock::now() - Begin);
  return keep(Started, Passed.count());
}

/// A recording that the collector did not live to read.
void Collector::recover() {
  sys::fs::file_status Status;
  if (sys::fs::status(recordingPath(), Status) ||
      !sys::fs::is_regular_file(Status))
    return;
  if (Error E = keep(sys::toTimeT(Status.getLastModificationTime()), 0)) {
    Diagnostics.warning("what was being recorded when the last collector ended "
                        "cannot be read: " +
                        toString(std::move(E)));
    sys::fs::remove(recordingPath());
  }
}

void Collector::deliver() {
  Expected<unsigned> Size = Waiting.size();
  if (Size && *Size == 0)
    return;
  consumeError(Size.takeError());
  Error E = Error::success();
  Expected<std::unique_ptr<Database>> DB =
      openStore(URL, DatabaseAccess::Create);
  if (DB) {
    E = Waiting.deliverTo(**DB, Diagnostics).takeError();
    if (!E)
      foldDelivered(**DB, Diagnostics);
  } else {
    E = DB.takeError();
  }
  std::string Trouble = E ? toString(std::move(E)) : "";
  if (!Trouble.empty() && Trouble != LastTrouble)
    Diagnostics.warning(Trouble + "; captures wait in " + Waiting.directory());
  else if (Trouble.empty() && !LastTrouble.empty())
    Diagnostics.note("the store takes captures again");
  LastTrouble = Trouble;
}

static bool exists(int Process) {
  return kill(Process, 0) == 0 || errno != ESRCH;
}

Error Collector::run(StopSignals &Stop) {
  if (What.Event.empty()) {
    if (Error E = Perf.chooseEvent(What, pathInSpool("probe.data"), Stop))
      return Stop.isRaised() ? (consumeError(std::move(E)), Error::success())
                             : std::move(E);
    Diagnostics.note("recording " + What.Event +
                     (What.Branches.empty() ? "" : " with branch records"));
  }
  recover();
  std::mt19937_64 Random{std::random_device()()};
  unsigned Failures = 0;
  auto PeriodStart = std::chrono::steady_clock::now();
  for (unsigned Captures = 0; !NumCaptures || Captures < NumCaptures;
       ++Captures) {
    // Told the number, somebody waits for the end.
    if (!NumCaptures) {
      auto Room = std::max(Period - What.Duration, Milliseconds(0));
      Milliseconds Moment(
          std::uniform_int_distribution<int64_t>(0, Room.count())(Random));
      auto Until = std::chrono::duration_cast<Milliseconds>(
          PeriodStart + Moment - std::chrono::steady_clock::now());
      if (Stop.wait(std::max(Until, Milliseconds(0))))
        break;
      PeriodStart = std::max(PeriodStart + Period,
                             std::chrono::steady_clock::now() - Period);
    }
    if (What.Pid && Captures != 0 && !exists(*What.Pid)) {
      Diagnostics.note("process " + Twine(*What.Pid) + " has ended");
      break;
    }
    Error E = capture(Stop);
    deliver();
    if (E) {
      // Once may be chance: a machine that was busy, a process that ended.
      constexpr unsigned MostFailures = 3;
      if (++Failures == MostFailures || (Captures == 0 && NumCaptures == 1))
        return E;
      Diagnostics.warning(toString(std::move(E)));
    } else {
      Failures = 0;
    }
    if (Stop.isRaised())
      break;
  }
  deliver();
  Diagnostics.note(counted(Samples, "sample") + "; " + Spent.describe());
  Expected<unsigned> Left = Waiting.size();
  if (!Left)
    return Left.takeError();
  if (*Left)
    Diagnostics.warning(counted(*Left, "capture") + " of " + Application +
                        " not delivered yet; they wait in " +
                        Waiting.directory() + " for the next collector");
  return Error::success();
}

static std::string defaultSpool() {
  SmallString<128> Path;
  if (auto State = sys::Process::GetEnv("STATE_DIRECTORY"))
    return StringRef(*State).split(':').first.str();
  if (auto State = sys::Process::GetEnv("XDG_STATE_HOME")) {
    Path = *State;
  } else if (sys::path::home_directory(Path)) {
    sys::path::append(Path, ".local", "state");
  } else {
    return "";
  }
  // An application's name may hold anything, slashes too.
  std::string Name = Application;
  for (char &C : Name)
    if (!isAlnum(C) && C != '-' && C != '_')
      C = '_';
  sys::path::append(Path, "llvm-profstore", Name);
  return std::string(Path);
}

Error collect() {
  StderrDiagnostics Diagnostics(ToolName, isQuiet());
  Expected<std::string> URL = storeURL();
  if (!URL)
    return URL.takeError();
  if (Application.empty())
    return complain("no application; say --app NAME");
  for (auto [What, Name] : {std::pair("--app", Application.getValue()),
                            std::pair("--version", Label.getValue()),
                            std::pair("--host", Host.getValue())})
    if (Error E = checkName(What, Name))
      return E;
  if (All == (Pid.getNumOccurrences() != 0))
    return complain("say either --pid P or --all");
  if (Pid.getNumOccurrences() && Pid <= 0)
    return complain("--pid takes the number of a process");
  if (Pid.getNumOccurrences() && !exists(Pid))
    return complain("there is no process " + Twine(Pid));
  constexpr unsigned MostHertz = 10000;
  if (Frequency == 0 || Frequency > MostHertz)
    return complain("--frequency takes 1 to " + Twine(MostHertz));
  Recording What;
  What.Event = EventName;
  What.Frequency = Frequency;
  What.WithCallChains = CallChains;
  if (Pid.getNumOccurrences())
    What.Pid = Pid;
  Expected<int64_t> Length = parseDuration(Duration, "--duration");
  if (!Length)
    return Length.takeError();
  What.Duration = Milliseconds(*Length);
  Expected<int64_t> Period = parseDuration(Every, "--every");
  if (!Period)
    return Period.takeError();
  if (*Period < *Length)
    return complain("--every must not be shorter than --duration");
  std::string Directory =
      SpoolDirectory.empty() ? defaultSpool() : SpoolDirectory.getValue();
  if (Directory.empty())
    return complain("there is no home directory to spool in; say --spool DIR");

  StopSignals Stop;
  Expected<Recorder> Perf = Recorder::create(PerfPath);
  if (!Perf)
    return Perf.takeError();
  // A mistake in the URL is told now; a store that is away is waited for.
  Expected<std::unique_ptr<Database>> DB =
      openStore(*URL, DatabaseAccess::Create);
  if (Error E = DB.takeError()) {
    if (kindOf(E) != DatabaseErrorKind::Unreachable)
      return E;
    Diagnostics.warning(toString(std::move(E)) + "; captures will wait");
  } else {
    DB->reset();
  }
  Expected<Spool> Waiting = Spool::open(Directory, uint64_t(SpoolMiB) << 20);
  if (!Waiting)
    return Waiting.takeError();
  return Collector(std::move(*URL), std::move(*Perf), std::move(What),
                   Milliseconds(*Period), std::move(*Waiting), Diagnostics)
      .run(Stop);
}

} // namespace inlay
