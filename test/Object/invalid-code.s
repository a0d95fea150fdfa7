# Bytes that are no instruction end a block like a trap; behind them decoding
# goes on. Nobody takes the function for one that never returns.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg --kinds %t | FileCheck %s
# RUN: llvm-mc -triple=aarch64-linux-gnu -filetype=obj --defsym ARM=1 %s -o %t.a.o
# RUN: ld.lld -shared %t.a.o -o %t.a
# RUN: machine-cfg --kinds %t.a | FileCheck %s --check-prefix=ARM

	.text
	.globl	broken
	.type	broken,@function
broken:
.Lbroken:
.ifdef ARM
# ARM:         broken at {{.*}} invalid=1
# ARM-NEXT:      b0 {{.*}} exit
# ARM-NEXT:        +4 trap
# ARM-NEXT:    b1 {{.*}} unreachable exit
# ARM-NEXT:      +4 return
	.long	0xffffffff
	ret
.else
# CHECK:       broken at {{.*}} invalid=1
# CHECK-NEXT:    b0 {{.*}} exit
# CHECK-NEXT:      +1 trap
# CHECK-NEXT:    b1 {{.*}} unreachable exit
# CHECK-NEXT:      +1 return
	.byte	0x06
	retq
.endif
	.size	broken, .-broken

.ifndef ARM
	.globl	caller
	.type	caller,@function
# CHECK:       caller at
# CHECK-NEXT:    b0 0x{{[0-9a-f.x]+}} x3 exit
caller:
	callq	.Lbroken
	nop
	retq
	.size	caller, .-caller
.endif
