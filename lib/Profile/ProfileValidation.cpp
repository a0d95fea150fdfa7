//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See ProfileValidation.h. The grammar is that of LLVM's SampleProfReader.cpp;
// there is no other description of it.
//
//===----------------------------------------------------------------------===//

#include "ProfileValidation.h"
#include "inlay/Support/Diagnostics.h"
#include "inlay/Support/LLVMCompat.h"
#include "inlay/Support/ULEB128.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ProfileData/SampleProf.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <vector>

using namespace llvm;
using namespace llvm::sampleprof;
using namespace inlay;

namespace {
/// A section, or a whole file in the plain binary format. The first failure
/// sticks: after it, everything reads as 0.
class Cursor {
public:
  explicit Cursor(ArrayRef<uint8_t> Bytes)
      : Begin(Bytes.begin()), Next(Bytes.begin()), End(Bytes.end()) {}

  bool ok() const { return Problem.empty(); }
  bool atEnd() const { return Next == End || !ok(); }
  uint64_t offset() const { return Next - Begin; }
  uint64_t left() const { return End - Next; }
  const std::string &problem() const { return Problem; }

  void fail(const Twine &What) {
    if (ok())
      Problem = (What + " at offset 0x" + Twine::utohexstr(offset())).str();
    Next = End;
  }

  uint64_t number(uint64_t Max = ~uint64_t(0)) {
    if (!ok())
      return 0;
    const uint8_t *Behind = Next;
    std::optional<uint64_t> Value = readULEB128(Behind, End);
    if (!Value) {
      fail("truncated or overlong number");
      return 0;
    }
    if (*Value > Max) {
      fail("number " + Twine(*Value) + " exceeds " + Twine(Max));
      return 0;
    }
    Next = Behind;
    return *Value;
  }
  uint32_t number32() { return number(~uint32_t(0)); }

  uint64_t fixed64() {
    if (left() < 8) {
      fail("truncated number");
      return 0;
    }
    Next += 8;
    return support::endian::read64le(Next - 8);
  }

  void string() {
    const uint8_t *Terminator = std::find(Next, End, 0);
    if (Terminator == End)
      fail("unterminated name");
    else
      Next = Terminator + 1;
  }

  ArrayRef<uint8_t> rest() const { return {Next, End}; }

private:
  const uint8_t *Begin;
  const uint8_t *Next;
  const uint8_t *End;
  std::string Problem;
};

/// Walks what stands in sections, in the order in which the reader does.
class Walker {
public:
  /// Of the profile as a whole, from the flags of its sections.
  bool IsContextSensitive = false;
  bool HasVTables = false;

  bool HasSummary = false;
  bool HasFunctionOffsets = false;
  std::optional<uint64_t> Resolution;

  void summary(Cursor &C);
  void names(Cursor &C);
  void hashes(Cursor &C);
  void fixedHashes(Cursor &C);
  void contexts(Cursor &C);
  void functionOffsets(Cursor &C);
  void functions(Cursor &C);
  void metadata(Cursor &C, bool HasChecksum, bool HasAttributes);
  void symbols(Cursor &C) {
    while (!C.atEnd())
      C.string();
  }

private:
  void nameIndex(Cursor &C) { index(C, NameCount, "name"); }
  void rootIndex(Cursor &C) {
    if (IsContextSensitive)
      index(C, ContextCount, "context");
    else
      nameIndex(C);
  }
  void index(Cursor &C, uint64_t Count, StringRef What) {
    if (uint64_t I = C.number(); C.ok() && I >= Count)
      C.fail(What + " " + Twine(I) + " of only " + Twine(Count));
  }
  void samples(Cursor &C, unsigned Depth);
  void vtables(Cursor &C);
  void attributes(Cursor &C, bool HasChecksum, bool HasAttributes,
                  unsigned Depth);

  uint64_t NameCount = 0;
  uint64_t ContextCount = 0;
  std::vector<uint64_t> Offsets; ///< sorted; of the next function section
};
} // namespace

/// Line offsets have 16 bits.
static constexpr uint64_t MaxLineOffset = 0xffff;

