//===----------------------------------------------------------------------===//
//
// Part of Inlay, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calibration: floating point; matrix product, bodies under gravity, a Fourier
// transform, Newton's method.
//
//===----------------------------------------------------------------------===//

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 120, Bodies = 48, Points = 1 << 13 };

static double A[N][N], B[N][N], C[N][N];

static __attribute__((noinline)) double multiply(void) {
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      double Sum = 0;
      for (int K = 0; K < N; ++K)
        Sum += A[I][K] * B[K][J];
      C[I][J] = Sum;
    }
  return C[N / 2][N / 3];
}

struct Body {
  double X, Y, Z, VX, VY, VZ, Mass;
};
static struct Body Body[Bodies];

static __attribute__((noinline)) double moveBodies(int Steps) {
  const double Time = 1e-3;
  for (int Step = 0; Step < Steps; ++Step) {
    for (int I = 0; I < Bodies; ++I)
      for (int J = I + 1; J < Bodies; ++J) {
        double DX = Body[I].X - Body[J].X, DY = Body[I].Y - Body[J].Y,
               DZ = Body[I].Z - Body[J].Z;
        double Square = DX * DX + DY * DY + DZ * DZ + 0.01;
        double Force = Time / (Square * sqrt(Square));
        Body[I].VX -= DX * Body[J].Mass * Force;
        Body[I].VY -= DY * Body[J].Mass * Force;
        Body[I].VZ -= DZ * Body[J].Mass * Force;
        Body[J].VX += DX * Body[I].Mass * Force;
        Body[J].VY += DY * Body[I].Mass * Force;
        Body[J].VZ += DZ * Body[I].Mass * Force;
      }
    for (int I = 0; I < Bodies; ++I) {
      Body[I].X += Time * Body[I].VX;
      Body[I].Y += Time * Body[I].VY;
      Body[I].Z += Time * Body[I].VZ;
    }
  }
  return Body[0].X;
}

static double Real[Points], Imaginary[Points];

static __attribute__((noinline)) void transform(void) {
  for (unsigned I = 1, J = 0; I < Points; ++I) {
    unsigned Bit = Points >> 1;
    for (; J & Bit; Bit >>= 1)
      J ^= Bit;
    J ^= Bit;
    if (I < J) {
      double R = Real[I], M = Imaginary[I];
      Real[I] = Real[J], Imaginary[I] = Imaginary[J];
      Real[J] = R, Imaginary[J] = M;
    }
  }
  for (unsigned Length = 2; Length <= Points; Length <<= 1) {
    double Angle = 6.283185307179586 / Length;
    double StepR = cos(Angle), StepI = sin(Angle);
    for (unsigned I = 0; I < Points; I += Length) {
      double R = 1, M = 0;
      for (unsigned K = 0; K < Length / 2; ++K) {
        unsigned Low = I + K, High = Low + Length / 2;
        double HR = Real[High] * R - Imaginary[High] * M;
        double HI = Real[High] * M + Imaginary[High] * R;
        Real[High] = Real[Low] - HR, Imaginary[High] = Imaginary[Low] - HI;
        Real[Low] += HR, Imaginary[Low] += HI;
        double Next = R * StepR - M * StepI;
        M = R * StepI + M * StepR, R = Next;
      }
    }
  }
}

static __attribute__((noinline)) double roots(int Count) {
  double Sum = 0;
  for (int I = 1; I <= Count; ++I) {
    double X = I;
    for (int Step = 0; Step < 40; ++Step) {
      double Next = X - (X * X * X - I) / (3 * X * X);
      if (fabs(Next - X) < 1e-12)
        break;
      X = Next;
    }
    Sum += X;
  }
  return Sum;
}

int main(int ArgCount, char **Arguments) {
  int Rounds = ArgCount > 1 ? atoi(Arguments[1]) : 1;
  double Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    for (int I = 0; I < N; ++I)
      for (int J = 0; J < N; ++J)
        A[I][J] = I - J, B[I][J] = 1.0 / (1 + I + J);
    for (int I = 0; I < Bodies; ++I) {
      struct Body Start = {I % 7, I % 5, I % 3, 0, 0, 0, 1 + I % 4};
      Body[I] = Start;
    }
    for (int I = 0; I < Points; ++I)
      Real[I] = I % 64 < 32, Imaginary[I] = 0;
    for (int Part = 0; Part < 4; ++Part)
      Sum += multiply();
    Sum += moveBodies(300);
    for (int Part = 0; Part < 6; ++Part)
      transform();
    Sum += Real[3] + roots(6000);
  }
  printf("%g\n", Sum);
  return 0;
}
