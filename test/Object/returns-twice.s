# setjmp returns once more whenever longjmp says so: what follows the call is
# entered by no edge, as a landing pad is. longjmp never returns.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg %t | FileCheck %s

	.text
	.globl	protect
	.type	protect,@function
# CHECK:       protect at
# CHECK-NEXT:    b0 0x{{[0-9a-f.x]+}} x1{{$}}
# CHECK-NEXT:      calls _setjmp at
# CHECK-NEXT:      falls -> b1
# CHECK-NEXT:    b1 {{.*}} landing-pad
# CHECK-NEXT:      taken -> b3
# CHECK-NEXT:      falls -> b2
# CHECK-NEXT:    b2 {{.*}} exit
# CHECK-NEXT:      calls longjmp
# CHECK-NEXT:    b3 {{.*}} exit
protect:
	callq	_setjmp@PLT
	testl	%eax, %eax
	jne	.Lagain
	callq	longjmp@PLT
.Lagain:
	retq
	.size	protect, .-protect
