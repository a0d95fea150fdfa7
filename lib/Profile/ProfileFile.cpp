//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversion between the context summary map and LLVM's FunctionSamples, which
// LLVM's own readers and writers carry to and from disk.
//
//===----------------------------------------------------------------------===//

#include "inlay/Profile/ProfileFile.h"
#include "ProfileValidation.h"
#include "inlay/Support/Diagnostics.h"
#include "inlay/Support/OutputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/SampleProfReader.h"
#include "llvm/ProfileData/SampleProfWriter.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <deque>

using namespace llvm;
using namespace llvm::sampleprof;
using namespace inlay;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void addLines(const ContextNode &Node, FunctionSamples &FS) {
  FS.addHeadSamples(Node.HeadSamples);
  FS.setFunctionHash(Node.Checksum);
  for (const auto &[Location, Counts] : Node.Lines) {
    FS.addBodySamples(Location.LineOffset, Location.Discriminator,
                      Counts.Count);
    for (const auto &[Target, Count] : Counts.CallTargets)
      FS.addCalledTargetSamples(Location.LineOffset, Location.Discriminator,
                                Target, Count);
  }
}

static void toFunctionSamples(const ContextNode &Node, FunctionSamples &FS) {
  FS.setFunction(Node.Function);
  FS.addTotalSamples(Node.TotalSamples);
  addLines(Node, FS);
  for (const auto &[CallSite, Children] : Node.Callees)
    for (const auto &[Callee, Child] : Children)
      toFunctionSamples(*Child, FS.functionSamplesAt(CallSite)[Callee]);
}

/// Adds \p Node, whose context is \p Path up to its own frame, and all below
/// it. Totals leave out what has a context of its own.
static void addContexts(const ContextNode &Node, SampleContextFrameVector &Path,
                        std::deque<SampleContextFrameVector> &Paths,
                        SampleProfileMap &Profiles) {
  Path.emplace_back(Node.Function, LineLocation(0, 0));
  uint64_t Below = 0;
  for (const auto &[CallSite, Children] : Node.Callees)
    for (const auto &[Callee, Child] : Children)
      Below = SaturatingAdd(Below, Child->TotalSamples);
  // Whether it was called or inlined must be known even if nothing else is.
  if (!Node.Lines.empty() || Path.size() > 1) {
    const SampleContextFrameVector &Frames = Paths.emplace_back(Path);
    SampleContext Context(Frames, RawContext);
    if (Frames.size() > 1 && !Node.IsCall)
      Context.setAttribute(ContextWasInlined);
    FunctionSamples &FS = Profiles.create(Context);
    FS.addTotalSamples(Node.TotalSamples - std::min(Node.TotalSamples, Below));
    addLines(Node, FS);
  }
  for (const auto &[CallSite, Children] : Node.Callees)
    for (const auto &[Callee, Child] : Children) {
      Path.back().Location = CallSite;
      addContexts(*Child, Path, Paths, Profiles);
    }
  Path.pop_back();
}

/// Adds a section to the extended binary profile in \p Buffer. LLVM's writer
/// knows no sections but its own; its reader skips others. After magic and
/// version comes the table: its length, and four words of each section, of
/// which the third is where it begins.
static void appendSection(SmallVectorImpl<char> &Buffer, uint64_t Type,
                          StringRef Content) {
  using namespace support::endian;
  constexpr unsigned EntrySize = 32, OffsetInEntry = 16;
  size_t Table = 0;
  for (unsigned Number = 0; Number != 2; ++Number) {
    unsigned Size;
    decodeULEB128(reinterpret_cast<const uint8_t *>(&Buffer[Table]), &Size);
    Table += Size;
  }
  const uint64_t Count = read64le(&Buffer[Table]);
  write64le(&Buffer[Table], Count + 1);
  char *Entry = &Buffer[Table + 8];
  for (uint64_t I = 0; I != Count; ++I, Entry += EntrySize)
    write64le(Entry + OffsetInEntry,
              read64le(Entry + OffsetInEntry) + EntrySize);
  char New[EntrySize] = {};
  write64le(New, Type);
  write64le(New + OffsetInEntry, Buffer.size() + EntrySize);
  write64le(New + OffsetInEntry + 8, Content.size());
  Buffer.insert(Entry, New, New + EntrySize);
  Buffer.append(Content.begin(), Content.end());
}

