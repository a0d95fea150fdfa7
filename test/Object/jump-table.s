# A switch in position-independent code: offsets of 4 bytes, relative to the
# table. The comparison before it tells how many there are: what follows the
# table looks like more of it, and is not read.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.globl	choose
	.type	choose,@function
# CHECK:      choose at {{.*}}: address-taken{{$}}
# CHECK-NEXT:   b0
# CHECK-NEXT:     taken -> b5
# CHECK-NEXT:     falls -> b1
choose:
	cmpl	$2, %edi
	ja	.Ldefault
# CHECK-NEXT:   b1
# CHECK-NEXT:     indirect -> b4
# CHECK-NEXT:     indirect -> b2
# CHECK-NEXT:   b2
	movl	%edi, %eax
	leaq	.Ltable(%rip), %rcx
	movslq	(%rcx,%rax,4), %rax
	addq	%rcx, %rax
	jmpq	*%rax
.Lone:
	movl	$1, %eax
	retq
# CHECK-NEXT:   b3 {{.*}} unreachable exit
.Ldead:
	retq
# CHECK-NEXT:   b4 {{.*}} exit
.Lzero:
	xorl	%eax, %eax
	retq
.Ldefault:
	movl	$-1, %eax
	retq
	.size	choose, .-choose

	.section	.rodata,"a",@progbits
	.p2align	2
.Ltable:
	.long	.Lzero-.Ltable
	.long	.Lone-.Ltable
	.long	.Lzero-.Ltable
	.long	.Ldead-.Ltable
