//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ties together what an ELF file says of itself (ELFImage) and what DWARF says
// of it (DebugInfo), be that in the same file or in a separate one.
//
//===----------------------------------------------------------------------===//

#include "inlay/Object/ProfiledBinary.h"
#include "DebugFile.h"
#include "DebugInfo.h"
#include "ELFImage.h"
#include "ModuleLayout.h"
#include "inlay/Object/SymbolName.h"
#include "inlay/Support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inlay {

ProfiledBinary::~ProfiledBinary() = default;

namespace {

class ELFProfiledBinary final : public ProfiledBinary {
public:
  static Expected<std::unique_ptr<ProfiledBinary>>
  create(std::unique_ptr<ELFImage> Image, FoundDebugFile DebugFile,
         ArrayRef<std::string> DebugDirectories);

  StringRef path() const override { return Image->path(); }
  ArrayRef<uint8_t> buildID() const override { return Image->buildID(); }
  StringRef debugPath() const override {
    return DebugImage ? DebugImage->path() : Image->path();
  }
  bool hasSymbols() const override { return !Functions.empty(); }
  bool isStripped() const override {
    return !Image->hasSymbolTable() &&
           !(DebugImage && DebugImage->hasSymbolTable());
  }
  bool hasDebugInfo() const override { return Debug != nullptr; }
  BinaryForm form() const override {
    return Image->isKernelModule() ? BinaryForm::KernelModule
           : Image->isKernel()     ? BinaryForm::Kernel
                                   : BinaryForm::Program;
  }
  std::optional<uint64_t> addressOf(uint64_t FileOffset) const override;
  Error countOffsetsFrom(StringRef Symbol) override {
    const ELFImage &Source =
        !Image->hasSymbolTable() && DebugImage ? *DebugImage : *Image;
    return Source.symbolAddress(Symbol).moveInto(Origin);
  }
  ArrayRef<FunctionRange> functions() const override { return Functions; }
  const FunctionRange *functionAt(uint64_t Address) const override;
  ArrayRef<StringRef>
  symbolNames(const FunctionRange &Function) const override {
    const FunctionRange *Own = functionAt(Function.Begin);
    if (!Own)
      return {};
    return Symbols[Own - Functions.data()].Names;
  }
  const object::ELF64LEObjectFile *object() const override {
    return &Image->object();
  }
  InlineStack inlineStackAt(uint64_t Address) override;
  DebugInfoKind debugInfoAt(uint64_t Address) override {
    return Debug ? Debug->kindAt(Address) : DebugInfoKind::None;
  }
  std::vector<uint64_t> locationBoundaries(uint64_t Begin,
                                           uint64_t End) override {
    if (!Debug)
      return {Begin};
    return Debug->locationBoundaries(Begin, End);
  }
  ArrayRef<std::string> debugInfoWarnings() const override {
    return Debug ? Debug->warnings() : ArrayRef<std::string>();
  }

  ArrayRef<std::string> rejectedDebugFiles() const override {
    return RejectedDebugFiles;
  }

private:
  std::unique_ptr<ELFImage> Image, DebugImage;
  std::vector<std::string> RejectedDebugFiles;
  uint64_t Origin = ModuleTextAddress; ///< of offsets, unless in a program
  std::unique_ptr<DebugInfo> Debug;
  std::vector<FunctionSymbols> Symbols;
  std::vector<FunctionRange> Functions; // parallel to Symbols
};

} // namespace