Expected<SmallVector<char, 0>> inlay::profileBytes(const ContextSummaryMap &Map,
                                                   ProfileFormat Format,
                                                   ContextForm Form) {
  SampleProfileMap Profiles;
  std::deque<SampleContextFrameVector> Paths; // Profiles refers to them
  for (const auto &[Id, Root] : Map.roots()) {
    if (Form == ContextForm::Nested) {
      toFunctionSamples(*Root, Profiles.create(SampleContext(Id)));
      continue;
    }
    SampleContextFrameVector Path;
    addContexts(*Root, Path, Paths, Profiles);
  }

  // The extended binary writer goes back to fill in its section table, which a
  // pipe cannot do: write to memory first. Profiles are small.
  SmallVector<char, 0> Buffer;
  if (Map.Resolution && Format == ProfileFormat::Text)
    append_range(Buffer,
                 (ResolutionComment + Twine(*Map.Resolution) + "\n").str());
  std::unique_ptr<raw_ostream> Stream =
      std::make_unique<raw_svector_ostream>(Buffer);
  FunctionSamples::UseMD5 = Map.UsesMD5;
  FunctionSamples::ProfileIsProbeBased = Map.IsProbeBased;
  FunctionSamples::ProfileIsCS = Form == ContextForm::Full;
  auto WriterOrErr = SampleProfileWriter::create(
      Stream, Format == ProfileFormat::Text ? SPF_Text : SPF_Ext_Binary);
  if (std::error_code EC = WriterOrErr.getError())
    return createStringError(EC, "cannot write a profile: " + EC.message());
  // The writer sorts it. Text has no place for it.
  ProfileSymbolList Symbols;
  for (const std::string &Symbol : Map.Symbols)
    Symbols.add(Symbol);
  Symbols.setToCompress(compression::zlib::isAvailable());
  if (Format == ProfileFormat::ExtBinary)
    (*WriterOrErr)->setProfileSymbolList(&Symbols);
  if (std::error_code EC = (*WriterOrErr)->write(Profiles))
    return createStringError(EC, "cannot write a profile: " + EC.message());
  if (Map.Resolution && Format == ProfileFormat::ExtBinary) {
    std::string Number;
    raw_string_ostream OS(Number);
    encodeULEB128(*Map.Resolution, OS);
    appendSection(Buffer, ResolutionSection, Number);
  }

  return Buffer;
}

