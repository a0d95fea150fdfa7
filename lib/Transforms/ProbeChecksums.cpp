//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM keeps a node of metadata for each function: hash, checksum, name.
//
//===----------------------------------------------------------------------===//

#include "ProbeChecksums.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PseudoProbe.h"

using namespace llvm;
using namespace inlay;

ProbeChecksums inlay::probeChecksums(const Module &M) {
  ProbeChecksums Checksums;
  const NamedMDNode *Functions =
      M.getNamedMetadata(PseudoProbeDescMetadataName);
  if (!Functions)
    return Checksums;
  for (const MDNode *Function : Functions->operands()) {
    if (Function->getNumOperands() < 2)
      continue;
    auto *GUID = mdconst::dyn_extract<ConstantInt>(Function->getOperand(0));
    auto *Checksum = mdconst::dyn_extract<ConstantInt>(Function->getOperand(1));
    if (GUID && Checksum && GUID->getBitWidth() == 64 &&
        Checksum->getBitWidth() == 64)
      Checksums.try_emplace(GUID->getZExtValue(), Checksum->getZExtValue());
  }
  return Checksums;
}
