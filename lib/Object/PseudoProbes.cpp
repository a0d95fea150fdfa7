//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM decodes the sections, but trusts them: it looks functions up without
// asking whether they are there, recurses as deep as inlining nests, and takes
// some hashes for its table's own marks. So what it will read is walked through
// first. What it made of them is copied to a form that is the same in all
// versions of LLVM, and smaller.
//
//===----------------------------------------------------------------------===//

#include "inlay/Object/PseudoProbes.h"
#include "inlay/Object/ProfiledBinary.h"
#include "inlay/Support/Diagnostics.h"
#include "inlay/Support/LLVMCompat.h"
#include "inlay/Support/ULEB128.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/GlobalValue.h"
#include "llvm/MC/MCPseudoProbe.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/ProfileData/SampleProf.h"
#include "llvm/Support/Endian.h"
#include <limits>
#include <set>

using namespace llvm;

namespace inlay {

/// Compilers inline some tens of levels deep.
static constexpr unsigned MaxInlineDepth = 1024;

namespace {

/// Reads a section. The first failure sticks: then everything reads as 0.
class SectionCursor {
public:
  SectionCursor(StringRef Name, ArrayRef<uint8_t> Bytes)
      : Name(Name), Begin(Bytes.begin()), Next(Bytes.begin()),
        End(Bytes.end()) {}

  bool atEnd() const { return Next == End || !Problem.empty(); }

  void fail(const Twine &What) {
    if (Problem.empty())
      Problem = (Name + ": " + What + " at offset 0x" +
                 Twine::utohexstr(Next - Begin))
                    .str();
    Next = End;
  }

  uint32_t number32() {
    std::optional<uint64_t> Number = readULEB128(Next, End);
    if (Number && *Number <= std::numeric_limits<uint32_t>::max())
      return *Number;
    fail("a number is truncated or too large");
    return 0;
  }

  void signedNumber() {
    unsigned Size = 0;
    const char *Error = nullptr;
    (void)decodeSLEB128(Next, &Size, End, &Error);
    if (Error)
      fail("a number is truncated or too large");
    else
      Next += Size;
  }

  uint8_t byte() { return has(1) ? *Next++ : 0; }

  uint64_t fixed64() {
    if (!has(8))
      return 0;
    Next += 8;
    return support::endian::read64le(Next - 8);
  }

  void skip(uint64_t Size) {
    if (has(Size))
      Next += Size;
  }

  Error takeError(StringRef Path) const {
    if (Problem.empty())
      return Error::success();
    return fileError(Path, "damaged pseudo probes: " + Problem);
  }

private:
  bool has(uint64_t Size) {
    if (Size <= uint64_t(End - Next))
      return true;
    fail("the section is cut short");
    return false;
  }

  StringRef Name;
  const uint8_t *Begin, *Next, *End;
  std::string Problem;
};

} // namespace

static constexpr StringLiteral ProbeSection = ".pseudo_probe";
static constexpr StringLiteral FunctionSection = ".pseudo_probe_desc";

/// DenseMap marks its empty places with the two largest keys; the tree of
/// inlined functions has 0 for its root.
static bool isPossibleGUID(uint64_t GUID) {
  return GUID != 0 && GUID < std::numeric_limits<uint64_t>::max() - 1;
}

class PseudoProbes::Decoder {
public:
  Decoder(const ProfiledBinary &Binary, PseudoProbes &Result)
      : Binary(Binary), Result(Result) {}

  Error run();
  bool FoundProbes = false;

private:
  Error findSections();
  Error checkFunctions();
  Error checkProbes();
  void checkBody(SectionCursor &C, uint32_t &Inlinees);
  void addFunctions(const MCPseudoProbeDecoder &Decoded);
  uint32_t functionOf(uint64_t GUID) const;
  uint32_t copyOf(const MCDecodedPseudoProbeInlineTree *Node);