Error inlay::writeProfile(StringRef Path, const ContextSummaryMap &Map,
                          ProfileFormat Format, ContextForm Form) {
  Expected<SmallVector<char, 0>> Bytes = profileBytes(Map, Format, Form);
  if (!Bytes)
    return fileError(Path, toString(Bytes.takeError()));
  return writeOutputFile(Path, StringRef(Bytes->data(), Bytes->size()));
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// LLVM's reader says what is wrong, and on which line, through the context's
/// diagnostics only; its error codes are general.
class FirstDiagnostic final : public DiagnosticHandler {
public:
  explicit FirstDiagnostic(std::string &Message) : Message(Message) {}
  bool handleDiagnostics(const DiagnosticInfo &DI) override {
    if (Message.empty()) {
      raw_string_ostream OS(Message);
      DiagnosticPrinterRawOStream Printer(OS);
      DI.print(Printer);
    }
    return true;
  }

private:
  std::string &Message;
};

/// Copies FunctionSamples, whose names live in the reader's buffer, into nodes
/// whose names \p Map owns.
class Importer {
public:
  explicit Importer(ContextSummaryMap &Map) : Map(Map) {}

  FunctionId own(FunctionId Id) {
    if (!Id.isStringRef())
      return Id;
    // A profile with several name tables may mix names and hashes.
    return Map.UsesMD5 ? Map.idOf(Id.stringRef()) : Map.intern(Id.stringRef());
  }

  void import(const FunctionSamples &FS, ContextNode &Node) {
    Node.TotalSamples = SaturatingAdd(Node.TotalSamples, FS.getTotalSamples());
    Node.HeadSamples = SaturatingAdd(Node.HeadSamples, FS.getHeadSamples());
    if (Map.IsProbeBased)
      Node.Checksum = FS.getFunctionHash();
    for (const auto &[Location, Record] : FS.getBodySamples()) {
      LineCounts &Line = Node.Lines[Location];
      Line.Count = SaturatingAdd(Line.Count, Record.getSamples());
      Line.Recorded = Line.Count;
      for (const auto &[Target, Count] : Record.getCallTargets()) {
        uint64_t &Sum = Line.CallTargets[own(Target)];
        Sum = SaturatingAdd(Sum, Count);
      }
    }
    for (const auto &[CallSite, Children] : FS.getCallsiteSamples())
      for (const auto &[Callee, Child] : Children)
        import(Child, Node.getOrCreateCallee(CallSite, own(Callee)));
  }

  /// Places a profile in CSSPGO's context form ("main:3 @ parse:7 @ next") at
  /// the end of its path. There a caller's total leaves its inlinees out;
  /// here it includes them.
  void importContext(const FunctionSamples &FS) {
    SampleContextFrames Frames = FS.getContext().getContextFrames();
    ContextNode *Node = &Map.getOrCreateRoot(own(Frames.front().Func));
    for (size_t I = 1; I != Frames.size(); ++I) {
      Node->TotalSamples =
          SaturatingAdd(Node->TotalSamples, FS.getTotalSamples());
      // What leads to others but has no profile itself was inlined: a function
      // that is called has instructions of its own.
      Node =
          &Node->getOrCreateCallee(Frames[I - 1].Location, own(Frames[I].Func));
    }
    // What the converter (llvm-profgen's pre-inliner) wants inlined is as good
    // as if it had been.
    Node->IsCall = !FS.getContext().hasAttribute(ContextWasInlined) &&
                   !FS.getContext().hasAttribute(ContextShouldBeInlined);
    import(FS, *Node);
  }

private:
  ContextSummaryMap &Map;
};
} // namespace

static const char *formatName(SampleProfileFormat Format) {
  switch (Format) {
  case SPF_Text:
    return "text";
  case SPF_Ext_Binary:
    return "extbinary";
  case SPF_Binary:
    return "binary";
  case SPF_GCC:
    return "gcc";
  default:
    return "unknown";
  }
}

/// What the reader shall look for. It strips everything behind the first dot of
/// a function's name unless an attribute says otherwise, so that it would take
/// main.omp_outlined for main.
static std::unique_ptr<Module> declarationsOf(const Module &M,
                                              LLVMContext &Context) {
  auto Declarations = std::make_unique<Module>("wanted", Context);
  auto *Type = FunctionType::get(Type::getVoidTy(Context), false);
  for (const Function &F : M)
    Function::Create(Type, GlobalValue::ExternalLinkage, F.getName(),
                     *Declarations)
        ->addFnAttr("sample-profile-suffix-elision-policy", "selected");
  return Declarations;
}

