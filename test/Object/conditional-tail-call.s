# A conditional branch out of the function: control leaves, or falls through.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.type	other,@function
other:
	retq
	.size	other, .-other

	.globl	outer
	.type	outer,@function
# CHECK-LABEL: outer at
# CHECK-NEXT:    b0 {{.*}} exit
# CHECK-NEXT:      conditional tail-calls other
# CHECK-NEXT:      falls -> b1
# CHECK-NEXT:    b1 {{.*}} exit
# CHECK-NEXT:      tail-calls other
outer:
	testl	%edi, %edi
	jne	other
	incl	%eax
	jmp	other
	.size	outer, .-outer
