# Two switches share the jump, as after tail merging: each table goes with the
# base that its own path loaded.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.globl	choose
	.type	choose,@function
# CHECK:       choose at
# CHECK-NOT:     unresolved
# CHECK:         b3 0x
# CHECK-DAG:       indirect -> b4
# CHECK-DAG:       indirect -> b5
# CHECK-DAG:       indirect -> b6
# CHECK-DAG:       indirect -> b7
# CHECK:         b4 0x
choose:
	andl	$1, %edi
	testl	%esi, %esi
	je	.Lother
	leaq	.Lfirst(%rip), %rcx
	movslq	(%rcx,%rdi,4), %rax
	jmp	.Ljump
.Lother:
	leaq	.Lsecond(%rip), %rcx
	movslq	(%rcx,%rdi,4), %rax
.Ljump:
	addq	%rcx, %rax
	jmpq	*%rax
.La:	movl	$1, %eax
	retq
.Lb:	movl	$2, %eax
	retq
.Lc:	movl	$3, %eax
	retq
.Ld:	movl	$4, %eax
	retq
	.size	choose, .-choose

	.section	.rodata,"a",@progbits
	.p2align	2
.Lfirst:
	.long	.La-.Lfirst
	.long	.Lb-.Lfirst
.Lsecond:
	.long	.Lc-.Lsecond
	.long	.Ld-.Lsecond
