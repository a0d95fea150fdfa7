//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// perf ends its file properly when it gets SIGINT. It gets that when the time
// is over, when the collector is told to stop, and, by the kernel's hand, when
// the collector dies.
//
//===----------------------------------------------------------------------===//

#include "Recorder.h"
#include "inlay/Perf/PerfReader.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;

namespace inlay {

static sigset_t stopSignalSet(bool WithChild) {
  sigset_t Set;
  sigemptyset(&Set);
  for (int Signal : {SIGTERM, SIGINT, SIGHUP})
    sigaddset(&Set, Signal);
  if (WithChild)
    sigaddset(&Set, SIGCHLD);
  return Set;
}

StopSignals::StopSignals() {
  // SIGCHLD must not be ignored, or nobody could wait for it.
  std::signal(SIGCHLD, [](int) {});
  sigset_t Set = stopSignalSet(/*WithChild=*/true);
  sigprocmask(SIG_BLOCK, &Set, nullptr);
}

static timespec toTimespec(Milliseconds Time) {
  auto Seconds = std::chrono::duration_cast<std::chrono::seconds>(Time);
  return {static_cast<time_t>(Seconds.count()),
          static_cast<long>(std::chrono::nanoseconds(Time - Seconds).count())};
}

bool StopSignals::wait(Milliseconds Time) {
  if (Raised)
    return true;
  sigset_t Set = stopSignalSet(/*WithChild=*/false);
  timespec Timeout = toTimespec(Time);
  if (sigtimedwait(&Set, nullptr, &Timeout) > 0)
    Raised = true;
  return Raised;
}

/// Starts \p Arguments with output to \p LogPath. Returns the process's id.
static Expected<pid_t> start(ArrayRef<std::string> Arguments,
                             StringRef LogPath) {
  std::vector<char *> Vector;
  for (const std::string &Argument : Arguments)
    Vector.push_back(const_cast<char *>(Argument.c_str()));
  Vector.push_back(nullptr);
  std::string Log = LogPath.str();
  pid_t Parent = getpid();
  pid_t Child = fork();
  if (Child < 0)
    return createStringError(std::error_code(errno, std::generic_category()),
                             "cannot start perf");
  if (Child > 0)
    return Child;
  // In the child: nothing but system calls.
  prctl(PR_SET_PDEATHSIG, SIGINT);
  if (getppid() != Parent)
    _exit(127);
  // Ctrl-C at a terminal is for us to pass on.
  setpgid(0, 0);
  sigset_t Set = stopSignalSet(/*WithChild=*/true);
  sigprocmask(SIG_UNBLOCK, &Set, nullptr);
  int Null = ::open("/dev/null", O_RDONLY);
  int Output = ::open(Log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (Null >= 0)
    dup2(Null, 0);
  if (Output >= 0) {
    dup2(Output, 1);
    dup2(Output, 2);
  }
  execv(Vector[0], Vector.data());
  _exit(127);
}

/// Waits for \p Child no longer than \p Time or until told to stop. Its status,
/// or nullopt.
static std::optional<int> waitFor(pid_t Child, Milliseconds Time,
                                  StopSignals *Stop) {
  auto End = std::chrono::steady_clock::now() + Time;
  sigset_t Set = stopSignalSet(/*WithChild=*/true);
  while (!Stop || !Stop->isRaised()) {
    int Status;
    if (waitpid(Child, &Status, WNOHANG) == Child)
      return Status;
    auto Left = std::chrono::duration_cast<Milliseconds>(
        End - std::chrono::steady_clock::now());
    if (Left.count() <= 0)
      return std::nullopt;
    if (!Stop) {
      // Stop signals stay pending for who comes next.
      sigset_t ChildOnly;
      sigemptyset(&ChildOnly);
      sigaddset(&ChildOnly, SIGCHLD);
      timespec Timeout = toTimespec(Left);
      sigtimedwait(&ChildOnly, nullptr, &Timeout);
      continue;
    }
    timespec Timeout = toTimespec(Left);
    int Signal = sigtimedwait(&Set, nullptr, &Timeout);
    if (Signal > 0 && Signal != SIGCHLD)
      Stop->raise();
  }
  return std::nullopt;
}

/// The last line that perf printed.
static std::string lastLine(StringRef LogPath) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Log = MemoryBuffer::getFile(LogPath);
  if (!Log)
    return "";
  StringRef Text = (*Log)->getBuffer().rtrim();
  StringRef First = Text.split("\n\n").first;
  std::string Line = First.take_back(300).str();
  for (char &C : Line)
    if (C == '\n')
      C = ' ';
  return Line;
}

Expected<Recorder> Recorder::create(StringRef PerfPath) {
  ErrorOr<std::string> Perf =
      sys::findProgramByName(PerfPath.empty() ? "perf" : PerfPath);
  if (!Perf)
    return createStringError(
        inconvertibleErrorCode(),
        (PerfPath.empty() ? "perf" : PerfPath) +
            ": is not installed (linux-perf, linux-tools); --perf says where "
            "it is");
  return Recorder(std::move(*Perf));
}

/// An error if perf took a timer where it was asked for a counter: it does so
/// by itself, and says nothing.
static Error checkNotReplaced(StringRef RecordingPath) {
  DiagnosticSink Nowhere;
  auto Reader = PerfReader::open(RecordingPath, Nowhere);
  if (!Reader)
    return Reader.takeError();
  constexpr uint32_t SoftwareType = 1; // PERF_TYPE_SOFTWARE
  for (const PerfEventAttr &Attr : (*Reader)->attrs())
    if (Attr.Type == SoftwareType && StringRef(Attr.Name).contains("clock"))
      return createStringError(inconvertibleErrorCode(),
                               "this machine has no counters");
  return Error::success();
}

Error Recorder::chooseEvent(Recording &What, StringRef ScratchPath,
                            StopSignals &Stop) {
  static constexpr struct {
    StringLiteral Event, Branches;
  } Choices[] = {{"cycles:u", "any,u"}, {"cycles:u", ""}, {"cpu-clock:u", ""}};
  Error E = Error::success();
  for (const auto &Choice : Choices) {
    Recording Probe = What;
    Probe.Event = Choice.Event.str();
    Probe.Branches = Choice.Branches.str();
    Error Failure = probe(Probe, ScratchPath, Stop);
    if (!Failure && Choice.Event.starts_with("cycles"))
      Failure = checkNotReplaced(ScratchPath);
    sys::fs::remove(ScratchPath);
    if (!Failure) {
      consumeError(std::move(E));
      What.Event = Probe.Event;
      What.Branches = Probe.Branches;
      return Error::success();
    }
    consumeError(std::move(E));
    E = std::move(Failure);
  }
  return E;
}

std::vector<std::string> Recorder::commandLine(const Recording &What,
                                               StringRef OutputPath) const {
  std::vector<std::string> Arguments = {
      Perf, "record",  "-q", "-N", "-F", std::to_string(What.Frequency),
      "-e", What.Event};
  if (!What.Branches.empty())
    Arguments.insert(Arguments.end(), {"-j", What.Branches});
  if (What.WithCallChains)
    Arguments.insert(Arguments.end(), {"--call-graph", "fp"});
  if (What.Pid)
    Arguments.insert(Arguments.end(), {"-p", std::to_string(*What.Pid)});
  else
    Arguments.push_back("-a");
  Arguments.insert(Arguments.end(), {"-o", OutputPath.str()});
  return Arguments;
}

Error Recorder::probe(const Recording &What, StringRef OutputPath,
                      StopSignals &Stop) {
  // Ends when `true' does, which is soon.
  std::vector<std::string> Arguments = commandLine(What, OutputPath);
  Arguments.insert(Arguments.end(), {"--", "true"});
  return run(Arguments, OutputPath, Milliseconds(10000), Stop);
}

Error Recorder::record(const Recording &What, StringRef OutputPath,
                       StopSignals &Stop) {
  // The time is perf's own to keep: it takes a moment, or several on a busy
  // machine, until it begins.
  std::vector<std::string> Arguments = commandLine(What, OutputPath);
  std::string Seconds;
  raw_string_ostream(Seconds)
      << format("%.3f", static_cast<double>(What.Duration.count()) / 1000);
  Arguments.insert(Arguments.end(), {"--", "sleep", Seconds});
  constexpr Milliseconds Patience{60000};
  return run(Arguments, OutputPath, What.Duration + Patience, Stop);
}

Error Recorder::run(ArrayRef<std::string> Arguments, StringRef OutputPath,
                    Milliseconds Duration, StopSignals &Stop) {
  std::string Log = (OutputPath + ".log").str();
  Expected<pid_t> Child = start(Arguments, Log);
  if (!Child)
    return Child.takeError();
  std::optional<int> Status = waitFor(*Child, Duration, &Stop);
  if (!Status) {
    kill(*Child, SIGINT);
    // Writing out takes a moment; the whole machine's build IDs, a few.
    constexpr Milliseconds Patience{30000};
    Status = waitFor(*Child, Patience, nullptr);
  }
  if (!Status) {
    kill(*Child, SIGKILL);
    int Ignored;
    waitpid(*Child, &Ignored, 0);
    sys::fs::remove(Log);
    return createStringError(inconvertibleErrorCode(),
                             "perf did not end when it was asked to");
  }
  // Interrupted, perf ends by its own signal or by the one it gave `sleep'.
  bool IsInterrupted = WIFSIGNALED(*Status) && (WTERMSIG(*Status) == SIGINT ||
                                                WTERMSIG(*Status) == SIGTERM);
  bool HasFailed =
      !IsInterrupted && !(WIFEXITED(*Status) && WEXITSTATUS(*Status) == 0);
  std::string Message = HasFailed ? lastLine(Log) : "";
  sys::fs::remove(Log);
  if (HasFailed)
    return createStringError(inconvertibleErrorCode(),
                             "perf record failed" +
                                 (Message.empty() ? Twine() : ": " + Message));
  return Error::success();
}

} // namespace inlay