void Walker::summary(Cursor &C) {
  for (int I = 0; I != 5; ++I)
    C.number();
  uint64_t Last = 0;
  for (uint64_t N = C.number(); N && C.ok(); --N) {
    uint64_t Cutoff = C.number(1000000);
    C.number();
    C.number();
    if (C.ok() && Cutoff <= Last)
      C.fail("cutoffs are not in ascending order");
    Last = Cutoff;
  }
  // LLVM gives up on the whole compilation when it looks for a cutoff that is
  // not there.
  if (C.ok() && Last < 999999)
    C.fail("no entry for a cutoff of 99.9999%");
  HasSummary = true;
}

void Walker::names(Cursor &C) {
  NameCount = C.number();
  for (uint64_t I = 0; I != NameCount && C.ok(); ++I)
    C.string();
}

void Walker::hashes(Cursor &C) {
  NameCount = C.number();
  for (uint64_t I = 0; I != NameCount && C.ok(); ++I)
    C.number();
}

void Walker::fixedHashes(Cursor &C) {
  NameCount = C.number();
  // The reader takes 0 for "not yet computed" and writes to where no memory is.
  for (uint64_t I = 0; I != NameCount && C.ok(); ++I)
    if (!C.fixed64())
      C.fail("a name's hash is 0");
}

void Walker::contexts(Cursor &C) {
  ContextCount = C.number();
  for (uint64_t I = 0; I != ContextCount && C.ok(); ++I) {
    uint32_t Depth = C.number32();
    if (C.ok() && (Depth == 0 || Depth > MaxInlineDepth))
      C.fail("context of " + Twine(Depth) + " frames");
    for (uint32_t J = 0; J != Depth && C.ok(); ++J) {
      nameIndex(C);
      C.number(MaxLineOffset);
      C.number();
    }
  }
}

void Walker::functionOffsets(Cursor &C) {
  Offsets.clear();
  uint64_t Count = C.number();
  for (uint64_t I = 0; I != Count && C.ok(); ++I) {
    rootIndex(C);
    Offsets.push_back(C.number());
  }
  sort(Offsets);
  // One function under many names would be read again for each of them.
  if (std::adjacent_find(Offsets.begin(), Offsets.end()) != Offsets.end())
    C.fail("two functions with the same offset");
  HasFunctionOffsets = true;
}

void Walker::functions(Cursor &C) {
  auto Expected = Offsets.begin();
  while (!C.atEnd()) {
    if (Expected != Offsets.end() && *Expected == C.offset())
      ++Expected;
    C.number(); // head samples
    rootIndex(C);
    samples(C, 0);
  }
  if (C.ok() && Expected != Offsets.end())
    C.fail("the table of functions names offset 0x" +
           Twine::utohexstr(*Expected) +
           ", where none begins; the section ends");
}

void Walker::samples(Cursor &C, unsigned Depth) {
  if (Depth > MaxInlineDepth)
    return C.fail("inlined calls nest more than " + Twine(MaxInlineDepth) +
                  " levels deep");
  C.number(); // total
  for (uint32_t Lines = C.number32(); Lines && C.ok(); --Lines) {
    C.number(MaxLineOffset);
    C.number(); // discriminator
    C.number(); // count
    for (uint32_t Targets = C.number32(); Targets && C.ok(); --Targets) {
      nameIndex(C);
      C.number();
    }
  }
  for (uint32_t Inlinees = C.number32(); Inlinees && C.ok(); --Inlinees) {
    C.number(); // line offset
    C.number(); // discriminator
    nameIndex(C);
    samples(C, Depth + 1);
  }
  if (HasVTables)
    vtables(C);
}

void Walker::vtables(Cursor &C) {
  for (uint32_t Sites = C.number32(); Sites && C.ok(); --Sites) {
    C.number(MaxLineOffset);
    C.number(); // discriminator
    for (uint32_t Types = C.number32(); Types && C.ok(); --Types) {
      nameIndex(C);
      C.number();
    }
  }
}

void Walker::metadata(Cursor &C, bool HasChecksum, bool HasAttributes) {
  while (!C.atEnd()) {
    rootIndex(C);
    attributes(C, HasChecksum, HasAttributes, 0);
  }
}

