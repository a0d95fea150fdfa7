# Where values that are not in the table cannot be, compilers emit no comparison.
# Then the table ends where another that the function uses begins, or at the next
# symbol. Holes in it lead to the end of the function and are no edges.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.globl	choose
	.type	choose,@function
# CHECK:       choose at
# CHECK-NEXT:    b0
# CHECK-NEXT:      indirect -> b1
# CHECK-NEXT:      indirect -> b3
# CHECK-NEXT:    b1
# CHECK-NEXT:      indirect -> b2
# CHECK-NEXT:    b2 {{.*}} exit
# CHECK-NEXT:    b3 {{.*}} exit
# CHECK-NEXT:    b4 {{.*}} unreachable exit
choose:
	movl	%edi, %eax
	leaq	.Lfirst(%rip), %rcx
	movslq	(%rcx,%rax,4), %rax
	addq	%rcx, %rax
	jmpq	*%rax
.La:
	movl	%esi, %eax
	leaq	.Lsecond(%rip), %rcx
	movslq	(%rcx,%rax,4), %rax
	addq	%rcx, %rax
	jmpq	*%rax
.Lb:	retq
.Lc:	retq
.Ldead:	retq
	.size	choose, .-choose
.Lend:

	.section	.rodata,"a",@progbits
	.p2align	2
.Lfirst:
	.long	.La-.Lfirst
	.long	.Lend-.Lfirst
	.long	.Lc-.Lfirst
.Lsecond:
	.long	.Lb-.Lsecond
	.type	other,@object
other:
	.long	.Ldead-.Lsecond
	.size	other, 4
