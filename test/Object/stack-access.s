# Accesses to the stack: through the stack pointer, and through the frame pointer
# of functions that have one. Elsewhere that is a register like any other.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg --kinds %t | FileCheck %s
# RUN: llvm-mc -triple=aarch64-linux-gnu -filetype=obj --defsym ARM=1 %s -o %t.a.o
# RUN: ld.lld -shared %t.a.o -o %t.a
# RUN: machine-cfg --kinds %t.a | FileCheck %s --check-prefix=ARM

	.text
	.globl	with_frame
	.type	with_frame,@function
with_frame:
.ifdef ARM
# ARM-LABEL: with_frame at
# ARM:         push writes-memory stack{{$}}
# ARM-NEXT:    alu{{$}}
# ARM-NEXT:    load reads-memory stack{{$}}
# ARM-NEXT:    store writes-memory stack{{$}}
# ARM-NEXT:    load reads-memory{{$}}
# ARM-NEXT:    pop reads-memory stack{{$}}
	stp	x29, x30, [sp, #-32]!
	mov	x29, sp
	ldr	x0, [x29, #16]
	str	x0, [sp, #24]
	ldr	x0, [x0]
	ldp	x29, x30, [sp], #32
	ret
.else
# CHECK-LABEL: with_frame at
# CHECK:         push writes-memory stack{{$}}
# CHECK-NEXT:    alu{{$}}
# CHECK-NEXT:    load reads-memory stack{{$}}
# CHECK-NEXT:    store writes-memory stack{{$}}
# CHECK-NEXT:    load reads-memory{{$}}
# CHECK-NEXT:    pop reads-memory stack{{$}}
	pushq	%rbp
	movq	%rsp, %rbp
	movq	-8(%rbp), %rax
	movq	%rax, -16(%rsp)
	movq	(%rax), %rax
	popq	%rbp
	retq
.endif
	.size	with_frame, .-with_frame

	.globl	without_frame
	.type	without_frame,@function
without_frame:
.ifdef ARM
# ARM-LABEL: without_frame at
# ARM:         load reads-memory{{$}}
# ARM-NEXT:    store writes-memory stack{{$}}
	ldr	x0, [x29, #16]
	str	x0, [sp, #24]
	ret
.else
# CHECK-LABEL: without_frame at
# CHECK:         load reads-memory{{$}}
# CHECK-NEXT:    store writes-memory stack{{$}}
	movq	-8(%rbp), %rax
	movq	%rax, -16(%rsp)
	retq
.endif
	.size	without_frame, .-without_frame
