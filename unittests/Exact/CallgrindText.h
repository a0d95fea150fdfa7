//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A file in memory, read as callgrind's: writing each of many to a disk would
// take longer than the tests.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_UNITTESTS_EXACT_CALLGRINDTEXT_H
#define INLAY_UNITTESTS_EXACT_CALLGRINDTEXT_H

#include "inlay/Exact/CallgrindProfile.h"
#include "inlay/Support/Diagnostics.h"
#include "gtest/gtest.h"
#include <sys/mman.h>
#include <unistd.h>

namespace inlay {

/// Remembers what was said.
class RecordedDiagnostics final : public DiagnosticSink {
public:
  void warning(const llvm::Twine &Message) override {
    Warnings.push_back(Message.str());
  }
  std::vector<std::string> Warnings;
};

class CallgrindTextTest : public testing::Test {
protected:
  void TearDown() override {
    for (int Descriptor : Descriptors)
      close(Descriptor);
  }

  /// A path to \p Text.
  std::string file(llvm::StringRef Text) {
    int Descriptor = memfd_create("callgrind", 0);
    EXPECT_NE(Descriptor, -1);
    Descriptors.push_back(Descriptor);
    EXPECT_EQ(write(Descriptor, Text.data(), Text.size()),
              ssize_t(Text.size()));
    return "/proc/self/fd/" + std::to_string(Descriptor);
  }

  llvm::Expected<CallgrindProfile> read(llvm::StringRef Text) {
    return readCallgrind({file(Text)}, Diagnostics);
  }

  /// The error, without the file's name; empty if there is none.
  std::string error(llvm::StringRef Text) {
    std::string Path = file(Text);
    llvm::Expected<CallgrindProfile> Profile =
        readCallgrind({Path}, Diagnostics);
    if (Profile)
      return "";
    std::string Message = toString(Profile.takeError());
    EXPECT_TRUE(llvm::StringRef(Message).starts_with(Path)) << Message;
    return Message.substr(std::min(Path.size(), Message.size()));
  }

  RecordedDiagnostics Diagnostics;

private:
  std::vector<int> Descriptors;
};

} // namespace inlay

#endif
