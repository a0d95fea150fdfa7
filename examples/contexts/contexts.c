/* A sort that serves everybody: an order says how elements compare, how large
   they are, and in which direction they go. One caller sorts numbers, another
   names, a third, now and then, both. Over all callers together the sort calls
   either function half of the time; under each of the first two it always calls
   the same one, in the same direction. A profile that tells callers apart knows
   that:

     perf record -g -o perf.data ./contexts 4000
     llvm-profconv perf.data --contexts -o contexts.prof

   The optional argument is the number of rounds, a second one a seed. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MaxSize = 64, Numbers = 300, Names = 120 };

typedef int (*Less)(const void *, const void *);

struct Name {
  char Text[16];
  uint32_t Count;
  uint32_t Line;
};

struct Order {
  Less IsLess;
  size_t Size; /* of an element */
  int Descending;
  int DropEqual;
};

static void swap(char *A, char *B, size_t Size) {
  for (size_t I = 0; I < Size; I += 8) {
    uint64_t Left, Right;
    memcpy(&Left, A + I, 8);
    memcpy(&Right, B + I, 8);
    memcpy(A + I, &Right, 8);
    memcpy(B + I, &Left, 8);
  }
}

static void copy(char *To, const char *From, size_t Size) {
  for (size_t I = 0; I < Size; I += 8)
    memcpy(To + I, From + I, 8);
}

/* Comb sort, and insertion sort once most is in place; what is in order already
   is left alone. Returns how many elements there are then. */
size_t sort(void *Base, size_t Count, const struct Order *By) {
  char *First = Base;
  char Held[MaxSize];
  const size_t Size = By->Size;
  if (Size > MaxSize || Size % 8 || Count < 2)
    return Count;
  size_t Sorted = 1;
  for (; Sorted < Count; ++Sorted) {
    char *A = First + (Sorted - 1) * Size;
    char *B = A + Size;
    if (By->Descending ? By->IsLess(A, B) : By->IsLess(B, A))
      break;
  }
  if (Sorted < Count) {
    for (size_t Gap = Count * 10 / 13; Gap > 1; Gap = Gap * 10 / 13)
      for (size_t I = 0; I + Gap < Count; ++I) {
        char *A = First + I * Size;
        char *B = First + (I + Gap) * Size;
        if (By->Descending ? By->IsLess(A, B) : By->IsLess(B, A))
          swap(A, B, Size);
      }
    for (size_t I = 1; I < Count; ++I) {
      char *Place = First + I * Size;
      copy(Held, Place, Size);
      for (; Place != First; Place -= Size) {
        if (!(By->Descending ? By->IsLess(Place - Size, Held)
                             : By->IsLess(Held, Place - Size)))
          break;
        copy(Place, Place - Size, Size);
      }
      copy(Place, Held, Size);
    }
  }
  if (!By->DropEqual)
    return Count;
  size_t Kept = 1;
  for (size_t I = 1; I < Count; ++I) {
    char *Last = First + (Kept - 1) * Size;
    char *Next = First + I * Size;
    if (!By->IsLess(Last, Next) && !By->IsLess(Next, Last))
      continue;
    if (Kept++ != I)
      copy(Last + Size, Next, Size);
  }
  return Kept;
}

static int lessNumber(const void *L, const void *R) {
  int64_t A, B;
  memcpy(&A, L, sizeof A);
  memcpy(&B, R, sizeof B);
  return A < B;
}

static int lessName(const void *L, const void *R) {
  const struct Name *A = L, *B = R;
  for (size_t I = 0; I < sizeof A->Text; ++I)
    if (A->Text[I] != B->Text[I])
      return A->Text[I] < B->Text[I];
  return A->Line < B->Line;
}

static uint32_t State;

static uint32_t draw(void) {
  State ^= State << 13;
  State ^= State >> 17;
  State ^= State << 5;
  return State;
}

static int64_t Values[Numbers];
static struct Name Table[Names];
/* Not constant: nobody but a profile knows what they are. */
struct Order ByNumber = {lessNumber, sizeof Values[0], 0, 1};
struct Order ByName = {lessName, sizeof Table[0], 1, 0};

static void drawNumbers(void) {
  for (int I = 0; I < Numbers; ++I)
    Values[I] = (int64_t)draw() % 100000;
}

static void drawNames(void) {
  for (int I = 0; I < Names; ++I) {
    for (size_t J = 0; J < sizeof Table[I].Text; ++J)
      Table[I].Text[J] = (char)('a' + draw() % (J < 2 ? 4 : 26));
    Table[I].Count = draw() % 10;
    Table[I].Line = (uint32_t)I;
  }
}

static uint64_t rankNumbers(void) {
  drawNumbers();
  size_t Count = sort(Values, Numbers, &ByNumber);
  uint64_t Sum = 0;
  for (size_t I = 0; I < Count; ++I)
    Sum += (uint64_t)Values[I] * I;
  return Sum;
}

static uint64_t indexNames(void) {
  drawNames();
  size_t Count = sort(Table, Names, &ByName);
  uint64_t Sum = 0;
  for (size_t I = 0; I < Count; ++I)
    Sum = Sum * 31 + Table[I].Line;
  return Sum;
}

static uint64_t checkBoth(void) {
  drawNumbers();
  drawNames();
  return sort(Values, Numbers, &ByNumber) * sort(Table, Names, &ByName);
}

int main(int Count, char **Arguments) {
  int Rounds = Count > 1 ? atoi(Arguments[1]) : 1000;
  State = Count > 2 ? (uint32_t)atoi(Arguments[2]) : 2463534242u;
  if (Count > 3) { /* the other way round */
    ByNumber.Descending = !ByNumber.Descending;
    ByName.Descending = !ByName.Descending;
  }
  uint64_t Sum = 0;
  for (int Round = 0; Round < Rounds; ++Round) {
    Sum ^= rankNumbers();
    Sum += indexNames();
    if (Round % 64 == 0)
      Sum ^= checkBoth();
  }
  printf("%016llx\n", (unsigned long long)Sum);
  return 0;
}
