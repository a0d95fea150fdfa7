# A jump past a lock prefix, as in glibc: decoding from the function's start does
# not hit its target. The prefix becomes an instruction that falls through.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg --kinds %t | FileCheck %s

	.text
	.globl	locks
	.type	locks,@function
# CHECK:         b0
# CHECK:           taken -> b2
# CHECK-NEXT:      falls -> b1
# CHECK-NEXT:    b1
# CHECK-NEXT:      0x{{[0-9a-f]+}} +1
# CHECK-NEXT:      falls -> b2
# CHECK-NEXT:    b2
# CHECK-NEXT:      0x{{[0-9a-f]+}} +4 read_modify_write
# CHECK-NEXT:      0x{{[0-9a-f]+}} +1 return
# CHECK-NOT:       trap
locks:
	cmpl	$0, %esi
	je	.Lalone
	lock
.Lalone:
	cmpxchgl	%ecx, 1(%rdi)
	retq
	.size	locks, .-locks
