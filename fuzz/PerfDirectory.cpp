//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recordings of several files (`perf record --threads`): the input is the file
// with the header, and behind a line "data.0" that of a thread's records.
//
//===----------------------------------------------------------------------===//

#include "Recordings.h"

using namespace llvm;
using namespace inlay;
using namespace inlay::fuzz;

namespace {
/// A directory whose files are in memory.
class MemoryDirectory {
public:
  MemoryDirectory() {
    char Name[] = "/dev/shm/fuzz-perf-directory.XXXXXX";
    if (!mkdtemp(Name))
      fail("mkdtemp failed");
    Path = Name;
    if (symlink(Main.path().c_str(), (Path + "/data").c_str()) != 0 ||
        symlink(Thread.path().c_str(), (Path + "/data.0").c_str()) != 0)
      fail("symlink failed");
  }
  ~MemoryDirectory() {
    unlink((Path + "/data").c_str());
    unlink((Path + "/data.0").c_str());
    rmdir(Path.c_str());
  }

  MemoryFile Main, Thread;
  std::string Path;
};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static MemoryDirectory Directory;
  StringRef Bytes = input(Data, Size);
  auto [Main, Thread] = Bytes.split("data.0\n");
  Directory.Main.write(Main);
  Directory.Thread.write(Thread);
  readRecording(Directory.Path, Bytes);
  return 0;
}
