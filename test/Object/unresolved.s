# A jump table whose address comes from somewhere that cannot be followed: the
# function says that its graph lacks edges.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.globl	choose
	.type	choose,@function
# CHECK:       choose at {{.*}}: address-taken unresolved=1
# CHECK-NEXT:    b0 {{.*}} exit
# CHECK-NOT:       tail-calls
choose:
	movslq	(%rdi,%rsi,4), %rax
	addq	%rdi, %rax
	jmpq	*%rax
	nop
	.size	choose, .-choose