void Walker::attributes(Cursor &C, bool HasChecksum, bool HasAttributes,
                        unsigned Depth) {
  if (Depth > MaxInlineDepth)
    return C.fail("inlined calls nest more than " + Twine(MaxInlineDepth) +
                  " levels deep");
  if (C.atEnd())
    return;
  if (HasChecksum)
    C.number();
  if (HasAttributes)
    C.number32();
  if (IsContextSensitive)
    return;
  for (uint32_t Inlinees = C.number32(); Inlinees && C.ok(); --Inlinees) {
    C.number(); // line offset
    C.number(); // discriminator
    rootIndex(C);
    attributes(C, HasChecksum, HasAttributes, Depth + 1);
  }
}

//===----------------------------------------------------------------------===//
// The extended binary format
//===----------------------------------------------------------------------===//

static std::string sectionName(const SecHdrTableEntry &Entry) {
  switch (Entry.Type) {
  case SecProfSummary:
    return "summary";
  case SecNameTable:
    return "name table";
  case SecProfileSymbolList:
    return "symbol list";
  case SecFuncOffsetTable:
    return "table of functions";
  case SecFuncMetadata:
    return "metadata";
  case SecCSNameTable:
    return "context table";
  case SecLBRProfile:
    return "function profiles";
  default:
    if (uint64_t(Entry.Type) == ResolutionSection)
      return "resolution";
    return "section of type " + std::to_string(Entry.Type);
  }
}

static void walkSection(Walker &W, const SecHdrTableEntry &Entry, Cursor &C) {
  if (!W.HasSummary && Entry.Type != SecProfSummary)
    return C.fail("the summary must come first, not this section");
  switch (Entry.Type) {
  case SecProfSummary:
    if (W.HasSummary)
      return C.fail("a second summary");
    W.IsContextSensitive =
        hasSecFlag(Entry, SecProfSummaryFlags::SecFlagFullContext);
    W.HasVTables = Entry.Flags & VTableProfileFlag;
    if (W.HasVTables && !ReaderKnowsVTableProfiles)
      return C.fail("types of virtual tables, which this version of LLVM "
                    "cannot read,");
    W.summary(C);
    break;
  case SecNameTable: {
    bool IsMD5 = hasSecFlag(Entry, SecNameTableFlags::SecFlagMD5Name);
    if (hasSecFlag(Entry, SecNameTableFlags::SecFlagFixedLengthMD5)) {
      if (!IsMD5)
        return C.fail("contradicting flags");
      W.fixedHashes(C);
    } else if (IsMD5) {
      W.hashes(C);
    } else {
      W.names(C);
    }
    break;
  }
  case SecCSNameTable:
    W.contexts(C);
    break;
  case SecFuncOffsetTable:
    W.functionOffsets(C);
    break;
  case SecLBRProfile:
    W.functions(C);
    break;
  case SecFuncMetadata:
    W.metadata(C, hasSecFlag(Entry, SecFuncMetadataFlags::SecFlagIsProbeBased),
               hasSecFlag(Entry, SecFuncMetadataFlags::SecFlagHasAttribute));
    break;
  case SecProfileSymbolList:
    W.symbols(C);
    break;
  default:
    if (uint64_t(Entry.Type) == ResolutionSection) {
      W.Resolution = C.number();
      if (C.ok() && *W.Resolution == 0)
        C.fail("nothing but 0");
      break;
    }
    return; // the reader skips it
  }
  if (C.ok() && !C.atEnd())
    C.fail("bytes left over");
}

