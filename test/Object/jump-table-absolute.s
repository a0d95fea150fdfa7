# A switch in code with a fixed address: a table of addresses, named in the jump
# itself.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -no-pie -e choose %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.globl	choose
	.type	choose,@function
# CHECK:        b1 0x
# CHECK-NEXT:     indirect -> b3
# CHECK-NEXT:     indirect -> b2
# CHECK-NEXT:   b2
choose:
	cmpl	$1, %edi
	ja	.Ldefault
	movl	%edi, %eax
	jmpq	*.Ltable(,%rax,8)
.Lone:
	movl	$1, %eax
	retq
.Lzero:
	xorl	%eax, %eax
	retq
.Ldefault:
	movl	$-1, %eax
	retq
	.size	choose, .-choose

	.section	.rodata,"a",@progbits
	.p2align	3
.Ltable:
	.quad	.Lzero
	.quad	.Lone
	.quad	.Ldefault
