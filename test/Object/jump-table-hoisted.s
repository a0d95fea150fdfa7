# The table's address is loaded once, before a loop: into a register in one
# function, into a slot of the stack in the other. The loop is entered and left
# in ways that make no difference to that.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.globl	in_register
	.type	in_register,@function
# CHECK-LABEL: in_register at
# CHECK-NOT:     unresolved
# CHECK:         b2 {{.*}}
# CHECK-NEXT:      indirect -> b3
# CHECK-NEXT:      indirect -> b4
# CHECK-NEXT:      indirect -> b5
in_register:
	pushq	%rbx
	leaq	.Ltable(%rip), %rbx
	jmp	.Lnext
.Lloop:
	movzbl	(%rdi), %eax
	incq	%rdi
	cmpl	$2, %eax
	ja	.Lnext
	movslq	(%rbx,%rax,4), %rax
	addq	%rbx, %rax
	jmpq	*%rax
.La:
	callq	work@PLT
	jmp	.Lnext
.Lb:
	decl	%esi
.Lnext:
	testl	%esi, %esi
	jne	.Lloop
	popq	%rbx
	retq
	.size	in_register, .-in_register

	.globl	on_stack
	.type	on_stack,@function
# CHECK-LABEL: on_stack at
# CHECK-NOT:     unresolved
# CHECK:         b2 {{.*}}
# CHECK-NEXT:      indirect -> b3
# CHECK-NEXT:      indirect -> b4
on_stack:
	subq	$24, %rsp
	leaq	.Lsecond(%rip), %rax
	movq	%rax, 8(%rsp)
	movq	$0, 16(%rsp)
.Lagain:
	callq	work@PLT
	cmpl	$1, %eax
	ja	.Lleave
	movq	8(%rsp), %rcx
	movl	%eax, %eax
	movslq	(%rcx,%rax,4), %rax
	addq	%rcx, %rax
	jmpq	*%rax
.Lc:
	movq	$1, 16(%rsp)
	jmp	.Lagain
.Lleave:
	addq	$24, %rsp
	retq
	.size	on_stack, .-on_stack

# The index counts in a loop: around it, it is another one each time, and on the
# way in it is a constant.
	.globl	counting
	.type	counting,@function
# CHECK-LABEL: counting at
# CHECK-NOT:     unresolved
# CHECK:         b2 {{.*}}
# CHECK-NEXT:      indirect -> b3
# CHECK-NEXT:      indirect -> b4
# CHECK-NEXT:    b3
counting:
	pushq	%rbp
	pushq	%rbx
	leaq	.Lthird(%rip), %rbx
	xorl	%ebp, %ebp
.Ltry:
	callq	work@PLT
	testl	%eax, %eax
	jne	.Lmore
	movl	%ebp, %eax
	movslq	(%rbx,%rax,4), %rax
	addq	%rbx, %rax
	jmpq	*%rax
.Ld:
	decl	%esi
.Lmore:
	incq	%rbp
	cmpq	$2, %rbp
	jne	.Ltry
	popq	%rbx
	popq	%rbp
	retq
	.size	counting, .-counting

	.section	.rodata,"a",@progbits
	.p2align	2
.Lthird:
	.long	.Ld-.Lthird
	.long	.Lmore-.Lthird
.Ltable:
	.long	.La-.Ltable
	.long	.Lb-.Ltable
	.long	.Lnext-.Ltable
.Lsecond:
	.long	.Lc-.Lsecond
	.long	.Lleave-.Lsecond
