//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses by name: which ELF files the processes have mapped where, so that a
// description can say app+main+4.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TEST_TOOLS_PERFDATA_COMPOSE_ADDRESSNAMES_H
#define INLAY_TEST_TOOLS_PERFDATA_COMPOSE_ADDRESSNAMES_H

#include "Line.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELFObjectFile.h"
#include <map>
#include <memory>

namespace inlay::compose {

/// Stands for the kernel's mappings, which all processes see.
inline constexpr int32_t KernelPid = -1;

struct ElfFile {
  llvm::object::OwningBinary<llvm::object::ObjectFile> Binary;
  llvm::StringMap<uint64_t> Symbols;
  struct Segment {
    uint64_t Address, FileOffset, FileSize;
    bool IsExecutable;
  };
  std::vector<Segment> Segments;
  bool IsFixed = false; ///< ET_EXEC
};

class AddressNames {
public:
  /// Loads the file at \p Path, once.
  llvm::Expected<ElfFile *> elf(const Line &L, llvm::StringRef Path);

  /// From now on \p Path is at \p Bias in process \p Pid.
  void map(int32_t Pid, llvm::StringRef Path, uint64_t Bias) {
    Biases[Pid][Path.str()] = Bias;
  }
  void fork(int32_t Pid, int32_t Parent) { Biases[Pid] = Biases[Parent]; }
  void exec(int32_t Pid) { Biases.erase(Pid); }

  /// \p Text is a number, or FILE+SYMBOL[+N] or FILE+N in process \p Pid.
  llvm::Expected<uint64_t> address(const Line &L, int32_t Pid,
                                   llvm::StringRef Text);

private:
  llvm::StringMap<std::unique_ptr<ElfFile>> Elves;
  /// By process and path.
  std::map<int32_t, std::map<std::string, uint64_t>> Biases;
};

} // namespace inlay::compose

#endif
