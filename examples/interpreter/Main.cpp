//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// interpreter SCRIPT INPUT [ROUNDS]: runs a script, whose output ends up on the
// standard output, followed by a checksum of it. ROUNDS is the global `rounds'
// of the script: how much work there is.
//
//===----------------------------------------------------------------------===//

#include "Tree.h"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <utility>

using namespace script;

static int fail(const std::string &Where, const std::string &What) {
  std::fprintf(stderr, "interpreter: error: %s: %s\n", Where.c_str(),
               What.c_str());
  return 1;
}

static bool readFile(const char *Path, std::string &Contents) {
  std::ifstream In(Path, std::ios::binary);
  Contents.assign(std::istreambuf_iterator<char>(In), {});
  return In.is_open();
}

int main(int Count, char **Arguments) {
  if (Count < 3 || Count > 4) {
    std::fprintf(stderr, "usage: interpreter SCRIPT INPUT [ROUNDS]\n");
    return 1;
  }
  std::string Script, Input;
  if (!readFile(Arguments[1], Script))
    return fail(Arguments[1], "cannot be read");
  if (!readFile(Arguments[2], Input))
    return fail(Arguments[2], "cannot be read");

  Machine M;
  defineBuiltins(M, std::move(Input));
  M.Globals[M.globalSlot("rounds")] =
      Value::integer(Count == 4 ? std::atoll(Arguments[3]) : 1);

  Value Main = parse(Script, M), Result;
  if (Main.isNil() || !Main.asObject().call(M, M.Stack.data(), 0, Result))
    return fail(Arguments[1], M.Error.Reason);

  uint64_t Checksum = 0xcbf29ce484222325;
  for (unsigned char C : M.Output)
    Checksum = (Checksum ^ C) * 0x100000001b3;
  std::fputs(M.Output.c_str(), stdout);
  std::printf("checksum %016" PRIx64 "\n", Checksum);
  return 0;
}
