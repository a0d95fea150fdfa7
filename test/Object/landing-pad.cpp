// Landing pads are reached though no edge leads to them.

// RUN: %clangxx --target=x86_64-linux-gnu -O1 -fPIC -fexceptions -c %s -o %t.o
// RUN: ld.lld -shared --eh-frame-hdr %t.o -o %t
// RUN: machine-cfg %t catches | FileCheck %s
// RUN: %clangxx --target=aarch64-linux-gnu -O1 -fPIC -fexceptions -c %s -o %t.a.o
// RUN: ld.lld -shared --eh-frame-hdr %t.a.o -o %t.a
// RUN: machine-cfg %t.a catches | FileCheck %s

extern "C" {
void mayThrow();
void cleanUp() noexcept;
int catches() {
  struct Guard {
    ~Guard() { cleanUp(); }
  } G;
  mayThrow();
  return 1;
}
}

// CHECK:       catches at
// CHECK:           calls mayThrow
// CHECK:           calls cleanUp
// CHECK:         landing-pad exit
// CHECK-NEXT:      calls cleanUp
// CHECK-NEXT:      calls _Unwind_Resume
// CHECK-NOT:       unreachable