  const ProfiledBinary &Binary;
  PseudoProbes &Result;
  ArrayRef<uint8_t> ProbeBytes, FunctionBytes;
  std::set<uint64_t> GUIDs; ///< of functions that are described
  /// Of symbols that a function's probes are relative to where it is not the
  /// function's own name: of split-off parts, for one.
  std::set<uint64_t> SplitFunctions;
  DenseMap<const MCDecodedPseudoProbeInlineTree *, uint32_t> CopyOf;
};

Error PseudoProbes::Decoder::findSections() {
  const object::ELF64LEObjectFile *Object = Binary.object();
  if (!Object || Binary.form() != BinaryForm::Program)
    return Error::success();
  const object::ELF64LEFile &File = Object->getELFFile();
  Expected<object::ELF64LE::ShdrRange> Sections = File.sections();
  if (!Sections)
    return fileError(Binary.path(), toString(Sections.takeError()));
  for (const object::ELF64LE::Shdr &Section : *Sections) {
    Expected<StringRef> Name = File.getSectionName(Section);
    if (!Name) {
      consumeError(Name.takeError()); // of a section that is none of ours
      continue;
    }
    ArrayRef<uint8_t> *Bytes = *Name == ProbeSection      ? &ProbeBytes
                               : *Name == FunctionSection ? &FunctionBytes
                                                          : nullptr;
    if (!Bytes)
      continue;
    if (!Bytes->empty())
      return fileError(Binary.path(), "two sections " + *Name);
    if (Error E = File.getSectionContents(Section).moveInto(*Bytes))
      return fileError(Binary.path(), toString(std::move(E)));
  }
  return Error::success();
}

Error PseudoProbes::Decoder::checkFunctions() {
  SectionCursor C(FunctionSection, FunctionBytes);
  while (!C.atEnd()) {
    uint64_t GUID = C.fixed64();
    C.fixed64(); // checksum
    C.skip(C.number32());
    if (!isPossibleGUID(GUID))
      C.fail("an impossible hash of a function's name");
    GUIDs.insert(GUID);
  }
  return C.takeError(Binary.path());
}

void PseudoProbes::Decoder::checkBody(SectionCursor &C, uint32_t &Inlinees) {
  if (uint64_t GUID = C.fixed64(); !C.atEnd() && !GUIDs.count(GUID))
    return C.fail("a function of which there is no description");
  uint32_t Probes = C.number32();
  Inlinees = C.number32();
  for (; Probes && !C.atEnd(); --Probes) {
    C.number32(); // id
    uint8_t Packed = C.byte();
    const unsigned Type = Packed & 0xf, Attributes = (Packed >> 4) & 0x7;
    const bool IsDelta = Packed & 0x80;
    if (Type > unsigned(PseudoProbeType::DirectCall))
      return C.fail("a probe of unknown type");
    if (IsDelta)
      C.signedNumber();
    else if (uint64_t Address = C.fixed64(); isSentinelProbe(Attributes)) {
      if (!isPossibleGUID(Address))
        return C.fail("an impossible hash of a function's name");
      SplitFunctions.insert(Address);
    }
    if (hasDiscriminator(Attributes))
      C.number32();
  }
  if (Probes)
    C.fail("probes are missing");
}

Error PseudoProbes::Decoder::checkProbes() {
  SectionCursor C(ProbeSection, ProbeBytes);
  while (!C.atEnd()) {
    // How many functions are still to come on each level of inlining.
    SmallVector<uint32_t, 16> Left;
    checkBody(C, Left.emplace_back());
    while (!Left.empty()) {
      if (Left.back() == 0) {
        Left.pop_back();
        continue;
      }
      --Left.back();
      if (C.atEnd() || Left.size() > MaxInlineDepth) {
        C.fail(C.atEnd() ? "functions are missing"
                         : "functions are inlined too deep");
        break;
      }
      C.number32(); // the call's probe
      checkBody(C, Left.emplace_back());
    }
  }
  return C.takeError(Binary.path());
}

/// Of functions of one name one remains: the probes of the others, which no
/// name tells apart, mean nothing anyway.
void PseudoProbes::Decoder::addFunctions(const MCPseudoProbeDecoder &Decoded) {
  std::vector<Function> &Functions = Result.Functions;
  for (const auto &Entry : Decoded.getGUID2FuncDescMap()) {
    const MCPseudoProbeFuncDesc &Described = probeDescription(Entry);
    Functions.push_back({Described.FuncGUID, Described.FuncHash,
                         std::string(Described.FuncName)});
  }
  sort(Functions, [](const Function &A, const Function &B) {
    return std::tie(A.GUID, A.Checksum, A.Name) <
           std::tie(B.GUID, B.Checksum, B.Name);
  });
  Functions.erase(std::unique(Functions.begin(), Functions.end(),
                              [](const Function &A, const Function &B) {
                                return A.GUID == B.GUID;
                              }),
                  Functions.end());
}

uint32_t PseudoProbes::Decoder::functionOf(uint64_t GUID) const {
  auto It =
      lower_bound(Result.Functions, GUID, [](const Function &F, uint64_t GUID) {
        return F.GUID < GUID;
      });
  return It != Result.Functions.end() && It->GUID == GUID
             ? It - Result.Functions.begin()
             : None;
}

/// The index of the copy that \p Node stands for, and with it of all around it.
uint32_t
PseudoProbes::Decoder::copyOf(const MCDecodedPseudoProbeInlineTree *Node) {
  using Tree = MCDecodedPseudoProbeInlineTree;
  SmallVector<const Tree *, 8> New; // innermost first
  uint32_t Caller = None;
  for (const Tree *N = Node; N && !N->isRoot();
       N = static_cast<const Tree *>(N->Parent)) {
    if (auto It = CopyOf.find(N); It != CopyOf.end()) {
      Caller = It->second;
      break;
    }
    New.push_back(N);
  }
  for (const Tree *N : reverse(New)) {
    uint32_t CallSite = Caller == None ? 0 : probeOfCallSite(*N);
    Result.Copies.push_back({functionOf(N->Guid), Caller, CallSite});
    Caller = CopyOf[N] = Result.Copies.size() - 1;
  }
  return Caller;
}

Error PseudoProbes::Decoder::run() {
  if (Error E = findSections())
    return E;
  if (ProbeBytes.empty())
    return Error::success();
  if (FunctionBytes.empty())
    return fileError(Binary.path(),
                     "has pseudo probes but not what describes their functions "
                     "(" +
                         FunctionSection + ")");
  FoundProbes = true;
  if (Error E = checkFunctions())
    return E;
  if (Error E = checkProbes())
    return E;

  // Addresses are relative to the start of a function, by its symbol's name.
  // LLVM takes that of the function before if it does not know better.
  constexpr uint64_t Nowhere = uint64_t(1) << 63;
  MCPseudoProbeDecoder::Uint64Map FunctionStarts;
  for (const std::set<uint64_t> *Used : {&GUIDs, &SplitFunctions})
    for (uint64_t GUID : *Used)
      FunctionStarts[GUID] = Nowhere;
  for (const FunctionRange &Function : Binary.functions())
    for (StringRef Name : Binary.symbolNames(Function))
      if (auto It = FunctionStarts.find(MD5Hash(Name));
          It != FunctionStarts.end() && It->second == Nowhere)
        It->second = Function.Begin;
  MCPseudoProbeDecoder Decoded;
  if (!Decoded.buildGUID2FuncDescMap(FunctionBytes.data(),
                                     FunctionBytes.size()) ||
      !Decoded.buildAddress2ProbeMap(ProbeBytes.data(), ProbeBytes.size(), {},
                                     FunctionStarts))
    return fileError(Binary.path(), "damaged pseudo probes: LLVM cannot decode "
                                    "them");
  addFunctions(Decoded);
  forEachProbe(Decoded, [&](const MCDecodedPseudoProbe &Probe) {
    if (isSentinelProbe(Probe.getAttributes()))
      return;
    uint32_t Place = copyOf(Probe.getInlineTreeNode());
    if (Place != None)
      Result.Probes.push_back({Probe.getAddress(), uint32_t(Probe.getIndex()),
                               Probe.getDiscriminator(), Probe.isCall(),
                               Place});
  });
  sort(Result.Probes, [](const PlacedProbe &A, const PlacedProbe &B) {
    return std::tie(A.Address, A.Place, A.Id) <
           std::tie(B.Address, B.Place, B.Id);
  });
  return Error::success();
}

Expected<std::unique_ptr<PseudoProbes>>
PseudoProbes::read(const ProfiledBinary &Binary) {
  auto Probes = std::make_unique<PseudoProbes>();
  Decoder D(Binary, *Probes);
  if (Error E = D.run())
    return E;
  if (!D.FoundProbes)
    return nullptr;
  return Probes;
}

ArrayRef<PlacedProbe> PseudoProbes::probesIn(uint64_t Begin,
                                             uint64_t End) const {
  auto At = [&](uint64_t Address) {
    return lower_bound(Probes, Address, [](const PlacedProbe &P, uint64_t A) {
      return P.Address < A;
    });
  };
  return ArrayRef(Probes).slice(At(Begin) - Probes.begin(),
                                At(std::max(Begin, End)) - At(Begin));
}

ProbeStack PseudoProbes::stackOf(const PlacedProbe &Probe) const {
  ProbeStack Stack;
  uint32_t Id = Probe.Id;
  for (uint32_t I = Probe.Place; I != None; I = Copies[I].Caller) {
    const Function &F = Functions[Copies[I].Of];
    Stack.push_back({F.Name, F.Checksum, Id});
    Id = Copies[I].CallSite;
  }
  return Stack;
}

} // namespace inlay
