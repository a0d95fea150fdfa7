//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One line of a callgrind file after the other.
//
// A file is a header of "key: value" lines and a body; further dumps may
// follow, each with lines of both kinds. The body is a program for a small
// machine whose registers are an object (ob=), a function (fn=) and a position:
//
//   ob=(2) /usr/bin/app      defines object 2; later "ob=(2)" is enough
//   fn=(7) main
//   0x1210 14 1              position (address, line), cost
//   +4 * 100                 relative to the position before
//   cob=(3) libc.so.6        callee's object; without it the caller's
//   cfn=(9) memcpy
//   calls=100 0x8a0 20       count, position of the callee
//   +5 * 4200                position of the call, cost of the callee
//   jcnd=99/100 -9 *         taken, executed, position of the target
//   * *                      position of the jump
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_EXACT_CALLGRINDPARSER_H
#define INLAY_LIB_EXACT_CALLGRINDPARSER_H

#include "inlay/Exact/CallgrindProfile.h"
#include "inlay/Support/SeededHash.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace inlay {

class CallgrindParser {
public:
  /// Begins a file. \p Path is for messages and must outlive the parser.
  void beginFile(llvm::StringRef Path);
  /// \p Line is without its end.
  llvm::Error parseLine(llvm::StringRef Line);
  /// The same of a line that has no end, because the file does: an error says
  /// so, whatever is wrong with what is there of it.
  llvm::Error parseUnendedLine(llvm::StringRef Line);
  /// Checks what can be checked at a file's end only.
  llvm::Error endFile();

  /// All files are read: warns about what is missing and hands over.
  CallgrindProfile finish(DiagnosticSink &Diagnostics);

  llvm::Error errorHere(const llvm::Twine &Message) const;

private:
  /// Jumps and calls, keyed by what makes two of them the same.
  using JumpKey = std::pair<uint64_t, uint64_t>;
  using CallKey = std::tuple<uint64_t, uint32_t, uint64_t, uint32_t>;
  struct ObjectCounts {
    std::string Path;
    std::unordered_map<uint64_t, uint64_t, SeededHash> Instructions;
    std::unordered_map<JumpKey, uint64_t, SeededHash> Jumps;
    std::map<CallKey, uint64_t> Calls;
  };
  /// What the next line with a position is.
  enum class PositionLine { Cost, Call, Jump };
  using IdTable = std::unordered_map<uint32_t, uint32_t, SeededHash>;
  using NameTable = std::map<std::string, uint32_t, std::less<>>;
  struct DumpId {
    uint64_t Process = 0, Part = 1;
    uint64_t Thread = 0; ///< from 1; 0: all together
    bool operator<(const DumpId &Other) const {
      return std::tie(Process, Part, Thread) <
             std::tie(Other.Process, Other.Part, Other.Thread);
    }
  };

  llvm::Error parseHeader(llvm::StringRef Key, llvm::StringRef Value);
  llvm::Error parseSpecification(llvm::StringRef Key, llvm::StringRef Value);
  llvm::Error parsePositionLine(llvm::StringRef Line);
  llvm::Error parseCalls(llvm::StringRef Value);
  llvm::Error parseJump(llvm::StringRef Value, bool IsConditional);
  /// Takes the subpositions off \p Text, and gives the address.
  llvm::Expected<uint64_t> takePosition(llvm::StringRef &Text) const;
  /// "(id) name", "(id)" or "name" -> what \p ByName has for the name.
  llvm::Expected<uint32_t>
  resolveName(llvm::StringRef Text, IdTable &ById,
              llvm::function_ref<uint32_t(llvm::StringRef)> Intern) const;
  uint32_t internObject(llvm::StringRef Path);
  uint32_t internFunction(llvm::StringRef Name);
  void beginDump();
  void warnAboutDumps(DiagnosticSink &Diagnostics) const;

  llvm::StringRef Path;
  uint64_t LineNumber = 0;

  // The header's.
  std::string Command;
  DumpId Dump;
  bool HasVersion = false;
  bool HasPositions = false;
  unsigned PositionCount = 0; ///< subpositions
  unsigned AddressIndex = 0;
  unsigned EventCount = 0;
  unsigned InstructionsIndex = 0; ///< of Ir, among the events

  // Registers of the body.
  uint64_t Address = 0;
  std::optional<uint32_t> Object, CalleeObject, CalleeName;
  PositionLine Next = PositionLine::Cost;
  uint64_t TransferCount = 0;  ///< of a call or jump whose position follows
  uint64_t TransferTarget = 0; ///< likewise
  bool HasBody = false;        ///< costs since the last totals
  uint64_t DumpSum = 0;        ///< of costs since the last totals
  bool HasTotals = false;      ///< in this file

  // Names; ids hold for one file.
  IdTable ObjectById, FunctionById;
  NameTable ObjectByPath, FunctionByName;
  std::vector<std::string> Functions;

  std::vector<ObjectCounts> Objects;
  std::set<DumpId> Dumps;
};

} // namespace inlay

#endif
