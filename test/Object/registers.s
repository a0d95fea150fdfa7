# Registers that instructions read and write, widened: %al, %eax and %rax are
# one, and so are %xmm0 and %ymm0. What only clears a register reads none, and
# the flags are a register. Numbers are by first appearance.

# RUN: llvm-mc -triple=x86_64-linux-gnu -filetype=obj %s -o %t.o
# RUN: ld.lld -shared %t.o -o %t
# RUN: machine-cfg --registers %t | FileCheck %s
# RUN: llvm-mc -triple=aarch64-linux-gnu -mattr=+lse -filetype=obj --defsym ARM=1 %s -o %t.a.o
# RUN: ld.lld -shared %t.a.o -o %t.a
# RUN: machine-cfg --registers %t.a | FileCheck %s --check-prefix=ARM

	.text
	.globl	registers
	.type	registers,@function
registers:
.ifdef ARM
# ARM:      alu reads=r0 writes=r1{{$}}
	mov	x1, x0
# ARM-NEXT: alu reads=r0,r1 writes=r2{{$}}
	add	w2, w0, w1
# ARM-NEXT: alu reads=r2 writes=r3{{$}}
	cmp	w2, #3
# ARM-NEXT: cond_move reads=r0,r1,r3 writes=r2{{$}}
	csel	x2, x0, x1, eq
# ARM-NEXT: load reads-memory reads=r0 writes=r0,r1,r2{{$}}
	ldp	x1, x2, [x0], #16
# ARM-NEXT: load reads-memory reads=r0 writes=r4{{$}}
	ldr	d0, [x0]
# ARM-NEXT: fp reads=r4 writes=r5{{$}}
	fadd	s1, s0, s0
# ARM-NEXT: atomic reads-memory writes-memory reads=r6,r7,r2,r8,r0 writes=r6,r7{{$}}
	casp	x4, x5, x2, x3, [x0]
	ret
.else
# CHECK:      alu reads=r0 writes=r1{{$}}
	movq	%rdi, %rax
# CHECK-NEXT: alu reads=r1,r0 writes=r1,r2{{$}}
	addl	%edi, %eax
# CHECK-NEXT: alu reads=r1 writes=r2{{$}}
	testb	%al, %al
# CHECK-NEXT: cond_move reads=r1,r0,r2 writes=r1{{$}}
	cmovel	%edi, %eax
# CHECK-NEXT: alu writes=r1,r2{{$}}
	xorl	%eax, %eax
# CHECK-NEXT: alu reads=r1,r0 writes=r1,r2{{$}}
	xorl	%edi, %eax
# CHECK-NEXT: load reads-memory reads=r0,r1 writes=r3{{$}}
	movzbl	(%rdi,%rax,2), %ecx
# CHECK-NEXT: divide reads=r3,r1,r4 writes=r1,r4,r2{{$}}
	divl	%ecx
# CHECK-NEXT: fp writes=r5{{$}}
	vpxor	%xmm0, %xmm0, %xmm0
# CHECK-NEXT: fp reads=r5 writes=r6{{$}}
	vaddps	%ymm0, %ymm0, %ymm1
# CHECK-NEXT: store writes-memory reads=r0,r6{{$}}
	movups	%xmm1, (%rdi)
	retq
.endif
	.size	registers, .-registers
