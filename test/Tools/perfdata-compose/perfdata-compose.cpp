//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes a perf.data file from a description in text, so that tests can show
// what they feed in, and need no perf.
//
//   perfdata-compose DESCRIPTION -o perf.data
//
// A line is a keyword and its arguments: words, flags and KEY=VALUE, separated
// by blanks, in any order. '#' starts a comment where a word could start.
// Numbers are decimal or 0x. Container and events come first, then records in
// file order; features and damage may stand anywhere, but features before the
// first record in a stream.
//
// Container, a file unless the description says
//   pipe                     the stream of `perf record -o -'
//   headerless               records alone, as in the data.N of a directory
//   big-endian               the byte order of the machine that recorded
//
// Events
//   event NAME [type=1] [config=0] [freq=999|period=N] [precise=0]
//              [sample_type=IP|TID|TIME|PERIOD] [read_format=GROUP|ID|...]
//              [branch_type=HW_INDEX|COUNTERS|N] [regs_user=MASK]
//              [regs_intr=MASK] [stack_user=BYTES] [ids=ID,...] [no-id-all]
//              [attr_size=128]
//       One recorded event. sample_id_all is set unless no-id-all is given. The
//       default id of the n-th event is 100 + n.
//
// Records
//   map pid=N file=ELF [base=ADDR] [path=PATH] [buildid=auto|HEX] [mmap1]
//       The mappings (MMAP2, or MMAP with mmap1) that the loader makes of the
//       file's executable segments. base is where its first segment goes; for
//       an ET_EXEC file it is given by the file. Makes ELF's addresses known.
//   kernel file=VMLINUX [slide=N] [path=[kernel.kallsyms]_text]
//       The mapping that perf makes up for the kernel, moved by slide bytes.
//   module file=KO addr=ADDR [len=0x10000] [path=PATH]
//       A kernel module whose .text was loaded at addr. The addresses of kernel
//       and modules are known to all processes.
//   mmap2 pid=N addr=ADDR len=N [pgoff=0] path=PATH [buildid=HEX] [prot=rx]
//   mmap pid=N addr=ADDR len=N [pgoff=0] path=PATH [data]
//   comm pid=N NAME [exec]
//   fork pid=N ppid=N [tid=N] [ptid=N] [fork-exec]
//   exit pid=N [tid=N]
//   sample ADDRESS [xN] [spread=BYTES] [step=TIME] [rounds=N] [event=NAME]
//          [period=1] [chain=ADDRESS,...] [branches=FROM>TO[/FLAGS],...]
//          [addr=N] [cpu=N] [raw=HEX] [aux=HEX] [no-regs] [no-stack]
//          [exact-ip] [weight=N] [regs=N,...] [intr-regs=N,...] [regs-abi=2]
//          [stack=HEX]
//       N samples; with spread, at varying addresses from ADDRESS on; with
//       rounds, a `round' after every so many; step apart in time. A chain may
//       hold the context markers `kernel', `user', `hv', `guest',
//       `guest-kernel', `guest-user' and `user-deferred'. FLAGS of a branch are
//       numbers and, joined by `|', names: mispred, predicted, in_tx, abort,
//       cycles:N, spec:N, and a type: cond, uncond, ind, call, ind_call, ret,
//       syscall, sysret, cond_call, cond_ret, eret, irq, serror, no_tx,
//       new_type:N, and where it ran: user, kernel, hv.
//   lost N | lost-samples N | round
//   deferred COOKIE chain=ADDRESS,...
//       The user's part of a call chain, later.
//   auxtrace HEX | tracing-data HEX
//       An AUXTRACE or TRACING_DATA record and the bytes that follow it.
//   compress [chunk=0x8000] [version=1]
//       The records from here on are compressed: all that they have is cut into
//       chunks, each of which becomes a COMPRESSED (COMPRESSED2 with version=2)
//       record.
//   end-compression          the records from here on are not
//   event-names              in a stream: the names of the events come here
//   raw type=N [misc=N] [HEX]
//       Any record, its payload as given.
//   repeat N ... end         the lines in between, N times
//
//   Each record takes: time=N (default: one more than the last; sets the
//   clock), tid=N (default: pid), id=N, mode=user|kernel|hypervisor|unknown|
//   guest-kernel|guest-user. pid=N defaults to the last one given.
//
//   ADDRESS is a number, or ELF+SYMBOL, ELF+SYMBOL+N or ELF+N (a virtual
//   address), where ELF is the file of a `map' of the process.
//
// Features
//   hostname TEXT | arch TEXT | cpudesc TEXT | cpuid TEXT | cmdline WORD...
//   cpus N | sample-times FIRST LAST | pmu NAME type=N
//   buildid HEX path=PATH [pid=-1] [mode=user]
//       In a stream a record, in its place.
//   no-event-names           leave out what tells the events' names
//
// Damage
//   interrupted              as if perf had been killed: no data size, no
//                            features
//   patch OFFSET HEX         overwrite bytes; a negative offset counts from the
//                            end
//   truncate SIZE            cut the file; a negative size counts from the end
//
//===----------------------------------------------------------------------===//

#include "Composer.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <tuple>

using namespace llvm;
using namespace inlay;

static cl::opt<std::string> InputPath(cl::Positional, cl::init("-"),
                                      cl::desc("<description>"));
static cl::opt<std::string> OutputPath("o", cl::Required,
                                       cl::desc("File to write"));

static Error run() {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Input =
      MemoryBuffer::getFileOrSTDIN(InputPath);
  if (std::error_code EC = Input.getError())
    return fileError(InputPath, EC.message());
  std::error_code EC;
  raw_fd_ostream OS(OutputPath, EC);
  if (EC)
    return fileError(OutputPath, EC.message());
  OS.SetBufferSize(1 << 20);
  compose::Composer Composer(InputPath, OS);
  if (Error E = Composer.compose((*Input)->getBuffer()))
    return E;
  return Composer.applyDamage(OutputPath);
}

int main(int argc, char **argv) {
  cl::ParseCommandLineOptions(argc, argv,
                              "writes perf.data from a description in text\n");
  if (Error E = run()) {
    std::ignore = sys::fs::remove(OutputPath);
    return reportError("perfdata-compose", std::move(E));
  }
  return 0;
}
