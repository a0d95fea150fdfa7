# Padding after the last instruction that is executed is nobody's code; before
# the head of a loop it is executed like any other. A function without an end
# falls into the next one.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.globl	padded
	.type	padded,@function
# CHECK-LABEL: padded at
# CHECK-NEXT:    b0 0x{{[0-9a-f.x]+}} x3{{$}}
# CHECK-NEXT:      falls -> b1
# CHECK-NEXT:    b1 0x{{[0-9a-f.x]+}} x2{{$}}
# CHECK-NEXT:      taken -> b1
# CHECK-NEXT:      falls -> b2
# CHECK-NEXT:    b2 0x{{[0-9a-f.x]+}} x1 exit
# CHECK-NEXT:    b3 0x{{[0-9a-f.x]+}} x2 unreachable
padded:
	xorl	%eax, %eax
	nopw	(%rax,%rax)
	nop
.Lloop:
	decl	%edi
	jne	.Lloop
	retq
	nopl	(%rax)
	int3
	.size	padded, .-padded

	.globl	falls
	.type	falls,@function
# CHECK-LABEL: falls at
# CHECK-NEXT:    b0 0x{{[0-9a-f.x]+}} x1 exit
# CHECK-NEXT:      tail-calls next at
falls:
	incl	%eax
	.size	falls, .-falls

	.globl	next
	.type	next,@function
next:
	retq
	.size	next, .-next