static Error expand(ArrayRef<uint8_t> Section, uint64_t &Allowance,
                    SmallVectorImpl<uint8_t> &Expanded) {
  Cursor C(Section);
  uint64_t Size = C.number();
  uint64_t CompressedSize = C.number();
  if (!C.ok() || CompressedSize > C.left())
    return createStringError(inconvertibleErrorCode(),
                             "compressed data is truncated");
  if (Size > Allowance)
    return createStringError(inconvertibleErrorCode(),
                             "would expand to " + Twine(Size) +
                                 " bytes, too many for this file");
  if (!compression::zlib::isAvailable())
    return createStringError(inconvertibleErrorCode(),
                             "is compressed, but this LLVM was built without "
                             "zlib");
  Allowance -= Size;
  if (Error E = compression::zlib::decompress(
          C.rest().take_front(CompressedSize), Expanded, Size)) {
    return createStringError(inconvertibleErrorCode(),
                             "cannot be decompressed: " +
                                 toString(std::move(E)));
  }
  // A file may claim a larger size than it holds.
  if (Expanded.size() != Size)
    return createStringError(inconvertibleErrorCode(),
                             "expands to " + Twine(Expanded.size()) +
                                 " bytes instead of " + Twine(Size));
  return Error::success();
}

static Expected<ValidProfile>
validateExtBinary(std::unique_ptr<MemoryBuffer> Buffer) {
  StringRef Path = Buffer->getBufferIdentifier();
  ArrayRef<uint8_t> Bytes = arrayRefFromStringRef(Buffer->getBuffer());
  Cursor Header(Bytes);
  Header.number(); // magic
  Header.number(); // version, which the reader checks
  const uint64_t TableBegin = Header.offset();
  uint64_t Count = Header.fixed64();
  if (Header.ok() && Count > Header.left() / 32)
    Header.fail("table of " + Twine(Count) + " sections is truncated");
  std::vector<SecHdrTableEntry> Table;
  for (uint64_t I = 0; I != Count && Header.ok(); ++I) {
    SecHdrTableEntry Entry;
    Entry.Type = static_cast<SecType>(Header.fixed64());
    Entry.Flags = Header.fixed64();
    Entry.Offset = Header.fixed64();
    Entry.Size = Header.fixed64();
    Entry.LayoutIndex = I;
    Table.push_back(Entry);
  }
  if (!Header.ok())
    return fileError(Path, "corrupt profile: " + Header.problem());

  uint64_t Unclaimed = Bytes.size();
  uint64_t Allowance =
      std::max(MinExpandedSize,
               SaturatingMultiply<uint64_t>(Bytes.size(), MaxExpansion));
  bool IsCompressed = any_of(Table, [](const SecHdrTableEntry &Entry) {
    return Entry.Size && hasSecFlag(Entry, SecCommonFlags::SecFlagCompress);
  });
  // Only filled if something is compressed.
  SmallVector<char, 0> Plain;
  if (IsCompressed)
    Plain.assign(Bytes.begin(), Bytes.begin() + Header.offset());

  Walker W;
  for (SecHdrTableEntry &Entry : Table) {
    if (!Entry.Size)
      continue; // the reader skips it
    auto Corrupt = [&](const Twine &What) {
      return fileError(Path,
                       "corrupt profile: " + sectionName(Entry) + ": " + What);
    };
    if (Entry.Offset > Bytes.size() || Entry.Size > Bytes.size() - Entry.Offset)
      return Corrupt("needs " + Twine(Entry.Size) + " bytes at offset 0x" +
                     Twine::utohexstr(Entry.Offset) + ", but the file has " +
                     Twine(Bytes.size()) + " (truncated?)");
    if (Entry.Size > Unclaimed)
      return Corrupt("overlaps another section");
    Unclaimed -= Entry.Size;
    ArrayRef<uint8_t> Section = Bytes.slice(Entry.Offset, Entry.Size);
    SmallVector<uint8_t, 0> Expanded;
    if (hasSecFlag(Entry, SecCommonFlags::SecFlagCompress)) {
      if (Error E = expand(Section, Allowance, Expanded))
        return Corrupt(toString(std::move(E)));
      Section = Expanded;
    }
    Cursor C(Section);
    walkSection(W, Entry, C);
    if (!C.ok())
      return Corrupt(C.problem());
    if (!IsCompressed)
      continue;
    char *InTable =
        Plain.data() + TableBegin + 8 + 32 * uint64_t(Entry.LayoutIndex);
    support::endian::write64le(
        InTable + 8, Entry.Flags & ~uint64_t(SecCommonFlags::SecFlagCompress));
    support::endian::write64le(InTable + 16, Plain.size());
    support::endian::write64le(InTable + 24, Section.size());
    append_range(Plain, Section);
  }
  if (!W.HasSummary)
    return fileError(Path, "corrupt profile: there is no summary");
  ValidProfile Valid;
  Valid.HasFunctionOffsets = W.HasFunctionOffsets;
  Valid.Resolution = W.Resolution;
  if (IsCompressed)
    Valid.Buffer =
        std::make_unique<SmallVectorMemoryBuffer>(std::move(Plain), Path);
  else
    Valid.Buffer = std::move(Buffer);
  return Valid;
}

