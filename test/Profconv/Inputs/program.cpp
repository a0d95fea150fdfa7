// A program with what makes attribution hard: templates, inlining many levels
// deep, lambdas, constructors (two symbols at one address), unrolled and
// vectorized loops, several blocks on one line, a recursive function.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#ifdef AS_LIBRARY
#define MAIN extern "C" int library_main
#else
#define MAIN int main
#endif

template <class T> struct Matrix {
  std::vector<T> Data;
  int Size;
  explicit Matrix(int Size) : Data(Size * Size), Size(Size) {}
  T &at(int I, int J) { return Data[I * Size + J]; }
};

template <class T>
static T dot(Matrix<T> &A, Matrix<T> &B, int I, int J) {
  T Sum = 0;
  for (int K = 0; K < A.Size; K++)
    Sum += A.at(I, K) * B.at(K, J);
  return Sum;
}

template <class T>
__attribute__((noinline)) void multiply(Matrix<T> &A, Matrix<T> &B,
                                        Matrix<T> &C) {
  for (int I = 0; I < A.Size; I++)
    for (int J = 0; J < A.Size; J++)
      C.at(I, J) = dot(A, B, I, J);
}

struct Shape {
  int Sides;
  __attribute__((noinline)) explicit Shape(int N);
  virtual int area(int X) const { return X * Sides; }
  virtual ~Shape() {}
};
Shape::Shape(int N) : Sides(0) {
  for (int I = 0; I < N; I++) Sides += (I & 3) ? I * 3 : I / 5;
}
struct Square final : Shape {
  Square() : Shape(90) {}
  int area(int X) const override { int S = 0; for (int I = 0; I < X; I++) if (I % 3) S += I; else S ^= Sides; return S; }
};

static inline unsigned mix(unsigned X) { if (X & 1) X ^= X << 13; else X ^= X << 7; return X ^ X >> 17; }

__attribute__((noinline)) unsigned collatz(unsigned N) {
  unsigned Steps = 0;
  while (N != 1 && Steps < 500) { N = N & 1 ? 3 * N + 1 : N / 2; Steps += mix(N) & 1; }
  return Steps;
}

__attribute__((noinline)) int fibonacci(int N) { return N < 2 ? N : fibonacci(N - 1) + fibonacci(N - 2); }

__attribute__((noinline)) int sumEvery(const int *Data, int Count) {
  int Sum = 0;
#pragma clang loop vectorize(disable) unroll_count(4)
  for (int I = 0; I < Count; I++)
    Sum += Data[I] > 100 ? mix(Data[I]) : Data[I];
  return Sum;
}

MAIN(int ArgCount, char **Arguments) {
  int Rounds = ArgCount > 1 ? atoi(Arguments[1]) : 100;
  double Accumulator = 0;
  unsigned Check = 0;
  std::map<std::string, int> Seen;
  for (int Round = 0; Round < Rounds; Round++) {
    Matrix<double> A(64), B(64), C(64);
    Matrix<int> X(64), Y(64), Z(64);
    for (int I = 0; I < 64 * 64; I++) {
      A.Data[I] = I; B.Data[I] = I * 2; X.Data[I] = I; Y.Data[I] = mix(I);
    }
    multiply(A, B, C);
    multiply(X, Y, Z);
    Accumulator += C.at(3, 4) + Z.at(1, 2);
    for (int I = 1; I < 1000; I++)
      Check += collatz(I);
    std::vector<int> Sorted(Z.Data);
    std::sort(Sorted.begin(), Sorted.end(),
              [](int P, int Q) { return mix(P) < mix(Q); });
    for (int I = 0; I < 300; I++)
      Seen[std::to_string(Sorted[I] % 100)]++;
    for (int I = 0; I < 40; I++)
      Check += sumEvery(Sorted.data(), 4096);
    for (int I = 0; I < 500; I++) {
      Square S;
      Shape *P = &S;
      Check += P->area(100);
    }
    Check += fibonacci(17);
  }
  std::printf("%f %u %zu\n", Accumulator, Check, Seen.size());
  return 0;
}
