//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact counts of one or more runs under callgrind, as its output files hold
// them: for each object file (executable, shared library) how often each of its
// instructions executed, and which jumps and calls were taken how often.
//
// callgrind simulates the program, so nothing here is an estimate. It wants
//
//   valgrind --tool=callgrind --dump-instr=yes --collect-jumps=yes ./app
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_EXACT_CALLGRINDPROFILE_H
#define INLAY_EXACT_CALLGRINDPROFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace inlay {

class DiagnosticSink;

/// A jump inside one object. callgrind takes a jump that leaves the function
/// (a tail call, one to a split-off part) for a call.
struct CallgrindJump {
  uint64_t From = 0, To = 0; ///< addresses of the jump and of where it led
  uint64_t Count = 0;        ///< times that it was taken
};

struct CallgrindCall {
  uint64_t Site = 0; ///< address of the call, or of the jump that was a call
  uint32_t CalleeObject = 0; ///< index into CallgrindProfile::Objects
  uint64_t Callee = 0;       ///< address in that object
  /// Index into CallgrindProfile::Functions.
  uint32_t CalleeName = 0;
  uint64_t Count = 0;
};

/// Addresses are virtual addresses of the object, as in its symbol table: the
/// place where it was loaded is not in them. For code of which valgrind did not
/// know the object ("???", also parts of an object outside its .text) they are
/// what they were in the process.
struct CallgrindObject {
  std::string Path; ///< "???" if callgrind did not know
  /// Address -> executions, sorted. Instructions that call through a PLT stub
  /// hold the stub's instructions as well, unless --skip-plt=no was given;
  /// x86's repeated string instructions hold their iterations.
  std::vector<std::pair<uint64_t, uint64_t>> Instructions;
  std::vector<CallgrindJump> Jumps; ///< by From, To
  std::vector<CallgrindCall> Calls; ///< by Site, CalleeObject, Callee
  uint64_t Total = 0;               ///< sum of Instructions; saturates

  /// Puts all of it into the order that is stated above.
  void sort();
};

struct CallgrindProfile {
  /// Those with executions, and those that were called; most executed first.
  std::vector<CallgrindObject> Objects;
  /// Names of callees as callgrind gives them: demangled unless it ran with
  /// --demangle=no, contexts of --separate-callers and -recs appended.
  std::vector<std::string> Functions;
  std::string Command; ///< as valgrind's command line had it, with arguments
  uint64_t Total = 0;  ///< sum over Objects; saturates
  /// There are jumps: --collect-jumps=yes was given.
  bool HasJumps = false;

  /// The object that the command started, or null if none has its name.
  CallgrindObject *mainObject();
};

/// The file begins as callgrind's output does. False if it cannot be read.
bool isCallgrindFile(llvm::StringRef Path);

/// Reads \p Paths and adds them up: the dumps of one run (callgrind.out.PID.1,
/// ...), the threads of one (callgrind.out.PID-01, ...), or several runs. A
/// file may hold several dumps (--combine-dumps=yes).
///
/// Errors name the file and the line. Fails on files without addresses of
/// instructions, and on such whose counts do not add up to the total that they
/// state: they were cut short or damaged. Warns where jumps, threads or dumps
/// are missing.
///
/// Files are streamed; memory is bounded by the distinct addresses, jumps,
/// calls and names in them, and by 1 MiB for a line.
llvm::Expected<CallgrindProfile> readCallgrind(
    llvm::ArrayRef<std::string> Paths, DiagnosticSink &Diagnostics,
    llvm::function_ref<void(uint64_t BytesRead)> OnProgress = nullptr);

} // namespace inlay

#endif