Expected<std::unique_ptr<ProfiledBinary>>
ELFProfiledBinary::create(std::unique_ptr<ELFImage> Image,
                          FoundDebugFile DebugFile,
                          ArrayRef<std::string> DebugDirectories) {
  auto Binary = std::make_unique<ELFProfiledBinary>();
  Binary->RejectedDebugFiles = std::move(DebugFile.Rejected);
  std::unique_ptr<ELFImage> DebugImage = std::move(DebugFile.Image);
  const ELFImage &SymbolSource =
      DebugImage && DebugImage->hasSymbolTable() ? *DebugImage : *Image;
  Expected<std::vector<FunctionSymbols>> SymbolsOrErr =
      SymbolSource.functions();
  if (!SymbolsOrErr)
    return SymbolsOrErr.takeError();
  Binary->Symbols = std::move(*SymbolsOrErr);
  Binary->Functions.reserve(Binary->Symbols.size());
  for (const FunctionSymbols &Function : Binary->Symbols)
    Binary->Functions.push_back(
        {Function.Begin, Function.End,
         canonicalFunctionName(Function.Names.front())});

  const ELFImage &DebugSource = DebugImage ? *DebugImage : *Image;
  if (DebugSource.hasDebugSections())
    Binary->Debug = std::make_unique<DebugInfo>(
        DebugSource.object(),
        SplitDwarfSearch{Image->path(), DebugSource.path(),
                         SmallVector<uint8_t, 20>(Image->buildID()),
                         DebugDirectories.vec()},
        DebugSource.alternateDebugFile());
  Binary->Image = std::move(Image);
  Binary->DebugImage = std::move(DebugImage);
  return Binary;
}

std::optional<uint64_t>
ELFProfiledBinary::addressOf(uint64_t FileOffset) const {
  if (form() != BinaryForm::Program) {
    uint64_t Address = SaturatingAdd(Origin, FileOffset);
    for (const CodeSegment &Segment : Image->codeSegments())
      if (Address >= Segment.Address &&
          Address - Segment.Address < Segment.FileSize)
        return Address;
    return std::nullopt;
  }
  for (const CodeSegment &Segment : Image->codeSegments())
    if (FileOffset >= Segment.FileOffset &&
        FileOffset - Segment.FileOffset < Segment.FileSize)
      return Segment.Address + (FileOffset - Segment.FileOffset);
  return std::nullopt;
}

const FunctionRange *ELFProfiledBinary::functionAt(uint64_t Address) const {
  auto It = llvm::upper_bound(
      Functions, Address,
      [](uint64_t A, const FunctionRange &F) { return A < F.Begin; });
  if (It == Functions.begin())
    return nullptr;
  const FunctionRange &Function = *std::prev(It);
  return Address < Function.End ? &Function : nullptr;
}

InlineStack ELFProfiledBinary::inlineStackAt(uint64_t Address) {
  const FunctionRange *Function = functionAt(Address);
  if (!Debug || !Function)
    return {};
  InlineStack Stack = Debug->inlineStackAt(Address);
  if (Stack.empty())
    return Stack;
  // The symbol names the function, but where there are several (constructors
  // C1 and C2, folded functions) the one that DWARF has is the definition.
  const auto &Names = Symbols[Function - Functions.data()].Names;
  InlineFrame &Outermost = Stack.back();
  Outermost.Function = is_contained(Names, Outermost.Function)
                           ? canonicalFunctionName(Outermost.Function)
                           : Function->Name;
  return Stack;
}

Expected<std::unique_ptr<ProfiledBinary>>
ProfiledBinary::open(StringRef Path, ArrayRef<std::string> DebugDirectories) {
  Expected<std::unique_ptr<ELFImage>> ImageOrErr = ELFImage::open(Path);
  if (!ImageOrErr)
    return ImageOrErr.takeError();
  std::unique_ptr<ELFImage> Image = std::move(*ImageOrErr);
  if (Image->codeSegments().empty())
    return fileError(Path, "holds no code: a separate debug file? Give the "
                           "binary itself, and this file's directory as "
                           "--debug-dir");
  FoundDebugFile DebugFile;
  if (!Image->hasDebugSections())
    DebugFile = findDebugFile(*Image, DebugDirectories);
  auto BinaryOrErr = ELFProfiledBinary::create(
      std::move(Image), std::move(DebugFile), DebugDirectories);
  if (BinaryOrErr && (*BinaryOrErr)->form() == BinaryForm::Kernel)
    if (Error E = (*BinaryOrErr)->countOffsetsFrom("_text"))
      return E;
  return BinaryOrErr;
}

} // namespace inlay
