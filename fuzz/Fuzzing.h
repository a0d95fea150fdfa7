//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all targets share: an input as a file, and what an error must say.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_FUZZ_FUZZING_H
#define INLAY_FUZZ_FUZZING_H

#include "Allocations.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdio>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace inlay::fuzz {

/// Ends the run: the fuzzer keeps the input that led here.
[[noreturn]] inline void fail(llvm::StringRef Why) {
  std::fprintf(stderr, "%s\n", Why.str().c_str());
  std::abort();
}

/// A file in memory, written anew for each input: a disk would be most of the
/// time. As long as it stays open its path does not change.
class MemoryFile {
public:
  MemoryFile() : Descriptor(memfd_create("fuzz", 0)) {
    if (Descriptor == -1)
      fail("memfd_create failed");
    Path = "/proc/self/fd/" + std::to_string(Descriptor);
  }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  ~MemoryFile() { close(Descriptor); }

  void write(llvm::StringRef Bytes) {
    if (ftruncate(Descriptor, 0) != 0 ||
        pwrite(Descriptor, Bytes.data(), Bytes.size(), 0) !=
            ssize_t(Bytes.size()))
      fail("cannot write the input");
  }
  const std::string &path() const { return Path; }

private:
  int Descriptor;
  std::string Path;
};

/// An error is one message that begins with \p File and says more than that.
inline void checkError(llvm::Error E, llvm::StringRef File) {
  std::string Message = llvm::toString(std::move(E));
  if (!llvm::StringRef(Message).starts_with(File) ||
      Message.size() < File.size() + 10)
    fail("an error that does not name its file: " + Message);
}

inline llvm::StringRef input(const uint8_t *Data, size_t Size) {
  return {reinterpret_cast<const char *>(Data), Size};
}

} // namespace inlay::fuzz

#endif
