# The smallest case is not 0: code subtracts it before the comparison, or the
# linker after it, from the table's address.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.globl	subtracted
	.type	subtracted,@function
# CHECK-LABEL: subtracted at
# CHECK:         indirect -> b3
# CHECK-NEXT:    indirect -> b2
# CHECK-NEXT:  b2
subtracted:
	leal	-97(%rdi), %eax
	cmpb	$1, %al
	ja	.Ldefault
	movzbl	%al, %eax
	leaq	.Ltable(%rip), %rcx
	movslq	(%rcx,%rax,4), %rax
	addq	%rcx, %rax
	jmpq	*%rax
.La:	retq
.Lb:	retq
.Ldefault:
	retq
	.size	subtracted, .-subtracted

	.globl	added
	.type	added,@function
# CHECK-LABEL: added at
# CHECK:         indirect -> b2
# CHECK-NEXT:    indirect -> b3
# CHECK-NEXT:  b2
added:
	decl	%edi
	cmpl	$1, %edi
	ja	.Lnone
	incl	%edi
	leaq	.Lother-4(%rip), %rcx
	movslq	(%rcx,%rdi,4), %rax
	leaq	.Lother(%rip), %rcx
	addq	%rcx, %rax
	jmpq	*%rax
.Lc:	retq
.Ld:	retq
.Lnone:	retq
	.size	added, .-added

	.section	.rodata,"a",@progbits
	.p2align	2
.Ltable:
	.long	.Lb-.Ltable
	.long	.La-.Ltable
.Lother:
	.long	.Lc-.Lother
	.long	.Ld-.Lother
	.long	.Lnone-.Lother
