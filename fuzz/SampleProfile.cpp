//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sample profiles of all of LLVM's formats: what ProfileValidation lets
// through, LLVM's reader must survive. Read as a whole, as tools do, and for a
// module, as the plugin does.
//
//===----------------------------------------------------------------------===//

#include "Fuzzing.h"
#include "inlay/Profile/ProfileFile.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace inlay;
using namespace inlay::fuzz;

/// With some of the functions that the seeds have profiles of.
static std::unique_ptr<Module> makeModule(LLVMContext &Context) {
  auto M = std::make_unique<Module>("module", Context);
  auto *Type = FunctionType::get(Type::getVoidTy(Context), false);
  for (StringRef Name : {"main", "cold"})
    Function::Create(Type, GlobalValue::ExternalLinkage, Name, *M);
  return M;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static MemoryFile File;
  static LLVMContext Context;
  static const std::unique_ptr<Module> M = makeModule(Context);
  File.write(input(Data, Size));
  // Compressed sections may grow 32 times, or to a MiB.
  constexpr MemoryBound Bound = {20000, 32 << 20};
  for (const Module *For : {static_cast<const Module *>(nullptr),
                            static_cast<const Module *>(M.get())})
    runWithin(Bound, Size, [&] {
      Expected<ProfileFile> Profile = readProfile(File.path(), For);
      if (!Profile)
        return checkError(Profile.takeError(), File.path());
      Profile->Map.print(nulls());
    });
  return 0;
}
