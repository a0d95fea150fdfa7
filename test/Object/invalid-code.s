# Bytes that are no instruction end a block like a trap; behind them decoding
# goes on.

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
.ifdef ARM
# ARM:         b0 {{.*}} exit
# ARM-NEXT:      +4 trap
# ARM-NEXT:    b1 {{.*}} unreachable exit
# ARM-NEXT:      +4 return
	.long	0xffffffff
	ret
.else
# CHECK:         b0 {{.*}} exit
# CHECK-NEXT:      +1 trap
# CHECK-NEXT:    b1 {{.*}} unreachable exit
# CHECK-NEXT:      +1 return
	.byte	0x06
	retq
.endif
	.size	broken, .-broken
