# Pairs of an instruction that sets flags and a branch that x86 processors decode
# as one: which conditions go with which instruction, and that operands in memory
# with an immediate do not.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg --kinds %t | FileCheck %s

	.text
	.globl	pairs
	.type	pairs,@function
pairs:
# CHECK: cond_branch fused{{$}}
	cmpl	%eax, %ecx
	jb	.Lend
# CHECK: cond_branch{{$}}
	cmpl	%eax, %ecx
	js	.Lend
# CHECK: cond_branch fused{{$}}
	testl	%eax, %ecx
	js	.Lend
# CHECK: cond_branch fused{{$}}
	andl	$3, %ecx
	jp	.Lend
# CHECK: cond_branch fused{{$}}
	subl	%eax, %ecx
	ja	.Lend
# CHECK: cond_branch fused{{$}}
	addl	$1, %ecx
	jne	.Lend
# CHECK: cond_branch fused{{$}}
	decl	%ecx
	jg	.Lend
# CHECK: cond_branch{{$}}
	incl	%ecx
	jb	.Lend
# CHECK: cond_branch{{$}}
	orl	%eax, %ecx
	jne	.Lend
# CHECK: cond_branch{{$}}
	adcl	%eax, %ecx
	jne	.Lend
# CHECK: cond_branch fused{{$}}
	cmpl	(%rdi), %ecx
	jne	.Lend
# CHECK: cond_branch{{$}}
	cmpl	$5, (%rdi)
	jne	.Lend
# CHECK: cond_branch{{$}}
	addl	%eax, (%rdi)
	jne	.Lend
# CHECK: cond_branch{{$}}
	testl	%eax, %ecx
	nop
	jne	.Lend
# Where something may jump between the two, they are not one.
# CHECK: cond_branch{{$}}
	testl	%eax, %ecx
.Lbetween:
	jne	.Lend
# CHECK: cond_branch fused{{$}}
	cmpl	%eax, %ecx
	je	.Lbetween
# CHECK: jump{{$}}
	testl	%eax, %ecx
	jmp	.Lend
.Lend:
# CHECK: return
	retq
	.size	pairs, .-pairs
