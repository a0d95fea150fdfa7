//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// MiniSat's simplifying solver on formulas made up here, several in one
// process. Each argument names one:
//
//   random:VARIABLES:CLAUSES:SEED      three random literals in each clause
//   coloring:NODES:EDGES:COLORS:SEED   may a random graph be coloured so?
//   factor:NUMBER                      the circuit of a multiplier: is NUMBER a
//                                      product of two factors above 1?
//   pigeons:HOLES                      one pigeon more than holes, one in each
//
// Printed are the answer and the solver's counts for each, which are the same
// in every run: the solver's own random numbers start from a constant.
//
//===----------------------------------------------------------------------===//

#include "minisat/simp/SimpSolver.h"
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

using Minisat::Lit;
using Minisat::mkLit;
using Minisat::SimpSolver;

static uint64_t RandomState;

/// Below Bound, by a linear congruential generator's upper bits.
static int randomBelow(int Bound) {
  RandomState = RandomState * 6364136223846793005ull + 1442695040888963407ull;
  return int((RandomState >> 33) % uint64_t(Bound));
}

static std::vector<Lit> newVariables(SimpSolver &Solver, int Count) {
  std::vector<Lit> Variables;
  for (int I = 0; I < Count; ++I)
    Variables.push_back(mkLit(Solver.newVar()));
  return Variables;
}

static void addRandom(SimpSolver &Solver, int Variables, int Clauses) {
  std::vector<Lit> X = newVariables(Solver, Variables);
  for (int I = 0; I < Clauses; ++I) {
    Lit Of[3];
    for (Lit &L : Of)
      L = X[randomBelow(Variables)] ^ bool(randomBelow(2));
    Solver.addClause(Of[0], Of[1], Of[2]);
  }
}

static void addColoring(SimpSolver &Solver, int Nodes, int Edges, int Colors) {
  std::vector<Lit> X = newVariables(Solver, Nodes * Colors);
  for (int Node = 0; Node < Nodes; ++Node) {
    Minisat::vec<Lit> Any;
    for (int Color = 0; Color < Colors; ++Color) {
      Any.push(X[Node * Colors + Color]);
      for (int Other = 0; Other < Color; ++Other)
        Solver.addClause(~X[Node * Colors + Color], ~X[Node * Colors + Other]);
    }
    Solver.addClause(Any);
  }
  for (int I = 0; I < Edges; ++I) {
    int A = randomBelow(Nodes), B = randomBelow(Nodes);
    for (int Color = 0; A != B && Color < Colors; ++Color)
      Solver.addClause(~X[A * Colors + Color], ~X[B * Colors + Color]);
  }
}

static Lit addAnd(SimpSolver &Solver, Lit A, Lit B) {
  Lit Out = mkLit(Solver.newVar());
  Solver.addClause(~A, ~B, Out);
  Solver.addClause(A, ~Out);
  Solver.addClause(B, ~Out);
  return Out;
}

static Lit addXor(SimpSolver &Solver, Lit A, Lit B) {
  Lit Out = mkLit(Solver.newVar());
  Solver.addClause(~A, ~B, ~Out);
  Solver.addClause(A, B, ~Out);
  Solver.addClause(~A, B, Out);
  Solver.addClause(A, ~B, Out);
  return Out;
}

static void addFactor(SimpSolver &Solver, uint64_t Number) {
  int Bits = 64 - __builtin_clzll(Number);
  int Half = (Bits + 1) / 2;
  Lit False = mkLit(Solver.newVar());
  Solver.addClause(~False);
  // The smaller factor has at most half of the bits.
  std::vector<Lit> A = newVariables(Solver, Half);
  std::vector<Lit> B = newVariables(Solver, Bits - 1);
  std::vector<Lit> Sum(Bits, False);
  for (int I = 0; I < Half; ++I) {
    Lit Carry = False;
    for (int J = I; J < Bits; ++J) {
      Lit Bit = J - I < Bits - 1 ? addAnd(Solver, A[I], B[J - I]) : False;
      Lit Either = addXor(Solver, Sum[J], Bit);
      Lit Both = addAnd(Solver, Sum[J], Bit);
      Lit Over = addAnd(Solver, Either, Carry);
      Sum[J] = addXor(Solver, Either, Carry);
      Carry = ~addAnd(Solver, ~Both, ~Over);
    }
    // The product must not overflow: neither this way nor by B's upper bits.
    Solver.addClause(~Carry);
    for (int J = Bits - I; J < Bits - 1; ++J)
      Solver.addClause(~A[I], ~B[J]);
  }
  for (int J = 0; J < Bits; ++J)
    Solver.addClause(Sum[J] ^ !(Number >> J & 1));
  for (std::vector<Lit> *Factor : {&A, &B}) {
    Minisat::vec<Lit> AboveOne;
    for (size_t I = 1; I < Factor->size(); ++I)
      AboveOne.push((*Factor)[I]);
    Solver.addClause(AboveOne);
  }
}

static void addPigeons(SimpSolver &Solver, int Holes) {
  std::vector<Lit> X = newVariables(Solver, (Holes + 1) * Holes);
  for (int Pigeon = 0; Pigeon <= Holes; ++Pigeon) {
    Minisat::vec<Lit> Any;
    for (int Hole = 0; Hole < Holes; ++Hole) {
      Any.push(X[Pigeon * Holes + Hole]);
      for (int Other = 0; Other < Pigeon; ++Other)
        Solver.addClause(~X[Pigeon * Holes + Hole], ~X[Other * Holes + Hole]);
    }
    Solver.addClause(Any);
  }
}

static bool addFormula(SimpSolver &Solver, const char *Name) {
  unsigned A, B, C;
  unsigned long long Large;
  if (sscanf(Name, "random:%u:%u:%llu", &A, &B, &Large) == 3 && A) {
    RandomState = Large;
    addRandom(Solver, A, B);
  } else if (sscanf(Name, "coloring:%u:%u:%u:%llu", &A, &B, &C, &Large) == 4 &&
             A && C) {
    RandomState = Large;
    addColoring(Solver, A, B, C);
  } else if (sscanf(Name, "factor:%llu", &Large) == 1 && Large > 3) {
    addFactor(Solver, Large);
  } else if (sscanf(Name, "pigeons:%u", &A) == 1) {
    addPigeons(Solver, A);
  } else {
    return false;
  }
  return true;
}

int main(int Count, char **Arguments) {
  for (int I = 1; I < Count; ++I) {
    SimpSolver Solver;
    if (!addFormula(Solver, Arguments[I])) {
      fprintf(stderr, "%s: no formula `%s'\n", Arguments[0], Arguments[I]);
      return 2;
    }
    bool Satisfiable = Solver.solve();
    printf("%s: %s, %llu decisions, %llu propagations, %llu conflicts\n",
           Arguments[I], Satisfiable ? "satisfiable" : "unsatisfiable",
           (unsigned long long)Solver.decisions,
           (unsigned long long)Solver.propagations,
           (unsigned long long)Solver.conflicts);
  }
}