/// LLVM's reader has a list of names, and a table of those that occur in
/// profiles, be it as inlinees or callees. A compilation looks for its own
/// only.
static void importSymbols(SampleProfileReader &Reader, const Module *M,
                          ProfileFile &File) {
  auto Symbols = Reader.getProfileSymbolList();
  if (!Symbols)
    return;
  File.SymbolList = std::make_unique<ProfileSymbolList>();
  if (!M) {
    // Its names lie in the reader's buffer; a merge copies them.
    File.SymbolList->merge(*Symbols);
    return;
  }
  for (const Function &F : *M) {
    StringRef Name = FunctionSamples::getCanonicalFnName(F.getName());
    if (Symbols->contains(Name)) {
      File.SymbolList->add(Name, /*Copy=*/true);
      File.NeverRan.insert(File.Map.intern(Name));
    }
  }
  const std::vector<FunctionId> *Table = Reader.getNameTable();
  if (!Table || File.NeverRan.empty())
    return;
  // Tables are long: they are looked through, not hashed.
  DenseMap<uint64_t, FunctionId> ByHash;
  for (FunctionId Id : File.NeverRan)
    ByHash[Id.getHashCode()] = Id;
  for (FunctionId Id : *Table) {
    if (Id.isStringRef())
      File.NeverRan.erase(Id);
    else if (auto It = ByHash.find(Id.getHashCode()); It != ByHash.end())
      File.NeverRan.erase(It->second);
  }
}

Expected<ProfileFile> inlay::readProfile(StringRef Path, const Module *M,
                                         ProfileExtent Extent) {
  auto BufferOrErr = MemoryBuffer::getFileOrSTDIN(Path);
  if (std::error_code EC = BufferOrErr.getError())
    return fileError(Path, "cannot read the profile: " + EC.message());
  return readProfile(std::move(*BufferOrErr), M, Extent);
}

Expected<ProfileFile> inlay::readProfile(std::unique_ptr<MemoryBuffer> Buffer,
                                         const Module *M,
                                         ProfileExtent Extent) {
  const std::string Path = Buffer->getBufferIdentifier().str();
  std::string Message;
  LLVMContext Context;
  Context.setDiagnosticHandler(std::make_unique<FirstDiagnostic>(Message));
  auto Failure = [&](std::error_code EC) {
    // A diagnostic begins with the file's name and often a line: keep that.
    if (StringRef(Message).starts_with(Path))
      return createStringError(EC, Message);
    return fileError(Path, Message.empty() ? EC.message() : Message);
  };

  Expected<ValidProfile> Valid = validateProfile(std::move(Buffer));
  if (!Valid)
    return Valid.takeError();
  IntrusiveRefCntPtr<vfs::FileSystem> FS = vfs::getRealFileSystem();
  auto ReaderOrErr = SampleProfileReader::create(Valid->Buffer, Context, *FS);
  if (std::error_code EC = ReaderOrErr.getError()) {
    if (EC == sampleprof_error::unrecognized_format ||
        EC == sampleprof_error::bad_magic)
      return fileError(Path, "not a sample profile in any of LLVM's formats; "
                             "llvm-profconv makes one from perf.data");
    return Failure(EC);
  }
  SampleProfileReader &Reader = **ReaderOrErr;
  // Left over from the profile read before.
  FunctionSamples::HasUniqSuffix = true;
  FunctionSamples::ProfileIsProbeBased = false;
  // Without a table of functions the reader would find none of a module.
  std::unique_ptr<Module> Wanted;
  if (M && Extent == ProfileExtent::Module && Valid->HasFunctionOffsets) {
    Wanted = declarationsOf(*M, Context);
    Reader.setModule(Wanted.get());
  }
  if (std::error_code EC = Reader.read())
    return Failure(EC);

  ProfileFile File;
  File.Format = formatName(Reader.getFormat());
  File.Map.Resolution = Valid->Resolution;
  File.Map.UsesMD5 = Reader.useMD5();
  File.Map.IsProbeBased = Reader.profileIsProbeBased();
  File.IsContextSensitive = Reader.profileIsCS();
  importSymbols(Reader, M, File);
  File.Summary = std::make_unique<ProfileSummary>(Reader.getSummary());
  Importer Import(File.Map);
  for (auto &[Key, Samples] : Reader.getProfiles()) {
    if (Samples.getContext().hasContext())
      Import.importContext(Samples);
    else
      Import.import(
          Samples, File.Map.getOrCreateRoot(Import.own(Samples.getFunction())));
  }
  return File;
}