//===----------------------------------------------------------------------===//
// The other formats
//===----------------------------------------------------------------------===//

static Error validateBinary(const MemoryBuffer &Buffer) {
  Cursor C(arrayRefFromStringRef(Buffer.getBuffer()));
  C.number(); // magic
  C.number(); // version
  Walker W;
  W.summary(C);
  W.names(C);
  W.functions(C);
  if (!C.ok())
    return fileError(Buffer.getBufferIdentifier(),
                     "corrupt profile: " + C.problem());
  return Error::success();
}

static Error validateText(const MemoryBuffer &Buffer) {
  StringRef Rest = Buffer.getBuffer();
  for (uint64_t LineNumber = 1; !Rest.empty(); ++LineNumber) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    auto Failure = [&](const Twine &What) {
      return fileError(Buffer.getBufferIdentifier().str() + ":" +
                           std::to_string(LineNumber),
                       What);
    };
    if (Line.size() - Line.ltrim(' ').size() > MaxInlineDepth)
      return Failure("inlined calls nest more than " + Twine(MaxInlineDepth) +
                     " levels deep");
    if (Line.starts_with("[")) {
      // "[main:3 @ parse]:TOTAL:HEAD"
      StringRef Context = Line.rsplit(':').first.rsplit(':').first;
      if (Context.size() < 3 || !Context.ends_with("]"))
        return Failure("expected '[CONTEXT]:NUM:NUM', found " + Line);
      if (Context.count(" @ ") >= MaxInlineDepth)
        return Failure("context of more than " + Twine(MaxInlineDepth) +
                       " frames");
    }
    unsigned Colons = 0;
    for (char Character : Line) {
      Colons = Character == ' ' ? 0 : Colons + (Character == ':');
      if (Colons > MaxColonsInWord)
        return Failure("more than " + Twine(MaxColonsInWord) +
                       " colons in a name");
    }
  }
  return Error::success();
}

/// What a comment in front of all functions tells.
static std::optional<uint64_t> resolutionOfText(StringRef Text) {
  while (Text.starts_with("#")) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    uint64_t Resolution;
    if (Line.consume_front(ResolutionComment) &&
        !Line.trim().getAsInteger(10, Resolution) && Resolution)
      return Resolution;
  }
  return std::nullopt;
}

Expected<ValidProfile>
inlay::validateProfile(std::unique_ptr<MemoryBuffer> Buffer) {
  StringRef Path = Buffer->getBufferIdentifier();
  StringRef Bytes = Buffer->getBuffer();
  if (Bytes.empty())
    return fileError(Path, "the file is empty; llvm-profconv makes a profile "
                           "from perf.data");
  // The reader's own limit, which it checks for files only.
  if (Bytes.size() > ~uint32_t(0))
    return fileError(Path, "profiles of 4 GiB and more are not supported");
  if (Bytes.starts_with("adcg*"))
    return fileError(Path, "this is a profile for GCC; make one for LLVM, for "
                           "example with llvm-profconv");
  const uint8_t *Start = Bytes.bytes_begin();
  uint64_t Magic = readULEB128(Start, Bytes.bytes_end()).value_or(0);
  if (Magic == SPMagic(SPF_Ext_Binary))
    return validateExtBinary(std::move(Buffer));
  if (Error E = Magic == SPMagic(SPF_Binary) ? validateBinary(*Buffer)
                                             : validateText(*Buffer))
    return E;
  ValidProfile Valid;
  if (Magic != SPMagic(SPF_Binary))
    Valid.Resolution = resolutionOfText(Bytes);
  Valid.Buffer = std::move(Buffer);
  return Valid;
}
