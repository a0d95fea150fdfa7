//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Carries out the lines of a description, one after the other.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_TEST_TOOLS_PERFDATA_COMPOSE_COMPOSER_H
#define INLAY_TEST_TOOLS_PERFDATA_COMPOSE_COMPOSER_H

#include "AddressNames.h"
#include "Container.h"

namespace inlay::compose {

class Composer {
public:
  /// \p InputPath is for messages.
  Composer(llvm::StringRef InputPath, llvm::raw_fd_ostream &OS)
      : InputPath(InputPath), OS(OS) {}

  /// Writes what \p Text describes, without the damage.
  llvm::Error compose(llvm::StringRef Text);
  /// Damages the file at \p OutputPath, which is what was written.
  llvm::Error applyDamage(llvm::StringRef OutputPath);

private:
  /// What every record of the kernel has.
  struct Common {
    const Event *E;
    int32_t Pid, Tid;
    uint64_t Id, Cpu;
    uint16_t Mode;
  };

  llvm::Error run(llvm::ArrayRef<Line> Lines);
  llvm::Error runLine(const Line &L);
  /// What may stand anywhere; false for other lines.
  llvm::Expected<bool> runSetting(const Line &L);
  llvm::Expected<bool> runFeature(const Line &L);
  llvm::Error patch(const Line &L);
  llvm::Error buildID(const Line &L);
  llvm::Error begin(const Line &L);

  // Records.cpp
  llvm::Error runRecord(const Line &L);
  llvm::Error mapElf(const Line &L, Common C);
  llvm::Error mapKernel(const Line &L, Common C);
  llvm::Error mmap(const Line &L, Common C);
  llvm::Error comm(const Line &L, Common C);
  llvm::Error task(const Line &L, Common C);
  llvm::Error lost(const Line &L, Common C);
  llvm::Error deferred(const Line &L, Common C);
  llvm::Error round(const Line &L, Common C);
  llvm::Error trace(const Line &L);
  llvm::Error compress(const Line &L);
  llvm::Error endCompression(const Line &L);
  llvm::Error eventNames(const Line &L);
  llvm::Error raw(const Line &L);

  // Sample.cpp
  llvm::Error sample(const Line &L, Common C);
  llvm::Expected<llvm::SmallVector<uint64_t>> chain(const Line &L);

  llvm::Expected<Common> common(const Line &L);
  llvm::Expected<const Event *> eventOf(const Line &L) const;
  llvm::Expected<uint64_t> address(const Line &L, llvm::StringRef Text) {
    return Names.address(L, LastPid, Text);
  }
  ByteBuffer buffer() const { return ByteBuffer(R.Order); }
  /// Adds the sample_id, and writes the record.
  void writeWithTrailer(uint32_t Type, uint16_t Misc, const Common &C,
                        ByteBuffer Payload);
  struct Mapping {
    uint64_t Address = 0, Length = 0, FileOffset = 0;
    llvm::StringRef Path;
    uint32_t Protection = 5; ///< read, execute
    llvm::ArrayRef<uint8_t> BuildID;
  };
  void writeMmap(uint32_t Type, uint16_t Misc, const Common &C,
                 const Mapping &M);

  llvm::StringRef InputPath;
  llvm::raw_fd_ostream &OS;
  Recording R;
  std::unique_ptr<Container> Output; ///< from the first record on
  enum { File, Pipe, Bare } Kind = File;
  AddressNames Names;
  uint64_t Clock = 0;
  int32_t LastPid = 1;

  std::vector<std::pair<int64_t, llvm::SmallVector<uint8_t, 0>>> Patches;
  std::optional<int64_t> Truncation;
};

} // namespace inlay::compose

#endif
