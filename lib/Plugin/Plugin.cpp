//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inlay.so: registers the passes with the compiler that loads it, and nothing
// else.
//
// The pass runs where clang's own sample-profile loader would: at the end of
// early simplification, before any inlining. Before that, we make sure that the
// compiler is the one that we were built for; afterwards, that no instrumented
// profile is about to be read into a CFG that we have changed.
//
//===----------------------------------------------------------------------===//

#include "inlay/Support/LLVMCompat.h"
#include "inlay/Transforms/InlayPass.h"
#include "inlay/Transforms/ProfilingBuildPass.h"
#include "llvm-c/Core.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Instrumentation/PGOInstrumentation.h"
#include INLAY_PASS_PLUGIN_HEADER

#include <cstdlib>
#include <dlfcn.h>
#include <link.h>

using namespace llvm;
using namespace inlay;

/// Instrumented PGO matches its profile by a hash of the CFG, which inlining
/// has changed by the time its pass runs: the combination cannot work.
static void refuseInstrumentedProfile(PassInstrumentationCallbacks &PIC) {
  PIC.registerBeforeNonSkippedPassCallback([](StringRef Pass, Any IR) {
    if (Pass != "PGOInstrumentationUse" && Pass != "PGOInstrumentationGen")
      return;
    const auto *M = any_cast<const Module *>(&IR);
    if (!M || !isAnnotatedByInlay(**M))
      return;
    (*M)->getContext().emitError(
        "Inlay: a sample profile (-inlay-profile) cannot be combined with "
        "-fprofile-generate or -fprofile-use: choose one");
  });
}

// Before LLVM 20 nobody asks.
[[maybe_unused]] static bool isBeforeLink(ThinOrFullLTOPhase Phase) {
  return Phase == ThinOrFullLTOPhase::ThinLTOPreLink ||
         Phase == ThinOrFullLTOPhase::FullLTOPreLink;
}

static void addInlay(ModulePassManager &MPM, OptimizationLevel Level,
                     bool IsBeforeLink) {
  Options Opts = Options::fromCommandLine();
  Opts.IsBeforeLink = IsBeforeLink;
  if (Opts.ProfilePath.empty() || Level == OptimizationLevel::O0)
    return;
  MPM.addPass(InlayPass(std::move(Opts)));
  // Without -fprofile-sample-use nobody else schedules it. In its LTO mode it
  // looks static functions up by their plain names, as a sample profile has
  // them, and not by "file;name".
  MPM.addPass(PGOIndirectCallPromotion(/*IsInLTO=*/true, /*SamplePGO=*/true));
}

/// "inlay", "inlay<profile=F;...>", "inlay-profiling-build" and
/// "print<inlay-contexts>".
static bool parsePass(StringRef Name, ModulePassManager &MPM,
                      ArrayRef<PassBuilder::PipelineElement>) {
  if (Name == "print<inlay-contexts>") {
    MPM.addPass(InlayContextsPrinterPass(outs(), Options::fromCommandLine()));
    return true;
  }
  if (Name == "inlay-profiling-build") {
    MPM.addPass(ProfilingBuildPass());
    return true;
  }
  if (!Name.consume_front("inlay"))
    return false;
  if (!Name.empty() && !(Name.consume_front("<") && Name.consume_back(">")))
    return false;
  Expected<Options> Opts = Options::fromPassParameters(Name);
  if (!Opts) {
    errs() << "error: " << toString(Opts.takeError()) << '\n';
    return false;
  }
  MPM.addPass(InlayPass(std::move(*Opts)));
  return true;
}

//===----------------------------------------------------------------------===//
// The right compiler
//===----------------------------------------------------------------------===//

namespace {
struct LoadOrder {
  const void *LLVM; ///< an address inside the libLLVM that we call
  const void *Self; ///< an address inside this plugin
  bool LLVMFirst = false;
  bool Decided = false;
};
} // namespace

/// Whether the loader met our libLLVM before this plugin. If the compiler is
/// linked statically, it met it after: as our dependency, a second LLVM beside
/// the compiler's own, with passes and options that know nothing of each other.
static bool compilerUsesOurLibLLVM() {
  LoadOrder Order{reinterpret_cast<const void *>(&LLVMGetVersion),
                  reinterpret_cast<const void *>(&parsePass)};
  dl_iterate_phdr(
      [](dl_phdr_info *Info, size_t, void *Data) {
        auto &Order = *static_cast<LoadOrder *>(Data);
        auto Holds = [&](const void *Address) {
          auto A = reinterpret_cast<uintptr_t>(Address);
          for (int I = 0; I != Info->dlpi_phnum; ++I) {
            const auto &Segment = Info->dlpi_phdr[I];
            uintptr_t Begin = Info->dlpi_addr + Segment.p_vaddr;
            if (Segment.p_type == PT_LOAD && A >= Begin &&
                A < Begin + Segment.p_memsz)
              return true;
          }
          return false;
        };
        if (Order.Decided)
          return 1;
        if (Holds(Order.LLVM)) {
          Order.LLVMFirst = true;
          Order.Decided = true;
        } else if (Holds(Order.Self)) {
          Order.Decided = true;
        }
        return 0;
      },
      &Order);
  return Order.LLVMFirst;
}

static void refuseOtherCompilers() {
  if (compilerUsesOurLibLLVM())
    return;
  unsigned Major = 0;
  using GetVersion = void (*)(unsigned *, unsigned *, unsigned *);
  if (auto Get =
          reinterpret_cast<GetVersion>(dlsym(RTLD_DEFAULT, "LLVMGetVersion"))) {
    unsigned Minor, Patch;
    Get(&Major, &Minor, &Patch);
  }
  errs() << "error: Inlay.so was built for a compiler that uses the shared "
            "libLLVM of LLVM "
         << LLVM_VERSION_MAJOR << ", but this one ";
  if (Major && Major != LLVM_VERSION_MAJOR)
    errs() << "is LLVM " << Major;
  else
    errs() << "has an LLVM of its own";
  errs() << ". Use clang-" << LLVM_VERSION_MAJOR
         << " of the distribution, or build Inlay for this compiler "
            "(-DLLVM_DIR=...).\n";
  // There is no way to return an error from here that the compiler would not
  // follow with a crash.
  std::_Exit(1);
}

extern "C" LLVM_ATTRIBUTE_WEAK
    __attribute__((visibility("default"))) PassPluginLibraryInfo
    llvmGetPassPluginInfo() {
  refuseOtherCompilers();
  PassPluginLibraryInfo Info = {};
  Info.APIVersion = LLVM_PLUGIN_API_VERSION;
  Info.PluginName = "Inlay";
  Info.PluginVersion = INLAY_VERSION;
  Info.RegisterPassBuilderCallbacks = [](PassBuilder &PB) {
    PB.registerPipelineStartEPCallback(
        [](ModulePassManager &MPM, OptimizationLevel Level) {
          if (Options::fromCommandLine().ProfilingBuild &&
              Level != OptimizationLevel::O0)
            MPM.addPass(ProfilingBuildPass());
        });
    // Some versions pass the LTO phase as well.
    PB.registerPipelineEarlySimplificationEPCallback(
        [](ModulePassManager &MPM, OptimizationLevel Level, auto... Phase) {
          addInlay(MPM, Level, (isBeforeLink(Phase) || ...));
        });
    PB.registerPipelineParsingCallback(parsePass);
    if (PassInstrumentationCallbacks *PIC =
            PB.getPassInstrumentationCallbacks())
      refuseInstrumentedProfile(*PIC);
  };
  return Info;
}
