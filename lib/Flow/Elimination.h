//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In which order the vertices of a flow network are eliminated, and where that
// fills in: done once per network, used by every linear system that is solved
// on it. Vertices are eliminated in an approximate minimum-degree order
// (Eigen's).
//
// The systems themselves (Laplacian.h, MarkovChain.h) are not left to a general
// factorization. Flows of one function easily differ by a factor of 10^9, the
// entries of the matrix by its square, and where a pivot is a difference of
// such numbers nothing of it is left: the flow into a hot loop is lost in the
// rounding of the flow around it. But the matrices are those of networks, in
// which every pivot is the sum of what remains connected (Grassmann, Taksar and
// Heyman's rule): without any subtraction, each is accurate to its last digits.
//
//===----------------------------------------------------------------------===//

#ifndef INLAY_LIB_FLOW_ELIMINATION_H
#define INLAY_LIB_FLOW_ELIMINATION_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace inlay {

/// Stands for everything outside of the network: source of what enters, target
/// of what leaves. It is never eliminated.
constexpr uint32_t FlowGround = ~0u;

/// Between two vertices, or a vertex and the ground, or from ground to ground.
struct FlowArc {
  uint32_t Tail, Head;
};

/// Columns are numbered in the order of elimination. Column k has the rows
/// j > k that vertex k is connected with when its turn comes, be it by an arc
/// or by what was eliminated before; connections are stored by entry, column
/// after column.
class Elimination {
public:
  /// nullopt if more would fill in than can be computed in reasonable time and
  /// memory.
  static std::optional<Elimination> create(uint32_t NumVertices,
                                           llvm::ArrayRef<FlowArc> Arcs);

  uint32_t size() const { return VertexOf.size(); }
  uint32_t numEntries() const { return Rows.size(); }

  /// An earlier column that has a connection with a given one.
  struct Connection {
    uint32_t Column, Entry;
  };

  uint32_t begin(uint32_t Column) const { return ColumnBegin[Column]; }
  uint32_t end(uint32_t Column) const { return ColumnBegin[Column + 1]; }
  /// Ascending within a column.
  uint32_t row(uint32_t Entry) const { return Rows[Entry]; }
  llvm::ArrayRef<Connection> earlier(uint32_t Column) const {
    return llvm::ArrayRef(Earlier).slice(
        EarlierBegin[Column], EarlierBegin[Column + 1] - EarlierBegin[Column]);
  }

  uint32_t vertexOf(uint32_t Column) const { return VertexOf[Column]; }
  uint32_t columnOf(uint32_t Vertex) const { return ColumnOf[Vertex]; }

  static constexpr uint32_t None = ~0u;
  /// The entry of an arc, in the order given; None if it connects no two
  /// vertices.
  uint32_t entryOf(uint32_t Arc) const { return EntryOf[Arc]; }

private:
  std::vector<uint32_t> VertexOf, ColumnOf;
  std::vector<uint32_t> ColumnBegin, Rows;
  std::vector<uint32_t> EarlierBegin;
  std::vector<Connection> Earlier;
  std::vector<uint32_t> EntryOf;
};

} // namespace inlay

#endif
