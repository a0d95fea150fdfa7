# A mask bounds the index as well as a comparison, but a table may be shorter
# than what the mask lets through.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.globl	masked
	.type	masked,@function
# CHECK-LABEL: masked at
# CHECK-NEXT:    b0
# CHECK-NEXT:      indirect -> b2
# CHECK-NEXT:      indirect -> b1
# CHECK-NEXT:    b1
masked:
	andl	$1, %edi
	leaq	.Ltable(%rip), %rcx
	movslq	(%rcx,%rdi,4), %rax
	addq	%rcx, %rax
	jmpq	*%rax
.La:	retq
.Lb:	retq
.Lc:	retq
	.size	masked, .-masked

	.globl	short_table
	.type	short_table,@function
# CHECK-LABEL: short_table at
# CHECK-NEXT:    b0
# CHECK-NEXT:      indirect -> b1
# CHECK-NEXT:      indirect -> b2
# CHECK-NEXT:    b1
short_table:
	movzbl	(%rdi), %eax
	leaq	.Lshort(%rip), %rcx
	movslq	(%rcx,%rax,4), %rax
	addq	%rcx, %rax
	jmpq	*%rax
.Ld:	retq
.Le:	retq
	.size	short_table, .-short_table

	.section	.rodata,"a",@progbits
	.p2align	2
.Ltable:
	.long	.Lb-.Ltable
	.long	.La-.Ltable
	.long	.Lc-.Ltable
.Lshort:
	.long	.Ld-.Lshort
	.long	.Le-.Lshort
	.long	0x12345678
